"""Which programs emit declarations here, and which never do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from ifacegen.tools import Toolbox
from ifacegen_adapters.typescript import toolchain
from ifacegen_adapters.typescript.toolchain_values import Toolchain
from support.toolchain import context, installed, manifest, write


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with node and nothing else on its PATH."""
    write(tmp_path / "usr" / "bin" / "node")
    monkeypatch.setenv("PATH", os.fspath(tmp_path / "usr" / "bin"))
    return tmp_path


def found(machine: Path, configured: Mapping[str, Path] | None = None) -> Toolchain:
    box = Toolbox(
        {name: os.fspath(path) for name, path in (configured or {}).items()}, os.fspath(machine / "repo")
    )
    return toolchain.toolchain(context({}, using=box))


def globally(machine: Path) -> Path:
    return machine / "usr" / "lib" / "node_modules"


def test_nothing_installed(machine: Path) -> None:
    assert found(machine) == Toolchain()
    assert found(machine).identity == "none"


def test_global_packages_of_node(machine: Path) -> None:
    installed(globally(machine), typescript="7.0.2", oxc="0.158.0")
    chain = found(machine)
    assert chain.identity == "typescript 7.0.2, oxc-transform 0.158.0"
    assert chain.compiler is not None
    assert chain.compiler.is_native


def test_identity_is_what_views_consult(machine: Path) -> None:
    box = Toolbox({}, os.fspath(machine / "repo"))
    assert toolchain.consulted(context({}, using=box)) == "toolchain:none"
    assert toolchain.identity(context({}, using=box)) == "none"


def test_tsc_on_path_and_oxc_beside_its_package(machine: Path) -> None:
    modules = installed(machine / "opt" / "node_modules", typescript="7.0.2", oxc="0.158.0")
    (machine / "usr" / "bin" / "tsc").symlink_to(modules / "typescript" / "bin" / "tsc")
    assert found(machine).identity == "typescript 7.0.2, oxc-transform 0.158.0"


def test_configured_packages_win(machine: Path) -> None:
    installed(globally(machine), typescript="7.0.2", oxc="0.158.0")
    mine = installed(machine / "mine", typescript="7.1.0", oxc="0.160.0")
    chain = found(machine, {"typescript": mine / "typescript", "oxc-transform": mine / "oxc-transform"})
    assert chain.identity == "typescript 7.1.0, oxc-transform 0.160.0"


def test_what_is_configured_and_not_there_is_said_and_replaced_by_nothing(machine: Path) -> None:
    installed(globally(machine), typescript="7.0.2", oxc="0.158.0")
    chain = found(machine, {"typescript": machine / "no", "oxc-transform": machine / "no"})
    assert chain.identity == "none"
    assert [problem.partition(" of ")[0] for problem in chain.problems] == [
        "`tools.typescript`",
        "`tools.oxc-transform`",
    ]


def test_native_compiler_before_one_that_node_runs(machine: Path) -> None:
    old = installed(machine / "opt" / "node_modules", typescript="6.0.3")
    (machine / "usr" / "bin" / "tsc").symlink_to(old / "typescript" / "bin" / "tsc")
    assert found(machine).identity == "typescript 6.0.3"
    installed(globally(machine), typescript="7.0.2")
    assert found(machine).identity == "typescript 7.0.2"


def test_native_preview(machine: Path) -> None:
    modules = installed(globally(machine), typescript="7.0.0-dev", name="@typescript/native-preview")
    package = modules / "@typescript" / "native-preview"
    (machine / "usr" / "bin" / "tsgo").symlink_to(package / "bin" / "tsgo")
    assert found(machine).identity == "typescript 7.0.0-dev"


def test_native_compiler_needs_no_node(machine: Path) -> None:
    modules = installed(machine / "opt" / "node_modules", typescript="7.0.2", oxc="0.158.0")
    (machine / "usr" / "bin" / "node").unlink()
    assert found(machine, {"typescript": modules / "typescript"}).identity == "typescript 7.0.2"


@pytest.mark.parametrize(
    ("version", "complaint"), [("5.5.4", "is too old"), ("3.9.10", "is too old"), ("six", "is too old")]
)
def test_compiler_that_cannot_do_it_is_named(machine: Path, version: str, complaint: str) -> None:
    installed(globally(machine), typescript="6.0.0")
    manifest(globally(machine) / "typescript", "typescript", version)
    (problem,) = found(machine).problems
    assert complaint in problem


