"""mypy and stubtest as measuring instruments: run on trees of sources or stubs, their messages as values.

They run in a virtual environment that has all that is installed (``packages.TYPED``) but the code of the package
under test: mypy would look there for every module that a tree of stubs lacks. They have no configuration but what
is given here, and keep no cache: a tree at the same path is another tree tomorrow.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import tempfile
import tokenize
import venv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ifacegen import Workspace
from ifacegen.model import View

_FLAGS = (
    *("--config-file=", "--cache-dir=/dev/null", "--explicit-package-bases", "--namespace-packages"),
    *("--no-error-summary", "--hide-error-context", "--output=json"),
)
#: What silences mypy in a source: on a line, or for a file.
_SILENCER = re.compile(r"#\s*(?:type:\s*ignore\b(?:\[[^\]\n]*\])?|mypy:[^\n]*|noqa[^\n]*)")
#: ``pkg.module.Name`` in quotes: where a name lives differs between a source and its view.
_DOTTED = re.compile(r"\b(?:\w+\.)+(\w+)")
_SUFFIXES = (".py", ".pyi")
#: Run by the interpreter that doesn't have the package: lets it be imported, where mypy doesn't look.
_STUBTEST = """
import sys
from importlib.machinery import PathFinder
from mypy.stubtest import main
folder = sys.argv.pop(1)
class Finder:
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [folder]) if path is None else None
sys.meta_path.append(Finder)
sys.exit(main())
"""


class RefusedError(Exception):
    """mypy or stubtest gave up: a tree that is no Python, or a crash. Carries its last words."""


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """One error of mypy."""

    path: str
    line: int
    code: str
    text: str

    @property
    def plain(self) -> str:
        """Its text without the modules that names are qualified by."""
        return _DOTTED.sub(r"\1", self.text)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding of stubtest: an object's dotted name, and what is said of it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Mypy:
    """mypy, in an environment that lacks the package under test."""

    python: Path

    def check(self, root: Path, *options: str, search: Sequence[Path] = ()) -> tuple[Message, ...]:
        """The errors in the modules below a folder, sorted; its own modules are found first, then ``search``."""
        found = self._run(["-m", "mypy", *_FLAGS, *options, "."], root, [root, *search])
        rows = [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]
        return tuple(
            sorted(
                Message(row["file"].removeprefix("./"), row["line"], row["code"] or "", row["message"])
                for row in rows
                # Modules elsewhere are not asked about, but what is wrong in stubs is always said.
                if row["severity"] == "error" and not Path(row["file"]).is_absolute()
            )
        )

    def stubtest(self, root: Path, sources: Path, modules: Iterable[str]) -> tuple[Finding, ...]:
        """What stubtest says of modules whose stubs lie below a folder, and which are imported from another."""
        with tempfile.TemporaryDirectory() as folder:
            # It refuses stubs that mypy has anything against; that is measured apart.
            config = Path(folder) / "mypy.ini"
            config.write_text("[mypy]\nignore_errors = True\n", encoding="utf-8")
            options = ["--concise", "--mypy-config-file", str(config), *modules]
            found = self._run(["-c", _STUBTEST, str(sources.resolve()), *options], Path(folder), [root])
        parts = (line.partition(" ") for line in found.stdout.splitlines() if line.strip())
        return tuple(sorted(Finding(name, text) for name, _, text in parts))

    def _run(
        self, arguments: list[str], folder: Path, search: Sequence[Path]
    ) -> subprocess.CompletedProcess[str]:
        places = os.pathsep.join(str(each.resolve()) for each in search)
        environment = {**os.environ, "MYPYPATH": places, "PYTHONDONTWRITEBYTECODE": "1"}
        found = subprocess.run(
            [str(self.python), *arguments],
            cwd=folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )
        if found.returncode not in (0, 1) or "not checking stubs" in found.stdout + found.stderr:
            raise RefusedError(found.stderr[-2000:] or found.stdout[-2000:])
        return found


@contextmanager
def hiding(package: Path, python: Path) -> Iterator[Mypy]:
    """mypy, in an environment that has what an interpreter's has, but not the modules of a package."""
    installed = _site_packages(python.parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve() / "environment"
        venv.create(home, with_pip=False, symlinks=os.name != "nt")
        _link(installed, _site_packages(home), package)
        yield Mypy(home / python.parent.name / python.name)


def _site_packages(environment: Path) -> Path:
    return next(environment.glob("[Ll]ib*/**/site-packages"))


def _link(source: Path, target: Path, hidden: Path) -> None:
    target.mkdir(exist_ok=True)
    for entry in source.iterdir():
        other = hidden / entry.name
        # A folder without __init__ belongs to several distributions.
        if other.is_dir() and not any((other / f"__init__{suffix}").exists() for suffix in _SUFFIXES):
            _link(entry, target / entry.name, other)
        elif not other.exists():
            (target / entry.name).symlink_to(entry)


class Tree:
    """A folder of sources or stubs, asked what is declared at a line."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, _File] = {}

    def declared_at(self, message: Message) -> frozenset[str]:
        """Qualified names that a message is about; none for what stands in no declaration."""
        if message.path not in self._files:
            self._files[message.path] = _File((self._root / message.path).read_text(encoding="utf-8"))
        return self._files[message.path].declared_at(message.line)


class _File:
    def __init__(self, text: str) -> None:
        self._text = text

    def declared_at(self, line: int) -> frozenset[str]:
        spans = [(end - start, name) for start, end, name in self._spans if start <= line <= end]
        if not spans:
            return frozenset()
        smallest = min(size for size, _ in spans)
        inner = {name for size, name in spans if size == smallest}
        # An assignment to ``self.x`` is about the attribute as much as about the method it stands in.
        methods = {name for _, name in spans if name in self._functions}
        return frozenset(inner | methods)

    @cached_property
    def _functions(self) -> frozenset[str]:
        return frozenset(
            name for node, name in self._nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )

    @cached_property
    def _spans(self) -> list[tuple[int, int, str]]:
        return [(_first_line(node), node.end_lineno or node.lineno, name) for node, name in self._nodes]

    @cached_property
    def _nodes(self) -> list[tuple[ast.stmt, str]]:
        return list(_declared(ast.parse(self._text), ""))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _declared(node: ast.AST, above: str) -> Iterator[tuple[ast.stmt, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield child, f"{above}{child.name}"
            inner = f"{above}{child.name}." if isinstance(child, ast.ClassDef) else above
            yield from _declared(child, inner)
        elif isinstance(child, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            yield from ((child, f"{above}{name}") for each in targets for name in _bound(each))
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _declared(child, above)


def _bound(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        yield target.attr
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _bound(each)


def write_stubs(workspace: Workspace, view: View, target: Path) -> int:
    """Write a view's stubs, as ``show --format stub`` does; how many."""
    stubs: Mapping[str, str] = workspace.stubs(view)
    for path, text in stubs.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text, encoding="utf-8")
    return len(stubs)


def copy_unsilenced(source: Path, target: Path) -> None:
    """Copy a folder of sources without the comments by which they silence mypy."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    for path in target.rglob("*"):
        if path.suffix in _SUFFIXES and path.is_file():
            path.write_text(_unsilenced(path.read_text(encoding="utf-8")), encoding="utf-8")


def _unsilenced(text: str) -> str:
    """A source with those comments emptied; strings that look like them are left alone."""
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(iter(lines).__next__):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            line = lines[row - 1]
            lines[row - 1] = line[:column] + _SILENCER.sub("#", line[column:])
    return "".join(lines)
