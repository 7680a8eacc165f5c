"""Declarations as they are printed: a table of values and texts."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.typescript.emit import Printer


def declared(kind: str, signature: str, name: str = "x", **fields: Any) -> Declaration:
    return Declaration(f"@acme/ui:{name}", name, name, kind, signature, **fields)


def printed(
    *declarations: Declaration, docs: str = "full", name: str = "@acme/ui", doc: str | None = None
) -> str:
    module = Module(name, "typescript", "packages/ui/src/index.ts", doc, declarations)
    heading, _, text = Printer(docs).text([module]).partition("\n")
    assert heading == f"// module {name}"
    return text


def text(expected: str) -> str:
    return dedent(expected).lstrip("\n")


SINGLE = [
    (declared("variable", "const LIMIT: 10"), "export const LIMIT: 10;\n"),
    (declared("type", "type Id = string | number"), "export type Id = string | number;\n"),
    (declared("function", "function f(): void"), "export function f(): void;\n"),
    (declared("class", "abstract class Box<T>"), "export abstract class Box<T> {}\n"),
    (declared("interface", "interface A extends B"), "export interface A extends B {}\n"),
    (declared("function", "function f(): void", visibility="carried"), "declare function f(): void;\n"),
    (declared("interface", "interface A", visibility="carried"), "interface A {}\n"),
    (declared("type", "type A = 1", visibility="carried"), "type A = 1;\n"),
    (declared("enum", "enum A", visibility="carried"), "declare enum A {}\n"),
    (declared("function", "function f(): void", extra={"export": "="}), "declare function f(): void;\n"),
    (
        declared("function", "function f(): void", extra={"export": "default"}),
        "export default function f(): void;\n",
    ),
    (declared("class", "class A", extra={"export": "default"}), "export default class A {}\n"),
    (
        declared("variable", "const x: A", extra={"export": "default"}),
        "declare const x: A;\nexport default x;\n",
    ),
    (
        declared("type", "type x =", extra={"members_elided": 1}),
        "export type x = {\n  // 1 member elided\n};\n",
    ),
    (
        declared("class", "class A", decorators=("Injectable({\n  a: 1 })",)),
        "// @Injectable({ a: 1 })\nexport class A {}\n",
    ),
]


@pytest.mark.parametrize(("declaration", "expected"), SINGLE)
def test_one_declaration(declaration: Declaration, expected: str) -> None:
    if declaration.visibility != "carried":
        assert printed(declaration) == expected
    assert Printer().declaration(declaration) == expected


def test_a_default_stands_behind_its_parameter() -> None:
    parameters = (
        Parameter("a", "positional_only", "string"),
        Parameter("b", "optional", "{ c: number }", default="{ c: 1, /* one */ d: '(' }"),
        Parameter("rest", "var_positional", "string[]"),
    )
    signature = (
        "function f<T extends (x: 1) => 2>(this: Window, a: string, b?: { c: number }, ...rest: string[]): 1"
    )
    found = printed(declared("function", signature, parameters=parameters))
    assert "b?: { c: number } /* = { c: 1, /* one * / d: '(' } */,\n" in found
    assert found.count("/* =") == 1
