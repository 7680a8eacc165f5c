"""What an import name means to a package: files below its own import roots, then below the repository's others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ifacegen.adapter import BuildContext
from ifacegen.model import Package, SourceRoot
from ifacegen_adapters.protobuf.places import (
    SUFFIX,
    is_below,
    is_import_name,
    joined,
    relative_to,
    vendored_part,
)
from ifacegen_adapters.protobuf.scanning import blob_id

ADAPTER = "protobuf"


def place_of(package: Package) -> str:
    """The directory of a package; empty for the repository."""
    return "" if package.path == "." else package.path


def nested(package: Package, packages: Sequence[Package]) -> tuple[str, ...]:
    """What paths of packages inside a package begin with."""
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

    def __init__(self, context: BuildContext, root: str, serving: Sequence[str] = ()) -> None:
        """``serving`` are directories of the package that are no roots of projects."""
        self._context = context
        self.root = root
        self.roots = tuple(_ordered_roots(context, root, serving))

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


def _ordered_roots(context: BuildContext, first: str, serving: Sequence[str]) -> Iterator[SourceRoot]:
    """The root itself, the package's others, what is vendored for it, then roots of other packages and these."""
    place = place_of(context.package)
    projects = [p for p in context.package.projects if p.adapter == ADAPTER]
    own = [p for p in projects if any(root.path == first for root in p.roots)]
    roots = [root for project in (*own, *projects) for root in project.roots]
    inside = [root for root in roots if is_below(root.path, place)]
    others = [each for each in context.packages if any(p.adapter == ADAPTER for p in each.projects)]
    theirs = [root for each in others for p in each.projects if p.adapter == ADAPTER for root in p.roots]
    seen: set[str] = set()
    for root in (
        *([root for root in roots if root.path == first] or [SourceRoot(first)]),
        *inside,  # before all that lies outside: no change there may give another meaning to what is found here
        *map(SourceRoot, serving),
        *roots,
        *theirs,
        *(SourceRoot(place_of(each)) for each in others),
    ):
        if root.path not in seen:
            seen.add(root.path)
            yield root


# -- what lies outside the package --------------------------------------------------------------------


def consulted_name(context: BuildContext, root: str, name: str) -> str:
    """An import name as it is recorded: behind its root, unless the package has that alone."""
    roots = {each.path for each in own_roots(context.package)}
    return name if roots == {root} and _MARK not in name else f"{root}{_MARK}{name}"


#: Between a root and a name: no root has it.
_MARK = "//"


def _meant(context: BuildContext, consulted: str, made: dict[str, Resolver]) -> tuple[Resolver, str]:
    root, mark, name = consulted.partition(_MARK)
    if not mark:
        root, name = next(iter(own_roots(context.package)), SourceRoot("")).path, consulted
    if root not in made:
        made[root] = Resolver(context, root)
    return made[root], name


def is_outside(context: BuildContext, path: str) -> bool:
    """Whether a file is none of the package's directory's own."""
    place = "" if context.package.path == "." else context.package.path
    return not is_below(path, place) or path.startswith(nested(context.package, context.packages))


def consult(context: BuildContext, names: Sequence[str]) -> dict[str, tuple[str, str] | None]:
    """What recorded names mean now, from the listing alone."""
    found: dict[str, tuple[str, str] | None] = {}
    made: dict[str, Resolver] = {}
    for consulted in sorted(names):
        where, name = _meant(context, consulted, made)
        path = where.find(name)
        found[consulted] = (path, blob_id(context, path)) if path is not None else None
    return found


def absent(context: BuildContext, names: Sequence[str]) -> tuple[str, ...]:
    """Paths outside the package that must stay free for recorded names to mean what they do."""
    paths: set[str] = set()
    made: dict[str, Resolver] = {}
    for consulted in names:
        where, name = _meant(context, consulted, made)
        paths.update(path for path in where.missing(name, where.find(name)) if is_outside(context, path))
    return tuple(sorted(paths))


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
