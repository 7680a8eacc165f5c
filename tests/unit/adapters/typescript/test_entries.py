"""What callers can import of a package, and which file answers: as TypeScript resolves it, without a build."""

from __future__ import annotations

from typing import Any

import pytest

from ifacegen.model import Note
from ifacegen_adapters.typescript import outside
from ifacegen_adapters.typescript.entries import Entries, package_entries
from support.npm import context_of, files_of


def found(files: str, manifest: Any) -> Entries:
    return package_entries(context_of(files_of(files, root=manifest)))


def leads(files: str, manifest: Any) -> dict[str, str]:
    """Name → path, of a package called ``ui``."""
    return {each.name: each.path for each in found(files, {"name": "ui", **manifest}).entries}


def test_conditions_are_taken_in_written_order() -> None:
    exports = {".": {"types": "./a.d.ts", "import": "./b.mjs", "default": "./c.js"}}
    assert leads("a.d.ts\nb.d.mts\nc.d.ts", {"exports": exports}) == {"ui": "a.d.ts"}


def test_a_default_before_types_wins_and_its_sibling_is_read() -> None:
    exports = {".": {"default": "./c.js", "types": "./a.d.ts"}}
    assert leads("a.d.ts\nc.d.ts\nc.js", {"exports": exports}) == {"ui": "c.d.ts"}


@pytest.mark.parametrize(
    ("target", "files", "path"),
    [
        ("./x.js", "x.js\nx.d.ts", "x.d.ts"),
        ("./x.mjs", "x.mjs\nx.d.mts\nx.d.ts", "x.d.mts"),
        ("./x.cjs", "x.cjs\nx.d.cts\nx.d.ts", "x.d.cts"),
        ("./x.json", "x.json\nx.d.json.ts", "x.d.json.ts"),
        ("./x.js", "x.ts", "x.ts"),
        ("./x.jsx", "x.tsx", "x.tsx"),
        ("./x.js", "x.js\nx.ts\nx.d.ts", "x.d.ts"),
        ("./x.js", "x.js", "x.js"),
        ("./x.ts", "x.ts", "x.ts"),
        (["./gone.js", "./x.js"], "x.d.ts", "x.d.ts"),
        ({"types@>=4.2": "./x.d.ts", "types": "./old.d.ts"}, "x.d.ts\nold.d.ts", "x.d.ts"),
        ({"types@<5": "./old.d.ts", "types": "./x.d.ts"}, "x.d.ts\nold.d.ts", "x.d.ts"),
        ({"node": {"import": "./x.mjs"}, "default": "./y.js"}, "x.d.mts\ny.d.ts", "x.d.mts"),
        ({"browser": "./y.js", "default": "./x.js"}, "x.d.ts\ny.d.ts", "x.d.ts"),
    ],
)
def test_a_target_is_known_by_its_declarations(target: Any, files: str, path: str) -> None:
    assert leads(files, {"exports": {".": target}}) == {"ui": path}
    assert leads(files, {"exports": target}) == {"ui": path}


def test_of_two_formats_the_imported_one_is_shown() -> None:
    both = {"require": {"types": "./a.d.cts"}, "import": {"types": "./a.d.mts"}}
    (entry,) = found("a.d.mts\na.d.cts", {"name": "ui", "exports": {".": both}}).entries
    assert (entry.path, entry.format) == ("a.d.mts", "module")
    (entry,) = found("a.d.cts", {"name": "ui", "exports": {".": {"require": "./a.cjs"}}}).entries
    assert (entry.path, entry.format) == ("a.d.cts", "commonjs")


@pytest.mark.parametrize(
    ("manifest", "files", "expected"),
    [
        ({"type": "module", "main": "x.js"}, "x.d.ts", "module"),
        ({"main": "x.js"}, "x.d.ts", "commonjs"),
        ({"exports": "./dist/x.mjs"}, "src/x.ts", "module"),
        ({"exports": "./esm/x.js"}, 'esm/x.d.ts\nesm/package.json | {"type": "module"}', "module"),
    ],
)
def test_the_format_is_that_of_what_node_loads(manifest: Any, files: str, expected: str) -> None:
    (entry,) = found(files, {"name": "ui", **manifest}).entries
    assert entry.format == expected


def test_subpaths_come_in_the_order_of_the_file_and_assets_are_none() -> None:
    exports = {
        "./forms": "./forms.js",
        "./package.json": "./package.json",
        "./styles.css": "./styles.css",
        ".": "./index.js",
        "./a": "./a.js",
        "./data": "./data.json",
    }
    answer = found(
        "forms.d.ts\nindex.d.ts\na.d.ts\nstyles.css\ndata.json", {"name": "ui", "exports": exports}
    )
    assert [each.name for each in answer.entries] == ["ui", "ui/forms", "ui/a"]
    assert answer.notes == ()


