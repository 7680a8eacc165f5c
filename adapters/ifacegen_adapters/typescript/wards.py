"""The packages of a workspace as an import finds them: by name, with what each lets in."""

from __future__ import annotations

from ifacegen.adapter import BuildContext
from ifacegen.model import Package
from ifacegen_adapters.typescript import manifest
from ifacegen_adapters.typescript.lookup import Lookup
from ifacegen_adapters.typescript.manifest import FILE, Manifest
from ifacegen_adapters.typescript.neighbours import ADAPTER, neighbours, place_of
from ifacegen_adapters.typescript.outside import looked_at
from ifacegen_adapters.typescript.paths import folder_of, joined
from ifacegen_adapters.typescript.project import imported_name
from ifacegen_adapters.typescript.unbuilt import Unbuilt


class Wards:
    """All packages of a repository."""

    def __init__(self, context: BuildContext) -> None:
        self._context = context
        shared = context.shared
        # What is looked at counts for the package that asks: each has lookups of its own.
        asking: dict[str, dict[str, Lookup]] = shared.setdefault("typescript.lookups", {})
        self._lookups = asking.setdefault(context.package.path, {})
        self._neighbours = neighbours(context.packages, shared)

    def name(self, package: Package) -> str:
        """What callers import a package as."""
        names = (each.name for each in package.projects if each.adapter == ADAPTER and each.name)
        return imported_name(next(names, "") or package.name)

    def lookup(self, package: Package) -> Lookup:
        """What leads into a package."""
        place = place_of(package)
        looked_at(self._context, [joined(place, FILE)])
        if place not in self._lookups:
            own = self.manifest(place) or Manifest(joined(place, FILE))
            self._lookups[place] = Lookup(self._context, place, own)
        return self._lookups[place]

    def unbuilt(self, package: Package) -> Unbuilt:
        """What a package's builds are made from."""
        return self.lookup(package).unbuilt

    def manifest(self, folder: str) -> Manifest | None:
        """The manifest of a directory."""
        return manifest.in_directory(self._context.tree, self._context.shared, folder)

    def named(self, name: str) -> Package | None:
        """The package of the workspace with a name."""
        return self._neighbours.by_name.get(name)

    def types_of(self, name: str) -> Package | None:
        """The package of the workspace that describes another one: ``@types/name``."""
        mangled = name.removeprefix("@").replace("/", "__") if name.startswith("@") else name
        return self._neighbours.by_name.get(f"@types/{mangled}")

    def owner(self, path: str) -> Package | None:
        """The package that a file lies in."""
        places = self._neighbours.by_place
        folder = folder_of(path)
        while folder not in places:
            if not folder:
                return None
            folder = folder_of(folder)
        return places[folder]

    def inner(self, package: Package) -> tuple[str, ...]:
        """What paths of packages inside a package begin with."""
        return self._neighbours.inside(place_of(package))


def wards(context: BuildContext) -> Wards:
    """The packages of the context's repository."""
    return Wards(context)
