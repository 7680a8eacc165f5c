"""Facts survive as bytes; anything else that comes back is a miss."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen_adapters.typescript.facts import (
    Doc,
    Export,
    Fact,
    FileFacts,
    Import,
    ParameterFact,
    Ref,
    Text,
    Trouble,
)
from ifacegen_adapters.typescript.stored import Malformed, decode, encode

_WORD = st.text(max_size=4)
_MEANINGS = st.sampled_from(["type", "value", "namespace"])
_REF = st.builds(Ref, _WORD, st.lists(_WORD, max_size=2).map(tuple), _MEANINGS, _WORD)
_TEXT = st.lists(st.one_of(_WORD, _REF, st.builds(Doc, _WORD)), max_size=3).map(tuple)
_IMPORT = st.builds(Import, _WORD, _WORD, _WORD, st.booleans(), st.booleans(), st.integers(0, 9))
_EXPORT = st.builds(
    Export,
    _WORD,
    _WORD,
    _WORD,
    st.booleans(),
    st.sampled_from(["", "umd"]),
    st.integers(0, 9),
    st.none() | _WORD,
)
_PARAMETER = st.builds(
    ParameterFact,
    _WORD,
    st.sampled_from(["optional", "var_positional"]),
    st.none() | _TEXT,
    st.none() | _WORD,
)


def _tuple(each: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(each, max_size=2).map(tuple)


def _fact(members: st.SearchStrategy[Any]) -> st.SearchStrategy[Fact]:
    maybe_text: st.SearchStrategy[Text | None] = st.none() | _TEXT
    maybe: st.SearchStrategy[str | None] = st.none() | _WORD
    return st.builds(
        Fact,
        _WORD, _WORD, _TEXT, _tuple(_PARAMETER), maybe_text, maybe_text, _tuple(_TEXT), maybe_text, maybe, maybe,
        _tuple(_WORD), st.booleans(), st.booleans(), _WORD, st.booleans(), st.booleans(), st.booleans(),
        st.booleans(), st.booleans(), maybe, _WORD, st.integers(0, 9), st.integers(0, 9), members,
        _tuple(_IMPORT), _tuple(_EXPORT),
    )  # fmt: skip


_FILE = st.builds(
    FileFacts,
    _tuple(_fact(_tuple(_fact(st.just(()))))),
    _tuple(_IMPORT),
    _tuple(_EXPORT),
    st.none() | _WORD,
    st.booleans(),
    _tuple(st.tuples(_WORD, _WORD)),
    _tuple(st.builds(Trouble, _WORD, _WORD, st.integers(0, 9))),
    st.booleans(),
    st.dictionaries(_WORD, _WORD, max_size=2),
)


@settings(max_examples=40)
@given(_FILE)
def test_what_is_stored_comes_back(facts: FileFacts) -> None:
    assert decode(encode(facts)) == facts


@settings(max_examples=40)
@given(_FILE, st.integers(0, 10_000))
def test_cut_bytes_are_a_miss(facts: FileFacts, at: int) -> None:
    data = encode(facts)
    with pytest.raises(Malformed):
        decode(data[: at % len(data)])


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | _WORD, lambda inner: st.lists(inner, max_size=9))
)
def test_other_json_is_a_miss_or_facts(value: object) -> None:
    import json

    with contextlib.suppress(Malformed):
        assert isinstance(decode(json.dumps(value).encode()), FileFacts)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"\xff", b"[[[1,2]],[],[],null,true,[],[],false,{}]", b"[" * 100_000]
)
def test_no_facts(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode(data)


def test_plain_facts_take_little_room() -> None:
    fact = Fact("type", "A", ("type A = 1",), line=1, end_line=1)
    assert encode(FileFacts((fact,))) == b'[[["type","A","type A = 1",1,1]],[],[],null,false,[],[],false,{}]'
