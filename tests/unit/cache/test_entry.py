from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_cache import DamagedEntry, Entry, decode_entry, encode_entry
from ifacegen_cache.entry import declared_size, make_entry

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
META = st.dictionaries(st.text(), JSON, max_size=3)


def signed(rest: bytes, size: int | None = None) -> bytes:
    """An entry as another program might write it, with any meta."""
    size = len(rest) - rest.index(b"\n") - 1 if size is None else size
    return b"ifv1 %b %d %b" % (hashlib.sha256(rest).hexdigest().encode(), size, rest)


def test_the_format_is_as_documented() -> None:
    assert encode_entry(b"a\nb", {"b": 1, "a": "é"}) == signed(b'{"a":"\\u00e9","b":1}\na\nb')
    assert encode_entry(b"") == signed(b"{}\n")


@given(st.binary(), META)
def test_what_was_encoded_is_decoded(payload: bytes, meta: dict[str, Any]) -> None:
    entry = decode_entry(encode_entry(payload, meta))
    assert (entry.payload, entry.meta) == (payload, meta)
    assert entry == make_entry(payload, meta)
    assert entry.encode() == encode_entry(payload, meta)


@given(st.binary(), META)
def test_the_first_line_is_one_line_of_ascii_and_tells_the_length(
    payload: bytes, meta: dict[str, Any]
) -> None:
    data = encode_entry(payload, meta)
    first, _, rest = data.partition(b"\n")
    assert first.isascii()
    assert rest == payload
    assert declared_size(data) == declared_size(first + b"\n") == len(data)


def test_any_flipped_bit_is_noticed() -> None:
    data = encode_entry(b"def f(): ...\n", {"header": ["# é"]})
    for position in range(len(data) * 8):
        broken = bytearray(data)
        broken[position // 8] ^= 1 << position % 8
        with pytest.raises(DamagedEntry):
            decode_entry(bytes(broken))


def test_anything_cut_off_or_added_is_noticed() -> None:
    data = encode_entry(b"def f(): ...\n")
    for end in range(len(data)):
        with pytest.raises(DamagedEntry):
            decode_entry(data[:end])
        assert declared_size(data[:end]) != end
    for broken in (data + b"\n", data + b"\0", b"\n" + data, data + data):
        with pytest.raises(DamagedEntry):
            decode_entry(broken)
        assert declared_size(broken) != len(broken)


@given(st.binary(max_size=200))
def test_anything_else_is_no_entry(data: bytes) -> None:
    with pytest.raises(DamagedEntry):
        decode_entry(data)
    assert declared_size(data) is None


@pytest.mark.parametrize("size", [b"+3", b"03", b" 3", b"3 ", b"3_0", b"-1", b"", b"three", b"\xb3"])
def test_a_length_has_one_spelling(size: bytes) -> None:
    data = encode_entry(b"abc").replace(b" 3 ", b" %b " % size)
    with pytest.raises(DamagedEntry):
        decode_entry(data)


def test_a_first_line_that_looks_right_needs_a_length() -> None:
    assert declared_size(b"ifv1 digest much {}\n") is None
    assert declared_size(b"ifv1 digest 3 {}") is None


@pytest.mark.parametrize("raw_meta", [b"[]", b"1", b"{", b"", b"[" * 100_000])
def test_meta_that_is_no_object_is_damage_when_it_is_asked_for(raw_meta: bytes) -> None:
    entry = decode_entry(signed(raw_meta + b"\npayload"))
    assert entry.payload == b"payload"
    with pytest.raises(DamagedEntry, match="meta"):
        entry.meta  # noqa: B018


def test_meta_that_is_not_ascii_is_damage() -> None:
    with pytest.raises(DamagedEntry):
        decode_entry(signed('{"a":"é"}\n'.encode()))


@pytest.mark.parametrize("meta", [{"a": float("nan")}, {"a": float("inf")}])
def test_meta_is_json_and_nothing_near_it(meta: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode_entry(b"", meta)
    with pytest.raises(TypeError):
        encode_entry(b"", {"a": b"bytes"})


def test_meta_with_many_facts_is_read_back() -> None:
    meta = {"lines": ["x" * 50] * 1000}
    data = encode_entry(b"payload", meta)
    assert decode_entry(data).meta == meta
    assert json.loads(decode_entry(data).raw_meta) == meta
    assert declared_size(data) == len(data)


def test_entries_are_values() -> None:
    assert Entry(b"a") == Entry(b"a", "{}")
    assert Entry(b"a") != Entry(b"a", '{"a":1}')
    assert Entry(b"a") != b"a"
    assert len({Entry(b"a"), Entry(b"a"), Entry(b"b")}) == 2
    assert repr(Entry(b"abc")) == "<Entry: 3 bytes, {}>"


@pytest.mark.parametrize("size", [10, 800_000], ids=["by Python's own code", "by OpenSSL"])
def test_both_ways_to_digest_agree(size: int) -> None:
    """In a new interpreter: in this one somebody has loaded OpenSSL."""
    program = f"""
import sys
from ifacegen_cache.entry import decode_entry, encode_entry, sha256_hex
data = encode_entry(b"x" * {size})
decode_entry(data)
assert sha256_hex(data[data.index(b"{{}}"):]) == data[5:69].decode()
print("hashlib" in sys.modules, data[5:69].decode())
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    digest = hashlib.sha256(b"{}\n" + b"x" * size).hexdigest()
    assert done.stdout.split() == [str(size > 700_000), digest]