def test_packages_for_another_machine_are_named(machine: Path) -> None:
    installed(globally(machine), typescript="7.0.2", oxc="0.158.0", bare=True)
    chain = found(machine)
    assert chain.identity == "none"
    assert [problem.partition(" has no ")[2].partition(" ")[0] for problem in chain.problems] == [
        "program",
        "library",
    ]


def test_damaged_package_file_is_no_package(machine: Path) -> None:
    installed(globally(machine), typescript="7.0.2")
    (globally(machine) / "typescript" / "package.json").write_text("[" * 100_000)
    assert found(machine) == Toolchain()


def test_nothing_of_the_repository(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its ``node_modules/.bin`` may well be on PATH: npm puts it there."""
    modules = installed(machine / "repo" / "node_modules", typescript="7.0.2", oxc="0.158.0")
    write(modules / ".bin" / "node")
    (modules / ".bin" / "tsc").symlink_to(modules / "typescript" / "bin" / "tsc")
    monkeypatch.setenv("PATH", os.pathsep.join(map(os.fspath, (modules / ".bin", machine / "usr" / "bin"))))
    assert found(machine).identity == "none"
    named = {"typescript": modules / "typescript", "oxc-transform": modules / "oxc-transform"}
    assert found(machine, named).identity == "none"


@pytest.mark.parametrize("linked", ["typescript", "oxc-transform", "@typescript", "@oxc-transform"])
def test_nothing_that_is_linked_into_the_repository(machine: Path, linked: str) -> None:
    """``npm link`` makes such links."""
    inside = installed(machine / "repo" / "packages", typescript="7.0.2", oxc="0.158.0")
    modules = installed(globally(machine), typescript="7.0.2", oxc="0.158.0")
    (modules / linked).rename(modules / "gone")
    (modules / linked).symlink_to(inside / linked)
    lost = "typescript 7.0.2" if "typescript" in linked else "oxc-transform 0.158.0"
    assert lost not in found(machine).identity


def test_no_program_that_is_linked_into_the_repository(machine: Path) -> None:
    modules = installed(globally(machine), typescript="7.0.2")
    (program,) = modules.glob("@typescript/*/lib/tsc")
    program.unlink()
    program.symlink_to(write(machine / "repo" / "evil"))
    assert found(machine).identity == "none"


def test_no_script_that_loads_another_one_from_the_repository(machine: Path) -> None:
    modules = installed(globally(machine), typescript="6.0.3")
    script = modules / "typescript" / "lib" / "_tsc.js"
    script.unlink()
    script.symlink_to(write(machine / "repo" / "evil.js"))
    assert found(machine).identity == "none"


@pytest.mark.parametrize("real", ["versions/volta-shim", "shims/node"])
def test_what_starts_node_is_no_node(machine: Path, real: str) -> None:
    """Version managers look for one, or download it."""
    installed(globally(machine), typescript="7.0.2", oxc="0.158.0")
    shim = write(machine / real)
    shim.write_text('#!/bin/sh\nexec asdf exec node "$@"\n', "utf-8")
    node = machine / "usr" / "bin" / "node"
    node.unlink()
    node.symlink_to(shim)
    chain = found(machine)
    assert chain.isolated is None
    (problem,) = chain.problems
    assert "`node -p process.execPath`" in problem


def test_global_packages_of_pnpm(machine: Path) -> None:
    """Scripts on PATH, links to packages that lie apart."""
    store = machine / "pnpm" / "global" / "5" / ".pnpm"
    folder = machine / "pnpm" / "global" / "5" / "node_modules"
    folder.mkdir(parents=True)
    compiler = installed(store / "typescript@7.0.2" / "node_modules", typescript="7.0.2")
    (folder / "typescript").symlink_to(compiler / "typescript")
    isolated = installed(store / "oxc-transform@0.158.0" / "node_modules", oxc="0.158.0")
    (folder / "oxc-transform").symlink_to(isolated / "oxc-transform")
    write(machine / "pnpm" / "tsc").write_text("#!/bin/sh\n", "utf-8")
    write(machine / "pnpm" / "node")
    assert found(machine).identity == "none"
    (machine / "usr" / "bin").rename(machine / "usr" / "sbin")
    (machine / "usr" / "bin").symlink_to(machine / "pnpm")
    assert found(machine).identity == "typescript 7.0.2, oxc-transform 0.158.0"


def test_looked_for_once(machine: Path) -> None:
    asked = context({}, using=Toolbox({}, os.fspath(machine / "repo")))
    assert toolchain.identity(asked) == "none"
    installed(globally(machine), typescript="7.0.2")
    assert toolchain.identity(asked) == "none"
