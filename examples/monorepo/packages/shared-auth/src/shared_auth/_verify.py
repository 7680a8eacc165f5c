"""The steps of verifying a token, in the order they must happen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ._clock import SYSTEM_CLOCK, Clock, from_epoch, require_aware
from ._encoding import DIGEST_SIZE, b64url_decode, equal_in_constant_time, parse_object
from .errors import (
    AudienceMismatch,
    ExpiredToken,
    MalformedToken,
    NotYetValid,
    SignatureMismatch,
    UnknownKey,
)
from .keys import ALGORITHM, KeySource

_ResultT = TypeVar("_ResultT")

DEFAULT_LEEWAY: Final = timedelta(seconds=30)
MAX_LEEWAY: Final = timedelta(minutes=5)

# Refuse before decoding: nothing we issue comes near this, and the work done on
# an unverified token should have a bound.
_MAX_TOKEN_CHARS: Final = 8192


class _Parts(NamedTuple):
    kid: str
    payload: bytes
    signature: bytes
    signed: bytes


def _split(token: str) -> _Parts:
    if len(token) > _MAX_TOKEN_CHARS:
        raise MalformedToken("too long")
    segments = token.split(".")
    if len(segments) != 3:
        raise MalformedToken(f"{len(segments)} segments instead of 3")
    try:
        header_raw, payload, signature = (b64url_decode(segment) for segment in segments)
        header = parse_object(header_raw)
    except ValueError as exc:
        raise MalformedToken(str(exc)) from exc
    kid = _check_header(header)
    if len(signature) != DIGEST_SIZE:
        raise MalformedToken("signature has the wrong length")
    return _Parts(kid, payload, signature, f"{segments[0]}.{segments[1]}".encode("ascii"))


def _check_header(header: Mapping[str, Any]) -> str:
    # The header is compared with what we accept and never used to choose an
    # algorithm: choosing is how "alg": "none" attacks work.
    if header.get("alg") != ALGORITHM:
        raise MalformedToken("unsupported algorithm")
    if "crit" in header:
        raise MalformedToken("critical extensions are not supported")
    kid = header.get("kid")
    if not isinstance(kid, str) or not kid:
        raise MalformedToken("no key id")
    return kid


def _check_signature(parts: _Parts, keys: KeySource, now: datetime) -> None:
    key = keys.find(parts.kid, at=now)
    if key is None:
        raise UnknownKey(parts.kid)
    if not equal_in_constant_time(key.sign(parts.signed), parts.signature):
        raise SignatureMismatch(parts.kid)


def read_audience(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the audiences named in a payload: none, one, or several."""
    value = payload.get("aud", [])
    audiences = [value] if isinstance(value, str) else value
    if not isinstance(audiences, list) or not all(isinstance(a, str) for a in audiences):
        raise MalformedToken("'aud' is neither a string nor a list of strings")
    return tuple(audiences)


def read_time(payload: Mapping[str, Any], name: str) -> datetime:
    """Return the time claim called `name`, which must be there."""
    if name not in payload:
        raise MalformedToken(f"{name!r} is missing")
    try:
        return from_epoch(payload[name])
    except ValueError as exc:
        raise MalformedToken(f"{name!r} is {exc}") from exc


def _check_audience(payload: Mapping[str, Any], expected: str) -> None:
    actual = read_audience(payload)
    if expected not in actual:
        raise AudienceMismatch(expected, actual)


def _check_times(payload: Mapping[str, Any], now: datetime, leeway: timedelta) -> None:
    expires_at = read_time(payload, "exp")
    # Move `now`, not the claim: a claim near datetime.max would overflow.
    if now - leeway >= expires_at:
        raise ExpiredToken(expires_at, now)
    if "nbf" in payload and now + leeway < (valid_from := read_time(payload, "nbf")):
        raise NotYetValid(valid_from)


class VerifierBase(Generic[_ResultT]):
    """Verifies tokens and leaves it to a subclass what to make of the payload."""

    def __init__(
        self,
        keys: KeySource,
        *,
        audience: str,
        leeway: timedelta = DEFAULT_LEEWAY,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """Bind the settings that stay the same from token to token.

        Raises:
            ValueError: If `audience` is empty, or `leeway` is negative or longer
                than five minutes.
        """
        if not isinstance(audience, str) or not audience:
            raise ValueError("audience must be a non-empty string")
        if not timedelta(0) <= leeway <= MAX_LEEWAY:
            raise ValueError(f"leeway must be between 0 and {MAX_LEEWAY}")
        self._keys = keys
        self._audience = audience
        self._leeway = leeway
        self._clock = clock

    @property
    def audience(self) -> str:
        """The audience every token must name."""
        return self._audience

    @property
    def leeway(self) -> timedelta:
        """How far the clocks of issuer and verifier may differ."""
        return self._leeway

    def verify(self, token: str, *, now: datetime | None = None) -> _ResultT:
        """Check a token in full and return what it says.

        Args:
            token: The token, without any `Bearer` prefix.
            now: The time to check against; the verifier's clock if left out.

        Raises:
            TokenError: If any check fails; see `decode_claims` for the order.
        """
        moment = require_aware(self._clock.now() if now is None else now, "now")
        parts = _split(token)
        _check_signature(parts, self._keys, moment)
        # Only now is the payload known to come from the issuer.
        try:
            payload = parse_object(parts.payload)
        except ValueError as exc:
            raise MalformedToken(str(exc)) from exc
        _check_audience(payload, self._audience)
        _check_times(payload, moment, self._leeway)
        return self._build(payload)

    @staticmethod
    def key_id(token: str) -> str:
        """Return the key id in a token's header without verifying anything.

        For logs and for deciding whether to fetch keys again, never for trust.

        Raises:
            MalformedToken: If the token cannot be read.
        """
        return _split(token).kid

    def _build(self, payload: Mapping[str, Any]) -> _ResultT:
        raise NotImplementedError
