"""Plain stubgen, and what a type checker lets callers import from a tree of stubs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path


def run_stubgen(folders: Iterable[Path], output: Path, *options: str) -> bool:
    """``stubgen -o OUTPUT FOLDER…``; whether it went through all of it."""
    # A compiled module cannot be run with -m.
    program = [sys.executable, "-c", "from mypy.stubgen import main; main()"]
    command = [*program, *options, "-q", "-o", str(output), *(str(each.resolve()) for each in folders)]
    # It runs in its output folder, where the cache that it writes is thrown away, and none is found.
    return subprocess.run(command, check=False, capture_output=True, cwd=output).returncode == 0


class StubTree:
    """A folder of stubs, read by the rules of PEP 484 for what a stub re-exports."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def names(self, module: str) -> frozenset[str]:
        """Public names of a module, and its submodules."""
        stub = self._stub(module, ())
        return stub.exported | self._submodules(module) if stub else frozenset()

    def members(self, module: str, qualname: str) -> frozenset[str]:
        """What the stub of a module says that a class has."""
        stub = self._stub(module, ())
        nodes: list[ast.stmt] = list(_statements(stub.body)) if stub else []
        for part in qualname.split("."):
            classes = [each for each in nodes if isinstance(each, ast.ClassDef) and each.name == part]
            nodes = [each for found in classes for each in _statements(found)]
        return frozenset(name for node in nodes for name in _defined(node))

    def _submodules(self, module: str) -> frozenset[str]:
        folder = self.root / module.replace(".", "/")
        below = (each.stem if each.is_file() else each.name for each in folder.glob("*"))
        return frozenset(name for name in below if name[0] != "_")

    def _stub(self, module: str, above: tuple[str, ...]) -> _Stub | None:
        base = self.root / module.replace(".", "/")
        for path in (base / "__init__.pyi", base.with_suffix(".pyi")):
            if path.is_file() and module not in above:
                return _Stub(self, module, path, (*above, module))
        return None

    def starred(self, module: str, above: tuple[str, ...]) -> frozenset[str]:
        """What ``from module import *`` binds in the stub that stands last in ``above``."""
        stub = self._stub(module, above)
        return stub.exported if stub else frozenset()


class _Stub:
    def __init__(self, tree: StubTree, module: str, path: Path, above: tuple[str, ...]) -> None:
        self._tree = tree
        self._above = above
        self._package = module if path.name == "__init__.pyi" else module.rpartition(".")[0]
        self.body = _parsed(path)

    @cached_property
    def exported(self) -> frozenset[str]:
        bound = dict(self._bound())
        listed = self._listed()
        if listed is not None:
            return frozenset(listed) & bound.keys()
        return frozenset(name for name, explicit in bound.items() if explicit and name[0] != "_")

    def _listed(self) -> list[str] | None:
        found: list[str] | None = None
        for node in ast.walk(self.body):
            targets = [node.target] if isinstance(node, ast.AugAssign) else getattr(node, "targets", [])
            if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
                strings = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                found = [*(found or []), *(each for each in strings if isinstance(each, str))]
        return found

    def _bound(self) -> Iterator[tuple[str, bool]]:
        """Names, and whether they are the module's to give away."""
        for node in _statements(self.body):
            yield from ((name, True) for name in _defined(node))
            if isinstance(node, ast.Import):
                yield from (
                    (each.asname or each.name.partition(".")[0], each.asname == each.name)
                    for each in node.names
                )
            elif isinstance(node, ast.ImportFrom):
                yield from self._imported(node)

    def _imported(self, node: ast.ImportFrom) -> Iterator[tuple[str, bool]]:
        for each in node.names:
            if each.name == "*":
                names = self._tree.starred(self._source(node), self._above)
                yield from ((name, True) for name in names)
            else:
                yield each.asname or each.name, each.asname == each.name

    def _source(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._package.split(".")
        base = parts[: len(parts) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])


@cache
def _parsed(path: Path) -> ast.Module:
    """A stub's tree; an empty one where it is no Python."""
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError:
        return ast.Module([], [])


def _statements(node: ast.Module | ast.ClassDef | ast.If | ast.Try) -> Iterator[ast.stmt]:
    for each in (*node.body, *getattr(node, "orelse", ())):
        if isinstance(each, ast.If | ast.Try):
            yield from _statements(each)
        else:
            yield each


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (each.id for each in targets if isinstance(each, ast.Name))
