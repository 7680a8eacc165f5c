"""Looks for the toolchain that is installed, and says why something that is there is not used.

Nothing is run to find out: versions stand in the ``package.json`` of what is installed. Every file that is to be
run or loaded must be admitted, links resolved, and it is given by its path: node looks nothing up for us.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.toolchain_values import Compiler, Isolated, Toolchain

if TYPE_CHECKING:
    from ifacegen.adapter import Tools

#: Names under which the compiler is published, and those of the programs that it is.
_COMPILERS = {"typescript": "tsc", "@typescript/native-preview": "tsgo"}
_ISOLATED = {"oxc-transform": ""}
_NODES = ("node", "nodejs", "node.exe")
#: The first release that emits declarations without checking types.
_OLDEST = (5, 6)
#: The first release that is a program of its own.
_NATIVE = 7
#: Levels between a program and the package that it belongs to.
_LEVELS = 3
_MACHINES = {
    "x86_64": "x64",
    "amd64": "x64",
    "aarch64": "arm64",
    "armv7l": "arm",
    "i686": "ia32",
    "ppc64le": "ppc64",
    "loongarch64": "loong64",
}


class Search:
    """One look at what is installed."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._problems: dict[str, None] = {}
        #: Where compilers lie, and what is installed beside them.
        self._folders: dict[Path, None] = {}
        self._node = self._found_node()

    def found(self) -> Toolchain:
        """What there is."""
        compiler = self._compiler()
        isolated = self._isolated() if self._node is not None else None
        return Toolchain(compiler, isolated, tuple(self._problems))

    def _found_node(self) -> str | None:
        """The program itself: what version managers put on PATH looks for one, or downloads it."""
        path = self._tools.program("node")
        if path is None or (Path(path).name in _NODES and not _is_script(path)):
            return path
        self._complain(
            f"{path} is not node, but starts it: name what `node -p process.execPath` prints "
            "under `tools.node` in ifacegen.yaml"
        )
        return None

    # -- the compiler --------------------------------------------------------------------------------

    def _compiler(self) -> Compiler | None:
        """A native one before others."""
        packages = dict.fromkeys(self._compiler_packages())
        found = [each for package in packages if (each := self._made(package)) is not None]
        found.sort(key=lambda each: not each.is_native)
        return found[0] if found else None

    def _compiler_packages(self) -> Iterator[Path]:
        named = self._tools.configured("typescript")
        if named is not None:
            found = list(self._package_at(named))
            if not found:
                self._complain(
                    f"`tools.typescript` of ifacegen.yaml: there is no TypeScript package at {named}"
                )
            yield from found
            return
        for program in map(self._tools.program, _COMPILERS.values()):
            if program is not None:
                yield from self._package_at(program)
                # pnpm puts a script on PATH, and the package below the directory of that.
                yield from self._package_at(
                    Path(program).parent / "global" / "5" / "node_modules" / "typescript"
                )
        for folder in self._global_folders():
            yield from self._package_at(folder / "typescript")

    def _package_at(self, place: str | Path) -> Iterator[Path]:
        package = self._package_of(place, _COMPILERS)
        if package is not None:
            # Where links are followed to is not where they lie beside one another.
            self._folders.update({_modules(package): None, Path(place).parent: None})
            yield package

    def _made(self, package: Path) -> Compiler | None:
        name, version = _manifest(package)
        if _numbers(version) < _OLDEST:
            self._complain(
                f"typescript {version} at {package} is too old: 7 is best, 5.6 the oldest that will do"
            )
            return None
        if _numbers(version)[0] < _NATIVE:
            return self._script(package, version)
        return self._native(package, name, version)

    def _native(self, package: Path, name: str, version: str) -> Compiler | None:
        program = _COMPILERS[name] + (".exe" if os.name == "nt" else "")
        own = f"@typescript/{name.rpartition('/')[2]}-{system()}"
        for modules in (package / "node_modules", _modules(package)):
            path = modules / own / "lib" / program
            if self._admits(path) and path.is_file() and os.access(path, os.X_OK):
                real = path.resolve()
                return Compiler(version, (os.fspath(real),), real.parent)
        self._complain(f"typescript {version} at {package} has no program for {system()} ({own})")
        return None

    def _script(self, package: Path, version: str) -> Compiler | None:
        script = package / "lib" / "tsc.js"
        loaded = script.resolve().with_name("_tsc.js")  # by `tsc.js`, from 5.7 on
        if self._node is None:
            self._complain(f"typescript {version} at {package} needs node")
            return None
        if not self._admits(script) or (not self._admits(loaded) and os.path.lexists(loaded)):
            self._complain(f"typescript {version} at {package} is not complete")
            return None
        return Compiler(version, (self._node, os.fspath(script.resolve())), script.parent.resolve())

    # -- oxc -----------------------------------------------------------------------------------------

    def _isolated(self) -> Isolated | None:
        named = self._tools.configured("oxc-transform")
        if named is not None:
            package = self._package_of(named, _ISOLATED)
            if package is None:
                self._complain(f"`tools.oxc-transform` of ifacegen.yaml: there is no such package at {named}")
            return self._bound(package) if package is not None else None
        for folder in dict.fromkeys([*self._folders, *self._global_folders()]):
            package = self._package_of(folder / "oxc-transform", _ISOLATED)
            if package is not None:
                return self._bound(package)
        return None

    def _bound(self, package: Path) -> Isolated | None:
        """With the library that does the work: there is one for each kind of machine."""
        for modules in (package / "node_modules", _modules(package)):
            for suffix in _bindings():
                folder = modules / "@oxc-transform" / f"binding-{suffix}"
                path = folder / f"transform.{suffix}.node"
                if self._node is not None and self._admits(path) and self._admits(folder / "package.json"):
                    return Isolated(_manifest(folder)[1], self._node, os.fspath(path.resolve()))
        self._complain(f"oxc-transform at {package} has no library for {system()}")
        return None

    # -- looking -------------------------------------------------------------------------------------

    def _global_folders(self) -> list[Path]:
        """Where npm installs what is global to the node that there is."""
        if self._node is None:
            return []
        directory = Path(self._node).parent
        return [directory / "node_modules" if os.name == "nt" else directory.parent / "lib" / "node_modules"]

    def _package_of(self, path: str | Path, names: Mapping[str, str]) -> Path | None:
        """The directory of the package that a program or directory belongs to, if it is one of those."""
        place = Path(os.path.realpath(path))
        for folder in (place, *list(place.parents)[:_LEVELS]):
            if self._admits(folder / "package.json") and _manifest(folder)[0] in names:
                return folder
        return None

    def _admits(self, path: Path) -> bool:
        return self._tools.admits(os.fspath(path))

    def _complain(self, problem: str) -> None:
        self._problems[problem] = None


def _is_script(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _manifest(package: Path) -> tuple[str, str]:
    """Name and version; empty where there are none."""
    try:
        value = json.loads((package / "package.json").read_bytes())
        return str(value["name"]), str(value["version"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", ""


def _modules(package: Path) -> Path:
    """The ``node_modules`` that a package lies in."""
    folder = package.parent
    return folder.parent if folder.name.startswith("@") else folder


def _numbers(version: str) -> tuple[int, int]:
    major, _, rest = version.partition(".")
    minor = rest.partition(".")[0]
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else (0, 0)


def system() -> str:
    """How npm packages call this kind of machine: ``linux-x64``."""
    machine = platform.machine().lower()
    return f"{sys.platform}-{_MACHINES.get(machine, machine)}"


def _bindings() -> tuple[str, ...]:
    """Suffixes of the libraries that could be loaded here."""
    machine = system()
    libraries = ("gnu", "musl") if platform.libc_ver()[0] == "glibc" else ("musl", "gnu")
    return (*(f"{machine}-{each}" for each in libraries), machine, f"{machine}-msvc")
