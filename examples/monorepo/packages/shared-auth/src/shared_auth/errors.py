"""What the package raises.

Every class has a `code`: a short, stable string for logs and response bodies.
Messages are for people and may change; codes do not.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar


class AuthError(Exception):
    """Base class of everything this package raises on purpose.

    Bad arguments from the calling code are reported as `ValueError` instead:
    those are bugs in the caller and should not be turned into a 401.
    """

    code: ClassVar[str] = "auth_error"
    """Stable identifier of the kind of failure."""


class TokenError(AuthError):
    """A token was refused."""

    code = "token_refused"


class MalformedToken(TokenError):
    """The token cannot be read: wrong shape, encoding, header or claim type."""

    code = "token_malformed"

    def __init__(self, reason: str) -> None:
        super().__init__(f"malformed token: {reason}")
        self.reason = reason
        """What is wrong. Never contains any part of the token."""


class UnknownKey(TokenError):
    """No usable key has the id named in the token's header."""

    code = "token_unknown_key"

    def __init__(self, kid: str) -> None:
        super().__init__(f"no usable key with id {kid!r}")
        self.kid = kid
        """The key id from the header. It is not verified: treat it as user input."""


class SignatureMismatch(TokenError):
    """The key was found, and the signature is not the one it would make."""

    code = "token_bad_signature"

    def __init__(self, kid: str) -> None:
        super().__init__(f"signature does not match key {kid!r}")
        self.kid = kid
        """Id of the key the signature was checked against."""


class AudienceMismatch(TokenError):
    """The token is genuine but was issued for somebody else."""

    code = "token_wrong_audience"

    def __init__(self, expected: str, actual: tuple[str, ...]) -> None:
        super().__init__(f"token is for {', '.join(actual) or 'nobody'}, not for {expected}")
        self.expected = expected
        """The audience the caller asked for."""
        self.actual = actual
        """The audiences in the token; empty if it names none."""


class ExpiredToken(TokenError):
    """The token's expiry time, plus the leeway, has passed."""

    code = "token_expired"

    def __init__(self, expired_at: datetime, now: datetime) -> None:
        super().__init__(f"token expired at {expired_at.isoformat()}")
        self.expired_at = expired_at
        """The expiry time in the token, without the leeway."""
        self.now = now
        """The time the token was checked at."""


class NotYetValid(TokenError):
    """The token's not-before time, minus the leeway, is still to come."""

    code = "token_not_yet_valid"

    def __init__(self, valid_from: datetime) -> None:
        super().__init__(f"token is not valid before {valid_from.isoformat()}")
        self.valid_from = valid_from
        """The not-before time in the token, without the leeway."""


class SessionGone(AuthError):
    """The session has ended, was revoked, or never existed."""

    code = "session_gone"
