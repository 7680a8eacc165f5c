"""Re-exports are resolved to their origins, and every declaration is printed once."""

from __future__ import annotations

from unit.adapters.typescript.linking import codes, declared, signatures, surface_of


def test_a_star_gives_all_but_the_default_in_the_order_of_its_file() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';",
            "a.d.ts": "export type Z = 1;\nexport type A = 2;\ndeclare const x: 3;\nexport default x;",
        }
    )
    assert signatures(surface) == ["type Z = 1", "type A = 2"]


def test_a_name_of_the_file_wins_over_stars() -> None:
    surface = surface_of(
        {"index.d.ts": "export * from './a';\nexport type A = 'own';", "a.d.ts": "export type A = 'star';"}
    )
    assert signatures(surface) == ["type A = 'own'"]


def test_a_name_that_two_stars_give_different_meanings_is_not_exported() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';\nexport * from './b';",
            "a.d.ts": "export type A = 'a';\nexport type Same = 1;",
            "b.d.ts": "export type A = 'b';\nexport { Same } from './a';",
        }
    )
    assert signatures(surface) == ["type Same = 1"]
    assert codes(surface) == ["name-clash"]


def test_stars_may_run_in_circles() -> None:
    files = {f"m{n}.d.ts": f"export * from './m{(n + 1) % 5}';\nexport type T{n} = {n};" for n in range(5)}
    surface = surface_of({"index.d.ts": "export * from './m0';", **files})
    assert sorted(signatures(surface)) == [f"type T{n} = {n}" for n in range(5)]


def test_long_chains_of_re_exports_need_no_recursion() -> None:
    count = 1200
    files = {f"m{n}.d.ts": f"export {{ T }} from './m{n + 1}';" for n in range(count)}
    stars = {f"s{n}.d.ts": f"export * from './s{n + 1}';" for n in range(count)}
    surface = surface_of(
        {
            "index.d.ts": "export * from './m0';\nexport * from './s0';",
            **files,
            **stars,
            f"m{count}.d.ts": "export type T = 1;",
            f"s{count}.d.ts": "export type S = 2;",
        }
    )
    assert signatures(surface) == ["type T = 1", "type S = 2"]


def test_a_re_export_that_leads_to_itself_leads_nowhere() -> None:
    surface = surface_of({"index.d.ts": "export { T } from './a';", "a.d.ts": "export { T } from './index';"})
    assert signatures(surface) == []
    assert set(codes(surface)) == {"unresolved-name"}


def test_stars_of_other_packages_stay_as_they_are() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './a';",
            "a.d.ts": "export * from 'other';\nexport * as o from 'other';",
        }
    )
    assert signatures(surface) == ['export * as o from "other"', 'export * from "other"']


def test_a_name_that_only_a_star_of_another_package_can_give_comes_from_there() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import { X } from './a';\nexport declare const x: X;",
            "a.d.ts": "export * from 'other';",
        }
    )
    assert signatures(surface) == ['import type { X } from "other"', "const x: X"]


def test_a_name_lives_in_the_shortest_entry_and_is_an_alias_elsewhere() -> None:
    surface = surface_of(
        {"index.d.ts": "export { a } from './long';", "long.d.ts": "export declare function a(): void;"},
        exports={"./long": "./long.d.ts", ".": "./index.d.ts"},
    )
    assert signatures(surface) == ["function a(): void"]
    assert signatures(surface, "pkg/long") == ['export { a } from "pkg"']
    assert declared(surface, "pkg/long:a").origin == "pkg:a"
    assert declared(surface, "pkg:a").import_paths == ("pkg:a", "pkg/long:a")


def test_without_an_export_statement_all_of_a_declaration_file_is_exported() -> None:
    surface = surface_of({"index.d.ts": "export type A = B;\ntype B = 1;"})
    assert [each.visibility for each in surface.modules[0].declarations] == ["public", "public"]
    surface = surface_of({"index.d.ts": "export type A = B;\ntype B = 1;\nexport {};"})
    assert [each.visibility for each in surface.modules[0].declarations] == ["public", "carried"]


def test_a_class_that_is_exported_as_a_type_only_is_not_exported_as_a_value() -> None:
    surface = surface_of({"index.d.ts": "export type { C } from './c';", "c.d.ts": "export class C {}"})
    assert signatures(surface) == ["class C", "export type { C }"]
    assert declared(surface, "pkg:C").extra["export"] == "alias"


def test_a_class_lives_where_it_can_be_used_as_a_value() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export type { C } from './c';",
            "c.d.ts": "export class C {}",
        },
        exports={".": "./index.d.ts", "./c": "./c.d.ts"},
    )
    assert signatures(surface) == ['export type { C } from "pkg/c"']


def test_reserved_words_are_exported_by_an_alias() -> None:
    surface = surface_of({"index.d.ts": "declare function _null(): 0;\nexport { _null as null };"})
    assert signatures(surface) == ["function _null(): 0", "export { _null as null }"]


def test_types_and_values_of_one_name_may_come_from_different_files() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import type { X } from './a';\nimport { Y } from './b';\nexport type { X };\n"
            "export declare const v: X | typeof Y;",
            "a.d.ts": "export interface X { a: 1 }",
            "b.d.ts": "export const Y: { b: 1 };",
        }
    )
    assert "interface X" in signatures(surface)
    assert "const v: X | typeof Y" in signatures(surface)


def test_import_equals_and_export_import() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import fs = require('fs');\nimport N = M.Inner;\nexport import R = M.Inner;\n"
            "declare namespace M { namespace Inner { type T = 1 } }\nexport { fs, N };\n",
        }
    )
    assert 'export import fs = require("fs")' in signatures(surface)
    assert "export import R = M.Inner" in signatures(surface)
    assert "export import N = M.Inner" in signatures(surface)
    assert "namespace M" in signatures(surface)


def test_what_a_module_assigns_to_its_exports_is_declared_without_export() -> None:
    surface = surface_of(
        {
            "index.d.ts": "declare function e(): e.O;\ndeclare namespace e { interface O { a: 1 } }\nexport = e;"
        }
    )
    assert signatures(surface) == ["function e(): e.O", "namespace e", "export = e"]
    assert {each.extra.get("export") for each in surface.modules[0].declarations} == {"=", None}


def test_statements_that_export_a_name_may_say_something_of_it() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export {\n  /** @internal */\n  hidden,\n  /** @deprecated Use b. */\n  a,\n  /** Second. */\n"
            "  b as c,\n  b,\n} from './a';",
            "a.d.ts": "export declare function hidden(): void;\n/** Does a. */\nexport declare function a(): void;\n"
            "export declare function b(): void;",
        }
    )
    assert signatures(surface) == ["function a(): void", "function b(): void", "export { b as c }"]
    assert [each.doc for each in surface.modules[0].declarations] == [
        "Does a.\n\n@deprecated Use b.",
        None,
        "Second.",
    ]
    assert declared(surface, "pkg:a").deprecated == "Use b."
    assert codes(surface) == ["internal-left-out"]


def test_a_type_that_shares_its_name_with_an_exported_value_is_not_exported() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export declare const X: X;\ninterface X { x: X }\nexport declare const y: X;\nexport {};"
        }
    )
    assert signatures(surface) == ["const X: X_1", "const y: X_1", "interface X_1"]


def test_a_default_export_without_a_name_gets_that_of_its_export() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export { default as f } from './f';\nexport { default as C } from './c';",
            "f.d.ts": "export default function (): void;",
            "c.d.ts": "export default class<T> { t: T }",
        }
    )
    assert signatures(surface) == ["function f(): void", "class C<T>"]
