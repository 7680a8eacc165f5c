from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_cache import action_key, encode_fields

#: Lone surrogates included: they stand for the bytes of file names that are not UTF-8.
TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
FIELDS = st.dictionaries(TEXT, TEXT | st.binary(max_size=8), max_size=4)


def decode(data: bytes) -> dict[str, str | bytes]:
    """What ``encode_fields`` was given: that this can be written is why keys cannot collide."""
    fields: dict[str, str | bytes] = {}
    while data:
        name, data = take(data)
        kind, data = data[:2], data[2:]
        value, data = take(data)
        assert kind in {b"s:", b"b:"}
        fields[text(name)] = text(value) if kind == b"s:" else value
    return fields


def take(data: bytes) -> tuple[bytes, bytes]:
    size, _, rest = data.partition(b":")
    end = int(size)
    assert rest[end : end + 1] == b":"
    return rest[:end], rest[end + 1 :]


def text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def test_the_encoding_is_as_documented() -> None:
    assert encode_fields({"tool": "mypy"}) == b"4:tool:s:4:mypy:"
    assert encode_fields({"é": b"\xff", "a": ""}) == b"1:a:s:0::2:\xc3\xa9:b:1:\xff:"


def test_the_key_is_the_digest_of_the_encoding() -> None:
    assert action_key({"tool": "mypy"}) == hashlib.sha256(b"4:tool:s:4:mypy:").hexdigest()


@given(FIELDS)
def test_the_fields_can_be_read_back_from_the_encoding(fields: dict[str, str | bytes]) -> None:
    assert decode(encode_fields(fields)) == fields


@given(FIELDS, FIELDS)
def test_keys_are_equal_exactly_when_the_fields_are(
    one: dict[str, str | bytes], other: dict[str, str | bytes]
) -> None:
    assert (action_key(one) == action_key(other)) == (one == other)


@given(FIELDS, st.randoms(use_true_random=False))
def test_the_order_of_the_fields_does_not_matter(fields: dict[str, str | bytes], rng: random.Random) -> None:
    shuffled = list(fields.items())
    rng.shuffle(shuffled)
    assert action_key(dict(shuffled)) == action_key(fields)


@pytest.mark.parametrize(
    "other",
    [
        {"ab": "c"},
        {"a": b"bc"},
        {"a": "b", "c": ""},
        {"a": "", "bc": ""},
        {"a": "bc", "": ""},
        {"a": "1:s:2:bc:"},
        {},
    ],
)
def test_neighbours_have_other_keys(other: dict[str, str | bytes]) -> None:
    assert action_key({"a": "bc"}) != action_key(other)
