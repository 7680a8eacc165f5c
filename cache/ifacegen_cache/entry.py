r"""One entry: a payload, some facts about it, and the digest that shows damage.

    ifv1 <sha256 of the rest> <bytes of the payload> <meta>\n
    <payload>

"The rest" is meta, newline and payload: every byte of a file is either digested, the digest, or
fixed by the others, so no change to a file goes unnoticed. Imported by every start: nothing here may
import what takes long (`hashlib` loads OpenSSL, and meta is parsed only when somebody asks for it).
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MAGIC = b"ifv1"
#: The part of an entry before its meta: magic, digest, a length of up to 19 digits, three spaces.
_LONGEST_PREFIX = len(_MAGIC) + 64 + 19 + 3
#: So many bytes into a process, OpenSSL's speed has won back what loading it takes.
_WORTH_OPENSSL = 700_000


class DamagedEntry(ValueError):
    """Bytes that are not, or no longer, a whole entry."""


class Entry:
    """A payload with facts about it."""

    __slots__ = ("_meta", "payload", "raw_meta")

    payload: bytes
    raw_meta: str
    """The facts as stored: a JSON object on one line of ASCII."""

    def __init__(self, payload: bytes, raw_meta: str = "{}") -> None:
        """Make an entry from parts that are known to be well-formed; :func:`make_entry` sees to that."""
        self.payload = payload
        self.raw_meta = raw_meta
        self._meta: Mapping[str, Any] | None = None

    @property
    def meta(self) -> Mapping[str, Any]:
        """The facts, parsed when first asked for.

        Raises:
            DamagedEntry: They are not a JSON object: whoever wrote the entry did not write this format.
        """
        if self._meta is None:
            self._meta = _parsed(self.raw_meta)
        return self._meta

    def encode(self) -> bytes:
        """The bytes of this entry, as :func:`decode_entry` takes them."""
        rest = self.raw_meta.encode("ascii") + b"\n" + self.payload
        return b"%b %b %d %b" % (_MAGIC, _digest(rest), len(self.payload), rest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return (self.payload, self.raw_meta) == (other.payload, other.raw_meta)

    def __hash__(self) -> int:
        return hash((self.payload, self.raw_meta))

    def __repr__(self) -> str:
        return f"<Entry: {len(self.payload)} bytes, {self.raw_meta}>"


def make_entry(payload: bytes, meta: Mapping[str, Any] | None = None) -> Entry:
    """The entry of a payload and facts about it.

    Raises:
        TypeError: ``meta`` holds what JSON has no word for.
        ValueError: The same, for NaN and infinities.
    """
    if not meta:
        return Entry(payload)
    import json

    return Entry(payload, json.dumps(meta, allow_nan=False, separators=(",", ":"), sort_keys=True))


def encode_entry(payload: bytes, meta: Mapping[str, Any] | None = None) -> bytes:
    """The bytes of an entry, as :func:`decode_entry` takes them.

    Raises:
        TypeError: ``meta`` holds what JSON has no word for.
        ValueError: The same, for NaN and infinities.
    """
    return make_entry(payload, meta).encode()


def decode_entry(data: bytes) -> Entry:
    """The entry that these bytes are.

    Raises:
        DamagedEntry: A byte is missing, too many, or not as it was written.
    """
    end = data.find(b"\n")
    head = data[:end].split(b" ", 3)
    if end < 0 or len(head) != 4 or head[0] != _MAGIC:
        raise DamagedEntry("not an entry")
    _, digest, size, meta = head
    # Compared as text: `int` would also take `+8`, `08` and `8_0`.
    if size != b"%d" % (len(data) - end - 1):
        raise DamagedEntry("not as long as it says")
    if digest != _digest(memoryview(data)[end - len(meta) :]) or not meta.isascii():
        raise DamagedEntry("not what was written")
    return Entry(data[end + 1 :], meta.decode("ascii"))


def declared_size(start: bytes) -> int | None:
    """How long a file of an entry must be, by its first line.

    Args:
        start: The first bytes of the file, a whole first line in them.

    Returns:
        The length of the whole file in bytes; None if it does not start as an entry does.
    """
    end = start.find(b"\n")
    head = start[: min(end, _LONGEST_PREFIX)].split(b" ", 3)
    if end < 0 or len(head) != 4 or head[0] != _MAGIC or not head[2].isdigit():
        return None
    return end + 1 + int(head[2])


def _parsed(raw_meta: str) -> Mapping[str, Any]:
    import json

    try:
        meta = json.loads(raw_meta)
    except (ValueError, RecursionError) as error:
        raise DamagedEntry(f"meta: {error}") from error
    if not isinstance(meta, dict):
        raise DamagedEntry("meta: not a JSON object")
    return meta


def sha256_hex(data: bytes | memoryview) -> str:
    """The SHA-256 of ``data`` in hexadecimal, without loading OpenSSL for a few bytes."""
    return _digest(data).decode("ascii")


def _digest(data: bytes | memoryview) -> bytes:
    """The SHA-256 of ``data`` in hexadecimal."""
    sha256: Any
    if "hashlib" in sys.modules or _own.digested + len(data) > _WORTH_OPENSSL:
        from hashlib import sha256
    else:
        sha256 = _own.sha256
        _own.digested += len(data)
    digest: str = sha256(data).hexdigest()
    return digest.encode()


class _Own:
    """Python's own code for SHA-256: a sixth as fast as OpenSSL's, and loaded in no time."""

    __slots__ = ("_sha256", "digested")

    def __init__(self) -> None:
        self._sha256: Any = None
        self.digested = 0

    @property
    def sha256(self) -> Any:
        if self._sha256 is None:
            try:
                from _sha2 import sha256  # type: ignore[import-not-found]
            except ImportError:
                try:
                    from _sha256 import sha256  # type: ignore[import-not-found]  # before Python 3.12
                except ImportError:
                    from hashlib import sha256
            self._sha256 = sha256
        return self._sha256


_own = _Own()
