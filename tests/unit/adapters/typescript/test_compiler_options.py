"""What is taken of somebody's ``tsconfig.json``."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifacegen_adapters.typescript.compiler_options import taken


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name in ("es2015", "es2022", "dom", "esnext.asynciterable"):
        (tmp_path / f"lib.{name}.d.ts").touch()
    return tmp_path


def test_defaults(library: Path) -> None:
    assert taken({}, library) == {"strict": True, "target": "esnext", "jsx": "preserve"}


def test_what_types_depend_on(library: Path) -> None:
    own = {"strict": False, "exactOptionalPropertyTypes": True, "experimentalDecorators": True}
    assert taken(own, library) == {**own, "target": "esnext", "jsx": "preserve"}


def test_what_could_do_harm_is_not_taken(library: Path) -> None:
    own = {
        "plugins": [{"name": "./evil"}],
        "outDir": "../../../etc",
        "rootDir": "/",
        "extends": "../evil.json",
        "paths": {"*": ["/etc/*"]},
        "baseUrl": "/",
        "typeRoots": ["/"],
        "types": ["evil"],
        "tsBuildInfoFile": "/tmp/x",
        "incremental": True,
        "noEmit": True,
        "isolatedDeclarations": True,
        "noLib": True,
        "noResolve": True,
        "checkJs": True,
    }
    assert taken(own, library) == taken({}, library)


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("ES2022", "es2022"),
        ("es5", "es2015"),
        ("ES6", "es2015"),
        ("ESNext", "esnext"),
        ("es9999", "esnext"),
        (7, "esnext"),
        (None, "esnext"),
    ],
)
def test_target_is_one_that_every_compiler_knows(written: object, target: str, library: Path) -> None:
    assert taken({"target": written}, library)["target"] == target


def test_libraries_that_the_compiler_has(library: Path) -> None:
    own = {"lib": ["ES6", "ES2022", "DOM", "es1999", "../../x", 3, "ESNext.AsyncIterable", "dom"]}
    assert taken(own, library)["lib"] == ["es2015", "es2022", "dom", "esnext.asynciterable"]


@pytest.mark.parametrize("written", ["dom", [], ["nothing"], {"a": 1}, None])
def test_no_libraries_are_those_of_the_target(written: object, library: Path) -> None:
    assert "lib" not in taken({"lib": written}, library)


@pytest.mark.parametrize(
    ("own", "jsx", "source"),
    [
        ({"jsx": "react-jsx", "jsxImportSource": "preact"}, "react-jsx", "preact"),
        ({"jsx": "React"}, "react", None),
        ({"jsx": "evil", "jsxImportSource": "preact"}, "preserve", None),
        ({"jsx": "react-jsx", "jsxImportSource": "../../../evil"}, "react-jsx", None),
        ({"jsx": "react-jsx", "jsxImportSource": "/evil"}, "react-jsx", None),
    ],
)
def test_jsx(own: dict[str, object], jsx: str, source: str | None, library: Path) -> None:
    options = taken(own, library)
    assert (options["jsx"], options.get("jsxImportSource")) == (jsx, source)


def test_switches_must_be_switches(library: Path) -> None:
    assert taken({"strict": "yes", "strictNullChecks": 1, "emitDecoratorMetadata": True}, library) == taken(
        {}, library
    )
