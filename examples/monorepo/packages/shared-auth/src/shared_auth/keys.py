"""Signing keys, and the sets of them that tokens are verified against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NotRequired, Protocol, Self, TypedDict, TypeVar, overload

from ._clock import from_epoch, require_aware, to_epoch
from ._encoding import MIN_SECRET_BYTES, b64url_decode, b64url_encode, hmac_sha256

_T = TypeVar("_T")

ALGORITHM: Final = "HS256"
"""The only signature algorithm that is accepted, whatever a token's header says."""

#: How long a replaced key goes on verifying tokens unless `KeySet.rotate` is told
#: otherwise. Longer than the lifetime of any access token we issue.
DEFAULT_OVERLAP: Final = timedelta(hours=2)


class JWK(TypedDict):
    """One symmetric key as it travels in a key document."""

    kty: str
    kid: str
    k: str
    alg: NotRequired[str]
    nbf: NotRequired[int]
    exp: NotRequired[int]


class JWKS(TypedDict):
    """A key document. The first usable key is the one that signs."""

    keys: list[JWK]


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A named secret and the time span in which it may be used.

    Attributes:
        kid: The key's id, as it appears in token headers.
        secret: The secret bytes. Left out of `repr` so it cannot reach a log.
        not_before: When the key becomes usable, or `None` for always.
        not_after: When it stops being usable, or `None` for never.
    """

    kid: str
    secret: bytes = field(repr=False)
    not_before: datetime | None = None
    not_after: datetime | None = None

    def __post_init__(self) -> None:
        if not self.kid:
            raise ValueError("a key needs an id")
        if len(self.secret) < MIN_SECRET_BYTES:
            raise ValueError(f"key {self.kid!r} is shorter than {MIN_SECRET_BYTES} bytes")
        for name in ("not_before", "not_after"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, require_aware(value, name))

    def usable_at(self, moment: datetime) -> bool:
        """Say whether the key may be used at `moment`. The end is exclusive."""
        if self.not_before is not None and moment < self.not_before:
            return False
        return self.not_after is None or moment < self.not_after

    def sign(self, message: bytes) -> bytes:
        """Return the HMAC-SHA256 of `message` under this key."""
        return hmac_sha256(self.secret, message)


class KeySource(Protocol):
    """Where a verifier looks keys up.

    `KeySet` is one. A service that fetches keys over the network can pass its own
    object, as long as `find` does not block for long.
    """

    def find(self, kid: str, *, at: datetime) -> SigningKey | None:
        """Return the key called `kid` if it may be used at `at`, otherwise `None`."""
        ...


class KeySet:
    """An immutable, ordered set of keys with distinct ids.

    `rotate` and `without` return a new set, so a set that is being read by one
    thread is never changed by another.
    """

    __slots__ = ("_by_kid",)

    def __init__(self, keys: Iterable[SigningKey] = ()) -> None:
        """Build a set from `keys`, the preferred signing key first.

        Raises:
            ValueError: If two keys have the same id.
        """
        by_kid: dict[str, SigningKey] = {}
        for key in keys:
            if key.kid in by_kid:
                raise ValueError(f"two keys have the id {key.kid!r}")
            by_kid[key.kid] = key
        self._by_kid = by_kid

    @classmethod
    def from_jwks(cls, document: JWKS | Mapping[str, Any]) -> Self:
        """Load a key document.

        Entries of another key type or algorithm are skipped, so that the identity
        service can publish new kinds of key before every reader understands them.

        Args:
            document: The parsed document: a mapping with a list under `keys`.

        Returns:
            A set with the keys in document order.

        Raises:
            ValueError: If the document, or an entry of a known type, is malformed.
        """
        entries = document.get("keys")
        if not isinstance(entries, list) or not all(isinstance(e, Mapping) for e in entries):
            raise ValueError("a key document needs a list of objects under 'keys'")
        return cls(
            _key_from_jwk(entry)
            for entry in entries
            if entry.get("kty") == "oct" and entry.get("alg", ALGORITHM) == ALGORITHM
        )

    def to_jwks(self) -> JWKS:
        """Return the document `from_jwks` would load this set from. Contains secrets."""
        return {"keys": [_key_to_jwk(key) for key in self]}

    def __iter__(self) -> Iterator[SigningKey]:
        return iter(self._by_kid.values())

    def __len__(self) -> int:
        return len(self._by_kid)

    def __contains__(self, kid: object) -> bool:
        return kid in self._by_kid

    def __repr__(self) -> str:
        return f"KeySet({', '.join(self._by_kid)})"

    @overload
    def get(self, kid: str) -> SigningKey | None: ...
    @overload
    def get(self, kid: str, default: _T) -> SigningKey | _T: ...
    def get(self, kid: str, default: object = None) -> object:
        """Return the key called `kid`, usable or not, or `default` if there is none."""
        return self._by_kid.get(kid, default)

    def find(self, kid: str, *, at: datetime) -> SigningKey | None:
        """Return the key called `kid` if it may be used at `at`, otherwise `None`."""
        key = self._by_kid.get(kid)
        return key if key is not None and key.usable_at(at) else None

    def active(self, *, at: datetime | None = None) -> SigningKey:
        """Return the key to sign with: the first one usable at `at` (default now).

        Raises:
            LookupError: If no key is usable then.
        """
        moment = datetime.now(UTC) if at is None else require_aware(at, "at")
        for key in self:
            if key.usable_at(moment):
                return key
        raise LookupError("no key is usable")

    def rotate(
        self, new: SigningKey, *, at: datetime, overlap: timedelta = DEFAULT_OVERLAP
    ) -> KeySet:
        """Put `new` first and let the older keys run out.

        Keys that would have ended sooner keep their own end; keys that have already
        ended by `at` are dropped.

        Args:
            new: The key that signs from now on.
            at: The moment of the rotation.
            overlap: How long the older keys still verify tokens.

        Returns:
            The rotated set. This one is unchanged.

        Raises:
            ValueError: If `overlap` is negative or `new` reuses the id of a kept key.
        """
        if overlap < timedelta(0):
            raise ValueError("overlap must not be negative")
        end = require_aware(at, "at") + overlap
        kept = [key for key in self if key.not_after is None or key.not_after > at]
        return KeySet([new, *(_ending_by(key, end) for key in kept)])

    def without(self, kid: str) -> KeySet:
        """Return the set minus one key, for when a secret has leaked."""
        return KeySet(key for key in self if key.kid != kid)


def _ending_by(key: SigningKey, end: datetime) -> SigningKey:
    if key.not_after is not None and key.not_after <= end:
        return key
    return replace(key, not_after=end)


def _key_from_jwk(entry: Mapping[str, Any]) -> SigningKey:
    kid, encoded = entry.get("kid"), entry.get("k")
    if not isinstance(kid, str) or not isinstance(encoded, str):
        raise ValueError("a symmetric key needs the strings 'kid' and 'k'")
    try:
        return SigningKey(
            kid=kid,
            secret=b64url_decode(encoded),
            not_before=from_epoch(entry["nbf"]) if "nbf" in entry else None,
            not_after=from_epoch(entry["exp"]) if "exp" in entry else None,
        )
    except ValueError as exc:
        raise ValueError(f"key {kid!r}: {exc}") from exc


def _key_to_jwk(key: SigningKey) -> JWK:
    entry: JWK = {"kty": "oct", "kid": key.kid, "k": b64url_encode(key.secret), "alg": ALGORITHM}
    if key.not_before is not None:
        entry["nbf"] = to_epoch(key.not_before)
    if key.not_after is not None:
        entry["exp"] = to_epoch(key.not_after)
    return entry