def test_patterns_give_a_subpath_for_each_file() -> None:
    exports = {"./*": "./dist/*.js", "./internal/*": None, "./icons/*": {"types": "./dist/svg/*.d.ts"}}
    files = (
        "dist/b.d.ts\ndist/a.d.ts\ndist/a.test.d.ts\ndist/internal/x.d.ts\ndist/svg/i.d.ts\ndist/deep/c.d.ts"
    )
    assert leads(files, {"exports": exports}) == {
        "ui/a": "dist/a.d.ts",
        "ui/b": "dist/b.d.ts",
        "ui/deep/c": "dist/deep/c.d.ts",
        "ui/svg/i": "dist/svg/i.d.ts",
        "ui/icons/i": "dist/svg/i.d.ts",
    }


def test_the_star_of_a_target_without_suffix_has_one() -> None:
    assert leads("l/a.d.ts\nl/a.js\nl/a.cjs\nl/a.d.cts", {"exports": {"./l/*": "./l/*"}}) == {
        "ui/l/a.js": "l/a.d.ts"
    }
    (note,) = found("a.d.ts\na.d.cts\na.cjs\na.js", {"name": "ui", "exports": {"./*": "./*"}}).notes
    assert note.message == (
        "./* has 1 subpath for require, left out: modules are shown as import finds them (./a.cjs by ./a.js)"
    )
    assert leads("src/a.ts", {"exports": {"./*": "./src/*"}}) == {"ui/a.ts": "src/a.ts"}


def test_patterns_of_a_missing_build_are_read_off_the_sources() -> None:
    exports = {"./*": {"types": "./dist/*.d.ts", "default": "./dist/*.js"}}
    assert leads("src/a.ts\nsrc/b/index.ts\nsrc/a.spec.ts", {"exports": exports}) == {
        "ui/a": "src/a.ts",
        "ui/b": "src/b/index.ts",
        "ui/b/index": "src/b/index.ts",
    }


def test_a_null_target_ends_the_search() -> None:
    exports = {".": {"import": None, "default": "./x.js"}, "./y": None}
    assert found("x.d.ts\ny.d.ts", {"name": "ui", "exports": exports}) == Entries((), ())


@pytest.mark.parametrize(
    ("manifest", "files", "path"),
    [
        ({"types": "t.d.ts", "main": "m.js"}, "t.d.ts\nm.d.ts", "t.d.ts"),
        ({"typings": "t", "main": "m.js"}, "t.d.ts\nm.d.ts", "t.d.ts"),
        ({"main": "lib/m.js"}, "lib/m.js\nlib/m.d.ts", "lib/m.d.ts"),
        ({"main": "lib"}, "lib/index.d.ts", "lib/index.d.ts"),
        ({"main": "lib/m"}, "lib/m.d.ts", "lib/m.d.ts"),
        ({}, "index.d.ts", "index.d.ts"),
        ({"main": "m.js", "module": "e/m.js"}, "m.js\ne/m.js\ne/m.d.ts\nindex.d.ts", "index.d.ts"),
        ({}, "index.js", "index.js"),
        ({}, "src/index.tsx", "src/index.tsx"),
        ({"main": "./m.cjs", "module": "./m.mjs"}, "m.cjs\nm.mjs\nm.d.mts", "m.d.mts"),
        ({"types": "t.d.ts", "typesVersions": {">=4": {"*": ["ts4/*"]}}}, "t.d.ts\nts4/t.d.ts", "ts4/t.d.ts"),
        ({"types": "t.d.ts", "typesVersions": {"<=5.6": {"*": ["old/*"]}}}, "t.d.ts\nold/t.d.ts", "t.d.ts"),
    ],
)
def test_without_exports_types_and_main_lead(manifest: Any, files: str, path: str) -> None:
    assert leads(files, manifest) == {"ui": path}


def test_without_exports_directories_with_a_package_json_are_subpaths() -> None:
    files = """
    index.d.ts
    ajax/package.json         | {"name": "ui/ajax", "types": "../dist/ajax.d.ts", "main": "../dist/ajax.js"}
    dist/ajax.d.ts
    dist/esm/package.json     | {"type": "module"}
    forms.d.ts
    """
    versions = {"*": {"forms": ["forms.d.ts"]}}
    assert leads(files, {"typesVersions": versions}) == {
        "ui": "index.d.ts",
        "ui/forms": "forms.d.ts",
        "ui/ajax": "dist/ajax.d.ts",
    }


