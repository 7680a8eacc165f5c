"""Where a Python project keeps its modules and under which names callers import them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ifacegen.model import SourceRoot
from ifacegen_adapters.python.stated import Layout

_SUFFIXES = (".py", ".pyi")
#: Names that setuptools' automatic discovery takes for something else than the package.
_NOT_PACKAGES = frozenset({
    "ci", "bin", "debian", "doc", "docs", "documentation", "manpages", "news", "newsfragments",
    "changelog", "test", "tests", "unit_test", "unit_tests", "testing", "integration_tests", "e2e",
    "example", "examples", "sample", "samples", "demo", "demos", "script", "scripts", "tool", "tools",
    "util", "utils", "python", "build", "benchmark", "benchmarks", "bench", "exercise", "exercises",
    "htmlcov", "dist", "venv", "env", "requirements", "typings", "extra", "extras", "downstream",
    "node_modules", "vendor", "third_party",
})  # fmt: skip
_NOT_MODULES = frozenset({
    "setup", "conftest", "test", "tests", "example", "examples", "build", "toxfile", "noxfile",
    "pavement", "dodo", "tasks", "fabfile", "conanfile", "manage", "benchmark", "benchmarks",
    "exercise", "exercises", "hatch_build", "pdm_build", "__init__", "__main__",
})  # fmt: skip
#: Levels of namespace that are followed; real ones have four.
_DEEPEST = 16
_TESTS = frozenset({"test", "tests", "conftest", "setup"})


@dataclass(slots=True)
class _Folder:
    """A directory that holds Python somewhere below it."""

    folders: dict[str, _Folder]
    modules: set[str]

    @property
    def is_regular(self) -> bool:
        """Whether it is a package with an ``__init__``."""
        return "__init__" in self.modules

    def at(self, path: str) -> _Folder | None:
        """The folder at a relative path."""
        folder: _Folder | None = self
        for part in path.split("/") if path else ():
            folder = folder.folders.get(part) if folder else None
        return folder

    def holds(self, path: str) -> bool:
        """Whether there is a folder or module at a relative path."""
        parent = self.at(path.rpartition("/")[0])
        name = path.rpartition("/")[2]
        return parent is not None and (name in parent.folders or name in parent.modules)


@dataclass(frozen=True, slots=True)
class Modules:
    """What a project provides."""

    roots: tuple[SourceRoot, ...] = ()
    import_names: tuple[str, ...] = ()


def find_modules(files: Iterable[str], directory: str, layout: Layout, name: str | None) -> Modules:
    """The source roots and import names of a project.

    Args:
        files: Repository paths below the project, those of nested projects left out.
        directory: The project's directory, ``""`` for the repository.
        layout: What its build backend is told.
        name: Its published name.
    """
    top = _tree(files, len(directory) + 1 if directory else 0)
    return _modules(top, directory, _places(top, layout, name))


def _tree(files: Iterable[str], prefix: int) -> _Folder:
    top = _Folder({}, set())
    for path in files:
        if not path.endswith(_SUFFIXES):
            continue
        *folders, file = path[prefix:].split("/")
        folder = top
        for part in folders:
            folder = folder.folders.setdefault(part, _Folder({}, set()))
        folder.modules.add(file.rpartition(".")[0])
    return top


def _modules(top: _Folder, directory: str, places: Sequence[tuple[str, str]]) -> Modules:
    """Source roots with their names, and the import names, of (root, name) pairs."""
    by_root: dict[str, dict[str, None]] = {}
    imports: dict[str, None] = {}
    for root, name in places:
        by_root.setdefault(root, {})[name] = None
        folder = top.at(root)
        if folder is not None:
            imports.update(dict.fromkeys(_import_names(folder, name)))
    roots = tuple(
        SourceRoot("/".join(part for part in (directory, root) if part), tuple(sorted(names)))
        for root, names in sorted(by_root.items())
    )
    return Modules(roots, tuple(sorted(imports)))


def _import_names(root: _Folder, path: str) -> Iterator[str]:
    """Down through namespace levels to regular packages and to modules."""
    top, separator, rest = path.replace("/", ".").partition(".")
    yield from _regular_names(root.at(path), top.removesuffix("-stubs") + separator + rest, _DEEPEST)


def _regular_names(folder: _Folder | None, dotted: str, depth: int) -> Iterator[str]:
    if folder is None or folder.is_regular or depth == 0:
        yield dotted
        return
    for name in sorted(folder.modules):
        yield f"{dotted}.{name}"
    for name, below in sorted(folder.folders.items()):
        if name.isidentifier():
            yield from _regular_names(below, f"{dotted}.{name}", depth - 1)


# -- which names --------------------------------------------------------------------------------------


def _places(top: _Folder, layout: Layout, name: str | None) -> list[tuple[str, str]]:
    """(root, name) of everything the project provides: as configured, else as found."""
    explicit = [pair for root, each in layout.explicit for pair in _explicit(top, root, each)]
    if explicit:
        return explicit
    for wanted in layout.anywhere:
        for root in ("src", ""):
            if _holds(top, root, wanted):
                return [(root, wanted), *_stubs(top, root, wanted)]
    if layout.where:
        found = [(root, each) for root in layout.where for each in _searched(top.at(root), layout)]
        if found:
            return found
    return _found(top, layout, name)


def _explicit(top: _Folder, root: str, name: str) -> list[tuple[str, str]]:
    if not name:
        return [(root, each) for each in _searched(top.at(root), Layout())]
    return [(root, name), *_stubs(top, root, name)] if _holds(top, root, name) else []


def _holds(top: _Folder, root: str, name: str) -> bool:
    folder = top.at(root)
    return folder is not None and folder.holds(name)


def _stubs(top: _Folder, root: str, name: str) -> list[tuple[str, str]]:
    stubs = name.partition("/")[0] + "-stubs"
    return [(root, stubs)] if _holds(top, root, stubs) else []


def _found(top: _Folder, layout: Layout, name: str | None) -> list[tuple[str, str]]:
    """Without a word from the backend: ``src`` if it holds Python, else beside the project file."""
    source = top.folders.get("src")
    named = _named(top, name) if not layout.everything else []
    if source is not None and not source.is_regular and not named:
        return [("src", each) for each in _searched(source, layout)]
    if named:
        return [("", each) for each in named]
    return [("", each) for each in _flat(top, layout, name)]


def _searched(folder: _Folder | None, layout: Layout) -> list[str]:
    """All names in a directory that is there for nothing but sources."""
    if folder is None:
        return []
    names = [*(each for each in folder.folders if _importable(each)), *(folder.modules - _NOT_MODULES)]
    chosen = _matching(folder, sorted(dict.fromkeys(names)), layout)
    return [each for each in chosen if each not in _TESTS and not each.startswith("test_")] or chosen


def _flat(top: _Folder, layout: Layout, name: str | None) -> list[str]:
    """The names beside a project file, among all the other things that lie there."""
    asked = bool(layout.include)
    candidates = [
        each for each in sorted(top.folders) if _importable(each) and (asked or not _is_other(each))
    ]
    packages = [each for each in candidates if _has_regular(top.folders[each])]
    chosen = _matching(top, packages, layout) or _matching(top, candidates, layout)
    named = [each for each in sorted(top.modules - _NOT_MODULES) if name and _fold(each) == _fold(name)]
    if chosen or named:
        return [*chosen, *(each for each in named if each not in chosen)]
    return [each for each in sorted(top.modules - _NOT_MODULES) if each.isidentifier()]


def _named(top: _Folder, name: str | None) -> list[str]:
    """The package or module beside the project file that is named like the distribution, with its stubs."""
    if not name:
        return []
    wanted = _fold(name)
    for path, folder in _namespace_walk(top, ""):
        if _fold(path.removesuffix("-stubs")) == wanted and (folder.is_regular or "/" not in path):
            return [path, *(stub for _, stub in _stubs(top, "", path))]
    return [each for each in sorted(top.modules) if _fold(each) == wanted and each not in _NOT_MODULES]


def _namespace_walk(folder: _Folder, path: str, depth: int = 4) -> Iterator[tuple[str, _Folder]]:
    for name, below in sorted(folder.folders.items()):
        here = f"{path}/{name}" if path else name
        if name == "src" and not path:
            continue
        yield here, below
        if depth and not below.is_regular and (path or not _is_other(name)):
            yield from _namespace_walk(below, here, depth - 1)


def _matching(root: _Folder, names: Sequence[str], layout: Layout, depth: int = _DEEPEST) -> list[str]:
    """Names that setuptools' ``include`` and ``exclude`` let through; below namespaces, the parts that do."""
    if not layout.include and not layout.exclude:
        return list(names)
    found: list[str] = []
    for name in names:
        dotted = name.replace("/", ".")
        if _let_through(dotted, layout):
            found.append(name)
            continue
        folder = root.at(name)
        if folder is not None and not folder.is_regular and depth:
            found += _matching(root, [f"{name}/{each}" for each in sorted(folder.folders)], layout, depth - 1)
    return found


def _let_through(dotted: str, layout: Layout) -> bool:
    included = not layout.include or any(fnmatch.fnmatchcase(dotted, each) for each in layout.include)
    return included and not any(fnmatch.fnmatchcase(dotted, each) for each in layout.exclude)


def _has_regular(folder: _Folder, depth: int = 6) -> bool:
    if folder.is_regular:
        return True
    return depth > 0 and any(_has_regular(each, depth - 1) for each in folder.folders.values())


def _importable(name: str) -> bool:
    return name.removesuffix("-stubs").isidentifier()


def _is_other(name: str) -> bool:
    return name.lower() in _NOT_PACKAGES or name.startswith(("test_", "_"))


def _fold(name: str) -> str:
    return re.sub(r"[-_./\s]+", "-", name).lower()
