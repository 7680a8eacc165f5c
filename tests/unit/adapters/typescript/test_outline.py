"""Outlines: a line a declaration, and what a line has no room for."""

from __future__ import annotations

import pytest

from ifacegen.model import Declaration, Parameter
from ifacegen_adapters.typescript.outline import outline
from support.typescript import carried, declared, lines, module

LONG = "a" * 50


def test_one_line_a_declaration() -> None:
    text = outline(
        [
            module(
                declared("import", 'import type { FC } from "react"', "FC"),
                declared("function", "function parse(x: string): User", "parse", doc="Parses.", extra={"export": "default"}),
                declared(
                    "class",
                    "class Box<T> extends Base<T>",
                    "Box",
                    members=(
                        declared("constructor", "constructor(inner: T)"),
                        declared("property", "private secret", extra={"access": "private"}),
                        declared("property", "a: { /** Inner. */ b: 1 }"),
                        declared("method", "get(id: 1): T", "get", deprecated="Use\n`at`."),
                    ),
                ),
                declared("enum", "const enum Color", "Color", members=(declared("case", "A = 1", "A"), declared("case", "B", "B"))),
                declared("type", "type Options =", "Options", members=(declared("property", "a?: 1"),)),
                declared("type", "type Options =", "Options", extra={"members_elided": 2}),
                declared("variable", "const api:", "api", deprecated="", extra={"members_elided": 1}),
                declared(
                    "namespace", "namespace ns", "ns",
                    members=(declared("variable", "const a: 1"), declared("alias", "export { a as b }", "b")),
                ),
                carried("interface", "interface Hidden", "Hidden", members=(declared("property", "a: 1", visibility="carried"),)),
                declared("alias", 'export { A } from "@acme/other"', "A"),
                declared("alias", 'export { B } from "@acme/other"', "B", deprecated="No."),
                declared("alias", 'export { C as D } from "@acme/other"', "D"),
                doc="The module.",
            ),
            module(carried("type", "type T = 1", "T", extra={"private": True}), name="@acme/ui/src/t"),
        ]
    )  # fmt: skip
    assert text == lines(
        """
        // module @acme/ui
        default function parse(x: string): User
        class Box<T> extends Base<T>
          constructor(inner: T)
          a: { b: 1 }
          get(id: 1): T  // deprecated: Use `at`.
        const enum Color: A, B
        type Options
          a?: 1
        type Options  // 2 members elided
        const api  // 1 member elided; deprecated
        namespace ns
          const a: 1
          export { a as b }
        interface Hidden  // private
          a: 1
        export { A, C as D } from "@acme/other"
        export { B } from "@acme/other"  // deprecated: No.

        // module @acme/ui/src/t  (private: carried names only)
        type T = 1
        """
    )


def function(signature: str, *defaults: str | None) -> Declaration:
    parameters = tuple(Parameter("x", "optional", default=each) for each in defaults)
    return declared("function", signature, parameters=parameters)


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        (
            function("function f(a?: 1, b?: 2): 3", "1", "2"),
            "function f(a?: 1 /* = 1 */, b?: 2 /* = 2 */): 3",
        ),
        (
            function(f"function f(a?: 1, b?: {LONG}): 3", "1", "{" + LONG + "}"),
            f"function f(a?: 1 /* = 1 */, b?: {LONG} /* = … */): 3",
        ),
        (
            function(f"function f(a: {LONG}, b?: {LONG}, ...c: {LONG}): A"),
            "function f(a, b?, ...c): A  // types elided",
        ),
        (
            function(f"function f<T extends {LONG}, const U = {LONG}>({{ a, b }}: {LONG}): A"),
            "function f<T, U>({ a, b }): A  // types elided",
        ),
        (
            function(f"function f({', '.join(f'parameter{i}: string' for i in range(20))}): A"),
            (
                "function f(parameter0, parameter1, parameter2, parameter3, parameter4, parameter5, parameter6, … 13 more): A"
                "  // types elided"
            ),
        ),
        (
            function(f"function f(): Reply<{LONG}, {LONG}, {LONG}>"),
            "function f(): Reply<…>  // types elided",
        ),
        (
            declared("interface", f"interface A<T extends {LONG}, U = {LONG}> extends B<T>"),
            "interface A<T, U> extends B<T>  // types elided",
        ),
        (
            declared("type", f"type A = {LONG} | Foo<({LONG}) => 1> | {LONG}"),
            f"type A = {LONG} | Foo<({'a' * 42}…",
        ),
        (
            declared("property", f"a?: (x: {LONG}, y: {LONG}, z: {LONG}) => void"),
            "a?: (x, y, z) => void  // types elided",
        ),
        (declared("function", f"function f(a: '{LONG}{LONG}', ("), f"function f(a: '{LONG}{'a' * 44}…"),
    ],
)
def test_what_a_line_has_room_for(declaration: Declaration, expected: str) -> None:
    heading, line = outline([module(declaration)]).rstrip("\n").split("\n")
    assert heading == "// module @acme/ui"
    assert line == expected


def test_no_modules_are_no_outline() -> None:
    assert outline([]) == ""
