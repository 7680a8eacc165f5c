"""What the compiler is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.typescript import compiler_options
from ifacegen_adapters.typescript.inputs import (
    Inputs,
    emitted_path,
    gather,
    is_declaration,
    is_safe,
    is_source,
)
from support.toolchain import context
from support.trees import Picture

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
NAMES = {"ui": "@acme/ui", "core": "@acme/core"}


def inputs(files: Picture, *roots: str) -> Inputs:
    return gather(context(files, packages=NAMES, path="ui"), roots, (), {})


@pytest.mark.parametrize(
    ("path", "emitted"),
    [
        ("a/x.ts", "a/x.d.ts"),
        ("x.tsx", "x.d.ts"),
        ("x.mts", "x.d.mts"),
        ("x.cts", "x.d.cts"),
        ("x.js", "x.d.ts"),
        ("x.mjs", "x.d.mts"),
        ("a.b/x.y.cjs", "a.b/x.y.d.cts"),
    ],
)
def test_sources_and_what_is_emitted_for_them(path: str, emitted: str) -> None:
    assert is_source(path)
    assert emitted_path(path) == emitted
    assert is_declaration(emitted)
    assert not is_source(emitted)


@pytest.mark.parametrize(
    "path", ["../x.ts", "/x.ts", "a/../../x.ts", "a//x.ts", "a/./x.ts", "a\\x.ts", "\udcff.ts", ""]
)
def test_paths_that_are_laid_out_nowhere(path: str) -> None:
    assert not is_safe(path)


def test_what_files_lead_to() -> None:
    """By imports of every kind, in order of nearness; what nobody names is no part of it."""
    found = inputs(
        {
            "ui/package.json": '{"name": "@acme/ui"}',
            "ui/index.ts": (
                'import type { A } from "./a"\nexport * from "./b.js"\nimport("./c.mjs")\nimport d = require("./d")\n'
                'type T = import("./e").T\n/// <reference path="f.d.ts" />\nimport "./data.json"\nimport "@acme/core"\n'
                "import 'react'\nexport * from '../..//../x'\n"
            ),
            **{
                f"ui/{name}": ""
                for name in ("a.ts", "b.ts", "c.mts", "d.ts", "e.ts", "f.d.ts", "data.json", "z.ts")
            },
            "core/package.json": '{"name": "@acme/core", "exports": "./main.ts"}',
            "core/main.ts": 'export * from "./more"',
            "core/more.ts": 'export * from "../ui/index"',
        },
        "ui/index.ts",
    )
    assert list(found.files) == [
        "ui/index.ts",
        "ui/a.ts",
        "ui/b.ts",
        "ui/c.mts",
        "ui/d.ts",
        "ui/e.ts",
        "ui/f.d.ts",
        "ui/data.json",
        "core/main.ts",
        "core/more.ts",
    ]
    assert found.meanings == {"@acme/core": "core/main.ts"}
    assert found.roots == ("ui/index.ts",)


def test_a_name_means_what_it_means_to_the_package() -> None:
    """Two packages may have one alias for different files; one program can have one of them."""
    config = '{"compilerOptions": {"paths": {"~/x": ["./x.ts"]}}}'
    found = inputs(
        {
            "ui/package.json": '{"name": "@acme/ui"}',
            "ui/tsconfig.json": config,
            "ui/index.ts": 'import "@acme/core"; import "~/x"',
            "ui/x.ts": "",
            "core/package.json": '{"name": "@acme/core", "exports": "./main.ts"}',
            "core/tsconfig.json": config,
            "core/main.ts": 'import "~/x"',
            "core/x.ts": "",
        },
        "ui/index.ts",
    )
    assert found.meanings["~/x"] == "ui/x.ts"


def test_digest_depends_on_all_of_it() -> None:
    files = {"ui/a.ts": "1", "ui/b.ts": "2"}
    first = inputs(files, "ui/a.ts", "ui/b.ts")
    others = [
        inputs({**files, "ui/b.ts": "3"}, "ui/a.ts", "ui/b.ts"),
        inputs(files, "ui/a.ts"),
        first.without(["ui/b.ts"]),
        Inputs(first.files, first.roots, ("ui/a.ts",), {}, {}),
        Inputs(first.files, first.roots, (), {"x": "ui/a.ts"}, {}),
        Inputs(first.files, first.roots, (), {}, {"strict": True}),
    ]
    assert inputs(files, "ui/a.ts", "ui/b.ts").digest() == first.digest()
    assert len({each.digest() for each in (first, *others)}) == 6  # two of them are the same


@given(
    st.dictionaries(st.text() | st.sampled_from(["lib", "target", "jsx", "jsxImportSource", "strict"]), JSON)
)
def test_any_options_are_harmless(own: dict[str, object]) -> None:
    """Whatever somebody wrote, the configuration is ours but for switches and names that are known."""
    options = compiler_options.taken(own, Path("/nowhere"))
    configuration = json.loads(Inputs({}, (), (), {}, options).configuration())["compilerOptions"]
    ours = json.loads(Inputs({}, (), (), {}, {}).configuration())["compilerOptions"]
    assert {name: configuration[name] for name in ours} == ours
    for name, value in configuration.items():
        assert name in ours or isinstance(value, bool) or name in ("target", "jsx", "jsxImportSource", "lib")
    assert ".." not in str(options.get("jsxImportSource", ""))
