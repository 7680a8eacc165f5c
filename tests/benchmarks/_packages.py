"""The Python packages of a repository, with their files: asked of the library, in a process of its own."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._processes import run


@dataclass(frozen=True, slots=True)
class Listed:
    """One package; paths are relative to the repository."""

    path: str
    #: What it installs: top-level folders and single files.
    roots: tuple[str, ...]
    #: The files whose interface its view shows.
    modules: tuple[str, ...]
    #: Bytes of these files.
    size: int


@dataclass(frozen=True, slots=True)
class Packages:
    """The Python packages of a repository, by path."""

    python: tuple[Listed, ...]
    #: Whether there are no others.
    complete: bool


def list_packages(repository: Path) -> Packages:
    """Every package with Python in it."""
    rows, number = json.loads(run([sys.executable, __file__, repository]).checked().stdout)
    found = tuple(Listed(path, tuple(roots), tuple(modules), size) for path, roots, modules, size in rows)
    return Packages(found, len(found) == number)


def _rows(repository: str) -> tuple[list[tuple[object, ...]], int]:
    from ifacegen import Workspace
    from ifacegen.model import Package
    from ifacegen_adapters.python.modules import NAME, package_modules

    workspace = Workspace.open(repository)
    tree, packages = workspace.tree(), workspace.packages()

    def roots(package: Package) -> list[str]:
        named = [
            "/".join(part for part in (root.path, name) if part)
            for project in package.projects
            if project.adapter == NAME
            for root in project.roots
            for name in root.names or ("",)
        ]
        forms = ([each, f"{each}.py", f"{each}.pyi"] for each in named)
        return [form for three in forms for form in three if (workspace.root / form).exists()]

    def row(package: Package) -> tuple[object, ...]:
        modules = [each.path for each in package_modules(tree, package, packages).modules.values()]
        size = sum((workspace.root / each).stat().st_size for each in modules)
        return package.path, roots(package), modules, size

    return [row(each) for each in packages if NAME in each.kinds], len(packages)


if __name__ == "__main__":
    json.dump(_rows(sys.argv[1]), sys.stdout)
