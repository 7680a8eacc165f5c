"""Verify Acme access tokens and read the claims in them.

Most callers need one function and one class::

    from shared_auth import KeySet, decode_claims

    keys = KeySet.from_jwks(document)
    claims = decode_claims(token, keys=keys, audience="checkout")

Everything in `__all__` follows semantic versioning. Modules whose names start
with an underscore do not.
"""

from .claims import Claims, TokenVerifier, decode_claims, decode_token
from .errors import (
    AudienceMismatch,
    AuthError,
    ExpiredToken,
    MalformedToken,
    NotYetValid,
    SessionGone,
    SignatureMismatch,
    TokenError,
    UnknownKey,
)
from .keys import KeySet, KeySource, SigningKey
from .scopes import Access, Scope, parse_scopes
from .sessions import Session, SessionKey, SessionStore

__all__ = [
    "Access",
    "AudienceMismatch",
    "AuthError",
    "Claims",
    "ExpiredToken",
    "KeySet",
    "KeySource",
    "MalformedToken",
    "NotYetValid",
    "Scope",
    "Session",
    "SessionGone",
    "SessionKey",
    "SessionStore",
    "SignatureMismatch",
    "SigningKey",
    "TokenError",
    "TokenVerifier",
    "UnknownKey",
    "decode_claims",
    "decode_token",
    "parse_scopes",
]

__version__ = "2.3.0"
