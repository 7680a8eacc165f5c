"""Declarations of packages from their sources."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ifacegen.adapter import BuildContext, Facts
from ifacegen.facts import MemoryFacts
from ifacegen.tools import Toolbox
from ifacegen_adapters import _tool
from ifacegen_adapters.typescript import generate, inputs, tsc
from ifacegen_adapters.typescript.generate import Generated
from support.toolchain import context, installed, tools

PACKAGE = '{"name": "@acme/ui", "exports": "./src/index.ts"}'
SINGLE = '{"name": "pkg", "exports": "./src/index.ts"}'
#: A package with a file of every kind.
UI: Mapping[str, str] = {
    "packages/ui/package.json": PACKAGE,
    "packages/ui/src/index.ts": 'export * from "./box";\nexport * from "./clean.js";\nexport * from "./old.js";\n',
    "packages/ui/src/clean.ts": "/** One. */\nexport const one: number = 1;\n",
    "packages/ui/src/box.tsx": (
        'import { make, type Options } from "@acme/core";\n'
        'import sizes from "./sizes.json";\n'
        "/** A box. */\n"
        "export const box = make();\n"
        "export function sized(options: Options, scale = { x: 1 }) { return { ...sizes, scale }; }\n"
        "export const theme = (w: Window) => w.THEME;\n"
    ),
    "packages/ui/src/sizes.json": '{"small": 1}',
    "packages/ui/src/window.d.ts": "interface Window { THEME: { dark: true } }\n",
    "packages/ui/src/old.js": (
        "/** @param {string} name  @param {number} [times] */\n"
        "export function greet(name, times = 1) { return [name, times]; }\n"
    ),
    "packages/core/package.json": '{"name": "@acme/core", "exports": "./src/index.ts"}',
    "packages/core/src/index.ts": (
        'import { Made } from "./made";\n'
        "export interface Options { wide?: boolean }\n"
        "export function make() { return new Made(); }\n"
    ),
    "packages/core/src/made.ts": "export class Made { size = 1 }\n",
    "packages/core/src/window.d.ts": "interface Window { THEME: { core: 1 } }\n",
}
NAMES = {"packages/ui": "@acme/ui", "packages/core": "@acme/core"}


def asked(
    files: Mapping[str, str | bytes] = UI,
    path: str = "packages/ui",
    facts: Facts | None = None,
    *,
    compiler: bool = True,
    isolated: bool = True,
) -> BuildContext:
    using = tools(compiler=compiler, isolated=isolated)
    return context(files, packages=NAMES, path=path, using=using, facts=facts)


def made(asking: BuildContext, paths: Sequence[str] | None = None) -> Generated:
    return generate.declarations(asking, asking.tree.paths if paths is None else paths)


def single(text: str, beside: Mapping[str, str | bytes] | None = None) -> Generated:
    """What comes of a package with one source, and whatever lies beside it."""
    asking = context({"package.json": SINGLE, "src/index.ts": text, **(beside or {})}, using=tools())
    return generate.declarations(asking, asking.tree.paths)


def declared(text: str, beside: Mapping[str, str | bytes] | None = None) -> str:
    """The declarations of the one source."""
    return single(text, beside).texts["src/index.ts"]


# -- what comes of it ----------------------------------------------------------------------------------


def test_package_with_files_of_every_kind() -> None:
    found = made(asked())
    ui = "packages/ui/src"
    assert dict(found.texts) == {
        f"{ui}/index.ts": 'export * from "./box";\nexport * from "./clean.js";\nexport * from "./old.js";\n',
        f"{ui}/clean.ts": "/** One. */\nexport declare const one: number;\n",
        f"{ui}/box.tsx": (
            'import { type Options } from "@acme/core";\n'
            "/** A box. */\n"
            'export declare const box: import("../../core/src/made").Made;\n'
            "export declare function sized(options: Options, scale?: {\n    x: number;\n}): {\n"
            "    small: number;\n    scale: {\n        x: number;\n    };\n};\n"
            "export declare const theme: (w: Window) => {\n    dark: true;\n};\n"
        ),
        f"{ui}/old.js": (
            "/** @param {string} name  @param {number} [times] */\n"
            "export declare function greet(name: string, times?: number): (string | number)[];\n"
        ),
    }
    assert dict(found.makers) == {
        f"{ui}/index.ts": "oxc",
        f"{ui}/clean.ts": "oxc",
        f"{ui}/box.tsx": "tsc",
        f"{ui}/old.js": "tsc",
    }
    assert (found.failed, found.notes) == ({}, ())


def test_what_it_owes_to_others_is_consulted() -> None:
    asking = asked()
    core = {
        path: asking.tree.id(path) for path in asking.tree.below("packages/core/src") if "window" not in path
    }
    consulted = made(asking).consulted
    assert {name: each for name, each in consulted.items() if name.startswith("file:")} == {
        f"file:{path}": (path, blob) for path, blob in core.items()
    }
    (toolchain,) = (name for name in consulted if name.startswith("toolchain:typescript "))
    assert consulted[toolchain] is None


def test_clean_package_needs_no_compiler() -> None:
    found = made(
        asked(
            {"packages/ui/package.json": PACKAGE, "packages/ui/src/index.ts": "export type A = 1"},
            compiler=False,
        )
    )
    assert found.texts == {"packages/ui/src/index.ts": "export type A = 1;\n"}
    assert not found.failed


def test_without_oxc_the_compiler_does_it_all() -> None:
    found = made(asked(isolated=False))
    assert set(found.makers.values()) == {"tsc"}
    assert len(found.texts) == 4


def test_without_compiler_clean_files_have_declarations() -> None:
    found = made(asked(compiler=False))
    assert set(found.makers.values()) == {"oxc"}
    assert sorted(found.failed) == ["packages/ui/src/box.tsx", "packages/ui/src/old.js"]
    (note,) = found.notes
    assert (note.severity, note.code, note.path) == ("warning", "toolchain-missing", "packages/ui")
    assert "2 files" in note.message
    assert "npm install --global typescript@7 oxc-transform" in note.message


def test_without_any_toolchain_it_says_what_to_install() -> None:
    asking = context(UI, packages=NAMES, path="packages/ui")
    found = made(asking)
    assert found.texts == {}
    assert len(set(found.failed.values())) == 1
    assert sorted(found.failed) == [
        f"packages/ui/src/{name}" for name in ("box.tsx", "clean.ts", "index.ts", "old.js")
    ]
    (note,) = found.notes
    assert note.code == "toolchain-missing"
    assert "npm install --global typescript@7 oxc-transform" in note.message
    assert found.consulted == {"toolchain:none": None}


def test_declaration_files_are_nobodys_business() -> None:
    assert made(asked(), ["packages/ui/src/window.d.ts"]) == Generated()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "export const a = f; function f() { return [1] }",
            "export declare const a: typeof f;\ndeclare function f(): number[];\nexport {};\n",
        ),
        (
            "const k = Symbol(); export class A { [k] = 1 }",
            "declare const k: unique symbol;\nexport declare class A {\n    [k]: number;\n}\nexport {};\n",
        ),
        ('import * as r from "react";\nexport const a = r.useState();', "export declare const a: any;\n"),
        (
            'import * as r from "react";\nexport class A extends r.Component { b = [1] }',
            'import * as r from "react";\nexport declare class A extends r.Component {\n    b: number[];\n}\n',
        ),
        ("/** @internal */ export const a = [1];", "/** @internal */ export declare const a: number[];\n"),
        ("export const = ;\nexport const b = [1];", "export declare const b: number[];\n"),
    ],
    ids=["local", "symbol", "absent", "absent base", "internal", "damaged"],
)
def test_compiler(text: str, expected: str) -> None:
    assert declared(text) == expected


@pytest.mark.parametrize("jsx", ["preserve", "react", "react-jsx"])
def test_elements_have_a_type_without_react(jsx: str) -> None:
    source = (
        'import * as React from "react";\n'
        "export const Box = (props: { a: React.ReactNode }) => <div>{props.a}</div>;\n"
        "export function text(a: boolean) { return a ? <Box a={1} /> : 'none'; }\n"
    )
    files = {
        "package.json": '{"name": "pkg", "exports": "./a.tsx"}',
        "a.tsx": source,
        "tsconfig.json": json.dumps({"compilerOptions": {"jsx": jsx}}),
    }
    found = generate.declarations(context(files, using=tools()), ["a.tsx"])
    assert found.texts["a.tsx"] == (
        'import * as React from "react";\n'
        "export declare const Box: (props: {\n    a: React.ReactNode;\n}) => JSX.Element;\n"
        'export declare function text(a: boolean): "none" | JSX.Element;\n'
    )


def test_elements_have_the_type_that_the_repository_declares() -> None:
    files = {
        "package.json": '{"name": "pkg", "exports": "./a.tsx"}',
        "a.tsx": 'import "./jsx"; export const a = () => <b />;',
        "jsx.ts": "declare global { namespace JSX { type Element = string } }\nexport {}",
    }
    found = generate.declarations(context(files, using=tools()), ["a.tsx"])
    assert found.texts["a.tsx"].endswith("export declare const a: () => string;\n")


def test_module_of_node() -> None:
    files = {"package.json": '{"name": "pkg", "exports": "./a.cjs"}', "a.cjs": "module.exports = { a: [1] }"}
    found = generate.declarations(context(files, using=tools()), ["a.cjs"])
    assert found.texts == {"a.cjs": "declare const _exports: {\n    a: number[];\n};\nexport = _exports;\n"}


def test_script_beside_a_source_of_the_same_name() -> None:
    both = {"src/a.ts": "export const a = [1]", "src/a.js": "export const b = [1]"}
    asking = context({"package.json": SINGLE, "src/index.ts": "export * from './a'", **both}, using=tools())
    found = generate.declarations(asking, asking.tree.paths)
    assert found.texts["src/a.ts"] == "export declare const a: number[];\n"
    assert found.failed == {"src/a.js": "src/a.ts goes before it"}


# -- many at once --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("most_files", [5_000, 1])
def test_prepared_is_the_same(most_files: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And globals of one package are none of another's."""
    monkeypatch.setattr(generate, "_MOST_FILES", most_files)
    alone = {path: made(asked(path=path)) for path in NAMES}
    assert "core: 1" not in alone["packages/ui"].texts["packages/ui/src/box.tsx"]
    facts = MemoryFacts()
    contexts = {path: asked(path=path, facts=facts) for path in NAMES}
    generate.prepare(list(contexts.values()))
    monkeypatch.setattr(_tool, "run", None)
    assert {path: made(each) for path, each in contexts.items()} == alone


