"""Which files a package shows and what an import name means to it: files below the repository's import roots."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen.model import Note, Package, SourceRoot
from ifacegen_adapters.protobuf.places import (
    SUFFIX,
    is_aside,
    is_below,
    is_ignored,
    is_import_name,
    joined,
    relative_to,
    vendored_part,
)

ADAPTER = "protobuf"


@dataclass(frozen=True, slots=True)
class File:
    """A ``.proto`` file as others import it."""

    path: str
    #: Its import name.
    name: str
    #: The directory that it is imported from.
    root: str
    #: The name of its module: that by which it is imported, unless another file of the package has that, too.
    shown_as: str


@dataclass(frozen=True, slots=True)
class PackageFiles:
    """The files that a package's view is made of, by path."""

    shown: tuple[File, ...]
    notes: tuple[Note, ...]


def package_files(context: BuildContext) -> PackageFiles:
    """The files of the package that are its interface."""
    key = f"protobuf.files {context.package.path}"
    known: PackageFiles | None = context.shared.get(key)
    if known is None:
        known = context.shared[key] = _package_files(context)
    return known


def _package_files(context: BuildContext) -> PackageFiles:
    package = context.package
    place = "" if package.path == "." else package.path
    nested = _nested(package, context.packages)
    # What buf is told to build is meant, wherever it lies.
    stated = {root.path for each in package.projects if each.project_file for root in each.roots[:1]}
    left_out: Counter[str] = Counter()
    found: dict[str, File] = {}
    for root in sorted(own_roots(package), key=lambda each: -len(each.path)):
        inside = root.path if is_below(root.path, place) else place
        for path in context.tree.below(inside):
            if not path.endswith(SUFFIX) or path in found or not is_below(path, root.path):
                continue
            relative = relative_to(path, root.path)
            if path.startswith(nested) or not provides(root, relative) or is_ignored(relative):
                continue
            if reason := _reason(context, path, "" if root.path in stated else relative, place):
                left_out[reason] += 1
            else:
                found[path] = File(path, relative, root.path, relative)
    notes = []
    if left_out:
        counted = ", ".join(f"{left_out[reason]} {reason}" for reason in sorted(left_out))
        notes.append(Note("info", "left-out", f".proto files left out: {counted}", package.path))
    files = [found[path] for path in sorted(found)]
    clashing = {name for name, count in Counter(file.name for file in files).items() if count > 1}
    for name in sorted(clashing):
        message = f"{name} is the import name of several files; each is shown under its path in the package"
        notes.append(Note("info", "import-clash", message, package.path))
    return PackageFiles(
        tuple(
            replace(file, shown_as=relative_to(file.path, place)) if file.name in clashing else file
            for file in files
        ),
        tuple(notes),
    )


def _reason(context: BuildContext, path: str, relative: str, place: str) -> str:
    """Why a file is not shown; empty if it is. ``relative`` is empty where its directories tell nothing."""
    if not context.options.includes(ADAPTER, relative_to(path, place)):
        return "not among the interfaces asked for"
    if vendored_part(relative) is not None:
        return "vendored"
    if is_aside(relative):
        return "for tests or documentation"
    return "" if is_import_name(path) else "whose path nobody can import"


def _nested(package: Package, packages: Sequence[Package]) -> tuple[str, ...]:
    prefix = "" if package.path == "." else f"{package.path}/"
    return tuple(f"{p.path}/" for p in packages if p.path != package.path and f"{p.path}/".startswith(prefix))


def own_roots(package: Package) -> Iterator[SourceRoot]:
    """The import roots whose files are the package's interface."""
    place = "" if package.path == "." else package.path
    for project in package.projects:
        if project.adapter == ADAPTER:
            for root in project.roots:
                seen = relative_to(root.path, place) if is_below(root.path, place) else root.path
                if root.path == place or vendored_part(seen) is None:
                    yield root


def provides(root: SourceRoot, relative: str) -> bool:
    """Whether a root has a file, given relative to it."""
    bare = relative.removesuffix(SUFFIX)
    return not root.names or any(bare == name or bare.startswith(f"{name}/") for name in root.names)


