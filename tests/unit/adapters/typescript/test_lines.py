"""Long statements: where they are broken, and that nothing else is done to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.typescript.brackets import tokens
from ifacegen_adapters.typescript.lines import WIDTH, wrapped
from support.typescript import is_valid, lines

A, B, C, D = ("a" * 30, "b" * 30, "c" * 30, "d" * 30)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("type A = B", "type A = B;\n"),
        (
            f"function f<T>(first: {A}, second?: {B}, ...rest: {C}[]): Promise<T>",
            f"""
            function f<T>(
              first: {A},
              second?: {B},
              ...rest: {C}[]
            ): Promise<T>;
            """,
        ),
        (
            f"function f(options: {{ a: {A}; b?: {B}; c(x: {C}): 1 }}): x is 1",
            f"""
            function f(options: {{
              a: {A};
              b?: {B};
              c(x: {C}): 1;
            }}): x is 1;
            """,
        ),
        (
            f"function f(x: 1): Promise<Map<{A}, {{ a: {B}; c: {C} }}>>",
            f"""
            function f(x: 1): Promise<Map<
              {A},
              {{ a: {B}; c: {C} }}
            >>;
            """,
        ),
        (
            f"function f<T extends {{ a: {A} }}, U = {B}>(x: T, y: U, z: {C}, w: {D}, v: {A}): U",
            f"""
            function f<T extends {{ a: {A} }}, U = {B}>(
              x: T,
              y: U,
              z: {C},
              w: {D},
              v: {A}
            ): U;
            """,
        ),
        (
            f"type A<T> = Foo<{A}> | {{ a: 1 }} | Bar<{B}> | Baz<{C}>",
            f"""
            type A<T> =
              | Foo<{A}>
              | {{ a: 1 }}
              | Bar<{B}>
              | Baz<{C}>;
            """,
        ),
        (
            f"type A = '{A}' | '{B}' | '{C}' | '{D}' | 'e'",
            f"""
            type A =
              | '{A}' | '{B}' | '{C}'
              | '{D}' | 'e';
            """,
        ),
        (
            f"type A = {{ a: {A}; b: {B}; c: {C} }} | undefined",
            f"""
            type A = {{
              a: {A};
              b: {B};
              c: {C};
            }} | undefined;
            """,
        ),
        (
            f"type A = Foo<{A}> & Bar<{B}> & Baz<{C}> & {D}",
            f"""
            type A =
              Foo<{A}> &
              Bar<{B}> &
              Baz<{C}> &
              {D};
            """,
        ),
        (
            f"type A<T> = T extends {A} ? {B} : T extends (infer U)[] ? Foo<U> : {C}",
            f"""
            type A<T> =
              T extends {A} ? {B}
              : T extends (infer U)[] ? Foo<U>
              : {C};
            """,
        ),
        (
            f"type A<T> = T extends {A} ? T extends {B} ? {C} : {D} : T extends 1 ? 2 : {D}",
            f"""
            type A<T> =
              T extends {A}
                ? T extends {B} ? {C}
                  : {D}
              : T extends 1 ? 2
              : {D};
            """,
        ),
        (
            f"const f: (a: {A}, b?: {B}) => {C} | undefined",
            f"""
            const f: (
              a: {A},
              b?: {B}
            ) => {C} | undefined;
            """,
        ),
        (
            f"type A<T> = {{ [K in keyof T as `on${{Capitalize<K>}}`]?: T[K] extends {A} ? {B} : {C} }}",
            f"""
            type A<T> = {{
              [K in keyof T as `on${{Capitalize<K>}}`]?:
                T[K] extends {A} ? {B}
                : {C};
            }};
            """,
        ),
        (
            f"type A = {{ [K in '{A}' | '{B}' | '{C}' | '{D}']: 1 }}",
            f"""
            type A = {{
              [
                K in
                  | '{A}' | '{B}' | '{C}'
                  | '{D}'
              ]: 1;
            }};
            """,
        ),
        ("const a: { /** The a. */ a: 1 }", "const a: {\n  /** The a. */\n  a: 1;\n};\n"),
        (
            "const a: Map<1, { /** One.\n\n* Two. */ readonly a: 1; b: 2 }>",
            """
            const a: Map<
              1,
              {
                /**
                 * One.
                 *
                 * * Two.
                 */
                readonly a: 1;
                b: 2;
              }
            >;
            """,
        ),
        ("type A = [/** The a. */ a: 1, b: 2]", "type A = [\n  /** The a. */\n  a: 1,\n  b: 2\n];\n"),
        ("type A = { a: 1; /** The end. */ }", "type A = {\n  a: 1;\n  /** The end. */\n};\n"),
        ("type A = 1 /** behind\nit */ | 2", "type A = 1 /** behind it */ | 2;\n"),
        (f"type A = `{A} (${{'{B}' extends `${{1}}` ? `}}` : '`'}}` | '{C}'", None),
        (f"type A = '{A}({B}' | {C} | \"<{D}\"", None),
    ],
)
def test_where_a_statement_is_broken(statement: str, expected: str | None) -> None:
    text = "\n".join(wrapped(statement, "", ";")) + "\n"
    if expected is not None:
        assert text == lines(expected)
    assert meant(text) == meant(f"{statement};")
    assert is_valid(text)


def test_the_head_of_a_class_is_broken_at_its_clauses() -> None:
    head = f"class Box<T extends {A}> extends Base<{B}> implements {C}, {D}, {A}, {B}, {C}"
    assert wrapped(head, "", " {") == [
        f"class Box<T extends {A}>",
        f"    extends Base<{B}>",
        f"    implements {C}, {D}, {A},",
        f"      {B}, {C} {{",
    ]
    head = f"interface Box<T = {A}, U = {B}, V = {C}> extends Base<T>"
    assert wrapped(head, "", " {") == [
        "interface Box<",
        f"  T = {A},",
        f"  U = {B},",
        f"  V = {C}",
        "> extends Base<T> {",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"type A = Foo<{A}, {B}, {C}, {D}",
        f"type A = {A})) | {B} | {C} | {D}",
        f"enum.member = 1 << 2 | {A} | {B} | {C} | {D}",
        f"'{A}{B}{C}{D}",
        f"`${{{A}{B}{C}{D}",
        f"/* {A}{B}{C}{D}",
        "<" * 5000,
        "(" * 5000 + ")" * 5000,
        f"{A} {B} {C} {D}",
    ],
)
def test_what_has_no_place_to_break_stays_on_its_line(text: str) -> None:
    assert wrapped(text, "  ", ";") == [f"  {text};"]


def test_deep_and_long_types_end() -> None:
    deep = "{ a: " * 90 + "1" + " }" * 90
    assert meant("\n".join(wrapped(f"type A = {deep}"))) == meant(f"type A = {deep}")
    chain = "".join(f"T extends '{index}' ? {index} : " for index in range(3000)) + "never"
    assert len(wrapped(f"type A<T> = {chain}")) == 3002
    nested = "T extends 1 ? " * 3000 + "1" + " : never" * 3000
    assert meant("\n".join(wrapped(f"type A<T> = {nested}"))) == meant(f"type A<T> = {nested}")
    union = " | ".join(f"Foo<{index}>" for index in range(20_000))
    assert max(map(len, wrapped(f"type A = {union}"))) <= WIDTH


def meant(text: str) -> list[str]:
    """The tokens of a text, without those that a layout may add."""
    found = [text[start:end] for kind, start, end in tokens(text)]
    kept = [
        token
        for index, token in enumerate(found)
        if not (token == "|" and found[index - 1] in _BEFORE_AN_ARM)
        and not (token == ";" and found[index + 1 : index + 2] == ["}"])
    ]
    return [" ".join(token.replace("*", " ").split()) if token.startswith("/*") else token for token in kept]


_BEFORE_AN_ARM = frozenset(
    {"=", ":", "<", "(", "[", ",", "=>", "extends", "?", "{", ";", "|", "in", "as", "is"}
)

names = st.sampled_from(
    ["a", "T", "string", "core.$ZodType", "readonly unknown[]", "'x'", '"|"', "`a${T}b`", A, B]
)


def _composed(types: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(types, min_size=1, max_size=4)
    members = st.lists(
        st.tuples(st.sampled_from(["", "/** The doc. */ ", "/** One.\n\nTwo. */ "]), types), max_size=4
    )
    return st.one_of(
        st.builds("Foo<{}>".format, lists.map(", ".join)),
        st.builds("[{}]".format, lists.map(", ".join)),
        st.builds("({})[]".format, lists.map(" | ".join)),
        st.builds("({})".format, lists.map(" & ".join)),
        st.builds(
            "(({}) => {})".format,
            lists.map(lambda each: ", ".join(f"p{i}?: {t}" for i, t in enumerate(each))),
            types,
        ),
        st.builds("({} extends {} ? {} : {})".format, types, types, types, types),
        members.map(
            lambda each: "{ " + "; ".join(f"{doc}m{i}?: {t}" for i, (doc, t) in enumerate(each)) + " }"
        ),
        st.builds("{{ [K in keyof {} as {}]-?: {} }}".format, types, types, types),
    )


types = st.recursive(names, _composed, max_leaves=30)
statements = st.one_of(
    st.builds("type A<T> = {}".format, types),
    st.builds("type A<T> = {} | {} | {}".format, types, types, types),
    st.builds("type A<T> = {} extends {} ? {} : {}".format, types, types, types, types),
    st.builds("function f<T extends {}>(a: {}, b?: {}): {}".format, types, types, types, types),
    st.builds("const f: (a: {}) => {} | {}".format, types, types, types),
)


@given(statements, st.sampled_from(["", "  ", " " * 40]))
def test_wrapping_changes_no_token_and_what_is_wrapped_parses(statement: str, indent: str) -> None:
    text = "\n".join(wrapped(statement, indent, ";"))
    assert meant(text) == meant(f"{statement};")
    assert is_valid(text)
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert text == "\n".join(wrapped(statement, indent, ";"))


@given(st.text(st.sampled_from(list("abT '\"`${}()[]<>=>|&?:;,/*\n")), max_size=300))
def test_any_text_keeps_its_tokens_or_stays_as_it_is(text: str) -> None:
    found = "\n".join(wrapped(text))
    assert "".join(found.split()).replace("|", "").replace(";", "").replace("*", "") == "".join(
        text.split()
    ).replace("|", "").replace(";", "").replace("*", "")


@pytest.mark.parametrize(
    "end",
    ["", " ? Yes<T>", " ? Yes<T> :", " ? Yes<T> : U extends boolean", " ? Yes<T> : U extends boolean ? X"],
)
def test_conditions_that_end_in_the_middle_are_printed_all_the_same(end: str) -> None:
    text = f"type Long<T, U> = T extends {{ aRatherLongProperty: string; anotherLongProperty: number; third: boolean }}{end}"
    assert "".join("".join(wrapped(text)).split()).removesuffix(";") == "".join(text.split())
