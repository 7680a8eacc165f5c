"""From an `Authorization` header to claims, or to a reason to refuse."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from shared_auth import (
    AudienceMismatch,
    Claims,
    ExpiredToken,
    KeySource,
    TokenError,
    UnknownKey,
    decode_claims,
)

AUDIENCE: Final = "checkout"
"""The name this service is known by to the identity service."""

_log = logging.getLogger(__name__)


class Denied(Exception):
    """The request is refused.

    Attributes:
        status: The HTTP status to answer with.
        code: A stable string for the response body.
    """

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


class Authoriser:
    """Decides who a caller is and whether they may do what they ask."""

    def __init__(self, keys: KeySource, *, now: Callable[[], datetime] | None = None) -> None:
        """Verify against `keys`; `now` replaces the system clock in tests."""
        self._keys = keys
        self._now = now

    def authenticate(self, header: str | None) -> Claims:
        """Return the claims of the token in an `Authorization` header.

        Raises:
            Denied: With status 401 if there is no good token for this service.
        """
        token = _bearer_token(header)
        try:
            # decode_claims promises that the audience is always checked, so there
            # is no second look at claims.audience here.
            return decode_claims(
                token,
                keys=self._keys,
                audience=AUDIENCE,
                now=self._now() if self._now is not None else None,
            )
        except ExpiredToken as exc:
            # Routine: clients refresh their token when they see this code.
            raise Denied(401, exc.code) from exc
        except AudienceMismatch as exc:
            # A genuine token for another service means that a caller is misrouting
            # tokens, or that one was stolen. Somebody should know.
            _log.warning("token for %s presented to %s", exc.actual, exc.expected)
            raise Denied(401, exc.code) from exc
        except UnknownKey as exc:
            _log.warning("token signed with unknown key %r", exc.kid)
            raise Denied(401, "token_refused") from exc
        except TokenError as exc:
            # Do not tell a forger which check they failed.
            _log.info("token refused: %s", exc.code)
            raise Denied(401, "token_refused") from exc

    def authorise(self, header: str | None, *scopes: str) -> Claims:
        """Return the caller's claims if they hold every one of `scopes`.

        Raises:
            Denied: With status 401 as for `authenticate`, or 403 if a scope is
                missing.
        """
        claims = self.authenticate(header)
        if not claims.allows(*scopes):
            _log.info("%s lacks one of %s", claims.subject, ", ".join(scopes))
            raise Denied(403, "missing_scope")
        return claims


def _bearer_token(header: str | None) -> str:
    scheme, _, token = (header or "").strip().partition(" ")
    # The scheme is case-insensitive (RFC 9110); the token is not.
    if scheme.lower() != "bearer" or not token.strip():
        raise Denied(401, "token_missing")
    return token.strip()
