"""The packages of a repository by name and by place, worked out once for all that ask."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

from ifacegen.model import Package

ADAPTER = "typescript"


class Neighbours:
    """All packages of a repository."""

    def __init__(self, packages: Sequence[Package]) -> None:
        self.by_place: Mapping[str, Package] = {place_of(each): each for each in packages}
        self.by_name: Mapping[str, Package] = _by_name(packages)
        self._places = sorted(self.by_place)

    def inside(self, place: str) -> tuple[str, ...]:
        """What paths of packages inside a directory begin with."""
        prefix = f"{place}/" if place else ""
        first = bisect_left(self._places, prefix)
        last = bisect_left(self._places, prefix + "\U0010ffff")
        return tuple(f"{each}/" for each in self._places[first:last] if each != place)


def place_of(package: Package) -> str:
    """The directory of a package; empty for the repository."""
    return "" if package.path == "." else package.path


def neighbours(packages: Sequence[Package], shared: MutableMapping[str, Any]) -> Neighbours:
    """The packages of a repository; ``shared`` keeps them."""
    known: Neighbours | None = shared.get("typescript.neighbours")
    if known is None:
        known = shared["typescript.neighbours"] = Neighbours(packages)
    return known


def _by_name(packages: Sequence[Package]) -> dict[str, Package]:
    """Who gets a name that several have: workspaces' members, shorter paths."""
    found: dict[str, Package] = {}
    ranked = sorted(
        packages, key=lambda each: (each.declared_by == "project file", len(each.path), each.path)
    )
    for package in ranked:
        for project in package.projects:
            if project.adapter == ADAPTER and project.name:
                found.setdefault(project.name, package)
    return found
