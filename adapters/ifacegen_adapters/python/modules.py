"""Which files are modules of a package, under which names, and which never enter a view."""

from __future__ import annotations

import re
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
    #: All files that count as its implementation.
    sources: tuple[str, ...]
    notes: tuple[Note, ...]


def package_modules(tree: Tree, package: Package, packages: Sequence[Package]) -> PackageModules:
    """The modules of a package by name; a stub goes before the module it describes."""
    nested = _nested_paths(package, packages)
    modules: dict[str, SourceModule] = {}
    sources: dict[str, None] = {}
    generated: list[str] = []
    for path, name in _candidates(tree, package, nested):
        if _GENERATED.match(path) and f"{path}i" not in tree:
            generated.append(path)
            continue
        if path.endswith(".py"):
            sources[path] = None
        stem = path.rpartition("/")[2].partition(".")[0]
        module = SourceModule(name, path, stem == "__init__", path.endswith(".pyi"), package.path)
        known = modules.get(name)
        if known is None or (module.published, module.is_package) > (known.published, known.is_package):
            modules[name] = module
    return PackageModules(dict(sorted(modules.items())), tuple(sources), tuple(_generated_notes(generated)))


def _generated_notes(paths: list[str]) -> Iterator[Note]:
    if paths:
        message = f"{len(paths)} generated modules left out (…_pb2.py without a stub); the .proto files are the interface"
        yield Note("info", "generated-left-out", message, paths[0])


def _nested_paths(package: Package, packages: Sequence[Package]) -> tuple[str, ...]:
    prefix = "" if package.path == "." else f"{package.path}/"
    return tuple(f"{p.path}/" for p in packages if p.path != package.path and f"{p.path}/".startswith(prefix))


def _candidates(tree: Tree, package: Package, nested: tuple[str, ...]) -> Iterator[tuple[str, str]]:
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
                if not _provides(root.names, relative) or _left_out(relative, below, tree):
                    continue
                if name := module_name(relative):
                    yield path, name


def _provides(names: tuple[str, ...], relative: str) -> bool:
    if not names:
        return True
    bare = relative.rpartition(".")[0]
    return any(bare == name or bare.startswith((f"{name}/", f"{name}-stubs/")) for name in names)


def _left_out(relative: str, root: str, tree: Tree) -> bool:
    """Tests, build files and vendored code are never interface; ``pkg/testing.py`` always is."""
    *folders, file = relative.split("/")
    if (_TEST_FILES.match(file) and "testing" not in folders) or (not folders and file in _BUILD_FILES):
        return True
    if any(folder == "tests" or folder in _VENDORED for folder in folders):
        return True
    outside = bool(folders) and folders[0] in ("test", "docs", "doc", "examples")
    return outside and f"{root}{folders[0]}/__init__.py" not in tree


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