class Resolver:
    """What import names mean to the files below one import root."""

    def __init__(self, context: BuildContext, root: str) -> None:
        self._context = context
        self.root = root
        self.roots = tuple(_ordered_roots(context, root))

    def find(self, name: str) -> str | None:
        """The path of the file that an import means; None if the repository has none."""
        if not is_import_name(name):
            return None
        for root in self.roots:
            path = joined(root.path, name)
            if path in self._context.tree and provides(root, name):
                return path
        return None

    def missing(self, name: str, found: str | None) -> Iterator[str]:
        """Paths at which nothing may come to lie, or the name would mean that."""
        if not is_import_name(name):
            return
        for root in self.roots:
            path = joined(root.path, name)
            if path == found:
                return
            if provides(root, name):
                yield _first_missing(self._context.tree.paths, path)


def _ordered_roots(context: BuildContext, first: str) -> Iterator[SourceRoot]:
    """The root itself, what is vendored for it, the package's others, then those of other packages."""
    projects = [p for p in context.package.projects if p.adapter == ADAPTER]
    own = [p for p in projects if any(root.path == first for root in p.roots)]
    others = [p for each in context.packages for p in each.projects if p.adapter == ADAPTER]
    seen: set[str] = set()
    roots = [root for project in (*own, *projects, *others) for root in project.roots]
    for root in (*(root for root in roots if root.path == first), *roots):
        if root.path not in seen:
            seen.add(root.path)
            yield root


def resolver(context: BuildContext, root: str) -> Resolver:
    """The resolver of a root, made once for a package."""
    key = f"protobuf.resolver {context.package.path}\0{root}"
    known: Resolver | None = context.shared.get(key)
    if known is None:
        known = context.shared[key] = Resolver(context, root)
    return known


# -- what lies outside the package --------------------------------------------------------------------


def consulted_name(context: BuildContext, root: str, name: str) -> str:
    """An import name as it is recorded: with its root, where the package has several."""
    roots = sorted({each.path for each in own_roots(context.package)})
    return name if len(roots) < 2 else f"{roots.index(root)}:{name}"


def _meant(context: BuildContext, consulted: str) -> tuple[Resolver, str]:
    roots = sorted({each.path for each in own_roots(context.package)})
    number, colon, name = consulted.partition(":")
    if len(roots) > 1 and colon and number.isdigit() and int(number) < len(roots):
        return resolver(context, roots[int(number)]), name
    return resolver(context, roots[0] if roots else ""), consulted


def is_outside(context: BuildContext, path: str) -> bool:
    """Whether a file is none of the package's directory's own."""
    place = "" if context.package.path == "." else context.package.path
    return not is_below(path, place) or path.startswith(_nested(context.package, context.packages))


def consult(context: BuildContext, names: Sequence[str]) -> dict[str, tuple[str, str] | None]:
    """What recorded names mean now, from the listing alone."""
    found: dict[str, tuple[str, str] | None] = {}
    for consulted in sorted(names):
        where, name = _meant(context, consulted)
        path = where.find(name)
        found[consulted] = (path, blob_id(context, path)) if path is not None else None
    return found


def absent(context: BuildContext, names: Sequence[str]) -> tuple[str, ...]:
    """Paths outside the package that must stay free for recorded names to mean what they do."""
    paths: set[str] = set()
    for consulted in names:
        where, name = _meant(context, consulted)
        paths.update(path for path in where.missing(name, where.find(name)) if is_outside(context, path))
    return tuple(sorted(paths))


def blob_id(context: BuildContext, path: str) -> str:
    """The id of a file; empty if it cannot be read."""
    try:
        return context.tree.id(path)
    except ReadError:
        return ""


def _first_missing(paths: Sequence[str], path: str) -> str:
    """The topmost directory of a path that is not there; the path itself where all of them are."""
    end = path.find("/")
    while end >= 0:
        folder = path[:end]
        at = bisect_left(paths, f"{folder}/")
        if not (at < len(paths) and paths[at].startswith(f"{folder}/")):
            place = bisect_left(paths, folder)
            if not (
                place < len(paths) and paths[place] == folder
            ):  # a file there: no directory takes its place
                return folder
        end = path.find("/", end + 1)
    return path
