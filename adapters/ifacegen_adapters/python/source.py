"""From the bytes of a Python file to text that can be parsed: encodings, damage, new syntax.

Bytes are decoded as Python would; what Python would refuse is read all the same where that is
possible, and said.
"""

from __future__ import annotations

import codecs
import itertools
import re
from dataclasses import dataclass

#: Bytes of the largest file that is read; generated tables go beyond 10 MB, sources do not.
LARGEST = 16 * 1024 * 1024

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
#: White space between tokens of one line, which may be broken.
_SPACE = rb"(?:[ \t]|\\\n)"
_TYPE_PARAMETERS = re.compile(
    rb"^[ \t]*(?:async%b+def|def|class|type)%b+\w+%b*\[" % (_SPACE, _SPACE, _SPACE), re.MULTILINE
)
_LAZY_IMPORT = re.compile(rb"^([ \t]*)lazy[ \t]+(import|from)\b", re.MULTILINE)
#: Runs of comment lines, over which tree-sitter-python's scanner takes quadratic time.
_COMMENTS = re.compile(rb"(?:^[ \t]*#(?!:)[^\n]*\n){40,}", re.MULTILINE)
#: Runs of brackets, operators and continued lines that nobody wrote, which take it minutes.
_TOWERS = re.compile(
    rb"[\[({*~+\-]{1000,}(?:[^\n\[\](){}]{0,200}[\])}]{1000,})?|(?:^[^\n]*\\\n){500,}", re.MULTILINE
)
#: Cheap to look for, and in every such run of one kind.
_SIGNS = tuple(bytes([char]) * 1000 for char in b"[({*~+-")
_VISIBLE = re.compile(rb"[^\n]")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Unreadable(Exception):
    """The file is no text that Python could run; ``str()`` is the reason."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text as UTF-8, and what had to be guessed to get it."""

    #: UTF-8, ``\n`` line ends, no BOM; what every slice is cut from.
    text: bytes
    #: One clear sentence, where the file's encoding is not what it says.
    problem: str | None = None


def read_source(data: bytes) -> Source:
    """Decode a Python file.

    Raises:
        Unreadable: Larger than :data:`LARGEST`, or with null bytes, which Python refuses too.
    """
    if len(data) > LARGEST:
        raise Unreadable(f"{len(data):,} bytes; files over {LARGEST:,} are not read")
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            decoded = _decoded(data[len(bom) :], encoding)
            if encoding == "utf-8":
                return decoded
            return Source(
                decoded.text,
                f"{encoding} with a byte order mark, which Python does not run; read all the same",
            )
    if b"\0" in data:
        raise Unreadable(f"null byte at offset {data.index(0):,}; not Python source")
    return _decoded(data, _declared_encoding(data))


def _declared_encoding(data: bytes) -> str:
    """The encoding of the PEP 263 comment in the first two lines, else UTF-8."""
    for line in data.split(b"\n", 2)[:2]:
        if found := _COOKIE.match(line):
            return found[1].decode("ascii", "replace")
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"


def _decoded(data: bytes, encoding: str) -> Source:
    problem = None
    try:
        text = data.decode(encoding)
    except LookupError:  # "base64" and other encodings that give no text included
        text, problem = data.decode("utf-8", "replace"), f"unknown encoding {encoding!r}; read as UTF-8"
    except UnicodeDecodeError as error:
        # What was right until here is damaged; what never was is most likely what Python once assumed.
        damaged = not data[: error.start].isascii()
        text = data.decode(encoding, "replace") if damaged else data.decode("latin-1")
        how = "with replacement characters" if damaged else "as latin-1"
        problem = f"not {encoding} at byte {error.start:,}; read {how}"
    if "\0" in text:
        raise Unreadable("null bytes; not Python source")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(text.encode("utf-8", "replace"), problem)


def without_towers(text: bytes) -> tuple[bytes, int]:
    """The text with such runs as ``...`` and blanks, and the line of the first one (0 if there is none)."""
    suspicious = any(each in text for each in _SIGNS) or text.count(b"\\\n") >= 500
    tower = _TOWERS.search(text) if suspicious else None
    if tower is None:
        return text, 0
    lowered = _TOWERS.sub(lambda found: b"..." + _VISIBLE.sub(b" ", found[0][3:]), text)
    return lowered, text.count(b"\n", 0, tower.start()) + 1


def without_comment_runs(text: bytes) -> bytes:
    """A copy of the same length, for parsing only, with long runs of comments blanked out."""
    return _COMMENTS.sub(_blank, text) if text.count(b"#") >= 40 and _may_have_run(text) else text


def _may_have_run(text: bytes) -> bool:
    """Whether every twentieth line is a comment twice in succession, as in every run of 40 lines."""
    sample = [line.lstrip(b" \t").startswith(b"#") for line in text.split(b"\n")[::20]]
    return any(first and second for first, second in itertools.pairwise(sample))


def _blank(found: re.Match[bytes]) -> bytes:
    return _VISIBLE.sub(b" ", found[0])


def repaired(text: bytes) -> bytes:
    """A copy of the same length in which syntax newer than the grammar is blanked out, for parsing only.

    PEP 696 defaults of type parameters become spaces, PEP 810 ``lazy import`` an ordinary import; slices
    are still cut from the original, so nothing is lost.
    """
    text = _LAZY_IMPORT.sub(lambda m: m[1] + m[2] + b" " * (len(m[0]) - len(m[1]) - len(m[2])), text)
    copy = bytearray(text)
    for found in _TYPE_PARAMETERS.finditer(text):
        _blank_defaults(copy, found.end() - 1)
    return bytes(copy)


def _blank_defaults(text: bytearray, start: int) -> None:
    """Blank ``= default`` at bracket depth 1 of the type parameters that open at ``start``."""
    depth, blanking = 0, False
    for index in range(start, min(len(text), start + 10_000)):
        char = text[index : index + 1]
        if char in b"[({":
            depth += 1
        elif char in b"])}":
            depth -= 1
            if depth == 0:
                return
        elif depth == 1 and char == b",":
            blanking = False
        elif depth == 1 and char == b"=":
            blanking = True
        if blanking and char != b"\n":
            text[index : index + 1] = b" "
