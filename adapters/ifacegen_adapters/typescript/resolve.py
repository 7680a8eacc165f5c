"""Where an import leads: a file of the package, one of another package of the workspace, or a module outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ifacegen.adapter import BuildContext
from ifacegen.model import Package
from ifacegen_adapters.typescript import conditions, manifest, tsconfig
from ifacegen_adapters.typescript.conditions import SubpathMap
from ifacegen_adapters.typescript.entries import entries_of
from ifacegen_adapters.typescript.files_at import Candidates
from ifacegen_adapters.typescript.lookup import Found, Lookup
from ifacegen_adapters.typescript.neighbours import place_of
from ifacegen_adapters.typescript.outside import looked_at
from ifacegen_adapters.typescript.paths import (
    DECLARATIONS,
    SCRIPTS,
    folder_of,
    inside,
    is_declaration,
    joined,
    stem_of,
)
from ifacegen_adapters.typescript.wards import Wards, wards

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Target:
    """Where an import leads."""

    #: The file; None where the repository has none.
    path: str | None
    #: How a caller of the package would write it (``react``, ``@acme/other/sub``); empty for what only files
    #: beside it can write.
    module: str
    #: Path of the workspace package that the file lies in, if that is another one.
    package: str = ""


_NOWHERE = Target(None, "")


class Resolver:
    """What specifiers mean to the files of one package."""

    def __init__(self, context: BuildContext) -> None:
        self._context = context
        self._candidates = Candidates(context.tree)
        self._wards = wards(context)
        self._home = _homes(context, self._wards)
        known: dict[str, dict[tuple[str, str, bool], Target]] = context.shared.setdefault(
            "typescript.targets", {}
        )
        self._known = known.setdefault(context.package.path, {})

    def resolve(self, specifier: str, importer: str) -> Target:
        """Where a specifier of a file leads; the importer may be a file of another package, too."""
        key = folder_of(importer), specifier, is_declaration(importer)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._resolve(specifier, importer, 0)
        return found

    def _resolve(self, specifier: str, importer: str, depth: int) -> Target:
        if specifier.startswith(("./", "../")) or specifier in (".", ".."):
            return self._relative(specifier, importer)
        if not specifier or specifier.startswith("/") or "\0" in specifier or depth > _DEEPEST:
            return _NOWHERE
        if specifier.startswith("#"):
            return self._internal(specifier, importer, depth)
        if not is_declaration(importer):
            found = self._mapped(specifier, folder_of(importer))
            if found is not None:
                return self._at(found)
        return self._named(specifier)

    # -- files -------------------------------------------------------------------------------------------

    def _relative(self, specifier: str, importer: str) -> Target:
        place = inside(folder_of(importer), specifier)
        is_folder = specifier.endswith(("/", "/.", "/..")) or specifier in (".", "..")
        if place is None:
            return _NOWHERE
        found = self._file(place, importer, is_folder=is_folder) or self._unbuilt(place)
        return self._at(found) if found is not None else _NOWHERE

    def _unbuilt(self, place: str) -> str | None:
        """The source of a build's file that is not committed."""
        owner = self._wards.owner(place)
        if owner is None or not place:
            return None
        index = joined(place, "index")
        made = (stem + suffix for stem in (stem_of(place), index) for suffix in (*DECLARATIONS, *SCRIPTS))
        if any(path in self._context.tree for path in made):
            return None  # it is built, and an import written so finds nothing there
        unbuilt = self._wards.unbuilt(owner)
        return self._candidates.source((*unbuilt.stems(place, ""), *unbuilt.stems(index, "")), built=True)

    def _file(self, place: str, importer: str, *, is_folder: bool = False) -> str | None:
        """A file by TypeScript's rules; declaration files prefer declarations, sources prefer sources."""
        exact = self._candidates
        if place == importer:
            return place
        if not is_folder and place:
            found = exact.beside(place, sources_first=not is_declaration(importer))
            if found is not None:
                return found
        inner = manifest.in_directory(self._context.tree, self._context.shared, place)
        if inner is not None:
            led = Lookup(self._context, self._scope(place), inner, place).find(".")
            if led is not None:
                return led.path
        index = joined(place, "index")
        return exact.beside(index, sources_first=not is_declaration(importer))

    def _scope(self, place: str) -> str:
        owner = self._wards.owner(joined(place, "x"))
        return place_of(owner) if owner is not None else ""

    def _at(self, path: str) -> Target:
        owner = self._wards.owner(path)
        if owner is None or place_of(owner) in self._home:
            looked_at(self._context, [path])
            return Target(path, "")
        return Target(path, self._public_name(owner, path), owner.path)

    def _public_name(self, owner: Package, path: str) -> str:
        """How callers import a file of another package; empty if they cannot."""
        entries = entries_of(self._context, owner).entries
        return next((each.name for each in entries if each.path == path), "")

    # -- paths of tsconfig.json --------------------------------------------------------------------------

    def _mapped(self, specifier: str, folder: str) -> str | None:
        config = tsconfig.governing(self._context, folder)
        if config is None:
            return None
        for place in self._substituted(specifier, config.options):
            found = self._file(place, "")
            if found is not None:
                return found
        return None

    def _substituted(self, specifier: str, options: Mapping[str, Any]) -> Iterator[str]:
        paths = options.get("paths")
        if paths:
            match = _path_pattern(specifier, paths)
            if match is not None:
                pattern, star = match
                for target in paths[pattern]:
                    place = inside("", target.replace("*", star))
                    if place is not None:
                        yield place
        base = options.get("baseUrl")
        place = inside(base, specifier) if isinstance(base, str) else None
        if place is not None:
            yield place

    # -- packages ----------------------------------------------------------------------------------------

    def _internal(self, specifier: str, importer: str, depth: int) -> Target:
        """``#x`` by ``imports`` of the importer's own ``package.json``."""
        scope = manifest.scope_of(self._context.tree, self._context.shared, importer)
        table = SubpathMap(scope.data.get("imports"), "#") if scope is not None else None
        match = table.match(specifier) if table is not None else None
        if match is None or scope is None:
            return _NOWHERE
        lookup = Lookup(self._context, scope.directory, scope)
        found = lookup.target(match, ".")
        if found is not None:
            return self._at(found.path)
        for leaf in conditions.leaves(match.target):
            outer = conditions.filled(leaf, match.star)
            if not outer.startswith((".", "/", "#")):
                return self._resolve(outer, importer, depth + 1)
        return _NOWHERE

    def _named(self, specifier: str) -> Target:
        name, subpath = split_specifier(specifier)
        package = self._wards.named(name) or self._wards.types_of(name)
        if package is None:
            return Target(None, specifier)
        found = self._of_package(package, name, subpath)
        if found is None:
            return Target(None, specifier)
        owner = self._wards.owner(found.path)
        is_own = owner is None or place_of(owner) in self._home
        return Target(found.path, specifier, "" if is_own or owner is None else owner.path)

    def _of_package(self, package: Package, name: str, subpath: str) -> Found | None:
        found = self._wards.lookup(package).find(subpath)
        if found is None or found.origin == "javascript":
            described = self._wards.types_of(name)
            better = self._wards.lookup(described).find(subpath) if described is not None else None
            return better or found
        return found