def test_preparing_nothing_is_fine() -> None:
    generate.prepare([])
    generate.prepare([context(UI, packages=NAMES, path="packages/ui")])
    generate.prepare([asked({"packages/ui/package.json": "{}"})])


@pytest.mark.slow
def test_texts_do_not_depend_on_what_is_asked_for() -> None:
    everything = made(asked())
    for path in everything.texts:
        assert made(asked(), [path]).texts == {path: everything.texts[path]}


# -- input that nobody vouches for -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "leads_out",
    [
        'import {{ secret }} from "{up}/secret"; export const x = [secret];',
        'import {{ secret }} from "{place}/secret"; export const x = [secret];',
        'import {{ secret }} from "./\\x2e\\x2e/{up}/secret"; export const x = [secret];',
        'export const x = [import("{place}/secret")];',
        '/// <reference path="{place}/secret.ts" />\nexport const x = [1];',
        'import data from "{place}/secret.json"; export const x = [data];',
        "/** @type {{import('{up}/secret')}} */\nexport const x = make();",
        "/** @jsxImportSource {up} */\nexport const x = [<a/>];",
    ],
)
def test_no_file_outside_of_the_repository(leads_out: str, tmp_path: Path) -> None:
    """The compiler would write ``secret.d.ts`` beside it."""
    place = tmp_path / "home"
    place.mkdir()
    (place / "secret.ts").write_text("export const secret = 1", "utf-8")
    (place / "secret.json").write_text('{"secret": 1}', "utf-8")
    (place / "jsx-runtime.ts").write_text("export namespace JSX {}", "utf-8")
    before = sorted(place.iterdir())
    up = "../" * 30 + os.fspath(place).lstrip("/")
    text = leads_out.format(up=up, place=place)
    name = "src/out.js" if "@type" in text else "src/out.tsx" if "@jsx" in text else "src/out.ts"
    files = {name: text, "tsconfig.json": '{"compilerOptions": {"jsx": "react-jsx"}}'}
    found = single('export * from "./out"; export const y = [1];', files)
    assert sorted(place.iterdir()) == before
    assert found.failed == {name: "the compiler would read files outside of the repository"}
    assert found.texts["src/index.ts"].endswith("export declare const y: number[];\n")


