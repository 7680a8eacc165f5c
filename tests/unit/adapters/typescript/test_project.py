"""Which directories are packages of npm's, and what they need."""

from __future__ import annotations

from typing import Any

import pytest

from ifacegen.model import Dependency, Edge
from ifacegen_adapters.typescript import TypeScriptAdapter
from support.npm import files_of, packages_in
from support.trees import memory_tree

PACKAGES = "packages/a/index.ts\npackages/b/index.ts\nother/c/index.ts"
MANIFESTS: dict[str, Any] = {
    "packages__a": {"name": "a", "dependencies": {"b": "workspace:*"}},
    "packages__b": {"name": "b"},
    "other__c": {"name": "c"},
}


def listed(files: dict[str, str | bytes]) -> list[str]:
    """Packages that a workspace declares."""
    return [path for path, each in packages_in(files).items() if each.declared_by == "member"]


@pytest.mark.parametrize(
    "workspaces",
    [
        ["packages/*"],
        {"packages": ["./packages/*/"]},
        ["packages/{a,b}"],
        ["packages/@(a|b)"],
        ["**", "!other/**"],
    ],
)
def test_workspaces_of_npm_and_yarn(workspaces: Any) -> None:
    files = files_of(PACKAGES, root={"private": True, "workspaces": workspaces}, **MANIFESTS)
    assert listed(files) == ["packages/a", "packages/b"]
    assert "." not in packages_in(files)
    assert packages_in(files)["packages/a"].edges == (Edge("packages/b", "run", "b"),)


def test_yarn_excludes_by_extended_globs() -> None:
    files = files_of(PACKAGES, root={"workspaces": ["packages/!(b)"]}, **MANIFESTS)
    assert listed(files) == ["packages/a"]


@pytest.mark.parametrize(
    ("name", "text", "members"),
    [
        ("pnpm-workspace.yaml", 'packages:\n  - "!packages/b"\n  - packages/*\n', ["packages/a"]),
        ("lerna.json", '{"packages": ["packages/*"],}', ["packages/a", "packages/b"]),
        (
            "rush.json",
            '{/* Rush */ "projects": [{"packageName": "c", "projectFolder": "other/c"}, // more\n]}',
            ["other/c"],
        ),
    ],
)
def test_workspaces_of_other_tools(name: str, text: str, members: list[str]) -> None:
    assert listed(files_of(PACKAGES, {name: text}, **MANIFESTS)) == members
    assert listed(files_of(PACKAGES, {name: text}, root={"private": True}, **MANIFESTS)) == members


def test_a_root_with_an_interface_is_a_package_too() -> None:
    files = files_of(PACKAGES, "index.ts", root={"name": "top", "workspaces": ["packages/*"]}, **MANIFESTS)
    assert "." in packages_in(files)
    scripts = files_of(
        PACKAGES, "scripts/x.ts\neslint.config.js", root={"workspaces": ["packages/*"]}, **MANIFESTS
    )
    assert "." not in packages_in(scripts)


def test_projects_of_nx_without_package_json() -> None:
    files = files_of(
        """
        nx.json                   | {}
        apps/shop/project.json    | {"name": "shop", "projectType": "application", "implicitDependencies": ["ui", "!x"]}
        apps/shop/src/main.ts
        web/ui/project.json       | {"name": "ui", "projectType": "library"}
        web/ui/src/index.ts
        data/etl/project.json     | {"name": "etl"}
        data/etl/main.py
        """
    )
    found = packages_in(files)
    assert list(found) == ["apps/shop", "web/ui"]
    assert (found["apps/shop"].role, found["web/ui"].role) == ("app", "library")
    assert found["apps/shop"].edges == (Edge("web/ui", "implicit", "ui"),)


def test_dependencies_have_their_kinds_paths_and_real_names() -> None:
    manifest = {
        "name": "a",
        "dependencies": {
            "b": "^1",
            "alias": "npm:@acme/real@2",
            "d": "file:../d",
            "w": "workspace:other@*",
            "n": 1,
        },
        "devDependencies": {"b": "1", "out": "link:../../../out"},
        "peerDependencies": {"react": "*"},
        "optionalDependencies": {"fsevents": "catalog:"},
    }
    (project,) = TypeScriptAdapter().find_projects(memory_tree(files_of("x/a/index.ts", x__a=manifest)))
    assert project.dependencies == (
        Dependency("b", "run"),
        Dependency("@acme/real", "run"),
        Dependency("d", "run", "x/d"),
        Dependency("other", "run"),
        Dependency("n", "run"),
        Dependency("b", "dev"),
        Dependency("out", "dev"),
        Dependency("react", "peer"),
        Dependency("fsevents", "optional"),
    )


