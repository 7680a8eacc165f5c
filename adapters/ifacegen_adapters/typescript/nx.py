"""Reads Nx's ``project.json``: projects that may have no ``package.json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.model import Dependency
from ifacegen_adapters.typescript import jsonc
from ifacegen_adapters.typescript.manifest import strings, table, text
from ifacegen_adapters.typescript.paths import folder_of

FILE, ROOT = "project.json", "nx.json"


@dataclass(frozen=True, slots=True)
class NxProject:
    """What one ``project.json`` states."""

    path: str
    name: str
    is_application: bool = False
    #: Names of projects that it needs without importing them.
    needs: tuple[str, ...] = ()

    @property
    def directory(self) -> str:
        """Where it lies."""
        return folder_of(self.path)


def find(tree: Tree, paths: Iterable[str]) -> dict[str, NxProject]:
    """Directory → project, of the ``project.json`` below an ``nx.json``; other tools have files of that name, too."""
    roots: set[str] = set()
    candidates: list[str] = []
    for path in paths:
        name = path.rpartition("/")[2]
        if name == ROOT:
            roots.add(folder_of(path))
        elif name == FILE:
            candidates.append(path)
    found = (_read(tree, path) for path in candidates if _is_in(path, roots))
    return {each.directory: each for each in found if each is not None}


def _is_in(path: str, roots: set[str]) -> bool:
    while path and roots:
        path = folder_of(path)
        if path in roots:
            return True
    return False


def _read(tree: Tree, path: str) -> NxProject | None:
    try:
        value = table(jsonc.loads(tree.read(path).data))
    except (ReadError, jsonc.Malformed):
        value = {}
    if not value:
        return None
    name = text(value.get("name")) or folder_of(path).rpartition("/")[2]
    needs = (each for each in strings(value.get("implicitDependencies")) if not each.startswith("!"))
    return NxProject(path, name, text(value.get("projectType")) == "application", tuple(dict.fromkeys(needs)))


def dependencies(project: NxProject, all_projects: Mapping[str, NxProject]) -> Iterator[Dependency]:
    """What a project needs by its ``implicitDependencies``."""
    places = {each.name: each.directory for each in all_projects.values()} if project.needs else {}
    for name in project.needs:
        yield Dependency(name, "implicit", places.get(name))
