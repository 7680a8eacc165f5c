"""Declarations as they are printed: values and texts side by side."""

from __future__ import annotations

import pytest

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.typescript.emit import Printer
from support.typescript import carried, declared, is_valid, lines, module

DEFAULT = {"export": "default"}


def body(*declarations: Declaration, docs: str = "full", doc: str | None = None) -> str:
    heading, _, text = Printer(docs).text([module(*declarations, doc=doc)]).partition("\n")
    assert heading == "// module @acme/ui"
    assert is_valid(text)
    return text


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        (declared("variable", "const LIMIT: 10"), "export const LIMIT: 10;\n"),
        (declared("type", "type Id = string | number"), "export type Id = string | number;\n"),
        (declared("function", "function f(): void"), "export function f(): void;\n"),
        (declared("class", "abstract class Box<T>"), "export abstract class Box<T> {}\n"),
        (declared("interface", "interface A extends B"), "export interface A extends B {}\n"),
        (declared("variable", "const a:"), "export const a: {};\n"),
        (carried("function", "function f(): void"), "declare function f(): void;\n"),
        (carried("interface", "interface A"), "interface A {}\n"),
        (carried("type", "type A = 1"), "type A = 1;\n"),
        (carried("enum", "enum A"), "declare enum A {}\n"),
        (declared("function", "function f(): 1", extra={"export": "="}), "declare function f(): 1;\n"),
        (declared("class", "class _A", extra={"export": "alias"}), "declare class _A {}\n"),
        (declared("function", "function f(): 1", extra=DEFAULT), "export default function f(): 1;\n"),
        (declared("class", "class A", extra=DEFAULT), "export default class A {}\n"),
        (declared("interface", "interface A", extra=DEFAULT), "export default interface A {}\n"),
        (
            declared("variable", "const x: A", extra=DEFAULT),
            "declare const x: A;\nexport default x;\n",
        ),
        (
            declared("class", "class A", decorators=("Injectable({\n  a: 1 })",)),
            "// @Injectable({ a: 1 })\nexport class A {}\n",
        ),
        (
            declared("type", "type x =", extra={"members_elided": 1}),
            "export type x = {\n  // 1 member elided\n};\n",
        ),
        (
            declared("class", "class A", extra={"members_elided": 12}),
            "export class A {\n  // 12 members elided\n}\n",
        ),
        (
            declared("function", "function f(x)", extra={"inferred": "the source does not state it"}),
            "export function f(x);  // type not stated\n",
        ),
        (
            declared("function", "function f(a b", extra={"degraded": "cannot be parsed"}),
            "// cannot be parsed, as in the source: function f(a b\n",
        ),
    ],
)
def test_one_declaration(declaration: Declaration, expected: str) -> None:
    assert body(declaration) == expected
    assert Printer().declaration(declaration) == expected


