from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.openapi.texts import first_sentence, literal, name_text, one_line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lists pets. Paged.", "Lists pets."),
        ("Lists pets, e.g. cats. Paged.", "Lists pets, e.g. cats."),
        ("Lists pets (i.e. cats). Paged.", "Lists pets (i.e. cats)."),
        ("See https://example.org/a.b?c=d. for more. Or not.", "See https://example.org/a.b?c=d. for more."),
        ("Version 1.2 of it. Really.", "Version 1.2 of it."),
        ("# Title\n\nWhat it does. And more.", "What it does."),
        ("# Only a title", "Only a title"),
        ("**Deprecated.** Use the other one.", "Deprecated."),
        ("See [the guide](https://x.org/a(b)). Then go.", "See the guide."),
        ("<p>Markup.</p> Gone", "Markup."),
        ("<b>Needs</b> `Authorization: Bearer <token>`.", "Needs `Authorization: Bearer <token>`."),
        ("Either `<a>`, ``<b>`` or<br> c.", "Either `<a>`, ``<b>`` or c."),
        ("A lone ` and <i>markup</i>.", "A lone ` and markup."),
        ("> [!NOTE]\n> Read this first. Then that.", "Read this first."),
        ("Starting something new? Read this. Or that.", "Read this."),
        ("Is it there?", "Is it there?"),
        ("One\nparagraph over\nlines. Second.", "One paragraph over lines."),
        ("一つ目。二つ目。", "一つ目。"),
        ("Without an end", "Without an end"),
        ("", ""),
        ("  \n\n ", ""),
        (None, ""),
        (["list"], ""),
        ("word " * 200, "word " * 60 + "…"),
    ],
)
def test_the_first_sentence(text: object, expected: str) -> None:
    assert first_sentence(text).replace(" …", "…") == expected.replace(" …", "…")


@given(st.text())
def test_one_line_is_one_line_of_text(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert line.isprintable() or all(
        char.isspace() or not char.isascii() for char in line if not char.isprintable()
    )
    line.encode("utf-8")
    first_sentence(text).encode("utf-8")


def test_a_name_is_never_empty_and_only_cut_where_nobody_would_read_it() -> None:
    assert name_text("\x00\n") == "(empty)" or name_text("\x00\n") == "�"
    assert name_text("\u200b") == "(empty)"
    assert name_text(None) == "null"
    assert name_text("x" * 3_999) == "x" * 3_999
    assert len(name_text("x" * 10_000)) == 4_001


def test_a_long_value_is_cut_visibly() -> None:
    assert literal("x" * 50, 20) == '"xxxxxxxxxxxxxxxxxxx…" (50 characters)'
    assert literal([1, [2, {"a": None}]], 100) == '[1, [2, {"a": null}]]'
    assert literal(list(range(100)), 10) == "[0, 1, 2, …] (100 entries)"
    assert literal([{"a": ["]}x" * 9]}] * 9, 20) == '[{"a": ["]}x]}x]}x]}…"]}] (9 entries)'


@pytest.mark.parametrize("limit", range(3, 12))
def test_a_cut_leaves_no_half_escape(limit: int) -> None:
    text, _, rest = literal('a\\\\"\n"\x01' * 9, limit).rpartition(" (")
    assert json.loads(text).endswith("…")
    assert rest == "63 characters)"


def test_a_value_that_holds_itself_ends() -> None:
    value: list[object] = []
    value += [value, value]
    assert len(literal(value, 100)) < 250
