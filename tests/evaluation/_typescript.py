"""npm packages that TypeScript views are measured on: pinned, installed once, laid out as monorepos and as projects.

Nothing here measures anything. What is installed is read by the compiler of ``typescript/package.json`` and never
run, but for the peers' commands.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "typescript"
#: Packages whose names and types are held against the compiler's.
SUBJECTS = ("zod", "hono", "rxjs", "@trpc/server", "type-fest", "@types/node")
#: More packages of the monorepo, for what is timed and counted.
OTHERS = (
    "@hookform/resolvers", "@reduxjs/toolkit", "@tanstack/query-core", "@tanstack/react-query", "@trpc/client",
    "@trpc/react-query", "@types/react", "observable-hooks", "react-hook-form", "redux", "redux-observable", "rxjs-etc",
)  # fmt: skip
#: Those that ship their sources, and what their builds say of ``outDir`` (npm's tarballs lack the ``tsconfig.json``).
SOURCES: Mapping[str, Mapping[str, str]] = {
    "zod": {"rootDir": "src", "outDir": "."},
    "rxjs": {"rootDir": "src", "outDir": "dist/types"},
    "@trpc/server": {"rootDir": "src", "outDir": "dist"},
    "@tanstack/query-core": {"rootDir": "src", "outDir": "build/modern"},
    "@trpc/client": {"rootDir": "src", "outDir": "dist"},
    "@trpc/react-query": {"rootDir": "src", "outDir": "dist"},
    "@tanstack/react-query": {"rootDir": "src", "outDir": "build/modern"},
    "@reduxjs/toolkit": {"rootDir": "src", "outDir": "dist"},
    "observable-hooks": {"rootDir": "src", "outDir": "dist"},
    "redux-observable": {"rootDir": "src", "outDir": "dist/types"},
    "rxjs-etc": {"rootDir": "source", "outDir": "dist"},
}
#: Its package has no sources; what is built is JavaScript, whose declarations are made of it.
JAVASCRIPT = ("hono",)
#: Tool → its folder in the installation.
_TOOLCHAIN = {"typescript": "typescript7", "oxc-transform": "oxc-transform"}
#: Of an installation, what no project needs.
_TOOLS = (
    "typescript",
    "typescript7",
    "@typescript",
    "repomix",
    "oxc-transform",
    "@oxc-transform",
    "web-tree-sitter",
    "gpt-tokenizer",
)
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".map")
#: Counted up when something here changes what lies where.
_LAYOUT = 4


def folder_of(name: str) -> str:
    """``trpc-server`` of ``@trpc/server``."""
    return name.lstrip("@").replace("/", "-")


@dataclass(frozen=True)
class Installed:
    """The folder that holds the installation, and what is made of it."""

    home: Path

    @property
    def pins(self) -> Mapping[str, str]:
        """Package → version."""
        found: dict[str, str] = json.loads((_FOLDER / "package.json").read_bytes())["dependencies"]
        return found

    @cached_property
    def node(self) -> Path:
        """The folder with ``node_modules``."""
        return self._once("node", (_FOLDER / "package.json").read_text(encoding="utf-8"), self._install)

    @property
    def modules(self) -> Path:
        """All that is installed."""
        return self.node / "node_modules"

    @cached_property
    def shipped(self) -> Path:
        """A monorepo of the packages as they are shipped."""
        return self._once("shipped", repr((_LAYOUT, SUBJECTS, OTHERS, self.pins)), self._lay_out_shipped)

    @cached_property
    def unbuilt(self) -> Path:
        """A monorepo of their sources alone, with the toolchain named in ``ifacegen.yaml``."""
        made = (_LAYOUT, SOURCES, JAVASCRIPT, self.pins)
        return self._once("unbuilt", repr(made), self._lay_out_unbuilt)

    @cached_property
    def unbuilt_alone(self) -> Path:
        """The same without a toolchain named."""
        made = (_LAYOUT, SOURCES, JAVASCRIPT, self.pins)
        return self._once(
            "unbuilt-alone", repr(made), lambda target: self._lay_out_unbuilt(target, named=False)
        )

    def command(self, name: str) -> Path:
        """A peer's command."""
        return self.modules / ".bin" / name

    def project(self, folder: Path, copied: Sequence[str] = ()) -> Path:
        """A folder with a ``node_modules`` of its own; files are links to the installation's, but for some packages."""
        shutil.rmtree(folder, ignore_errors=True)
        skipped = {str(self.modules / each) for each in (*_TOOLS, *copied)}

        def ignore(path: str, names: list[str]) -> list[str]:
            return [each for each in names if f"{path}/{each}" in skipped or each == ".bin"]

        shutil.copytree(self.modules, folder / "node_modules", copy_function=_link, ignore=ignore)
        return folder

    def _install(self, target: Path) -> None:
        shutil.copy(_FOLDER / "package.json", target / "package.json")
        flags = (
            "--silent",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--ignore-scripts",
            "--legacy-peer-deps",
        )
        run(["npm", "install", *flags], target)

    def _lay_out_shipped(self, target: Path) -> None:
        for name in (*SUBJECTS, *OTHERS):
            shutil.copytree(self.modules / name, target / "packages" / folder_of(name), ignore=_nested)
        self._commit(target)

    def _lay_out_unbuilt(self, target: Path, *, named: bool = True) -> None:
        for name in (*SOURCES, *JAVASCRIPT):
            package = target / "packages" / folder_of(name)
            left_out = _unbuilt if name in SOURCES else _undeclared
            shutil.copytree(self.modules / name, package, ignore=left_out)
            if options := SOURCES.get(name):
                for each in package.glob("tsconfig*.json"):
                    each.unlink()
                config = {
                    "compilerOptions": {"strict": True, "target": "es2022", "jsx": "react-jsx", **options},
                    "include": [options["rootDir"]],
                }
                (package / "tsconfig.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
        tools = {name: self.modules / folder for name, folder in _TOOLCHAIN.items()}
        lines = "".join(f"  {name}: {path}\n" for name, path in tools.items())
        self._commit(target, f"tools:\n{lines}" if named else "")

    def _commit(self, target: Path, tools: str = "") -> None:
        (target / "ifacegen.yaml").write_text(
            f'version: 1\npackages: ["packages/*"]\n{tools}', encoding="utf-8"
        )
        (target / "package.json").write_text(
            '{"private": true, "workspaces": ["packages/*"]}\n', encoding="utf-8"
        )
        git = ["git", "-C", str(target)]
        run([*git, "init", "-q"])
        run([*git, "add", "-A", "-f"])
        run([*git, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "As shipped"])

    def _once(self, name: str, wanted: str, make: Callable[[Path], None]) -> Path:
        stamp, target = self.home / f"{name}.pins", self.home / name
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
            print(f"{name} …", file=sys.stderr)
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            make(target)
            stamp.write_text(wanted, encoding="utf-8")
        return target


def installed(cache: Path) -> Installed:
    """Where the installation of an evaluation folder is."""
    return Installed(cache.resolve() / "typescript")


def asked(program: str, **values: Any) -> Any:
    """What one of the programs in ``typescript/`` answers."""
    with tempfile.TemporaryDirectory(prefix="ifacegen-asked-") as temporary:
        question, answer = Path(temporary, "in.json"), Path(temporary, "out.json")
        question.write_text(json.dumps(values, default=str), encoding="utf-8")
        heap = "--max-old-space-size=6000"
        run(["node", heap, _FOLDER / f"{program}.mjs", question, answer])
        return json.loads(answer.read_bytes())


def ifacegen(
    repository: Path, *words: str | Path, cache: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The command, with a cache of its own."""
    folder = cache or Path(tempfile.gettempdir(), "ifacegen-no-cache")
    command = [sys.executable, "-m", "ifacegen", "-C", repository, "--cache-dir", folder, *words]
    return subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)


@contextmanager
def without_node() -> Iterator[None]:
    """A PATH with git on it and nothing else."""
    before = os.environ["PATH"]
    with tempfile.TemporaryDirectory(prefix="ifacegen-path-") as alone:
        Path(alone, "git").symlink_to(shutil.which("git") or "git")
        os.environ["PATH"] = alone
        try:
            yield
        finally:
            os.environ["PATH"] = before


def run(command: Sequence[str | Path], folder: Path | None = None) -> None:
    """A command that must succeed."""
    done = subprocess.run(list(map(str, command)), check=False, cwd=folder, capture_output=True)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace")
        raise SystemExit(f"exit code {done.returncode}: {' '.join(map(str, command))}\n{said}")


def _link(source: str, target: str) -> None:
    os.link(source, target)


def _nested(path: str, names: list[str]) -> list[str]:
    return [each for each in names if each == "node_modules"]


def _unbuilt(path: str, names: list[str]) -> list[str]:
    """What a build makes: declarations and JavaScript; and what is not source."""
    return [each for each in names if each == "node_modules" or each.endswith((*_DECLARATIONS, *_JAVASCRIPT))]


def _undeclared(path: str, names: list[str]) -> list[str]:
    return [each for each in names if each == "node_modules" or each.endswith((*_DECLARATIONS, ".map"))]
