"""The layout of stored facts follows their classes, and keys follow the layout."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass

import pytest

from ifacegen_adapters.python.facts import Definition, FileFacts, FileTypes, Import
from ifacegen_adapters.python.headers import Header
from ifacegen_adapters.python.stored import Malformed, decode, encode, layout


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Outer:
    inner: Inner
    several: tuple[Inner, ...] = ()
    table: Mapping[str, str] = field(default_factory=dict)


def test_rows_end_where_only_defaults_follow() -> None:
    assert json.loads(encode(FileFacts())) == []
    facts = FileFacts(
        definitions=(Definition("function", Header("f"), 1, 2),), imports=(Import("a", "m", "a", 3),)
    )
    assert json.loads(encode(facts)) == [None, [["function", ["f"], 1, 2]], [["a", "m", "a", 3]]]


def test_sets_and_mappings_give_the_same_bytes_in_every_process() -> None:
    flags = frozenset({"yields", "stub", "returns"})
    assert json.loads(encode(Definition("function", Header("f"), 1, 2, flags)))[4] == sorted(flags)


def test_every_class_has_a_layout_of_its_own() -> None:
    assert len({layout(FileFacts), layout(FileTypes), layout(Outer), layout(Inner)}) == 4


@pytest.mark.parametrize(
    "fields",
    [
        [("name", "str")],
        [("name", "str"), ("more", "int", 0), ("extra", "int", 0)],
        [("name", "str"), ("extra", "int", 1)],
        [("name", "str"), ("extra", "str", 0)],
        [("title", "str"), ("extra", "int", 0)],
        [("name", "str", ""), ("extra", "int", 0)],
    ],
)
def test_a_change_of_a_field_anywhere_is_another_layout(
    fields: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that facts stored by another version of the classes are not even found."""
    same = make_dataclass("Inner", [("name", "str"), ("extra", "int", 0)])
    monkeypatch.setattr(sys.modules[__name__], "Inner", same)
    assert layout.__wrapped__(Outer) == layout(Outer)
    monkeypatch.setattr(sys.modules[__name__], "Inner", make_dataclass("Inner", fields))
    assert layout.__wrapped__(Outer) != layout(Outer)


def test_another_process_has_the_same_layouts() -> None:
    program = (
        "from ifacegen_adapters.python.facts import FileFacts, FileTypes\n"
        "from ifacegen_adapters.python.stored import layout\nprint(layout(FileFacts), layout(FileTypes))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == [layout(FileFacts), layout(FileTypes)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[",
        b"null",
        b"{}",
        b"[1]",
        b"[[]]",
        b'[["a"],[],{},0]',
        b"\xff",
        b"[" * 100_000,
        b'[["a", 1.0]]',
    ],
)
def test_what_is_no_row_of_the_class_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode(Outer, data)


def test_a_value_of_a_type_that_json_does_not_know_is_a_programming_error() -> None:
    @dataclass(frozen=True)
    class Odd:
        value: bytes

    with pytest.raises(TypeError):
        encode(Odd(b""))
