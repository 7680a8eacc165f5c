"""Where imports lead, by TypeScript's rules and inside the repository alone."""

from __future__ import annotations

import pytest

from ifacegen_adapters.typescript import outside, tsconfig
from ifacegen_adapters.typescript.resolve import Resolver, Target
from support.npm import context_of, files_of


@pytest.mark.parametrize(
    ("specifier", "importer", "files", "path"),
    [
        ("./a", "src/i.ts", "src/a.ts\nsrc/a.d.ts", "src/a.ts"),
        ("./a", "src/i.d.ts", "src/a.ts\nsrc/a.d.ts", "src/a.d.ts"),
        ("./a.js", "src/i.ts", "src/a.ts\nsrc/a.js", "src/a.ts"),
        ("./a.js", "src/i.ts", "src/a.tsx", "src/a.tsx"),
        ("./a.js", "src/i.d.ts", "src/a.d.ts\nsrc/a.js", "src/a.d.ts"),
        ("./a.mjs", "src/i.ts", "src/a.mts", "src/a.mts"),
        ("./a.cjs", "src/i.ts", "src/a.d.cts\nsrc/a.d.ts", "src/a.d.cts"),
        ("./a.ts", "src/i.ts", "src/a.ts", "src/a.ts"),
        ("./a.ts", "src/i.d.ts", "src/a.d.ts", "src/a.d.ts"),
        ("./a", "src/i.ts", "src/a/index.tsx", "src/a/index.tsx"),
        ("./a", "src/i.ts", "src/a.ts\nsrc/a/index.ts", "src/a.ts"),
        ("./a/", "src/i.ts", "src/a.ts\nsrc/a/index.ts", "src/a/index.ts"),
        (".", "src/i.ts", "src/index.ts\nsrc.ts", "src/index.ts"),
        ("..", "src/x/i.ts", "src/index.ts", "src/index.ts"),
        ("./a", "src/i.ts", 'src/a/package.json | {"types": "./t.d.ts"}\nsrc/a/t.d.ts', "src/a/t.d.ts"),
        ("./a.b", "src/i.ts", "src/a.b.ts", "src/a.b.ts"),
        ("./a.json", "src/i.ts", "src/a.json | {}", "src/a.json"),
        ("./a", "src/i.js", "src/a.js", "src/a.js"),
        ("./a.js", "src/i.js", "src/a.js", "src/a.js"),
        ("./dist/a.js", "i.ts", "src/a.ts", "src/a.ts"),
        ("./dist", "i.d.ts", "src/index.ts", "src/index.ts"),
        ("./dist/a", "i.d.ts", "src/a.ts\ndist/a.d.mts", None),
        ("./dist/b.js", "i.ts", "src/a.ts\nsrc/index.ts", None),
        ("./a.vue", "src/i.ts", "src/a.vue", None),
        ("./a.css", "src/i.ts", "src/a.css", None),
        ("./a", "src/i.ts", "src/b.ts", None),
        ("../../../a", "src/i.ts", "a.ts", None),
        ("/a", "src/i.ts", "a.ts", None),
        ("./../../a.ts", "src/i.ts", "a.ts", None),
    ],
)
def test_relative_imports(specifier: str, importer: str, files: str, path: str | None) -> None:
    context = context_of(files_of(files, f"{importer}\nindex.d.ts", root={"name": "ui"}))
    assert Resolver(context).resolve(specifier, importer) == Target(path, "")


SHOP = files_of(
    """
    packages/ui/src/index.ts
    packages/ui/src/forms.ts
    packages/ui/src/dom/node.ts
    packages/core/src/index.ts
    packages/core/src/deep/x.ts
    packages/plain/index.js
    packages/plain/lib/deep.d.ts
    types/plain/index.d.ts
    packages/ui/tsconfig.json   | {"extends": "../../tsconfig.json", "compilerOptions": {"outDir": "dist", "rootDir": "src"}}
    tsconfig.json               | {"compilerOptions": {"baseUrl": ".", "paths": {"@core/*": ["packages/core/src/*"], "~/*": ["packages/ui/src/*"]}}}
    """,
    root={"private": True, "workspaces": ["packages/*", "types/*"]},
    packages__ui={
        "name": "@acme/ui",
        "exports": {".": "./dist/index.js", "./forms": "./dist/forms.js"},
        "imports": {
            "#dom": {"browser": "./none.js", "default": "./dist/dom/node.js"},
            "#core/*": "@acme/core/*",
        },
    },
    packages__core={"name": "@acme/core", "exports": {".": "./src/index.ts", "./x": "./src/deep/x.ts"}},
    packages__plain={"name": "plain", "main": "index.js"},
    types__plain={"name": "@types/plain"},
)


