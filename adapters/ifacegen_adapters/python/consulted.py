"""What a view depends on outside its package: the modules it looked for, and what must not come between."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ifacegen.adapter import BuildContext, Tree
from ifacegen.model import Package
from ifacegen_adapters.python.compile import Compiler
from ifacegen_adapters.python.modules import (
    NAME,
    SourceModule,
    left_out_reason,
    nested_paths,
    provides,
    repository_modules,
)

#: Module name → the module, or None where no other package of the repository has it.
Found: TypeAlias = Mapping[str, SourceModule | None]

#: The files that a module may be, with their rank: stubs go before sources, packages before modules.
_FORMS = (
    (".py", (False, False)),
    ("/__init__.py", (False, True)),
    (".pyi", (True, False)),
    ("/__init__.pyi", (True, True)),
)
#: Levels of namespace packages that import names are looked for in.
_DEEPEST = 12


def consulted_module(context: BuildContext, name: str) -> SourceModule | None:
    """The module of that name in another package than the one that is built."""
    found = repository_modules(context).get(name)
    return found if found is not None and found.owner != context.package.path else None


def answers(compiler: Compiler, found: Found) -> dict[str, tuple[str, str] | None]:
    """Each module as its path and blob id, by name."""
    return {
        name: (module.path, compiler.blob(module.path)) if module is not None else None
        for name, module in sorted(found.items())
    }


def found(context: BuildContext, names: Iterable[str]) -> Found:
    """The modules of other packages that have these names now."""
    return {name: consulted_module(context, name) for name in names}


def consult(context: BuildContext, names: Iterable[str]) -> dict[str, tuple[str, str] | None]:
    """What module names mean now, from the listing alone."""
    return answers(Compiler(context), found(context, names))


def absent(context: BuildContext, found: Found) -> tuple[str, ...]:
    """Paths in other packages at which nothing may come to lie, or one of the names would mean something else.

    A missing directory stands for all that could be in it. What would change the source roots or import names
    of a package is left out: that is the layout of the repository, and checked as such.
    """
    roots = _roots(context)
    orders = {package.path: order for order, package in enumerate(context.packages)}
    paths: set[str] = set()
    for name, module in found.items():
        last = orders[module.owner] if module is not None else len(orders)
        for root in (*roots.get("", ()), *roots.get(name.partition(".")[0], ())):
            if root.package != context.package.path and root.order <= last:
                better_than = module if root.order == last else None
                paths.update(root.missing(context.tree, name, better_than))
    return tuple(sorted(paths))


@dataclass(frozen=True, slots=True)
class _Root:
    """A source root of some package."""

    package: str
    #: Which package goes first where two have a module of one name.
    order: int
    #: Its path with a slash behind; empty for the repository.
    below: str
    names: tuple[str, ...]
    #: Directories that belong to packages inside this one.
    nested: tuple[str, ...]
    #: Whether each module in a namespace package of this root has an import name that nothing else gives.
    is_only_one: bool

    def missing(self, tree: Tree, name: str, better_than: SourceModule | None) -> Iterator[str]:
        """Where a module of this name would come to lie, one that does not go behind another included."""
        rank = (better_than.published, better_than.is_package) if better_than is not None else (False, False)
        top, dot, rest = name.partition(".")
        for first in (top, f"{top}-stubs"):
            stem = f"{first}{dot and '/'}{rest.replace('.', '/')}"
            for form, form_rank in _FORMS:
                path = self.below + stem + form
                if form_rank >= rank and path not in tree and self._may_hold(path, stem + form):
                    yield from self._missing(tree, stem, form)

    def _may_hold(self, path: str, relative: str) -> bool:
        return provides(self.names, relative) and not path.startswith(self.nested)

    def _missing(self, tree: Tree, stem: str, form: str) -> Iterator[str]:
        reason = left_out_reason(stem + form, self.below, tree)
        if reason == "test or documentation":  # unless its folder is made a package
            yield f"{self.below}{stem.partition('/')[0]}/__init__.py"
        elif reason is None and not self._is_layout(tree, stem, form):
            yield _first_missing(tree.paths, self.below + stem + form)

    def _is_layout(self, tree: Tree, stem: str, form: str) -> bool:
        """Whether a new module would be a new import name: those are looked for in namespace packages."""
        if not self.is_only_one or any(f"{self.below}{stem}{end}" in tree for end in (".py", ".pyi")):
            return False
        place = next((each for each in self.names if stem == each or stem.startswith(f"{each}/")), None)
        beside = stem == place and not form.startswith("/")
        if place is None or beside or not _has_folder(tree.paths, self.below + place):
            return False
        folder = place
        for part in stem.removeprefix(place).split("/")[1:]:
            if _is_regular(tree, self.below + folder):
                return False
            folder = f"{folder}/{part}"
        return folder.count("/") < _DEEPEST and not _is_regular(tree, self.below + folder)


def _roots(context: BuildContext) -> Mapping[str, Sequence[_Root]]:
    """All source roots by the first part of the names that they provide; empty for any name."""
    table: dict[str, list[_Root]] | None = context.shared.get("python.roots")
    if table is None:
        table = {}
        for order, package in enumerate(context.packages):
            for made in _roots_of(package, order, nested_paths(package, context.packages)):
                for first in {each.partition("/")[0] for each in made.names} or {""}:
                    table.setdefault(first.removesuffix("-stubs"), []).append(made)
        context.shared["python.roots"] = table
    return table


def _roots_of(package: Package, order: int, nested: tuple[str, ...]) -> Iterator[_Root]:
    projects = [project for project in package.projects if project.adapter == NAME]
    roots = [root for project in projects for root in project.roots]
    for root in roots:
        below = "" if root.path in ("", ".") else f"{root.path}/"
        stubs = any("-stubs" in each for each in root.names)
        only = len(projects) == len(roots) == 1 and bool(projects[0].import_names) and not stubs
        yield _Root(package.path, order, below, root.names, nested, only)


def _is_regular(tree: Tree, folder: str) -> bool:
    return f"{folder}/__init__.py" in tree or f"{folder}/__init__.pyi" in tree


def _has_folder(paths: Sequence[str], folder: str) -> bool:
    at = bisect_left(paths, f"{folder}/")
    return at < len(paths) and paths[at].startswith(f"{folder}/")


def _first_missing(paths: Sequence[str], path: str) -> str:
    """The topmost directory of a path that is not there; the path itself where all of them are."""
    end = path.find("/")
    while end >= 0:
        folder = path[:end]
        at = bisect_left(paths, folder)
        is_file = at < len(paths) and paths[at] == folder  # then no directory can take its place
        if not is_file and not _has_folder(paths, folder):
            return folder
        end = path.find("/", end + 1)
    return path