@pytest.mark.parametrize(
    ("target", "tsconfig", "files", "path"),
    [
        (
            "./dist/x.js",
            '{"compilerOptions": {"outDir": "dist", "rootDir": "code"}}',
            "code/x.ts",
            "code/x.ts",
        ),
        (
            "./dist/x.js",
            '{"compilerOptions": {"outDir": "dist"}, "include": ["code"]}',
            "code/x.ts",
            "code/x.ts",
        ),
        (
            "./t/x.d.ts",
            '{"compilerOptions": {"declarationDir": "t", "rootDir": "src"}}',
            "src/x.ts",
            "src/x.ts",
        ),
        (
            "./o/x.js",
            '{"extends": "./b.json"}',
            'src/x.ts\nb.json | {"compilerOptions": {"outDir": "o"}}',
            "src/x.ts",
        ),
        (
            "./o/x.js",
            '{"extends": ["./b.json", "npm-thing"], "files": []}',
            'src/x.ts\nb.json | {"compilerOptions": {"outDir": "${configDir}/o", "rootDir": "src"}}',
            "src/x.ts",
        ),
        (
            "./o/x.js",
            '{"files": [], "references": [{"path": "./lib"}]}',
            'lib/x.ts\nlib/tsconfig.json | {"compilerOptions": {"outDir": "../o", "rootDir": "."}}',
            "lib/x.ts",
        ),
        ("./dist/x.js", '{"compilerOptions": {"outDir": "../dist"}}', "src/x.ts", "src/x.ts"),
    ],
)
def test_a_missing_build_is_led_back_by_tsconfig(target: str, tsconfig: str, files: str, path: str) -> None:
    picture = files_of(files, {"tsconfig.json": tsconfig}, root={"name": "ui", "exports": target})
    assert [each.path for each in package_entries(context_of(picture)).entries] == [path]


@pytest.mark.parametrize(
    ("subpath", "target", "files", "path"),
    [
        (".", "./dist/index.mjs", "src/index.ts", "src/index.ts"),
        (".", "./dist/esm/index.js", "src/index.tsx", "src/index.tsx"),
        (".", "./lib/index.js", "src/index.ts\nindex.ts", "src/index.ts"),
        (".", "./build/ui.esm.js", "src/index.ts", "src/index.ts"),
        (".", "./dist/ui.umd.min.js", "src/ui.ts\nsrc/index.ts", "src/ui.ts"),
        (".", "./dist/types/index.d.ts", "src/index.ts\nsrc/types/index.ts", "src/index.ts"),
        ("./types", "./dist/types/index.d.ts", "src/index.ts\nsrc/types/index.ts", "src/types/index.ts"),
        ("./forms", "./dist/forms/index.js", "src/forms.ts", "src/forms.ts"),
        ("./forms", "./dist/forms.js", "src/forms/index.tsx", "src/forms/index.tsx"),
        ("./forms", "./dist/f.js", "src/forms.ts", "src/forms.ts"),
        (".", "./dist/index.js", "src/index.js", "src/index.js"),
        (".", "./dist/index.js", "src/index.mts", "src/index.mts"),
        (".", "./index.js", "index.js\nsrc/index.ts", "src/index.ts"),
    ],
)
def test_a_missing_build_is_led_back_by_convention(subpath: str, target: str, files: str, path: str) -> None:
    answer = found(files, {"name": "ui", "exports": {subpath: target}})
    assert [each.path for each in answer.entries] == [path]
    if subpath == "." and target != "./index.js":
        assert leads(files, {"main": target}) == {"ui": path}


def test_a_custom_condition_leads_to_the_sources_of_what_is_not_built() -> None:
    exports = {".": {"@ui/source": "./code/main.ts", "types": "./out/x.d.ts", "import": "./out/x.js"}}
    assert leads("code/main.ts", {"exports": exports}) == {"ui": "code/main.ts"}
    assert leads("code/main.ts\nout/x.d.ts", {"exports": exports}) == {"ui": "out/x.d.ts"}


def test_sources_go_before_javascript_that_has_no_declarations() -> None:
    assert leads("dist/x.js\nsrc/x.ts", {"main": "dist/x.js"}) == {"ui": "src/x.ts"}
    assert leads("dist/x.js\nsrc/x.d.ts", {"main": "dist/x.js"}) == {"ui": "dist/x.js"}
    assert leads("dist/x.js\ndist/x.d.ts\nsrc/x.ts", {"main": "dist/x.js"}) == {"ui": "dist/x.d.ts"}


def test_what_leads_nowhere_is_told_with_its_line() -> None:
    manifest = {"name": "ui", "exports": {".": "./index.js", "./forms": "./dist/forms.js"}}
    answer = found("index.d.ts", manifest)
    (note,) = answer.notes
    assert (note.severity, note.code, note.path, note.line) == ("warning", "entry-missing", "package.json", 5)
    assert "./forms leads to ./dist/forms.js" in note.message
    (note,) = found("README.md", {"name": "ui", "exports": {"./*": "./dist/*.js"}}).notes
    assert note.message.startswith("./* leads to ./dist/*.js, which is not there")
    many = {f"./x{number}": "./dist/x.js" for number in range(500)}
    notes = found("README.md", {"name": "ui", "exports": many}).notes
    assert len(notes) == 21
    assert notes[-1].message.startswith("480 more subpaths")
    (note,) = found("README.md", {"name": "ui", "main": "dist/x.js"}).notes
    assert "main leads to dist/x.js" in note.message