def test_a_module_with_all_that_it_may_have() -> None:
    text = body(
        declared("import", '/// <reference types="node" />', "node"),
        declared("import", 'import type { FC } from "react"', "FC"),
        declared("import", 'import type { ReactNode as Node } from "react"', "Node"),
        declared("import", 'import * as core from "@acme/core"', "core"),
        declared("variable", "const A: 1", "A"),
        declared("variable", "const B: 1", "B"),
        declared(
            "class",
            "class Box<T extends object = {}> extends Base<T> implements Sized, Named",
            "Box",
            doc="A box.\n\nOf anything.",
            members=(
                declared("constructor", "private constructor()", extra={"access": "private"}),
                declared("property", "private secret", extra={"access": "private"}),
                declared("property", "_zod: T", extra={"access": "internal"}),
                declared(
                    "property", "protected readonly a?: string", doc="An a.", extra={"access": "protected"}
                ),
                declared("getter", "get size(): number"),
                declared(
                    "method", "get<K extends keyof T>(key: K): T[K]", "get", doc="Gets.\n\n@throws NotFound"
                ),
                declared("method", "get(key: string): unknown", "get"),
                declared("method", "[Symbol.iterator](): Iterator<T>", "[Symbol.iterator]"),
            ),
        ),
        declared(
            "enum",
            "const enum Color",
            "Color",
            members=(declared("case", "Red = 1"), declared("case", "Blue")),
        ),
        declared("function", "function f(x: string): 1", "f"),
        declared("function", "function f(x: number): 2", "f"),
        declared("function", "function f(x: boolean): 3", "f", doc="A third way."),
        declared("alias", 'export { a } from "@acme/other"', "a"),
        declared("alias", 'export { b as c } from "@acme/other"', "c"),
        declared("alias", "export type { d }", "d"),
        declared("alias", 'export * from "@acme/other"', "*"),
        doc="The module.",
    )
    assert text == lines(
        """
        /** The module. */

        /// <reference types="node" />
        import type { FC, ReactNode as Node } from "react";
        import * as core from "@acme/core";

        export const A: 1;
        export const B: 1;

        /**
         * A box.
         *
         * Of anything.
         */
        export class Box<T extends object = {}> extends Base<T> implements Sized, Named {
          private constructor();
          /** An a. */
          protected readonly a?: string;
          get size(): number;

          /**
           * Gets.
           *
           * @throws NotFound
           */
          get<K extends keyof T>(key: K): T[K];
          get(key: string): unknown;
          [Symbol.iterator](): Iterator<T>;
        }

        export const enum Color {
          Red = 1,
          Blue,
        }

        export function f(x: string): 1;
        export function f(x: number): 2;

        /** A third way. */
        export function f(x: boolean): 3;

        export { a, b as c } from "@acme/other";
        export type { d };
        export * from "@acme/other";
        """
    )


def test_all_is_exported_from_a_namespace_unless_something_is_not() -> None:
    inner = declared("function", "function f(): void", "f")
    hidden = carried("interface", "interface Hidden", "Hidden")
    alias = declared("alias", "export { f as g }", "g")
    assert body(declared("namespace", "namespace a", members=(inner,))) == lines(
        """
        export namespace a {
          function f(): void;
        }
        """
    )
    assert body(declared("namespace", "namespace a", members=(inner, hidden))) == lines(
        """
        export namespace a {
          export function f(): void;
          interface Hidden {}
          export {};
        }
        """
    )
    assert body(declared("namespace", "namespace a", members=(inner, alias))) == lines(
        """
        export namespace a {
          export function f(): void;

          export { f as g };
        }
        """
    )


def test_blocks_that_add_to_what_lies_elsewhere() -> None:
    window = declared("interface", "interface Window", members=(declared("property", "acme: string"),))
    assert body(
        declared("global", "global", members=(window,)),
        declared("ambient", 'module "react"', members=(window,)),
    ) == lines(
        """
        declare global {
          interface Window {
            acme: string;
          }
        }

        declare module "react" {
          interface Window {
            acme: string;
          }
        }
        """
    )


def test_what_is_exported_as_default_and_is_several_things_has_a_statement() -> None:
    parts = (
        declared("class", "class A", "A", extra=DEFAULT),
        declared("namespace", "namespace A", "A", extra=DEFAULT),
    )
    assert body(*parts) == lines(
        """
        declare class A {}

        declare namespace A {}
        export default A;
        """
    )


def test_a_module_that_is_one_thing_exports_nothing_else() -> None:
    text = body(declared("class", "class A", "A"), declared("alias", "export = A", "="))
    assert text == "declare class A {}\n\nexport = A;\n"


def test_global_names_are_not_exported() -> None:
    names = module(declared("function", "function f(): 1"), name="@types/node (global)")
    assert Printer().text([names]) == "// module @types/node (global)\ndeclare function f(): 1;\n"


def test_private_modules_come_last_without_what_they_tell_their_maintainers() -> None:
    private = module(
        carried("type", "type A = 1", extra={"private": True}), name="@acme/ui/src/a", doc="For maintainers."
    )
    public = module(declared("type", "type B = 1"))
    selected = module(carried("type", "type C = 1"))
    assert Printer().text([private, public, selected]) == lines(
        """
        // module @acme/ui
        export type B = 1;

        // module @acme/ui
        type C = 1;

        // module @acme/ui/src/a  (private: carried names only)
        type A = 1;
        """
    )