def test_nor_does_another_package_lead_out(tmp_path: Path) -> None:
    (tmp_path / "secret.ts").write_text("export class Made { size = 1 }", "utf-8")
    out = "../" * 30 + os.fspath(tmp_path).lstrip("/")
    files = {**UI, "packages/core/src/index.ts": f'export {{ Made }} from "{out}/secret";'}
    found = made(asked(files))
    assert [each.name for each in tmp_path.iterdir()] == ["secret.ts"]
    assert not found.failed
    (note,) = found.notes
    assert (note.code, note.path) == ("source-types", "packages/core/src/index.ts")
    assert "box: any" in found.texts["packages/ui/src/box.tsx"]


def test_configuration_of_the_repository_runs_nothing(tmp_path: Path) -> None:
    options = {"plugins": [{"name": "./evil.js"}], "outDir": os.fspath(tmp_path / "out"), "noEmit": True}
    own = json.dumps({"extends": os.fspath(tmp_path), "compilerOptions": options})
    files = {"tsconfig.json": own, "src/tsconfig.json": "{{{"}
    assert declared("export const x = [1]", files) == "export declare const x: number[];\n"
    assert not (tmp_path / "out").exists()


def test_strictness_of_the_package_is_heeded() -> None:
    text = "export function f(a?: string) { return [a] }"
    loose = {"tsconfig.json": '{"compilerOptions": {"strict": false}}'}
    assert declared(text) == "export declare function f(a?: string): (string | undefined)[];\n"
    assert declared(text, loose) == "export declare function f(a?: string): string[];\n"


