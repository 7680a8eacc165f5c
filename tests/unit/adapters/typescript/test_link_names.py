"""A text means in the view what it meant in its file."""

from __future__ import annotations

from unit.adapters.typescript.linking import declared, signatures, surface_of


def test_a_namespace_import_of_an_inner_file_is_resolved() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import * as t from './t';\nexport declare const x: t.Box<t.Item>;",
            "t.d.ts": "export interface Box<T> { t: T }\nexport type Item = 1;",
        }
    )
    assert signatures(surface) == ["const x: Box<Item>", "interface Box<T>", "type Item = 1"]


def test_a_namespace_import_of_a_module_of_the_view_is_kept() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import * as core from './core';\nexport declare const x: core.Box;",
            "core.d.ts": "export interface Box { t: 1 }",
        },
        exports={".": "./index.d.ts", "./core": "./core.d.ts"},
    )
    assert signatures(surface) == ['import * as core from "pkg/core"', "const x: core.Box"]


def test_import_types_are_resolved() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export declare const x: import('./t').Item<import('react').FC>;",
            "t.d.ts": "export type Item<T> = T;",
        }
    )
    assert signatures(surface) == ['const x: Item<import("react").FC>', "type Item<T> = T"]


def test_a_namespace_that_is_meant_as_a_whole_becomes_a_private_module() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import * as t from './t';\nexport declare const all: typeof t;",
            "t.d.ts": "export declare const a: A;\ninterface A { b: 1 }\nexport {};",
        }
    )
    assert signatures(surface) == ['import * as t from "pkg/t"', "const all: typeof t"]
    assert signatures(surface, "pkg/t") == ["const a: A", "interface A"]
    assert {each.visibility for each in surface.modules[1].declarations} == {"carried"}
    assert all(each.extra["private"] for each in surface.modules[1].declarations)


def test_nothing_captures_a_global_that_another_text_means() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';\nexport * from './b';",
            "a.d.ts": "export interface Map { own: Map }",
            "b.d.ts": "export declare const m: Map<string, number>;",
        }
    )
    assert signatures(surface) == [
        "interface Map_1",
        "const m: Map<string, number>",
        "export { Map_1 as Map }",
    ]
    (member,) = declared(surface, "pkg:Map_1").members
    assert member.signature == "own: Map_1"


def test_a_value_does_not_capture_a_type() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';\nexport * from './b';",
            "a.d.ts": "export declare function Map(): void;",
            "b.d.ts": "export declare const m: Map<string, number>;",
        }
    )
    assert signatures(surface) == ["function Map(): void", "const m: Map<string, number>"]


def test_a_type_parameter_captures_nothing_that_is_spelled_anew() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import * as t from './t';\n"
            "export declare function f<T>(own: T, other: t.T): <U>(u: U, v: t.U) => void;",
            "t.d.ts": "export type T = 't';\nexport type U = 'u';",
        }
    )
    assert signatures(surface) == [
        "function f<T>(own: T, other: T_1): <U>(u: U, v: U_1) => void",
        "type T_1 = 't'",
        "type U_1 = 'u'",
    ]


def test_private_names_of_different_files_are_told_apart() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';\nexport * from './b';",
            "a.d.ts": "interface O { a: 1 }\nexport declare const a: O;\nexport {};",
            "b.d.ts": "interface O { b: 1 }\nexport declare const b: O;\nexport {};",
        }
    )
    assert signatures(surface) == ["const a: O", "const b: O_1", "interface O", "interface O_1"]


def test_names_inside_namespaces_are_looked_up_inside_out() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import * as t from './t';\ntype A = 'outer';\nexport declare namespace N {\n"
            "  type A = 'inner';\n  type Uses = A;\n  type Other = t.A;\n  type Up = Outer;\n}\n"
            "type Outer = A;\nexport {};",
            "t.d.ts": "export type A = 't';",
        }
    )
    assert [each.signature for each in declared(surface, "pkg:N").members] == [
        "type A = 'inner'",
        "type Uses = A",
        "type Other = A_1",
        "type Up = Outer",
    ]
    assert "type Outer = A" in signatures(surface)


def test_imports_of_other_packages_are_kept_one_line_a_module() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';\nexport * from './b';",
            "a.d.ts": "import R, { FC, type Ref as MyRef } from 'react';\nexport declare const a: FC<MyRef<R>>;",
            "b.d.ts": "import { FC } from 'react';\nimport { Ref } from 'vue';\n"
            "export declare class B extends Base<FC> {}\nimport { Base } from 'base';\nexport declare const r: Ref;",
        }
    )
    assert signatures(surface)[:4] == [
        'import { Base } from "base"',
        'import type R from "react"',
        'import type { FC, Ref as MyRef } from "react"',
        'import type { Ref } from "vue"',
    ]


def test_what_is_needed_by_several_modules_stands_in_one_of_its_own() -> None:
    surface = surface_of(
        {
            "a.d.ts": "import { S } from './s';\nexport declare const a: S;",
            "b.d.ts": "import { S } from './s';\nexport declare const b: S;",
            "s.d.ts": "export interface S { deep: Deep }\ninterface Deep { x: 1 }\nexport {};",
        },
        exports={"./a": "./a.d.ts", "./b": "./b.d.ts"},
    )
    assert [module.name for module in surface.modules] == ["pkg/a", "pkg/b", "pkg/s"]
    assert signatures(surface, "pkg/s") == ["interface S", "interface Deep"]
    assert signatures(surface, "pkg/a") == ['import type { S } from "pkg/s"', "const a: S"]
    assert declared(surface, "pkg/a:a").extra["mentions"] == ("pkg/s:S",)


def test_import_of_what_another_module_assigns_to_its_exports() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import make = require('./cjs');\nimport { Options } from './cjs';\n"
            "export declare function f(o: Options): typeof make;",
            "cjs.d.ts": "declare function m(): m.Options;\ndeclare namespace m { interface Options { a: 1 } }\n"
            "export = m;",
        },
        exports={".": "./index.d.ts", "./cjs": "./cjs.d.ts"},
    )
    assert signatures(surface) == [
        'import m = require("pkg/cjs")',
        'import type { Options } from "pkg/cjs"',
        "function f(o: Options): typeof m",
    ]
