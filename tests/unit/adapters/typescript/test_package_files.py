"""Which files a package consists of, and which lead to which."""

from __future__ import annotations

import pytest

from ifacegen_adapters.typescript import package_files
from ifacegen_adapters.typescript.facts import Export, Fact, FileFacts, Import, ParameterFact, Ref
from support.npm import context_of, files_of


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            "src/a.ts\ndist/a.js\ndist/a.d.ts\nsrc/a.test.ts\ntests/x.ts\nrollup.config.js\ndocs/x.ts",
            ["src/a.ts"],
        ),
        ("lib/a.ts\nlib/a.js\nlib/b.js\ndist/a.js", ["lib/a.ts", "lib/b.js"]),
        ("src/v3/a.ts\nv3/a.js\nv3/a.d.ts", ["src/v3/a.ts"]),
        ("dist/a.js\ndist/a.d.ts\ndist/a.min.js", ["dist/a.js"]),
        ("a.mjs\na.cjs\na.d.mts\na.d.cts", ["a.cjs"]),
        ("index.d.ts\ntypes/a.d.ts", ["index.d.ts", "types/a.d.ts"]),
        (
            "src/a.tsx\nsrc/__tests__/a.tsx\nsrc/A.stories.tsx\nsrc/x.css\nsrc/types.d.ts",
            ["src/a.tsx", "src/types.d.ts"],
        ),
        ("src/docs/a.ts\nsrc/node_modules/x/a.ts\nnode_modules/x/a.ts\n.cache/a.js", ["src/docs/a.ts"]),
        ('src/a.ts\nsrc/inner/package.json | {"name": "in", "main": "x.js"}\nsrc/inner/x.ts', ["src/a.ts"]),
    ],
)
def test_the_implementation_is_the_sources(files: str, expected: list[str]) -> None:
    assert (
        list(package_files.sources(context_of(files_of(files, root={"name": "ui", "main": "x"})))) == expected
    )


def test_whatever_a_view_may_read_is_looked_through_after_a_crash() -> None:
    files = files_of(
        "a/src/a.ts\na/dist/a.d.ts\na/test/x.ts\na/node_modules/m/i.ts\na/x.css\ntypes/index.d.ts\na/i.js",
        a={"name": "a", "main": "i.js"},
        types={"name": "@types/a"},
    )
    assert package_files.readable(context_of(files, "a")) == (
        "a/dist/a.d.ts",
        "a/i.js",
        "a/src/a.ts",
        "a/test/x.ts",
        "types/index.d.ts",
    )


def test_the_closure_of_roots() -> None:
    context = context_of(
        files_of(
            "src/index.ts\nsrc/a.ts\nsrc/b.ts\nsrc/c.d.ts\nsrc/d.json\nsrc/e.ts\nsrc/unused.ts\nother/index.ts",
            root={"name": "ui"},
            other={"name": "other", "types": "index.ts"},
        )
    )
    inner = Fact("interface", "X", ("interface X ", Ref("", ("Y",), module="./e")))
    parameter = ParameterFact("p", "optional", (Ref("", ("Y",), module="other"),))
    facts = {
        "src/index.ts": FileFacts(
            imports=(Import("./b.js", "x", "x"), Import("react", "y", "y"), Import("", "B.C", "A")),
            exports=(Export("*", "*", "./a"), Export("", "")),
            references=(("path", "c.d.ts"), ("lib", "dom")),
        ),
        "src/a.ts": FileFacts(
            declarations=(
                Fact(
                    "namespace",
                    "ns",
                    ("namespace ns",),
                    members=(inner,),
                    exports=(Export("*", "*", "./d.json"),),
                ),
                Fact("function", "f", ("function f(p)",), parameters=(parameter,)),
            )
        ),
    }
    found = package_files.closure(context, ["src/index.ts"], lambda path: facts.get(path, FileFacts()))
    assert found == (
        "src/index.ts",
        "src/b.ts",
        "src/a.ts",
        "src/c.d.ts",
        "other/index.ts",
        "src/d.json",
        "src/e.ts",
    )
