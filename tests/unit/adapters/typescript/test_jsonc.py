"""JSON as the tools of JavaScript take it."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.typescript import jsonc
from ifacegen_adapters.typescript.versions import covers

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_json_is_read_as_it_is(value: object) -> None:
    assert jsonc.loads(json.dumps(value).encode()) == value
    assert jsonc.loads(json.dumps(value, ensure_ascii=False, indent=1).encode()) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": 1, // one\n}', {"a": 1}),
        ('{/* "b": 2, */ "a": [1, 2 , /* x */ ] , }', {"a": [1, 2]}),
        (
            '{"a": "// no", "b": "/* no */", "c": ",]", "d": "\\\\",}',
            {"a": "// no", "b": "/* no */", "c": ",]", "d": "\\"},
        ),
        ('"\\ud83d\\ude00\\ud800"', "\U0001f600?"),
    ],
)
def test_what_is_more_than_json(text: str, value: object) -> None:
    assert jsonc.loads(text.encode()) == value


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{\n"a": \n}', 3),
        (b'{\n/* "a"', 2),
        (b'{"a": 1,\n "b": "\xff"}', 2),
        (b"", 1),
        (b"[" * 100_000, 0),
        (b'{"a": "' + b"x" * 6_000_000 + b'"}', 0),
        (b'{"a": ' + b"9" * 5_000 + b"}", 0),
    ],
)
def test_what_is_none_says_where(data: bytes, line: int) -> None:
    with pytest.raises(jsonc.Malformed) as caught:
        jsonc.loads(data)
    assert caught.value.line == line


@given(st.text(alphabet='"\\/*,[]{}: \n1a', max_size=40))
def test_nothing_else_is_raised(text: str) -> None:
    with suppress(jsonc.Malformed):
        jsonc.loads(text.encode())


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("*", True),
        ("", True),
        (">=4.2", True),
        ("<=5.6", False),
        ("<7", False),
        ("<=7", True),
        (">7", False),
        (">7.0", False),
        ("^7.0.0", True),
        ("~7.0", True),
        ("~6.9", False),
        ("7", True),
        ("7.x", True),
        ("7.0.1", False),
        (">=3.1 <7.1", True),
        (">=3.1 <4 || >=6", True),
        ("3.1 - 7.0", True),
        (">= 4.0.0-0", True),
        ("nonsense", False),
        ("4 - ", False),
    ],
)
def test_ranges_of_versions(written: str, expected: bool) -> None:
    assert covers(written) is expected
