"""Finds ``.proto`` files' projects: where contracts lie, and from which directories they import."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ifacegen.adapter import Tree
from ifacegen.model import Note, Project, SourceRoot
from ifacegen_adapters.protobuf import buf
from ifacegen_adapters.protobuf.places import (
    SUFFIX,
    common_folder,
    folder_of,
    is_aside,
    is_below,
    is_ignored,
    relative_to,
    vendored_part,
)
from ifacegen_adapters.protobuf.roots import infer_roots

ADAPTER = "protobuf"
#: What makes a directory a project of some ecosystem, which contracts below it belong to.
_PROJECT_FILES = frozenset(
    {
        *("pyproject.toml", "setup.py", "setup.cfg", "package.json", "go.mod", "Cargo.toml", "pom.xml"),
        *(
            "build.gradle",
            "build.gradle.kts",
            "composer.json",
            "Gemfile",
            "mix.exs",
            "pubspec.yaml",
            "Package.swift",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class _Root:
    path: str
    files: Sequence[str]
    module: buf.Module | None = None


def find_projects(tree: Tree) -> Iterable[Project]:
    """Every project in the tree, by path."""
    paths = [path for path in tree.paths if path.endswith(SUFFIX) and not is_ignored(path)]
    if not paths:
        return []
    homes = _homes(tree.paths)
    roots = list(_roots(tree, paths, homes))
    vendored = sorted(root.path for root in roots if vendored_part(root.path) is not None)
    own = [root for root in roots if vendored_part(root.path) is None]
    told = _vendored_modules(roots)
    found = [each for root in own for each in _projects(root, homes, vendored)]
    found = [replace(each, notes=(*each.notes, *told.pop(each.project_file or "", ()))) for each in found]
    return sorted(found, key=lambda each: (each.path, [root.path for root in each.roots]))


def _vendored_modules(roots: Iterable[_Root]) -> dict[str, list[Note]]:
    """buf's file → a note on each vendored directory that it names, which nobody calls the package's interface."""
    found: dict[str, list[Note]] = {}
    for root in roots:
        if root.module is None or vendored_part(root.path) is None or not root.files:
            continue
        file = root.module.project_file
        if vendored_part(folder_of(file)) is None:
            count = f"{len(root.files)} .proto file{'s' if len(root.files) > 1 else ''}"
            message = f"{root.path}, which it names, is vendored: {count} left out, there to be imported only"
            found.setdefault(file, []).append(Note("info", "left-out", message, file))
    return found


def plain_project(tree: Tree, directory: str) -> Project | None:
    """A project for the files below a directory; None if there are none."""
    place = "" if directory == "." else directory
    paths = [path for path in tree.below(place) if path.endswith(SUFFIX) and not is_ignored(path)]
    shown = [path for path in paths if not is_aside(relative_to(path, place))]
    if not shown:
        return None
    roots = sorted({root.path for root in _roots(tree, shown, _homes(tree.below(place)))})
    inner = [
        each for each in roots if vendored_part(relative_to(each, place) if each != place else "") is None
    ]
    ordered = [*inner, *(each for each in roots if each not in inner)]
    return Project(ADAPTER, place, roots=tuple(map(SourceRoot, ordered)), attaches=True)


def _homes(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(folder_of(path) for path in paths if path.rpartition("/")[2] in _PROJECT_FILES)


def _roots(tree: Tree, paths: Sequence[str], homes: Collection[str]) -> Iterator[_Root]:
    modules = {module.root: module for module in buf.find_modules(tree)}
    taken: dict[str, list[str]] = {root: [] for root in modules}
    rest: list[str] = []
    for path in paths:
        root = _module_of(path, modules)
        if root is None:
            rest.append(path)
        elif modules[root].takes(path):
            taken[root].append(path)
    yield from (_Root(root, files, modules[root]) for root, files in taken.items())
    shown = [each for each in rest if not is_aside(each) and not is_aside(_in_home(each, homes))]
    for root, files in infer_roots(tree, shown, homes).items():
        yield _Root(root, files)


def _in_home(path: str, homes: Collection[str]) -> str:
    """A path relative to the innermost project of another ecosystem that it lies in."""
    place = folder_of(path)
    while place and place not in homes:
        place = folder_of(place)
    return relative_to(path, place)


def _module_of(path: str, modules: Mapping[str, buf.Module]) -> str | None:
    """The innermost module that a file lies in."""
    place = path
    while place:
        place = folder_of(place)
        if place in modules:
            return place
    return None


def _projects(root: _Root, homes: Collection[str], vendored: Sequence[str]) -> Iterator[Project]:
    if root.module is not None:
        if root.files or root.module.notes:
            names = _names(root) if root.module.excludes or root.module.includes else ()
            yield _project(root.path, SourceRoot(root.path, names), vendored, root.module)
        return
    by_home: dict[str, list[str]] = {}
    for path in root.files:
        by_home.setdefault(_home(path, root.path, homes), []).append(path)
    for home, files in sorted(by_home.items()):
        # Nothing but the files says that the repository itself is meant.
        place = home or common_folder([folder_of(path) for path in files])
        yield _project(place, SourceRoot(root.path), vendored)


def _home(path: str, root: str, homes: Collection[str]) -> str:
    """The innermost project of another ecosystem below the root that a file lies in; else the root."""
    place = folder_of(path)
    while place != root and place not in homes:
        place = folder_of(place)
    return place


def _project(
    place: str, root: SourceRoot, vendored: Sequence[str], module: buf.Module | None = None
) -> Project:
    behind = tuple(SourceRoot(each) for each in vendored if _serves(each, place))
    notes: tuple[Note, ...] = module.notes if module is not None else ()
    return Project(
        ADAPTER,
        place,
        name=module.name if module is not None else None,
        project_file=module.project_file if module is not None else None,
        roots=(root, *behind),
        attaches=True,
        notes=notes,
    )


def _serves(vendored: str, place: str) -> bool:
    """Whether what is vendored there is for a directory: for all beside the vendoring one."""
    return is_below(place, "/".join(vendored.split("/")[: vendored_part(vendored)]))


def _names(root: _Root) -> tuple[str, ...]:
    """What a module with exclusions provides, in as few names as say it (see :class:`SourceRoot`)."""
    module = root.module
    taken = [relative_to(path, root.path) for path in root.files]
    if module is None:
        return ()
    names: dict[str, None] = {}
    for path in taken:
        parts = path.removesuffix(SUFFIX).split("/")
        names["/".join(parts[: _depth(parts, module)])] = None
    return tuple(names)


def _depth(parts: Sequence[str], module: buf.Module) -> int:
    """How many parts of a path set it apart from all that the module leaves out."""
    depth = 1
    for each in (*module.excludes, *module.includes):
        other = relative_to(each, module.root).split("/") if each != module.root else []
        shared = next(
            (at for at, pair in enumerate(zip(parts, other, strict=False)) if pair[0] != pair[1]), None
        )
        depth = max(depth, min((len(other) if shared is None else shared + 1), len(parts)))
    return depth
