"""Views as packages of declaration files."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen.globs import clean_path
from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.typescript.stubs import render_stubs
from support.typescript import carried, declared, is_valid, lines, module

ESM = {"format": "module"}
PRIVATE = {"private": True}


def test_a_package_with_modules_of_every_kind() -> None:
    files = render_stubs(
        [
            module(
                declared("import", 'import type { FC } from "react"', "FC", extra=ESM),
                declared("import", 'import * as inner from "@acme/ui/src/inner"', "inner"),
                declared(
                    "class",
                    "class Box",
                    "Box",
                    doc="A box.",
                    decorators=("Injectable()",),
                    members=(
                        declared(
                            "constructor",
                            "constructor(size?: number)",
                            parameters=(Parameter("size", "optional", "number", "1"),),
                        ),
                        declared("property", "private secret", extra={"access": "private"}),
                        declared(
                            "property", '_zod: import("@acme/ui/forms").Form', extra={"access": "internal"}
                        ),
                    ),
                ),
                carried("interface", "interface Hidden", "Hidden"),
                declared("ambient", 'module "@acme/ui/forms"', "@acme/ui/forms"),
                declared("alias", 'export * as util from "@acme/ui.util"', "util"),
            ),
            module(declared("function", "function u(): 1", "u", extra=ESM), name="@acme/ui.util"),
            module(
                declared("interface", "interface Form", "Form", extra=ESM),
                declared("alias", 'export { Box, "from" as x } from "@acme/ui"', "Box"),
                name="@acme/ui/forms",
            ),
            module(
                declared("alias", "export = e", "=", extra={"format": "commonjs"}), name="@acme/ui/deep/old"
            ),
            module(carried("type", "type A = 1", "A", extra={**ESM, **PRIVATE}), name="@acme/ui/src/inner"),
        ],
        "full",
    )
    assert json.loads(files["package.json"]) == {
        "name": "@acme/ui",
        "types": "./index.d.mts",
        "exports": {
            ".": {"types": "./index.d.mts"},
            "./deep/old": {"types": "./deep/old.d.ts"},
            "./forms": {"types": "./forms.d.mts"},
        },
        "typesVersions": {"*": {"deep/old": ["./deep/old.d.ts"], "forms": ["./forms.d.mts"]}},
    }
    assert files["index.d.mts"] == lines(
        """
        import type { FC } from "react";
        import * as inner from "./_private/src/inner.mjs";

        /** A box. */
        export class Box {
          constructor(size?: number);
          private secret;
          _zod: import("./forms.mjs").Form;
        }

        interface Hidden {}
        declare module "./forms.mjs" {}

        export * as util from "./index.util.mjs";
        """
    )
    assert files["forms.d.mts"] == lines(
        """
        export interface Form {}

        export { Box, "from" as x } from "./index.mjs";
        """
    )
    assert files["deep/old.d.ts"] == "export = e;\n"
    assert files["index.util.d.mts"] == "export function u(): 1;\nexport {};\n"
    assert files["_private/src/inner.d.mts"] == "export type A = 1;\nexport {};\n"
    assert list(files) == ["package.json", *sorted(set(files) - {"package.json"})]


def test_a_module_named_as_the_folder_of_another() -> None:
    files = render_stubs(
        [
            module(declared("type", "type A = 1", "A", extra=ESM), name="@acme/ui/jsx"),
            module(
                declared("alias", 'export * from "@acme/ui/jsx"', "*", extra=ESM), name="@acme/ui/jsx/dev"
            ),
            module(
                declared("alias", 'export * from "@acme/ui/jsx/dev"', "*", extra=ESM),
                name="@acme/ui/jsx/dev/x",
            ),
            module(declared("alias", 'export * from "@acme/ui/jsx/dev/x"', "*", extra=ESM)),
        ],
        "full",
    )
    assert files["jsx/dev.d.mts"] == 'export * from "../jsx.mjs";\n'
    assert files["jsx/dev/x.d.mts"] == 'export * from "../dev.mjs";\n'
    assert files["index.d.mts"] == 'export * from "./jsx/dev/x.mjs";\n'


def test_ambient_modules_and_global_names_are_referred_to() -> None:
    files = render_stubs(
        [
            module(
                declared("import", '/// <reference types="undici-types" />', "undici-types"),
                name="node",
            ),
            module(
                declared(
                    "function",
                    'function setTimeout(): import("timers").T',
                    "setTimeout",
                    extra={"format": "global"},
                ),
                name="@types/node (global)",
            ),
            module(
                declared("import", 'import { Url } from "node:url"', "Url", extra={"format": "ambient"}),
                declared("function", "function read(): Url", "read"),
                carried("type", "type Hidden = 1", "Hidden"),
                declared("alias", 'export { x } from "node:url"', "x"),
                name="fs",
                doc="Files.",
            ),
            module(
                declared("variable", "const x: 1", "x", extra={"format": "ambient", "export": "default"}),
                name="node:url",
            ),
            module(declared("variable", "const x: 1", "x", extra={"format": "ambient"}), name="fs/promises"),
        ],
        "full",
    )
    package = json.loads(files["package.json"])
    assert package == {
        "name": "@types/node",
        "types": "./index.d.ts",
        "exports": {".": {"types": "./index.d.ts"}},
    }
    assert files["index.d.ts"] == lines(
        """
        /// <reference path="./fs.d.ts" />
        /// <reference path="./fs/promises.d.ts" />
        /// <reference path="./globals.d.ts" />
        /// <reference path="./node_url.d.ts" />
        /// <reference types="undici-types" />
        """
    )
    assert files["globals.d.ts"] == 'declare function setTimeout(): import("timers").T;\n'
    assert files["fs.d.ts"] == lines(
        """
        /** Files. */
        declare module "fs" {
          import { Url } from "node:url";

          export function read(): Url;
          type Hidden = 1;

          export { x } from "node:url";
        }
        """
    )
    assert files["node_url.d.ts"] == lines(
        """
        declare module "node:url" {
          const x: 1;
          export default x;
          export {};
        }
        """
    )
    assert all(map(is_valid, [text for path, text in files.items() if path != "package.json"]))


def test_global_names_that_need_imports_stand_in_a_block() -> None:
    files = render_stubs(
        [
            module(
                declared("import", 'import type { A } from "a"', "A", extra={"format": "global"}),
                declared("interface", "interface Window extends A", "Window"),
                declared(
                    "ambient", 'module "*.svg"', "*.svg", members=(declared("variable", "const url: A"),)
                ),
                name="acme (global)",
            )
        ],
        "full",
    )
    assert files["index.d.ts"] == lines(
        """
        /// <reference path="./globals.d.ts" />
        /// <reference path="./globals_2.d.ts" />
        """
    )
    assert files["globals_2.d.ts"] == lines(
        """
        declare module "*.svg" {
          import type { A } from "a";

          const url: A;
        }
        """
    )
    assert files["globals.d.ts"] == lines(
        """
        import type { A } from "a";
        declare global {
          interface Window extends A {}
        }
        export {};
        """
    )


def test_what_could_not_be_understood_is_something_at_least() -> None:
    degraded = {"degraded": "cannot be parsed"}
    files = render_stubs(
        [
            module(
                declared("function", "function f(a b: c): d", "f", extra=degraded),
                declared("function", "function g(a", "g", extra=degraded),
                declared("type", "type T = {", "T", extra=degraded),
                declared("variable", "const v: [", "v", extra=degraded),
                declared("enum", "enum E(", "E", extra=degraded),
                declared("variable", "", "", extra=degraded),
                declared(
                    "interface", "interface I", "I", members=(declared("method", "m(", "m", extra=degraded),)
                ),
            )
        ],
        "full",
    )
    assert files["index.d.ts"] == lines(
        """
        export function f(a b: c): d;
        export function g(...anything: any[]): any;
        export type T = any;
        export const v: any;
        export enum E {}

        export interface I {
          m(...anything: any[]): any;
        }

        export {};
        """
    ).replace("}\n\nexport {};", "}\nexport {};").replace("enum E {}\n\n", "enum E {}\n\n")


HOSTILE = [
    "..", "../../x", "/etc/passwd", "a//b", "a/./b", "a\\..\\b", "C:\\x", "a\x00b", "con", "aux.x", "", " ", "a ", "a.",
    "package.json", "index", "INDEX", "Index", "@acme/ui", "_private/x", "globals", "é" * 300, "x" * 5000, "a/" * 500,
    "\ud800", "*", "?", "node:fs", "a\nb", ".", "...", "~", "é", "e\u0301",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["ambient", "module", "private"])
def test_names_lead_nowhere_else_and_never_to_one_file(kind: str) -> None:
    extra = {"format": "ambient"} if kind == "ambient" else PRIVATE if kind == "private" else ESM
    names = [name if kind == "ambient" else f"@acme/ui/{name}" for name in HOSTILE]
    visibility = carried if kind == "private" else declared
    modules = [module(visibility("type", "type A = 1", extra=extra), name=name) for name in names]
    are_proper(render_stubs([module(declared("type", "type A = 1")), *modules], "full"), len(modules) + 2)


@given(st.lists(st.one_of(st.sampled_from(HOSTILE), st.text()), max_size=8), st.booleans())
def test_any_names_have_proper_paths(names: list[str], is_ambient: bool) -> None:
    extra = {"format": "ambient"} if is_ambient else ESM
    modules = [module(declared("type", "type A = 1", extra=extra), name=name) for name in names]
    files = render_stubs(modules, "full")
    if modules:
        are_proper(files, len(modules) + 1 + ("index.d.ts" in files and is_ambient))
    assert files == render_stubs(modules, "full")


def are_proper(files: object, count: int) -> None:
    assert isinstance(files, dict)
    assert len({path.casefold() for path in files}) == len(files) == count
    for path in files:
        assert clean_path(path) == path
        assert len(path.encode()) < 1000
        assert all(0 < len(part.encode()) <= 100 for part in path.split("/"))
        assert not set(path) & set('\\:*?"<>|\x00\n')
        assert not any(part.endswith((".", " ")) for part in path.split("/"))


def test_every_file_of_a_package_parses() -> None:
    declarations: list[Declaration] = [
        declared("class", "class A", "A", extra={"export": "default"}),
        declared("namespace", "namespace A", "A", extra={"export": "default"}),
        declared("variable", "const b: 1", "b"),
    ]
    files = render_stubs([Module("acme", "typescript", "index.ts", "A doc.", tuple(declarations))], "full")
    assert files["index.d.ts"] == lines(
        """
        /** A doc. */
        declare class A {}

        declare namespace A {}
        export default A;

        export const b: 1;
        export {};
        """
    )
    assert is_valid(files["index.d.ts"])


def test_types_that_nobody_states_are_any() -> None:
    inferred = {"inferred": "the source does not state it"}
    a, b, rest = (
        Parameter("a", "positional_only"),
        Parameter("b", "optional", "1"),
        Parameter("rest", "var_positional"),
    )
    files = render_stubs(
        [
            module(
                declared(
                    "function",
                    "function f<T>({ a }, b?: 1, ...rest)",
                    "f",
                    parameters=(a, b, rest),
                    extra=inferred,
                ),
                declared(
                    "variable", "const g: (a, b?) => 1", "g", parameters=(a, replace(b, annotation=None))
                ),
                declared("variable", "const h", "h", extra=inferred),
                declared("variable", "const j: (a: 1) => any", "j", extra=inferred),
                declared("variable", "const i: (A | B)[]", "i", parameters=(a,)),
                declared(
                    "class",
                    "class C",
                    "C",
                    members=(declared("constructor", "constructor(a)", parameters=(a,)),),
                ),
            )
        ],
        "full",
    )
    assert files["index.d.ts"] == lines(
        """
        export function f<T>({ a }: any, b?: 1, ...rest: any[]): any;
        export const g: (a: any, b?: any) => 1;
        export const h: any;
        export const j: (a: 1) => any;
        export const i: (A | B)[];

        export class C {
          constructor(a: any);
        }
        export {};
        """
    )


def test_a_module_without_any_names_is_one() -> None:
    files = render_stubs([module(), module(name="@acme/ui/none")], "full")
    assert files["index.d.ts"] == files["none.d.ts"] == "export {};\n"


def test_no_modules_are_no_files() -> None:
    assert render_stubs([], "full") == {}
