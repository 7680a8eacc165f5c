"""Claims: what a verified token says, and how to get them from a token."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self

from ._verify import DEFAULT_LEEWAY, VerifierBase, read_audience, read_time
from .errors import MalformedToken
from .scopes import Scope, covers_all, parse_scopes

if TYPE_CHECKING:
    from .keys import KeySource

if sys.version_info >= (3, 13):
    from warnings import deprecated as _deprecated
else:
    import functools
    import warnings
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    _P = ParamSpec("_P")
    _R = TypeVar("_R")

    def _deprecated(message: str, /) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
        def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
            @functools.wraps(function)
            def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                return function(*args, **kwargs)

            return wrapper

        return decorate


#: Claims that have a field of their own and so do not appear in `Claims.extra`.
REGISTERED: Final = frozenset(
    {"sub", "iss", "aud", "iat", "exp", "nbf", "jti", "sid", "scope", "scp"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What a verified token says about its holder.

    Get one from `decode_claims` or `TokenVerifier.verify`. Building one directly
    verifies nothing.
    """

    subject: str
    """Id of the user or service the token was issued to (`sub`)."""
    issuer: str
    """Name of the service that issued the token (`iss`)."""
    audience: tuple[str, ...]
    """Every audience the token names (`aud`), in the token's order."""
    issued_at: datetime
    """When the token was issued (`iat`), in UTC."""
    expires_at: datetime
    """When the token stops being valid (`exp`), in UTC and without leeway."""
    token_id: str
    """Unique id of the token (`jti`), for audit logs and deny lists."""
    session_id: str | None = None
    """Id of the login session (`sid`); `None` for a service's own token."""
    scopes: frozenset[Scope] = frozenset()
    """What the holder may do. Use `allows` rather than looking scopes up."""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Claims without a field of their own, read-only, as they came from JSON."""

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> Self:
        """Build claims from the payload of a token that has already been verified.

        Raises:
            MalformedToken: If a required claim is missing or has the wrong type.
        """
        session_id = payload.get("sid")
        if session_id is not None and not isinstance(session_id, str):
            raise MalformedToken("'sid' is not a string")
        return cls(
            subject=_read_text(payload, "sub"),
            issuer=_read_text(payload, "iss"),
            audience=read_audience(payload),
            issued_at=read_time(payload, "iat"),
            expires_at=read_time(payload, "exp"),
            token_id=_read_text(payload, "jti"),
            session_id=session_id,
            scopes=_read_scopes(payload),
            extra=MappingProxyType({k: v for k, v in payload.items() if k not in REGISTERED}),
        )

    def allows(self, *required: str | Scope) -> bool:
        """Say whether the holder has every one of the scopes given.

        Args:
            *required: Scopes, as objects or written out, such as `"orders:write"`.

        Returns:
            `True` if all are covered. With no arguments, `True`.

        Raises:
            ValueError: If a scope written out is malformed.
        """
        needed = (Scope.parse(item) if isinstance(item, str) else item for item in required)
        return covers_all(self.scopes, needed)

    def remaining(self, now: datetime) -> timedelta:
        """Return the time left until expiry, never less than zero."""
        return max(self.expires_at - now, timedelta(0))


class TokenVerifier(VerifierBase[Claims]):
    """A verifier bound to one audience, for services that check many tokens."""

    def _build(self, payload: Mapping[str, Any]) -> Claims:
        return Claims.from_payload(payload)


def decode_claims(
    token: str,
    *,
    keys: KeySource,
    audience: str,
    leeway: timedelta = DEFAULT_LEEWAY,
    now: datetime | None = None,
) -> Claims:
    """Verify a token and return its claims.

    The checks run in this order, and the first one that fails is reported: shape
    and header, signature, audience, expiry, not-before, types of the other claims.

    The audience check is never skipped. `audience` must equal, character for
    character, one of the values of the token's `aud` claim: there are no
    wildcards, no prefixes and no folding of case, and the leeway does not apply.
    A token with no `aud` claim, or an empty one, fails. No argument, setting or
    environment variable turns the check off, so a caller that gets `Claims` back
    holds a token that was issued for it and need not look at `Claims.audience`.
    Because the check comes before expiry, a token that is both expired and meant
    for somebody else raises `AudienceMismatch`.

    Args:
        token: The token, without any `Bearer` prefix.
        keys: Where to look up the key named in the token's header.
        audience: The name of the calling service. Must not be empty.
        leeway: How far the clocks of issuer and verifier may differ; at most five
            minutes. Applies to expiry and not-before only.
        now: The time to check against, with a time zone; the system clock if left
            out.

    Returns:
        The claims of the token, all checks passed.

    Raises:
        MalformedToken: If the token cannot be read or a claim has the wrong type.
        UnknownKey: If no usable key has the id in the token's header.
        SignatureMismatch: If the signature is wrong.
        AudienceMismatch: If the token was not issued for `audience`.
        ExpiredToken: If the expiry time plus `leeway` has passed.
        NotYetValid: If the not-before time minus `leeway` is still to come.
        ValueError: If `audience` is empty, `leeway` is out of range or `now` has no
            time zone. Raised before the token is looked at.
    """
    return TokenVerifier(keys, audience=audience, leeway=leeway).verify(token, now=now)


@_deprecated("decode_token is now called decode_claims")
def decode_token(token: str, keys: KeySource, audience: str) -> Claims:
    """Verify a token and return its claims, under the name used before 2.0.

    Deprecated: use `decode_claims`, which makes the same checks.
    """
    return decode_claims(token, keys=keys, audience=audience)


def _read_text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    if not isinstance(value, str) or not value:
        raise MalformedToken(f"{name!r} is not a non-empty string")
    return value


def _read_scopes(payload: Mapping[str, Any]) -> frozenset[Scope]:
    # `scp` replaced `scope` in 2.0. A token with both could be read two ways.
    if "scope" in payload and "scp" in payload:
        raise MalformedToken("both 'scope' and 'scp' are present")
    value = payload.get("scp", payload.get("scope", ""))
    if not isinstance(value, str | list):
        raise MalformedToken("scopes are neither a string nor a list")
    try:
        return parse_scopes(value)
    except ValueError as exc:
        raise MalformedToken(str(exc)) from exc