@pytest.mark.parametrize(
    "files",
    [
        'node_modules/x/package.json | {"name": "x"}\nnode_modules/x/index.d.ts',
        'dist/esm/package.json | {"type": "module"}\ndist/esm/index.js',
        'ajax/package.json | {"name": "ui/ajax", "types": "../dist/ajax.d.ts"}',
        'ajax/package.json | {"types": "./x.d.ts", "type": "module"}\najax/x.d.ts',
        'web/package.json | {"name": "ui/web", "exports": "./x.js", "types": "x.d.ts"}\nweb/x.d.ts',
        'query/package.json | {"name": "@ui/query", "types": "./../dist/q.d.ts", "main": "../dist/q.js"}',
        'hooks/package.json | {"name": "ui-hooks", "main": "../dist/hooks.js"}',
    ],
)
def test_what_is_no_package(files: str) -> None:
    assert list(packages_in(files_of(files, "index.d.ts", root={"name": "ui"}))) == ["."]


def test_a_directory_that_the_package_around_exports_is_no_package() -> None:
    hooks = {"name": "ui-hooks", "main": "dist/hooks.js", "types": "src/index.d.ts"}
    files = files_of(
        "index.d.ts\nhooks/src/index.d.ts\nother/x.ts", hooks=hooks, other={"name": "o", "main": "x.ts"}
    )
    exports = {".": "./index.js", "./hooks": {"types": "./hooks/src/index.d.ts"}}
    assert list(packages_in(files | files_of(root={"name": "ui", "exports": exports}))) == [".", "other"]
    assert list(packages_in(files | files_of(root={"name": "ui"}))) == [".", "hooks", "other"]


def test_a_package_json_that_only_serves_tools_is_none() -> None:
    assert packages_in(files_of("main.py", root={"devDependencies": {"prettier": "3"}})) == {}
    assert packages_in(files_of("main.py", root={"name": "x", "private": True, "scripts": {}})) == {}


def test_a_package_json_beside_another_ecosystems_project_says_what_it_is_for() -> None:
    files = files_of("p/pyproject.toml\np/assets/app.js\nq/index.ts", q={"name": "q"})
    tools = {"devDependencies": {"prettier": "3"}}
    assert list(packages_in(files | files_of(p=tools))) == ["q"]
    assert list(packages_in(files | files_of(p={"name": "p", "main": "assets/app.js"}))) == ["p", "q"]


def test_published_settings_are_packages() -> None:
    assert list(packages_in(files_of("base.json", root={"name": "settings", "files": ["base.json"]}))) == [
        "."
    ]


def test_members_without_code_are_packages_that_others_need() -> None:
    files = files_of(
        "settings/base.json", root={"workspaces": ["*"]}, settings={"name": "settings", "private": True}
    )
    assert list(packages_in(files)) == ["settings"]


def test_broken_project_files_are_told_and_their_package_is_kept() -> None:
    files = files_of(
        PACKAGES,
        root={"name": "top", "main": "x.js", "workspaces": ["packages/*"]},
        packages__a="{",
        packages__b="[]",
    )
    found = packages_in({**files, "packages/b/package.json": b"\xff"})
    assert [(note.code, note.line) for note in found["packages/a"].notes] == [("project-unparsed", 1)]
    assert [(note.code, note.line) for note in found["packages/b"].notes] == [("project-unparsed", 1)]
    broken = packages_in({**files, "pnpm-workspace.yaml": "packages: [", "rush.json": "{"})
    assert {note.path for note in broken["."].notes} == {"pnpm-workspace.yaml", "rush.json"}


@pytest.mark.parametrize("name", ["a b", "../a", "x" * 300, "@a/b/c", "a\ud800"])
def test_names_that_are_none(name: str) -> None:
    (package,) = packages_in(files_of("p/index.ts", p={"name": name, "main": "index.ts"})).values()
    assert package.name == "p"
    assert [note.code for note in package.notes] == ["project-unparsed"]


def test_folders_without_project_files() -> None:
    tree = memory_tree("web/a.ts\ndocs/a.md\nnode_modules/x/a.js")
    adapter = TypeScriptAdapter()
    assert adapter.plain_project(tree, "docs") is None
    project = adapter.plain_project(tree, "web")
    assert project is not None
    assert (project.path, project.project_file) == ("web", None)
