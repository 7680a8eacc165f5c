"""TypeScript packages in trees that lie nowhere, and the toolchain that ``make test`` installs."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from ifacegen.adapter import BuildContext, Facts, NoTools, Tools, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Package, Project
from ifacegen.tools import Toolbox
from ifacegen_adapters.typescript.toolchain_search import system
from support.trees import Picture, memory_tree

_MODULES = Path(__file__).parents[1] / "typescript" / "node_modules"


def toolchain() -> Path:
    """The ``node_modules`` with ``typescript`` and ``oxc-transform``; the test is skipped where there is none."""
    if not (_MODULES / "typescript").is_dir() or shutil.which("node") is None:
        pytest.skip("needs node and tests/typescript/node_modules, which `make test` installs")
    return _MODULES


def tools(
    repository: str | os.PathLike[str] = "/nowhere", *, compiler: bool = True, isolated: bool = True
) -> Tools:
    """Tools as a user names them: node from PATH, the rest from :func:`toolchain`."""
    modules = toolchain()
    nothing = os.fspath(Path(repository, "nothing"))
    configured = {
        "typescript": os.fspath(modules / "typescript") if compiler else nothing,
        "oxc-transform": os.fspath(modules / "oxc-transform") if isolated else nothing,
    }
    return Toolbox(configured, os.fspath(repository))


def package(path: str, name: str = "") -> Package:
    """A package of TypeScript."""
    project = Project("typescript", "" if path == "." else path, name=name or path)
    return Package(path, name or path, "library", (project,))


def context(
    files: Picture,
    *,
    packages: Mapping[str, str] | None = None,
    path: str = ".",
    using: Tools | None = None,
    facts: Facts | None = None,
    unreadable: Mapping[str, str] | None = None,
) -> BuildContext:
    """What a build of the package at ``path`` looks at; ``packages`` are names by path."""
    known = [package(place, name) for place, name in (packages or {path: "pkg"}).items()]
    (own,) = (each for each in known if each.path == path)
    return BuildContext(
        memory_tree(files),
        own,
        tuple(known),
        ViewOptions(),
        facts or MemoryFacts(),
        {},
        len,
        {},
        unreadable or {},
        using or NoTools(),
    )


def installed(
    modules: Path, *, typescript: str = "", oxc: str = "", name: str = "typescript", bare: bool = False
) -> Path:
    """A ``node_modules`` as npm leaves it, with files that nobody may run; ``bare`` is one for another machine."""
    machine = "plan9-mips" if bare else system()
    if typescript:
        program = "tsc" if name == "typescript" else "tsgo"
        manifest(modules / name, name, typescript)
        if typescript < "7":
            for script in ("tsc.js", "_tsc.js"):
                write(modules / name / "lib" / script)
        else:
            short = name.rpartition("/")[2]
            write(modules / "@typescript" / f"{short}-{machine}" / "lib" / program)
        write(modules / name / "bin" / program)
    if oxc:
        manifest(modules / "oxc-transform", "oxc-transform", oxc)
        binding = modules / "@oxc-transform" / f"binding-{machine}-gnu"
        manifest(binding, binding.name, oxc)
        write(binding / f"transform.{machine}-gnu.node")
    return modules


def manifest(folder: Path, name: str, version: str) -> None:
    """Write a ``package.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}), "utf-8")


def write(program: Path) -> Path:
    """Write a program that nobody can run."""
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    return program