def split_specifier(specifier: str) -> tuple[str, str]:
    """``@acme/ui/forms`` → ``@acme/ui``, ``./forms``; the subpath of a name alone is ``.``."""
    parts = specifier.split("/")
    count = 2 if specifier.startswith("@") else 1
    rest = "/".join(parts[count:])
    return "/".join(parts[:count]), f"./{rest}" if rest else "."


def _homes(context: BuildContext, all_wards: Wards) -> frozenset[str]:
    """Directories whose files are the package's own: what describes it, too."""
    described = all_wards.types_of(all_wards.name(context.package))
    found = [context.package, *([described] if described is not None else [])]
    return frozenset(place_of(each) for each in found)


def _path_pattern(specifier: str, paths: Mapping[str, Any]) -> tuple[str, str] | None:
    """The key of ``paths`` that a specifier fits best, and what its star stands for."""
    if specifier in paths and "*" not in specifier:
        return specifier, ""
    best: tuple[str, str] | None = None
    longest = -1
    for pattern in paths:
        before, star, behind = pattern.partition("*")
        fits = star and len(specifier) >= len(before) + len(behind)
        if fits and specifier.startswith(before) and specifier.endswith(behind) and len(before) > longest:
            longest = len(before)
            best = pattern, specifier[len(before) : len(specifier) - len(behind)]
    return best
