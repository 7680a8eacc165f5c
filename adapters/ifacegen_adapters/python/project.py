"""Finds Python projects: which directories are one, what they are called, need and provide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.model import Note, Project, SourceRoot
from ifacegen_adapters.python.layout import Modules, find_modules
from ifacegen_adapters.python.pyproject import read_pyproject
from ifacegen_adapters.python.setuptools_files import read_setup_cfg, read_setup_py
from ifacegen_adapters.python.stated import Layout, Stated, fold, unique

ADAPTER = "python"
#: In order of authority: what an earlier one states is not asked of a later one.
_PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py")


def normalise_name(name: str) -> str:
    """The form in which distribution names are compared (PEP 503)."""
    return fold(name)


def find_projects(tree: Tree) -> Iterable[Project]:
    """Every Python project in the tree, in order of path."""
    stated = {
        directory: found
        for directory, names in sorted(_candidates(tree).items())
        if (found := _read(tree, directory, names)) is not None
    }
    packages = frozenset(directory for directory, (_, what) in stated.items() if what.is_package)
    for directory, (project_file, what) in stated.items():
        yield _project(tree, directory, project_file, what, packages)


def plain_project(tree: Tree, directory: str) -> Project | None:
    """A project for a directory without a project file; None if there is no Python in it."""
    place = "" if directory == "." else directory
    paths = tree.below(place)
    if not any(path.endswith((".py", ".pyi")) for path in paths):
        return None
    name = place.rpartition("/")[2] or None
    regular = bool(place) and _is_regular(tree, place)
    modules = (
        _folder_itself(tree, place)
        if regular
        else find_modules(paths, place, _plain_layout(tree, place), name)
    )
    return Project(ADAPTER, place, import_names=modules.import_names, roots=modules.roots)


def _plain_layout(tree: Tree, place: str) -> Layout:
    """A folder without a project file is there for its sources: all of them, private ones too."""
    source = f"{place}/src" if place else "src"
    below = any(path.endswith((".py", ".pyi")) for path in tree.below(source))
    return Layout(where=("src" if below and not _is_regular(tree, source) else "",))


def _is_regular(tree: Tree, directory: str) -> bool:
    prefix = directory + "/" if directory else ""
    return any(f"{prefix}__init__{suffix}" in tree for suffix in (".py", ".pyi"))


def _folder_itself(tree: Tree, place: str) -> Modules:
    """A directory that is a regular package: what is on the import path lies above its outermost package."""
    root = place.rpartition("/")[0]
    while root and _is_regular(tree, root):
        root = root.rpartition("/")[0]
    name = place.removeprefix(root + "/") if root else place
    return Modules((SourceRoot(root, (name,)),), (name.replace("/", "."),))


def _candidates(tree: Tree) -> dict[str, list[str]]:
    """Directory → names of its project files, in order of authority."""
    found: dict[str, list[str]] = {}
    for path in tree.paths:
        directory, _, name = path.rpartition("/")
        if name in _PROJECT_FILES:
            found.setdefault(directory, []).append(name)
    return found


def _read(tree: Tree, directory: str, names: Sequence[str]) -> tuple[str, Stated] | None:
    """What the project files of a directory state together, and the one that counts."""
    parts: dict[str, Stated] = {}
    for name in names:
        stated = _read_file(tree, directory, name)
        if stated is not None:
            parts[name] = stated
    if not parts:
        return None
    return next((name for name, each in parts.items() if each.is_package), next(iter(parts))), _together(
        parts
    )


def _read_file(tree: Tree, directory: str, name: str) -> Stated | None:
    path = f"{directory}/{name}" if directory else name
    try:
        data = tree.read(path).data
    except ReadError as error:
        return Stated(notes=(Note("warning", "project-unparsed", f"cannot be read: {error.reason}", path),))
    if name == "pyproject.toml":
        return read_pyproject(data, directory, path)
    if name == "setup.cfg":
        return read_setup_cfg(data, path)
    # A module of a package may be called setup.py, too.
    return None if _is_regular(tree, directory) else read_setup_py(data, path)


def _together(parts: Mapping[str, Stated]) -> Stated:
    all_parts = list(parts.values())
    return Stated(
        name=next((each.name for each in all_parts if each.name), None),
        dependencies=unique(dependency for each in all_parts for dependency in each.dependencies),
        layout=next((each.layout for each in all_parts if each.layout), Layout()),
        members=tuple(member for each in all_parts for member in each.members),
        is_package=any(each.is_package for each in all_parts),
        is_virtual=any(each.is_virtual for each in all_parts),
        notes=tuple(note for each in all_parts for note in each.notes),
    )


def _project(
    tree: Tree, directory: str, project_file: str, stated: Stated, packages: frozenset[str]
) -> Project:
    modules = Modules()
    if stated.is_package:
        files = _own_files(tree, directory, packages, stated.layout)
        modules = find_modules(files, directory, stated.layout, stated.name)
    return Project(
        adapter=ADAPTER,
        path=directory,
        name=stated.name,
        project_file=f"{directory}/{project_file}" if directory else project_file,
        import_names=modules.import_names,
        roots=modules.roots,
        dependencies=stated.dependencies,
        members=stated.members,
        is_package=stated.is_package,
        role="app" if stated.is_virtual else None,
        notes=stated.notes,
    )


def _own_files(tree: Tree, directory: str, packages: frozenset[str], layout: Layout) -> Iterator[str]:
    """Files of a project without those of projects inside it, unless its backend is told to take them."""
    prefix = directory + "/" if directory else ""
    asked = tuple(
        f"{prefix}{root}/{name}".replace("//", "/") if root else prefix + name
        for root, name in layout.explicit
    )
    nested = [
        each + "/"
        for each in packages
        if each != directory
        and each.startswith(prefix)
        and not any((path + "/").startswith(each + "/") for path in asked)
    ]
    skipped = tuple(nested)
    for path in tree.below(directory):
        if not (skipped and path.startswith(skipped)):
            yield path