@pytest.mark.parametrize(
    "manifest",
    [
        {"exports": {".": "../../secret.js"}},
        {"exports": {".": "./../other/x.js"}},
        {"exports": {".": "/etc/passwd.js"}},
        {"exports": {".": "./node_modules/x/index.js"}},
        {"types": "../other/index.d.ts"},
        {"main": "/other/index.js"},
        {"main": "..\\\\other\\\\index.js"},
    ],
)
def test_targets_outside_of_the_package_are_refused(manifest: Any) -> None:
    files = files_of(
        "packages/other/index.d.ts\npackages/other/x.d.ts\nsecret.d.ts\npackages/ui/a.d.ts",
        root={"workspaces": ["packages/*"]},
    )
    files = {**files, **files_of(packages__ui={"name": "ui", **manifest}, packages__other={"name": "other"})}
    answer = package_entries(context_of(files, "packages/ui"))
    assert answer.entries == ()
    assert [(note.code, note.path) for note in answer.notes] == [
        ("entry-missing", "packages/ui/package.json")
    ]


def test_names_are_those_that_callers_write() -> None:
    assert [e.name for e in found("a.d.ts", {"name": "@acme/ui", "exports": {"./a": "./a.js"}}).entries] == [
        "@acme/ui/a"
    ]
    assert [e.name for e in found("index.d.ts", {"name": "@types/express"}).entries] == ["express"]
    assert [e.name for e in found("index.d.ts", {"name": "@types/acme__ui"}).entries] == ["@acme/ui"]
    files = files_of("tools/x/index.ts", tools__x={"main": "index.ts", "dependencies": {}})
    assert [e.name for e in package_entries(context_of(files, "tools/x")).entries] == ["x"]


def test_javascript_is_known_by_the_types_that_the_repository_has_for_it() -> None:
    files = files_of(
        "a/index.js\nb/index.d.ts", a={"name": "@acme/a", "main": "index.js"}, b={"name": "@types/acme__a"}
    )
    more = {"name": "@acme/a", "exports": {"./x": "./x.js"}}
    context = context_of({**files, **files_of("a/x.js\nb/x.d.ts", a=more)}, "a")
    assert [each.path for each in package_entries(context).entries] == ["b/index.d.ts", "b/x.d.ts"]
    context = context_of(files, "a")
    (entry,) = package_entries(context).entries
    assert (entry.name, entry.path, entry.origin) == ("@acme/a", "b/index.d.ts", "shipped")
    assert list(outside.consulted(context)) == ["file:b/index.d.ts", "file:b/package.json"]


def test_a_project_of_nx_is_imported_by_the_workspaces_paths() -> None:
    files = files_of(
        """
        nx.json                   | {}
        libs/forms/project.json   | {"name": "forms", "projectType": "library"}
        libs/forms/src/index.ts
        tsconfig.base.json        | {"compilerOptions": {"paths": {"@acme/forms": ["libs/forms/src/index.ts"]}}}
        """
    )
    (entry,) = package_entries(context_of(files, "libs/forms")).entries
    assert (entry.name, entry.path) == ("@acme/forms", "libs/forms/src/index.ts")


def test_a_broken_package_json_is_told_once_and_index_is_found() -> None:
    files = files_of("index.ts", root='{"name": "ui",\n "main": }')
    context = context_of(files)
    assert [each.path for each in package_entries(context).entries] == ["index.ts"]
    assert context.package.notes == (
        Note(
            "warning",
            "project-unparsed",
            "is not JSON (Expecting value); name, dependencies and entry points unknown",
            "package.json",
            2,
        ),
    )


@pytest.mark.parametrize(
    "exports",
    [[], {}, 1, True, "x", "", {"import": 1}, {".": {"types": []}}, {"./*/*": "./*"}, {"./*": "./*/*.js"}],
)
def test_nonsense_in_exports_gives_nothing(exports: Any) -> None:
    assert leads("index.d.ts", {"exports": exports}) == {}


def test_more_patterns_than_can_be_held_against_the_files_are_told() -> None:
    exports = {f"./x{number}*": "./src/*.ts" for number in range(600)}
    assert [note.code for note in found("src/a.ts", {"name": "ui", "exports": exports}).notes] == ["left-out"]


def test_deeply_nested_conditions_come_to_an_end() -> None:
    target: Any = "./index.js"
    for _ in range(200):
        target = {"default": target}
    assert leads("index.d.ts", {"exports": target}) == {}
