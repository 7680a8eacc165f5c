"""Which files are modules of a package, under which names, and which never enter a view."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ifacegen.adapter import BuildContext, Tree
from ifacegen.model import Note, Package

NAME = "python"

_TEST_FILES = re.compile(r"(test_.*|.*_test|tests|conftest)\.pyi?\Z")
_BUILD_FILES = frozenset({"setup.py", "noxfile.py", "toxfile.py", "fabfile.py", "dodo.py"})
_GENERATED = re.compile(r".*_pb2(_grpc)?\.py\Z")
_VENDORED = frozenset({"_vendor", "vendor", "vendored", "_vendored", "third_party", "_external"})
_IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")


@dataclass(frozen=True, slots=True)
class SourceModule:
    """One importable module of the repository."""

    name: str
    path: str
    #: Whether it is a package (``__init__``), from whose name relative imports start.
    is_package: bool
    #: Whether it is an existing stub (``.pyi``), taken as it is.
    published: bool
    #: Path of the package that it belongs to.
    owner: str

    @property
    def is_public(self) -> bool:
        """Whether no part of its name is private."""
        return not any(part.startswith("_") for part in self.name.split("."))


@dataclass(frozen=True, slots=True)
class PackageModules:
    """The modules of one package."""

    modules: Mapping[str, SourceModule]
    #: Those of them that are stubs → the source that the stub describes, where there is one.
    described: Mapping[str, SourceModule]
    #: All files that count as its implementation.
    sources: tuple[str, ...]
    notes: tuple[Note, ...]


def package_modules(tree: Tree, package: Package, packages: Sequence[Package]) -> PackageModules:
    """The modules of a package by name; a stub goes before the module it describes."""
    nested = nested_paths(package, packages)
    modules: dict[str, SourceModule] = {}
    written: dict[str, SourceModule] = {}
    sources: dict[str, None] = {}
    generated: list[str] = []
    left_out: Counter[str] = Counter()
    for path, name in _candidates(tree, package, nested, left_out):
        if _GENERATED.match(path) and f"{path}i" not in tree:
            generated.append(path)
            continue
        if path.endswith(".py"):
            sources[path] = None
        stem = path.rpartition("/")[2].partition(".")[0]
        module = SourceModule(name, path, stem == "__init__", path.endswith(".pyi"), package.path)
        for table in (modules,) if module.published else (modules, written):
            known = table.get(name)
            if known is None or (module.published, module.is_package) > (known.published, known.is_package):
                table[name] = module
    described = {name: module for name, module in sorted(written.items()) if modules[name].published}
    notes = tuple(_notes(package, generated, left_out))
    return PackageModules(dict(sorted(modules.items())), described, tuple(sources), notes)


def _notes(package: Package, generated: list[str], left_out: Counter[str]) -> Iterator[Note]:
    if left_out:
        counted = ", ".join(f"{left_out[reason]} {reason}" for reason in sorted(left_out))
        yield Note("info", "left-out", f"files left out: {counted}", package.path)
    if generated:
        message = f"{len(generated)} generated modules left out (…_pb2.py without a stub); the .proto files are the interface"
        yield Note("info", "generated-left-out", message, generated[0])


def nested_paths(package: Package, packages: Sequence[Package]) -> tuple[str, ...]:
    """The directories, with a slash behind, of packages inside a package: their files are theirs."""
    prefix = "" if package.path == "." else f"{package.path}/"
    return tuple(f"{p.path}/" for p in packages if p.path != package.path and f"{p.path}/".startswith(prefix))


def _candidates(
    tree: Tree, package: Package, nested: tuple[str, ...], left_out: Counter[str]
) -> Iterator[tuple[str, str]]:
    """Every Python file of the package that may be interface, with its module name."""
    for project in package.projects:
        if project.adapter != NAME:
            continue
        for root in project.roots:
            below = "" if root.path in ("", ".") else f"{root.path}/"
            for path in tree.below(root.path):
                if not path.endswith((".py", ".pyi")) or path.startswith(nested):
                    continue
                relative = path[len(below) :]
                if not provides(root.names, relative):
                    continue
                name = module_name(relative)
                if reason := left_out_reason(relative, below, tree) or (
                    "" if name else "not importable by name"
                ):
                    left_out[reason] += 1
                elif name:
                    yield path, name


def provides(names: tuple[str, ...], relative: str) -> bool:
    """Whether a source root with these names provides a file, given relative to it."""
    if not names:
        return True
    bare = relative.rpartition(".")[0]
    return any(bare == name or bare.startswith((f"{name}/", f"{name}-stubs/")) for name in names)


def left_out_reason(relative: str, root: str, tree: Tree) -> str | None:
    """Why a file is never interface: tests, build files, vendored code. ``pkg/testing.py`` always is one."""
    *folders, file = relative.split("/")
    if not folders and file in _BUILD_FILES:
        return "build"
    if "tests" in folders or (_TEST_FILES.match(file) and "testing" not in folders):
        return "test"
    if not _VENDORED.isdisjoint(folders):
        return "vendored"
    outside = bool(folders) and folders[0] in ("test", "docs", "doc", "examples")
    return "test or documentation" if outside and f"{root}{folders[0]}/__init__.py" not in tree else None


def module_name(relative: str) -> str | None:
    """``pkg/sub/__init__.py`` → ``pkg.sub``; None where a part of the path is no identifier."""
    parts = relative.rpartition(".")[0].split("/")
    parts[0] = parts[0].removesuffix("-stubs")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) if parts and all(_IDENTIFIER.match(part) for part in parts) else None


def repository_modules(context: BuildContext) -> Mapping[str, SourceModule]:
    """Module name → module, for every Python package of the repository; the first path wins a clash."""
    table: dict[str, SourceModule] | None = context.shared.get("python.modules")
    if table is None:
        table = {}
        for package in context.packages:
            found = package_modules(context.tree, package, context.packages)
            for name, module in found.modules.items():
                table.setdefault(name, module)
        context.shared["python.modules"] = table
    return table
