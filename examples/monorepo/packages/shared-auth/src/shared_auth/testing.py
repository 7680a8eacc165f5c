"""Helpers for the tests of services that use this package.

There is no public way to make a token outside this module: only the identity
service issues them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Final

from ._clock import require_aware, to_epoch
from ._encoding import b64url_encode, canonical_json
from .keys import ALGORITHM, KeySet, SigningKey

TEST_KEY: Final = SigningKey("test-1", b"only-for-tests-only-for-tests-32")
"""The key `mint` signs with unless told otherwise."""

TEST_KEYS: Final = KeySet([TEST_KEY])
"""A set with only `TEST_KEY` in it."""

#: Where a `FakeClock` starts. Tokens from `mint` are issued then by default.
EPOCH: Final = datetime(2024, 1, 1, 12, 0, tzinfo=UTC)

_token_ids = count(1)


class FakeClock:
    """A clock that moves only when told to."""

    def __init__(self, start: datetime = EPOCH) -> None:
        self._now = require_aware(start, "start")

    def now(self) -> datetime:
        """Return the current fake time."""
        return self._now

    def advance(self, by: timedelta | None = None, /, *, seconds: float = 0) -> datetime:
        """Move forwards and return the new time.

        Raises:
            ValueError: If that would move the clock backwards.
        """
        step = (by or timedelta(0)) + timedelta(seconds=seconds)
        if step < timedelta(0):
            raise ValueError("a FakeClock cannot go backwards")
        self._now += step
        return self._now


def mint(
    subject: str = "user-1",
    *,
    audience: str | Sequence[str] | None,
    scopes: str | Sequence[Any] = "",
    key: SigningKey = TEST_KEY,
    issued_at: datetime = EPOCH,
    lifetime: timedelta = timedelta(minutes=10),
    session_id: str | None = None,
    extra: Mapping[str, Any] | None = None,
    header: Mapping[str, Any] | None = None,
    omit: Collection[str] = (),
) -> str:
    """Make a signed token.

    By default the token is a good one, issued at `EPOCH`. The last three arguments
    are for making bad ones.

    Args:
        subject: Who the token is for.
        audience: One audience, several, or `None` for a token without `aud`.
        scopes: A string of scopes, or the entries of the structured claim.
        key: The key to sign with.
        issued_at: When the token was issued.
        lifetime: How long it is valid; negative for one that has expired already.
        session_id: The session it belongs to, if any.
        extra: More claims, which win over those above.
        header: More header fields, which win over the usual ones.
        omit: Names of claims to leave out.

    Returns:
        The token, ready to go after `Bearer`.
    """
    payload: dict[str, Any] = {
        "sub": subject,
        "iss": "acme-identity",
        "iat": to_epoch(issued_at),
        "exp": to_epoch(issued_at + lifetime),
        "jti": f"token-{next(_token_ids)}",
    }
    if audience is not None:
        payload["aud"] = audience if isinstance(audience, str) else list(audience)
    if session_id is not None:
        payload["sid"] = session_id
    if isinstance(scopes, str):
        payload["scope"] = scopes
    else:
        payload["scp"] = list(scopes)
    payload.update(extra or {})
    kept = {name: value for name, value in payload.items() if name not in omit}
    full_header = {"alg": ALGORITHM, "kid": key.kid, "typ": "JWT", **(header or {})}
    signed = f"{b64url_encode(canonical_json(full_header))}.{b64url_encode(canonical_json(kept))}"
    return f"{signed}.{b64url_encode(key.sign(signed.encode('ascii')))}"