DOCUMENTED = declared(
    "type",
    "type A =",
    doc="First.\n\nSecond.\n\n@deprecated Use B.\n@param x - No.",
    deprecated="Use B.",
    members=(declared("property", "a: { /** An inner.\n\n@default 1 */ b: 1; c: 2 }"),),
)


@pytest.mark.parametrize(
    ("docs", "expected"),
    [
        (
            "full",
            """
            /**
             * First.
             *
             * Second.
             *
             * @deprecated Use B.
             * @param x - No.
             */
            export type A = {
              a: {
                /**
                 * An inner.
                 *
                 * @default 1
                 */
                b: 1;
                c: 2;
              };
            };
            """,
        ),
        (
            "first_paragraph",
            """
            /**
             * First.
             *
             * @deprecated Use B.
             */
            export type A = {
              a: {
                /** An inner. */
                b: 1;
                c: 2;
              };
            };
            """,
        ),
        (
            "none",
            """
            /** @deprecated Use B. */
            export type A = {
              a: { b: 1; c: 2 };
            };
            """,
        ),
    ],
)
def test_documentation_as_much_as_wanted(docs: str, expected: str) -> None:
    assert body(DOCUMENTED, docs=docs) == lines(expected)


def test_a_default_stands_behind_its_parameter() -> None:
    parameters = (
        Parameter("a", "positional_only", "string"),
        Parameter("b", "optional", "{ c: number }", default="{ c: 1, /* one */ d: '(' }"),
        Parameter("c", "optional", default="1"),
        Parameter("rest", "var_positional", "string[]"),
    )
    signature = (
        "function f<T extends (x: 1) => 2>(this: Window, a: string, b?: { c: number }, c?, ...rest: 1[]): 1"
    )
    assert body(declared("function", signature, parameters=parameters)) == lines(
        """
        export function f<T extends (x: 1) => 2>(
          this: Window,
          a: string,
          b?: { c: number } /* = { c: 1, /* one * / d: '(' } */,
          c /* = 1 */?,
          ...rest: 1[]
        ): 1;
        """
    )


def test_defaults_that_match_no_parameter_are_left_out() -> None:
    parameters = (Parameter("a", "optional", default="1"), Parameter("b", "optional", default="2"))
    assert (
        body(declared("function", "function f(a?: 1): 1", parameters=parameters))
        == "export function f(a?: 1): 1;\n"
    )


@pytest.mark.parametrize(
    "hostile", ["*/ evil(); /*", "a\nb\rc\u2028d\x00e\x1b[31m", "// x", "`${", "\\", "*/*/*/"]
)
def test_nothing_ends_a_comment_before_its_end(hostile: str) -> None:
    for docs in ("full", "first_paragraph", "none"):
        text = body(
            declared(
                "function",
                "function f(a?: 1): 1",
                doc=hostile,
                deprecated=hostile,
                decorators=(hostile,),
                parameters=(Parameter("a", "optional", default=hostile),),
            ),
            declared("function", hostile, extra={"degraded": hostile}),
            docs=docs,
            doc=hostile,
        )
        code = [line for line in text.split("\n") if not line.lstrip().startswith(("/", "*"))]
        assert [line.partition("(")[0] for line in code if line] == ["export function f"]


def test_a_module_named_to_break_its_heading() -> None:
    text = Printer().text(
        [Module("a\nevil()", "typescript", "a.ts", None, (declared("type", "type A = 1"),))]
    )
    assert text == "// module a evil()\nexport type A = 1;\n"


def test_a_statement_that_exports_nothing() -> None:
    assert (
        body(declared("alias", "export {}", ""), declared("alias", "export { a }", "a"))
        == "export {};\nexport { a };\n"
    )


def test_no_modules_are_no_text() -> None:
    assert Printer().text([]) == ""