@pytest.mark.parametrize(
    ("specifier", "target"),
    [
        ("@acme/ui/forms", Target("packages/ui/src/forms.ts", "@acme/ui/forms")),
        ("@acme/ui/secret", Target(None, "@acme/ui/secret")),
        ("@acme/core", Target("packages/core/src/index.ts", "@acme/core", "packages/core")),
        ("@acme/core/x", Target("packages/core/src/deep/x.ts", "@acme/core/x", "packages/core")),
        ("plain", Target("types/plain/index.d.ts", "plain", "types/plain")),
        ("plain/lib/deep", Target("packages/plain/lib/deep.d.ts", "plain/lib/deep", "packages/plain")),
        ("react", Target(None, "react")),
        ("node:fs", Target(None, "node:fs")),
        ("#dom", Target("packages/ui/src/dom/node.ts", "")),
        ("#core/x", Target("packages/core/src/deep/x.ts", "@acme/core/x", "packages/core")),
        ("#none", Target(None, "")),
        ("~/forms", Target("packages/ui/src/forms.ts", "")),
        ("@core/deep/x", Target("packages/core/src/deep/x.ts", "@acme/core/x", "packages/core")),
        ("../../core/src/deep/x", Target("packages/core/src/deep/x.ts", "@acme/core/x", "packages/core")),
        ("packages/core/src/index", Target("packages/core/src/index.ts", "@acme/core", "packages/core")),
        ("", Target(None, "")),
    ],
)
def test_imports_in_a_workspace(specifier: str, target: Target) -> None:
    resolver = Resolver(context_of(SHOP, "packages/ui"))
    assert resolver.resolve(specifier, "packages/ui/src/index.ts") == target


def test_declaration_files_know_no_paths() -> None:
    resolver = Resolver(context_of(SHOP, "packages/ui"))
    assert resolver.resolve("~/forms", "packages/ui/x.d.ts") == Target(None, "~/forms")


def test_what_was_looked_at_outside_the_package_is_remembered() -> None:
    context = context_of(SHOP, "packages/ui")
    Resolver(context).resolve("@acme/core", "packages/ui/src/index.ts")
    consulted = outside.consulted(context)
    assert list(consulted) == ["file:packages/core/package.json", "file:tsconfig.json"]
    assert consulted["file:tsconfig.json"] == ("tsconfig.json", context.tree.id("tsconfig.json"))


def test_places_where_settings_would_be_found_first_are_remembered_too() -> None:
    context = context_of(SHOP, "packages/core")
    Resolver(context).resolve("react", "packages/core/src/index.ts")
    assert outside.consulted(context)["file:packages/tsconfig.json"] is None


def test_options_are_relative_to_the_repository_and_never_lead_out() -> None:
    options = tsconfig.compiler_options(context_of(SHOP, "packages/ui"))
    assert options["outDir"] == "packages/ui/dist"
    assert options["baseUrl"] == ""
    assert options["paths"]["~/*"] == ("packages/ui/src/*",)
    text = """{ // comments, and a comma too many
      "extends": ["../../x.json", "./loop.json", "@scope/none"],
      "compilerOptions": {"outDir": "/etc", "rootDir": "../..", "paths": {"a": ["../../b"]}, "strict": true,},
    }"""
    files = files_of(
        {"tsconfig.json": text, "loop.json": '{"extends": "./tsconfig.json"}'}, "index.ts", root={"name": "x"}
    )
    options = tsconfig.compiler_options(context_of(files))
    assert options == {"strict": True, "paths": {"a": ()}}


def test_settings_may_extend_those_of_a_package_of_the_workspace() -> None:
    files = files_of(
        """
        a/src/index.ts
        a/tsconfig.json     | {"extends": "@acme/settings/base"}
        settings/base.json  | {"compilerOptions": {"outDir": "${configDir}/made", "rootDir": "${configDir}/src"}}
        """,
        root={"private": True, "workspaces": ["*"]},
        a={"name": "a", "main": "made/index.js"},
        settings={"name": "@acme/settings"},
    )
    context = context_of(files, "a")
    assert tsconfig.compiler_options(context)["outDir"] == "a/made"
