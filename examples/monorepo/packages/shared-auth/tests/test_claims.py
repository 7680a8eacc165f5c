from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared_auth import (
    AudienceMismatch,
    Claims,
    ExpiredToken,
    KeySet,
    MalformedToken,
    NotYetValid,
    SignatureMismatch,
    SigningKey,
    TokenVerifier,
    UnknownKey,
    decode_claims,
    decode_token,
)
from shared_auth.testing import EPOCH, TEST_KEYS, FakeClock, mint


def decode(token: str, audience: str = "checkout", now: datetime = EPOCH, **kw: Any) -> Claims:
    return decode_claims(token, keys=TEST_KEYS, audience=audience, now=now, **kw)


def test_fields() -> None:
    token = mint(
        "ann", audience="checkout", scopes="a:read", session_id="s1", extra={"tenant": "uk"}
    )
    claims = decode(token)
    assert (claims.subject, claims.issuer, claims.session_id) == ("ann", "acme-identity", "s1")
    assert claims.audience == ("checkout",)
    assert claims.issued_at == EPOCH
    assert claims.remaining(EPOCH) == timedelta(minutes=10)
    assert dict(claims.extra) == {"tenant": "uk"}
    assert claims.allows("a:read") and not claims.allows("a:write")
    assert isinstance(hash(claims), int)


def test_one_of_several_audiences_is_enough() -> None:
    assert decode(mint(audience=["x", "checkout"])).audience == ("x", "checkout")


@pytest.mark.parametrize("aud", [None, [], "Checkout", "checkout-v2", "check", "*", ["a", "b"]])
def test_audience_must_match_exactly(aud: str | list[str] | None) -> None:
    with pytest.raises(AudienceMismatch) as caught:
        decode(mint(audience=aud))
    expected = (aud,) if isinstance(aud, str) else tuple(aud or ())
    assert (caught.value.expected, caught.value.actual) == ("checkout", expected)


def test_audience_comes_before_expiry() -> None:
    with pytest.raises(AudienceMismatch):
        decode(mint(audience="other", lifetime=timedelta(hours=-1)))


def test_signature_comes_before_audience() -> None:
    head, _, signature = mint(audience="checkout").split(".")
    payload = mint(audience="other").split(".")[1]
    with pytest.raises(SignatureMismatch):
        decode(f"{head}.{payload}.{signature}")


@pytest.mark.parametrize(
    "kw",
    [
        {"audience": ""},
        {"leeway": timedelta(seconds=-1)},
        {"leeway": timedelta(hours=1)},
        {"now": datetime(2024, 1, 1)},
    ],
)
def test_bad_arguments_are_reported_before_the_token_is_read(kw: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        decode("not a token", **kw)


def test_expiry_is_exclusive_and_has_leeway() -> None:
    token = mint(audience="checkout", lifetime=timedelta(seconds=60))
    decode(token, now=EPOCH + timedelta(seconds=89))
    with pytest.raises(ExpiredToken) as caught:
        decode(token, now=EPOCH + timedelta(seconds=90))
    assert caught.value.expired_at == EPOCH + timedelta(seconds=60)
    with pytest.raises(ExpiredToken):
        decode(token, now=EPOCH + timedelta(seconds=60), leeway=timedelta(0))


def test_not_before() -> None:
    token = mint(audience="checkout", extra={"nbf": int(EPOCH.timestamp()) + 60})
    decode(token, now=EPOCH + timedelta(seconds=30))
    with pytest.raises(NotYetValid):
        decode(token)


def test_unknown_and_retired_keys() -> None:
    with pytest.raises(UnknownKey) as caught:
        decode(mint(audience="checkout", header={"kid": "gone"}))
    assert caught.value.kid == "gone"
    old = SigningKey("old", b"o" * 32, not_after=EPOCH)
    with pytest.raises(UnknownKey):
        decode_claims(mint(audience="a", key=old), keys=KeySet([old]), audience="a", now=EPOCH)


@pytest.mark.parametrize(
    "header", [{"alg": "none"}, {"alg": "RS256"}, {"crit": ["b64"]}, {"kid": 7}, {"kid": ""}]
)
def test_bad_headers(header: dict[str, object]) -> None:
    with pytest.raises(MalformedToken):
        decode(mint(audience="checkout", header=header))


@pytest.mark.parametrize("token", ["", "a.b", "a.b.c", "....", "é.é.é", "x" * 9000])
def test_unreadable_tokens(token: str) -> None:
    with pytest.raises(MalformedToken):
        decode(token)


@pytest.mark.parametrize(
    "extra",
    [
        {"exp": True},
        {"exp": "soon"},
        {"exp": 1e300},
        {"exp": 10**15},
        {"aud": 5},
        {"aud": ["checkout", 5]},
        {"sub": ""},
        {"sid": 3},
        {"scope": 3},
        {"scope": "nonsense"},
        {"scp": []},
    ],
)
def test_claims_of_the_wrong_type(extra: dict[str, object]) -> None:
    with pytest.raises(MalformedToken):
        decode(mint(audience="checkout", extra=extra))


@pytest.mark.parametrize("name", ["sub", "iss", "iat", "exp", "jti"])
def test_required_claims(name: str) -> None:
    with pytest.raises(MalformedToken, match=name):
        decode(mint(audience="checkout", omit=[name]))


def test_verifier_uses_its_clock() -> None:
    clock = FakeClock()
    verifier = TokenVerifier(TEST_KEYS, audience="checkout", clock=clock)
    token = mint("ann", audience="checkout")
    assert verifier.verify(token).subject == "ann"
    clock.advance(timedelta(hours=1))
    with pytest.raises(ExpiredToken):
        verifier.verify(token)
    assert verifier.key_id(token) == "test-1"
    assert (verifier.audience, verifier.leeway) == ("checkout", timedelta(seconds=30))


def test_old_name_warns() -> None:
    token = mint(audience="checkout", issued_at=datetime.now(UTC))
    with pytest.warns(DeprecationWarning, match="decode_claims"):
        assert decode_token(token, TEST_KEYS, "checkout").subject == "user-1"
