"""Ambient modules, augmentations, and what files declare to be global."""

from __future__ import annotations

from unit.adapters.typescript.linking import codes, declared, signatures, surface_of

from ifacegen.adapter import ViewOptions


def test_scripts_declare_modules_and_global_names() -> None:
    surface = surface_of(
        {
            "index.d.ts": '/// <reference path="fs.d.ts" />\ndeclare var root: Root;\n',
            "fs.d.ts": 'declare module "fs" { import { A } from "os"; function open(a: A): Root; }\n'
            'declare module "node:fs" { export * from "fs"; }\ninterface Root { r: 1 }',
        }
    )
    assert [module.name for module in surface.modules] == ["pkg", "fs", "node:fs", "pkg (global)"]
    assert signatures(surface, "fs") == ['import type { A } from "os"', "function open(a: A): Root"]
    assert signatures(surface, "node:fs") in (['export { open } from "fs"'], ['export * from "fs"'])
    assert signatures(surface, "pkg (global)") == ["var root: Root", "interface Root"]
    assert surface.modules[1].declarations[0].extra["format"] == "ambient"


def test_blocks_of_one_name_are_one_module() -> None:
    surface = surface_of(
        {
            "index.d.ts": 'declare module "m" { interface A { b: B } }\ndeclare module "m" { type B = A }',
        }
    )
    assert signatures(surface, "m") == ["interface A", "type B = A"]


def test_an_augmentation_of_an_own_file_adds_to_it() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import './more';\nexport { A } from './a';",
            "a.d.ts": "export interface A { a: 1 }",
            "more.d.ts": "import { X } from 'x';\ndeclare module './a' { interface A { x: X; other: Priv } }\n"
            "interface Priv { p: 1 }\nexport {};",
        }
    )
    assert signatures(surface) == [
        'import type { X } from "x"',
        "interface A",
        "interface A",
        "interface Priv",
    ]
    assert [each.signature for each in declared(surface, "pkg:A#2").members] == ["x: X", "other: Priv"]


def test_an_augmentation_reaches_through_re_exports() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import './more';\nexport * from './a';",
            "a.d.ts": "export interface A { a: 1 }",
            "more.d.ts": "declare module './index' { interface A { again: A } }\nexport {};",
        }
    )
    assert signatures(surface) == ["interface A", "interface A"]


def test_an_augmentation_by_another_entry_is_kept_there() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export interface A { a: 1 }",
            "more.d.ts": "declare module './index' { interface A { more: 1 } }\nexport type More = 1;",
        },
        exports={".": "./index.d.ts", "./more": "./more.d.ts"},
    )
    assert signatures(surface) == ["interface A"]
    assert signatures(surface, "pkg/more") == ["type More = 1", 'module "pkg"']


def test_augmentations_of_other_packages_and_globals_are_kept() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import './more';\nexport type A = 1;",
            "more.d.ts": "import { T } from 't';\ndeclare module 'react' { interface P { t: T } }\n"
            "declare global { interface Window { a: Here } }\ninterface Here { h: 1 }\nexport {};",
        }
    )
    assert signatures(surface) == [
        'import type { T } from "t"',
        "type A = 1",
        "interface Here",
        'module "react"',
        "global",
    ]


def test_a_module_may_export_what_it_declares_to_be_global() -> None:
    surface = surface_of(
        {
            "index.d.ts": 'declare module "b" { global { var B: 1 } import at = globalThis.atob;\n'
            "export { B, at }; }",
        }
    )
    assert signatures(surface, "b") == ["global", "export { B }", "export import at = globalThis.atob"]


def test_imports_for_their_effect_and_references_stand_first() -> None:
    surface = surface_of(
        {
            "index.d.ts": '/// <reference types="node" />\nimport "zone.js";\nimport "./x";\nexport type A = 1;',
            "x.d.ts": "export {}",
        }
    )
    assert signatures(surface) == ['/// <reference types="node" />', 'import "zone.js"', "type A = 1"]


def test_internal_names_are_left_out_and_carried_where_something_mentions_them() -> None:
    surface = surface_of(
        {
            "index.d.ts": "/** @internal */ export interface I { a: 1 }\n/** @internal */ export type J = 2;\n"
            "export declare class C { /** @internal */ i: I; private p; }\n"
        }
    )
    assert signatures(surface) == ["class C", "interface I"]
    assert [each.extra.get("access") for each in declared(surface, "pkg:C").members] == [
        "internal",
        "private",
    ]
    assert codes(surface) == ["internal-left-out"]


def test_owners_may_hide_names_and_show_internal_ones() -> None:
    options = ViewOptions(public=("I",), hidden=("H", "C.h", "gone"))
    surface = surface_of(
        {
            "index.d.ts": "/** @internal */ export type I = 1;\nexport type H = 1;\n"
            "export declare class C { h(): void; kept(): void }"
        },
        options=options,
    )
    assert signatures(surface) == ["type I = 1", "class C"]
    assert [each.name for each in declared(surface, "pkg:C").members] == ["kept"]
    assert codes(surface) == ["option-unmatched"]


def test_patterns_of_modules_are_modules_of_their_own() -> None:
    surface = surface_of(
        {
            "index.d.ts": 'declare module "*.svelte" { import { C } from "svelte"; const c: C; export default c; }',
        }
    )
    assert signatures(surface, "*.svelte") == ['import type { C } from "svelte"', "const c: C"]
    assert declared(surface, "*.svelte:c").extra["export"] == "default"


def test_an_augmentation_does_not_add_to_what_is_exported_as_default_only() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import './more';\nexport * from './a';\nexport { default as Other } from './a';",
            "a.d.ts": "export default class A { a: 1 }",
            "more.d.ts": "declare module './a' { interface A { added: 1 } }\nexport {};",
        }
    )
    assert sorted(signatures(surface)) == ["class Other", "interface A"]


def test_ambient_modules_keep_what_they_declare() -> None:
    surface = surface_of(
        {
            "index.d.ts": 'declare module "node:a" { interface P { x: 1 } interface O { p: P } '
            "function a(o: O): a.Q; namespace a { interface Q { q: P } const posix: Q; export { O } } export = a; }\n"
            'declare module "a" { export * from "node:a"; }\n'
            'declare module "a/posix" { import x = require("node:a"); export = x.posix; }',
        }
    )
    assert signatures(surface, "node:a")[:4] == [
        "function a(o: O): a.Q",
        "namespace a",
        "interface O",
        "interface P",
    ]
    assert signatures(surface, "a/posix") == ['import a = require("node:a")', "export = a.posix"]
