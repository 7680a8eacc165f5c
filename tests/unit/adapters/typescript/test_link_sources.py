"""Sources without declarations, what a view consults, and damaged files."""

from __future__ import annotations

from dataclasses import replace

from unit.adapters.typescript.linking import ADAPTER, codes, context, declared, signatures, surface_of

from ifacegen.model import Package, Project
from ifacegen_adapters.typescript.facts import Fact, FileFacts, ParameterFact
from ifacegen_adapters.typescript.merging import enriched

SOURCE = {
    "src/index.ts": "import { Size } from './size';\nexport function area(size: Size, scale = 2): number { return 1 }\n",
    "src/size.ts": "export interface Size { w: number }\n",
}


def test_sources_are_read_as_they_stand_where_there_is_no_toolchain() -> None:
    surface = surface_of(SOURCE, exports={".": "./src/index.ts"})
    assert signatures(surface) == ["function area(size: Size, scale?: number): number", "interface Size"]
    assert [each.default for each in declared(surface, "pkg:area").parameters] == [None, "2"]
    (interface,) = surface.interfaces
    assert (interface.kind, interface.paths) == ("generated", ("src/index.ts",))


def test_a_view_of_sources_depends_on_the_toolchain_and_whoever_has_none_takes_any() -> None:
    here = context(SOURCE, exports={".": "./src/index.ts"})
    consulted = ADAPTER.build(here).consulted
    assert consulted["toolchain:none"] is None
    names = ["toolchain:none", "toolchain:tsc 1"]
    assert ADAPTER.consult(here, names) == dict.fromkeys(names)


def test_a_view_of_declarations_depends_on_no_toolchain() -> None:
    surface = surface_of({"index.d.ts": "export type A = 1;"})
    assert surface.consulted == {}
    assert [(each.kind, each.paths) for each in surface.interfaces] == [("published", ("index.d.ts",))]


def test_consulted_files_mean_what_lies_there_now() -> None:
    here = context({"index.d.ts": "", "other/x.ts": "export {}"})
    assert ADAPTER.consult(here, ["file:other/x.ts", "file:other/y.ts"]) == {
        "file:other/x.ts": ("other/x.ts", here.tree.id("other/x.ts")),
        "file:other/y.ts": None,
    }
    assert list(ADAPTER.absent(here, ["file:other/x.ts", "file:other/y.ts"])) == ["other/y.ts"]


def test_a_source_adds_to_its_declarations_what_only_it_says() -> None:
    emitted = Fact(
        "function",
        "f",
        ("function f(a?: number): void",),
        parameters=(ParameterFact("a", "optional", ("number",)),),
        line=9,
    )
    source = Fact(
        "function",
        "f",
        ("function f(a = 1)",),
        parameters=(ParameterFact("a", "optional", None, "1"),),
        doc="Does.",
        decorators=("x",),
        line=3,
        end_line=5,
    )
    (found,) = enriched(FileFacts((emitted,)), FileFacts((source,))).declarations
    assert found.header == emitted.header
    assert found.parameters == (ParameterFact("a", "optional", ("number",), "1"),)
    assert (found.doc, found.decorators, found.line, found.end_line) == ("Does.", ("x",), 3, 5)


def test_declarations_that_the_source_does_not_have_have_no_line() -> None:
    (found,) = enriched(FileFacts((Fact("type", "T", ("type T = 1",), line=4),)), FileFacts()).declarations
    assert found.line == 0


def test_a_broken_file_costs_a_note_and_the_rest_is_shown() -> None:
    surface = surface_of(
        {
            "index.d.ts": "export * from './good';\nexport * from './bad';\nexport { gone } from './good';",
            "good.d.ts": "export type Good = 1;",
            "bad.d.ts": "export type Bad = 2;\nexport declare function f(: number) => ;\n",
        }
    )
    assert {"type Good = 1", "type Bad = 2"} <= set(signatures(surface))
    assert {"parse-error", "unresolved-name"} <= set(codes(surface))


def test_an_import_that_leads_nowhere_is_told_and_its_names_stay() -> None:
    surface = surface_of(
        {
            "index.d.ts": "import { Gone } from './gone';\nimport { Unused } from './unused';\nexport type A = Gone;"
        }
    )
    assert signatures(surface) == ["type A = Gone"]
    assert [(note.code, note.line) for note in surface.notes] == [("unresolved-name", 1)]


def test_paths_that_lead_out_are_not_read() -> None:
    surface = surface_of(
        {"index.d.ts": "export * from '../../../etc/passwd';\nexport { a } from '/etc/passwd';"}
    )
    assert signatures(surface) in ([], ['export { a } from "/etc/passwd"'])
    assert "star-unresolved" in codes(surface)


def test_files_of_other_packages_that_nobody_can_import_are_called_by_their_path_there() -> None:
    here = context(
        {
            "index.d.ts": "export declare const made: import('./core/src/made').Made;",
            "core/package.json": '{"name": "@acme/core", "types": "./index.d.ts"}',
            "core/index.d.ts": "export {};",
            "core/src/made.d.ts": "export interface Made { a: 1 }",
        }
    )
    core = Package("core", "@acme/core", "library", (Project("typescript", "core", name="@acme/core"),))
    surface = ADAPTER.build(replace(here, packages=(here.package, core)))
    assert signatures(surface) == ['const made: import("@acme/core/src/made").Made']
