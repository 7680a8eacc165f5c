"""Byte-level helpers: base64url, canonical JSON and HMAC."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

DIGEST_SIZE: Final = hashlib.sha256().digest_size

# RFC 8725 asks for secrets at least as long as the digest.
MIN_SECRET_BYTES: Final = DIGEST_SIZE


def b64url_encode(raw: bytes) -> str:
    """Encode without padding, as RFC 7515 asks."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def b64url_decode(text: str) -> bytes:
    """Decode unpadded base64url, accepting only the canonical spelling.

    The standard decoder skips characters outside the alphabet and ignores the
    spare bits of the last one, so several strings decode to the same bytes. That
    would let somebody change a token without breaking it and slip past a deny
    list that compares tokens as text. Encoding again and comparing closes both.

    Raises:
        ValueError: If `text` is not what `b64url_encode` would have produced.
    """
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, binascii.Error) as exc:
        raise ValueError("not base64url") from exc
    if b64url_encode(raw) != text:
        raise ValueError("not canonical base64url")
    return raw


def canonical_json(value: Mapping[str, object]) -> bytes:
    """Serialise with sorted keys and no spaces, so equal values give equal bytes."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode("utf-8")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # json keeps the last of two equal keys while some gateways keep the first;
    # a token that two services read differently must not be accepted by either.
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("repeated key in object")
    return result


def parse_object(raw: bytes) -> dict[str, Any]:
    """Parse a JSON object, refusing repeated keys, NaN and infinities.

    Raises:
        ValueError: If `raw` is not UTF-8, not JSON, or not an object.
    """
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_unique_object,
            parse_constant=_refuse_constant,
        )
    except RecursionError as exc:
        raise ValueError("nested too deeply") from exc
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def hmac_sha256(secret: bytes, message: bytes) -> bytes:
    """Return the HMAC-SHA256 of `message`."""
    return hmac.digest(secret, message, "sha256")


def equal_in_constant_time(left: bytes, right: bytes) -> bool:
    """Compare two byte strings without revealing where they differ."""
    return hmac.compare_digest(left, right)
