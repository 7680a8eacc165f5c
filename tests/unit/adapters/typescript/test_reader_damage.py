"""Damaged, odd and hostile files: one clear trouble, and the rest of what they state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.adapters.typescript.reading import facts, lines, written
from unit.adapters.typescript.test_reader_sources import R05, R11

from ifacegen_adapters.typescript.facts import Fact, FileFacts
from ifacegen_adapters.typescript.files import facts_of_bytes
from ifacegen_adapters.typescript.grammar import parse, repaired
from ifacegen_adapters.typescript.reader_suffix import suffix_of
from ifacegen_adapters.typescript.stored import decode, encode

WHOLE = """\
export declare const a: 1;
export declare class A<T> extends B<T> {
  /** About x. */
  x: string;
  m(a: T): void;
  n(a: { b: string; c: number }): void;
}
export interface I {
  y: A<string>;
}
export declare function last(): void;
"""


def test_a_file_that_ends_in_the_middle_is_read_up_to_there() -> None:
    cut = WHOLE[: WHOLE.index("c: number")]
    assert lines(facts(cut)) == [
        "export const a: 1",
        "export class A<T> extends «=B»<T>",
        "  x: string -- 'About x.'",
        "  m(a: T): void",
        "! parse-error 5",
    ]


def test_errors_inside_bodies_are_nobodys_business() -> None:
    found = facts(
        "export function f(a: A): void { if (x { ) foo( }\nexport const g = (): B => { ]]] };\n", ".ts"
    )
    assert lines(found)[:2] == ["export function f(a: «A»): void", "export const g: () => «B»"]


def test_a_damaged_header_is_given_as_it_is_written() -> None:
    found = facts("export type A<T> = T extends ? : string;\nexport declare const b: 1;\n")
    assert [each.name for each in found.declarations] == ["A", "b"]
    assert found.declarations[0].degraded
    assert written(found.declarations[0].header).startswith("type A<T> = T extends")
    assert [each.code for each in found.troubles] == ["parse-error"]


def test_semicolons_that_nobody_must_write() -> None:
    text = "interface A {\n  a: Foo\n  <T>(x: T): Bar\n  /** Doc. */\n  [k: string]: Baz\n  <\n  U>(u: U): U\n}\n"
    assert lines(facts(text, ".ts")) == [
        "interface A",
        "  a: «Foo»",
        "  <T>(x: T): «Bar»",
        "  [k: string]: «Baz» -- 'Doc.'",
        "  <U>(u: U): U",
    ]


@pytest.mark.parametrize(
    ("data", "suffix", "code", "said"),
    [
        (b"\x47" + b"\0" * 187 + b"\x47" + b"\0" * 300, ".ts", "unreadable", "video"),
        (
            b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1"></TS>',
            ".ts",
            "unreadable",
            "Qt Linguist",
        ),
        (b"export const a = 1;\0", ".ts", "unreadable", "null byte"),
        (b"var a=1;" * 20_000, ".js", "unreadable", "minified"),
        (b"export {};\n" * 500_000, ".ts", "unreadable", "5,500,000 bytes"),
        (b"export {};\n" * 1_600_000, ".d.ts", "unreadable", "17,600,000 bytes"),
    ],
    ids=["video", "linguist", "null", "minified", "large", "large declarations"],
)
def test_what_is_no_source_is_told_in_one_line(data: bytes, suffix: str, code: str, said: str) -> None:
    found = facts_of_bytes(data, suffix)
    assert found.declarations == ()
    (trouble,) = found.troubles
    assert trouble.code == code
    assert said in trouble.message


@pytest.mark.parametrize(
    ("data", "name", "told"),
    [
        ("\ufeffexport const é = 1;".encode(), "é", None),
        ("export const é = 1;".encode("utf-16"), "é", "utf-16-le"),
        ("export const é = 1;".encode("latin-1"), "é", "latin-1"),
        (b"export const a = 1; // " + b"\xc3\xa9 \xff", "a", "replacement"),
        (b"export const a = 1;\r\nexport const b = 2;\r\n", "a", None),
    ],
    ids=["mark", "utf-16", "latin-1", "damaged", "crlf"],
)
def test_encodings(data: bytes, name: str, told: str | None) -> None:
    found = facts_of_bytes(data, ".ts")
    assert found.declarations[0].name == name
    assert [each.code for each in found.troubles] == (["encoding"] if told else [])
    assert told is None or told in found.troubles[0].message


def test_columns_are_bytes_and_texts_are_not() -> None:
    found = facts("/** Ünïcode „x“. */\nexport declare const ä: { ö: 'ü→' };\nexport declare const b: A;\n")
    assert lines(found) == [
        "export const ä: -- 'Ünïcode „x“.'",
        "  ö: 'ü→'",
        "export const b: «A»",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"type A = {'[' * 2000}{']' * 2000};",
        f"type A = {'{ a: ' * 500}1{' }' * 500};",
        f"type A = {'(a: ' * 400}1{') => void' * 400};",
        f"export const a = {'{ a: ' * 500}1{' }' * 500};",
        f"export const a = {'(' * 500}1{')' * 500};",
        f"export const a = {' + '.join(['1'] * 5000)};",
        f"type A = {' | '.join(map(repr, range(3000)))};",
        f"type A = {' '.join(f'T extends {n} ? {n} :' for n in range(600))} never;",
        f"namespace {'.'.join(['a'] * 600)} {{}}",
        "namespace a { " * 300 + "}" * 300,
    ],
    ids=[
        "tuples",
        "objects",
        "functions",
        "values",
        "parentheses",
        "sum",
        "union",
        "conditions",
        "dots",
        "namespaces",
    ],
)
@pytest.mark.slow
def test_depth_costs_a_declaration_at_most(text: str) -> None:
    found = facts(f"{text}\nexport declare const after: 1;\n", ".ts")
    assert "after" in [each.name for each in found.declarations] or found.troubles


@pytest.mark.parametrize(
    "text", [f"declare namespace {'.'.join(['a'] * 1000)} {{}}", "declare namespace a { " * 300 + "}" * 300]
)
def test_namespaces_nested_too_deep_are_told(text: str) -> None:
    found = facts(f"{text}\nexport declare const after: 1;\n")
    assert [each.code for each in found.troubles] == ["too-deep"]
    assert found.declarations[-1].name == "after"
    assert decode(encode(found)) == found


def test_what_is_nested_too_deep_binds_nothing_behind_it() -> None:
    deep = "{ a: " * 300 + "T" + " }" * 300
    found = facts(f"type A<T> = [{deep}];\ntype B = T;\n")
    assert [each.code for each in found.troubles] == ["too-deep"]
    assert lines(found)[0] == "type B = «T»"


def test_wide_unions_are_read_whole() -> None:
    found = facts(f"type A =\n{''.join(f'  | {n}' + chr(10) for n in range(2000))};")
    assert written(found.declarations[0].type) == " | ".join(map(str, range(2000)))
    assert found.troubles == ()


def test_suffixes() -> None:
    assert suffix_of("a/b.d.ts") == ".d.ts"
    assert suffix_of("b.d.css.ts") == ".d.ts"
    assert suffix_of("b.d.mts") == ".d.mts"
    assert suffix_of("b.test.tsx") == ".tsx"
    assert suffix_of("d.ts") == ".ts"
    assert suffix_of("x.d/y.js") == ".js"


_PIECES = st.sampled_from(
    [*"{}()[]<>;:,=|&?.'\"`/*@#\\\n ", "export ", "type ", "interface ", "class ", "const ", "function ", "import(", "A", "b",
     "/** d */", "extends ", "infer ", "default ", "=>", "declare ", "module ", "'x'", "...", "readonly ", "abstract "]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=60), st.sampled_from([".ts", ".d.ts", ".tsx", ".js"]))
def test_nothing_is_ever_raised_and_lines_lie_in_the_file(pieces: list[str], suffix: str) -> None:
    text = "".join(pieces)
    found = facts(text, suffix)
    last = text.count("\n") + 1
    for each in _all(found):
        assert 1 <= each.line <= each.end_line <= last
    assert all(0 <= each.line <= last for each in found.troubles)


@given(
    st.integers(0, len(R05 + R11)), st.sampled_from(["", "}", "{", "(", "<", "'", "`", "/*", "\\", "export "])
)
def test_damage_anywhere_leaves_a_trouble_at_most(offset: int, inserted: str) -> None:
    text = R05 + R11
    for damaged in (text[:offset], text[:offset] + inserted + text[offset + 1 :]):
        found = facts(damaged, ".ts")
        assert all(each.name or each.is_default for each in found.declarations)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    assert isinstance(facts_of_bytes(data, ".ts"), FileFacts)


@given(st.lists(_PIECES, max_size=60))
def test_repairs_keep_every_byte_where_it_is(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    assert len(repaired(text)) == len(text)


def test_types_that_were_cut_out_parse_again() -> None:
    for fact in _all(facts(WHOLE + R11, ".ts")):
        for text in (fact.type, fact.returns, *(each.annotation for each in fact.parameters)):
            if text is not None and not written(text).startswith(("asserts", "x is")):
                assert not parse(f"type _ = {written(text)};".encode(), ".ts").has_error


def _all(found: FileFacts) -> list[Fact]:
    pending = list(found.declarations)
    seen: list[Fact] = []
    while pending:
        each = pending.pop()
        seen.append(each)
        pending.extend(each.members)
    return seen


def test_what_stands_beside_damage_is_read_by_itself() -> None:
    text = (
        "export declare const before: 1;\nexport type Broken = { a: [ };\n"
        "export interface Whole<T> {\n  x: T;\n}\nexport type Other = Whole<string>;\n"
    )
    found = facts(text)
    assert {"before", "Whole", "Other"} <= {each.name for each in found.declarations}
    assert [each.code for each in found.troubles] == ["parse-error"]
