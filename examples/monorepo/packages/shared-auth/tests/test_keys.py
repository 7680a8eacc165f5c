from datetime import timedelta

import pytest

from shared_auth import KeySet, SigningKey
from shared_auth._encoding import b64url_decode, b64url_encode, canonical_json, parse_object
from shared_auth.testing import EPOCH, TEST_KEY, TEST_KEYS

NEW = SigningKey("new", b"n" * 32)


def test_secret_stays_out_of_repr() -> None:
    assert "only-for-tests" not in repr(TEST_KEY) + repr(TEST_KEYS)


def test_bad_keys() -> None:
    with pytest.raises(ValueError, match="shorter"):
        SigningKey("short", b"x" * 31)
    with pytest.raises(ValueError, match="two keys"):
        KeySet([NEW, NEW])


def test_get() -> None:
    assert TEST_KEYS.get("test-1") is TEST_KEY
    assert TEST_KEYS.get("nope") is None
    assert TEST_KEYS.get("nope", 3) == 3


def test_rotation() -> None:
    rotated = TEST_KEYS.rotate(NEW, at=EPOCH, overlap=timedelta(hours=1))
    assert rotated.active(at=EPOCH) is NEW
    assert rotated.find("test-1", at=EPOCH + timedelta(minutes=59)) is not None
    assert rotated.find("test-1", at=EPOCH + timedelta(hours=1)) is None
    assert TEST_KEYS.find("test-1", at=EPOCH + timedelta(days=99)) is TEST_KEY
    later = rotated.rotate(SigningKey("n2", b"2" * 32), at=EPOCH + timedelta(hours=2))
    assert [key.kid for key in later] == ["n2", "new"]


def test_no_active_key() -> None:
    with pytest.raises(LookupError):
        TEST_KEYS.without("test-1").active(at=EPOCH)


def test_jwks_round_trip_and_skipping() -> None:
    keys = TEST_KEYS.rotate(SigningKey("new", b"n" * 32, not_before=EPOCH), at=EPOCH)
    document = keys.to_jwks()
    assert list(KeySet.from_jwks(document)) == list(keys)
    mixed = {"keys": [{"kty": "RSA", "kid": "r"}, *document["keys"]]}
    assert "r" not in KeySet.from_jwks(mixed)


@pytest.mark.parametrize("document", [{}, {"keys": 3}, {"keys": [3]}, {"keys": [{"kty": "oct"}]}])
def test_bad_jwks(document: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        KeySet.from_jwks(document)


@pytest.mark.parametrize("text", ["QQ==", "QR", "Q", "Q Q", "+/+/"])
def test_base64url_is_strict(text: str) -> None:
    with pytest.raises(ValueError):
        b64url_decode(text)


def test_base64url_round_trip() -> None:
    for size in range(8):
        assert b64url_decode(b64url_encode(b"\xff" * size)) == b"\xff" * size


@pytest.mark.parametrize("raw", [b'{"a":1,"a":2}', b'{"a":NaN}', b"[]", b"\xff", b"[" * 100_000])
def test_json_is_strict(raw: bytes) -> None:
    with pytest.raises(ValueError):
        parse_object(raw)


def test_canonical_json() -> None:
    assert canonical_json({"b": 1, "a": "é"}) == '{"a":"é","b":1}'.encode()
