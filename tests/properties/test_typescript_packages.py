"""Whatever project files say: no exception, no file outside, every name once, the same answer twice."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.typescript import package_files, tsconfig
from ifacegen_adapters.typescript.entries import package_entries
from ifacegen_adapters.typescript.resolve import Resolver
from support.npm import context_of, files_of

FILES = """
secret.ts
a/index.d.ts
a/src/index.ts
a/src/deep/x.tsx
a/src/data.json
a/dist/y.mjs
a/dist/y.d.mts
a/lib/package.json          | {"types": "../src/index.ts"}
b/index.js
types/index.d.ts
"""
PARTS = st.sampled_from([
    "a", "b", "src", "dist", "lib", "index", "deep", "x", "y", "*", "**", "..", ".", "", "index.d.ts", "x.js", "y.mjs",
    "data.json", "node_modules", "@", "#", "!(a)", "{a,b}", "\\", "\0", "\ud800", "é", "${configDir}",
])  # fmt: skip
TARGETS = st.sampled_from([
    "./*", "./dist/*.mjs", "./src/*", "../../x", "/etc/passwd", "file:///x", "npm:b@1", "workspace:*", "link:../b", "*",
    "types", "import", "default", "types@>=4", ">=3", "@acme/settings", "./src/index.ts", ".", "./x",
])  # fmt: skip
STRINGS = st.lists(PARTS, max_size=5).map("/".join) | TARGETS
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from([
    "exports", "imports", "main", "module", "types", "typings", "typesVersions", "workspaces", "bin", "type", "private",
    "dependencies", "devDependencies", "name", "files", "browser",
])  # fmt: skip
SETTINGS = st.sampled_from(["extends", "compilerOptions", "references", "include", "files"])
OPTIONS = st.sampled_from(["outDir", "rootDir", "declarationDir", "baseUrl", "paths"])


@given(
    st.dictionaries(FIELDS, VALUES, max_size=5),
    st.dictionaries(SETTINGS, VALUES | st.dictionaries(OPTIONS, VALUES, max_size=3), max_size=3),
    VALUES,
    st.lists(STRINGS, max_size=5),
)
def test_nothing_leads_out(manifest: Any, settings: Any, members: Any, specifiers: list[str]) -> None:
    files = {
        **files_of(FILES, root={"name": "top", "workspaces": ["*"]}, b={"name": "b", "main": "index.js"}),
        "types/package.json": json.dumps({"name": "@types/b"}),
        "a/package.json": json.dumps({"name": "a", **manifest}),
        "a/tsconfig.json": json.dumps(settings),
        "lerna.json": json.dumps({"packages": members}),
    }
    context = context_of(files, "a")
    found = package_entries(context)
    assert found == package_entries(context_of(files, "a"))
    names = [each.name for each in found.entries]
    assert len(names) == len(set(names))
    inside = {path for path in files if path.startswith("a/")}
    assert {each.path for each in found.entries} <= inside | {"types/index.d.ts"}
    assert set(package_files.sources(context)) <= inside
    json.dumps([names, [note.message for note in found.notes]]).encode()
    resolver = Resolver(context)
    for specifier in specifiers:
        for importer in ("a/src/index.ts", "a/index.d.ts", "b/index.js"):
            assert resolver.resolve(specifier, importer).path in {None, *files}
    options = tsconfig.compiler_options(context)
    assert not any(
        str(options.get(key, "")).startswith(("/", "..")) for key in ("outDir", "rootDir", "baseUrl")
    )