def test_no_path_of_this_machine_and_nothing_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path))
    found = made(asked())
    assert found.texts
    assert os.fspath(tmp_path) not in repr(found)
    assert list(tmp_path.iterdir()) == []


def test_what_is_installed_on_this_machine_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    react = tmp_path / "node_modules" / "react"
    react.mkdir(parents=True)
    (react / "index.d.ts").write_text("export declare const version: 19", "utf-8")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path / "tmp"))
    text = 'import { version } from "react"; export const x = [version];'
    assert declared(text) == "export declare const x: any[];\n"


def test_file_that_may_not_be_read() -> None:
    asking = asked()
    bad = asking.tree.id("packages/ui/src/clean.ts")
    found = made(context(UI, packages=NAMES, path="packages/ui", using=tools(), unreadable={bad: "died"}))
    assert found.failed == {"packages/ui/src/clean.ts": "died"}
    assert len(found.texts) == 3


def test_enormous_file_costs_itself_only() -> None:
    large = "export const a = [" + "1," * (inputs.LARGEST // 2 + 1) + "]"
    found = single('export * from "./large"; export const b = [1]', {"src/large.ts": large})
    assert set(found.failed) == {"src/large.ts"}
    assert found.texts["src/index.ts"] == 'export * from "./large";\nexport declare const b: number[];\n'


def test_wrongly_encoded_file_costs_itself_at_most() -> None:
    found = single(
        'export * from "./latin"; export const b = [1]', {"src/latin.ts": b"export const \xe9 = [1]"}
    )
    assert "src/index.ts" in found.texts


#: Nested so deep that it overflows the stack of whoever parses it.
DEEP = "export const x = " + "[" * 200_000


def test_file_that_kills_oxc_is_given_to_nobody() -> None:
    found = single('export * from "./bad"; export const b = [1]', {"src/bad.ts": DEEP})
    assert list(found.failed) == ["src/bad.ts"]
    assert found.failed["src/bad.ts"].startswith("oxc died of ")
    assert found.texts["src/index.ts"] == 'export * from "./bad";\nexport declare const b: number[];\n'
    (note,) = found.notes
    assert (note.code, note.path) == ("source-types", "src/bad.ts")


def test_package_that_kills_oxc_costs_no_other() -> None:
    files = {**UI, "packages/core/src/more.ts": DEEP, "packages/ui/src/box.tsx": "export const box = [1];"}
    files["packages/core/src/index.ts"] += 'export * from "./more";\n'
    facts = MemoryFacts()
    contexts = {path: asked(files, path=path, facts=facts) for path in NAMES}
    generate.prepare(list(contexts.values()))
    assert list(made(contexts["packages/core"]).failed) == ["packages/core/src/more.ts"]
    assert made(contexts["packages/ui"]) == made(asked(files))


def test_compiler_that_does_not_start_is_quoted_once(tmp_path: Path) -> None:
    modules = installed(tmp_path / "node_modules", typescript="7.0.2")
    (program,) = modules.glob("@typescript/*/lib/tsc")
    program.write_text("#!/bin/sh\necho 'cannot execute: wrong moon' >&2; exit 126\n", "utf-8")
    box = Toolbox({"typescript": os.fspath(modules / "typescript")}, "/nowhere")
    files = {"package.json": SINGLE, "src/index.ts": "export const a = [1]"}
    found = generate.declarations(context(files, using=box), ["src/index.ts"])
    reason = "the compiler ended with exit code 126 (cannot execute: wrong moon)"
    assert found.failed == {"src/index.ts": reason}


@pytest.mark.slow
def test_file_that_the_compiler_dies_of_costs_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_SECONDS", "_SECONDS_SEARCHING"):
        monkeypatch.setattr(tsc, name, 0.5)
    leads = 'export * from "./bad"; export * from "./c"; export const b = [1]'
    found = single(leads, {"src/bad.js": DEEP, "src/c.ts": "export const c = [1]"})
    assert list(found.failed) == ["src/bad.js"]
    assert found.failed["src/bad.js"].startswith("the compiler ")
    assert found.texts["src/index.ts"].endswith("export declare const b: number[];\n")
    assert found.texts["src/c.ts"] == "export declare const c: number[];\n"


def test_many_failures_are_two_notes_more_at_most() -> None:
    sources = {
        f"src/f{number}.ts": "export default class { #a; private b = 1; }; export const k = class { private b = 1 }"
        for number in range(9)
    }
    found = single("".join(f'export * from "./f{number}";' for number in range(9)), sources)
    assert len(found.failed) == 9
    assert [note.code for note in found.notes] == ["source-types"] * 6
    assert "4 other files" in found.notes[-1].message
