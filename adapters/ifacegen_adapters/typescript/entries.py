"""The entry points of a package: every name by which callers import something of it, and the file that answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ifacegen.adapter import BuildContext
from ifacegen.model import Note, Package
from ifacegen_adapters.typescript import conditions, tsconfig
from ifacegen_adapters.typescript.conditions import SubpathMap
from ifacegen_adapters.typescript.lookup import Found
from ifacegen_adapters.typescript.manifest import FILE
from ifacegen_adapters.typescript.neighbours import place_of
from ifacegen_adapters.typescript.outside import looked_at
from ifacegen_adapters.typescript.paths import (
    DECLARATIONS,
    folder_of,
    inside,
    is_aside,
    is_below,
    is_code,
    is_ignored,
    relative_to,
)
from ifacegen_adapters.typescript.patterns import Patterns
from ifacegen_adapters.typescript.wards import wards

#: Subpaths that lead nowhere and are told one by one.
_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One name by which a package is imported."""

    #: As callers write it: ``@acme/ui``, ``@acme/ui/forms``.
    name: str
    #: The file that answers, relative to the repository.
    path: str
    #: ``shipped`` is a declaration file, ``source`` one of TypeScript.
    origin: Literal["shipped", "source", "javascript"]
    #: How node loads it.
    format: Literal["module", "commonjs"]


@dataclass(frozen=True, slots=True)
class Entries:
    """The entry points of a package in the order of its ``package.json``, ``.`` first, each name once."""

    entries: tuple[Entry, ...]
    notes: tuple[Note, ...] = ()


def package_entries(context: BuildContext) -> Entries:
    """The entry points of ``context.package``."""
    return entries_of(context, context.package)


def entries_of(context: BuildContext, package: Package) -> Entries:
    """The entry points of any package, for what ``context.package`` imports of it."""
    # What is looked at counts for the package that asks, so each finds others' entry points for itself.
    known: dict[tuple[str, str], Entries] = context.shared.setdefault("typescript.entries", {})
    key = context.package.path, package.path
    if key not in known:
        known[key] = _Finding(context, package).entries()
    return known[key]


class _Finding:
    """The entry points of one package, while they are found."""

    def __init__(self, context: BuildContext, package: Package) -> None:
        self._context = context
        self._package = package
        self._directory = place_of(package)
        self._wards = wards(context)
        self._lookup = self._wards.lookup(package)
        self._name = self._wards.name(package)
        self._found: dict[str, Entry] = {}
        self._notes: list[Note] = []
        #: How many subpaths lead nowhere beyond those that are told one by one.
        self._untold = 0

    def entries(self) -> Entries:
        lookup = self._lookup
        if lookup.exports is not None:
            self._exported(lookup.exports)
        else:
            self._add(".", lookup.find("."))
            self._missing_main()
            for subpath in self._documented():
                self._add(subpath, lookup.find(subpath))
        self._add_aliases()
        self._stand_in()
        found = sorted(self._found.items(), key=lambda item: item[0] != ".")
        return Entries(tuple(entry for _, entry in found), tuple(dict.fromkeys(self._notes)))

    def _add(self, subpath: str, found: Found | None) -> bool:
        if found is None:
            return False
        name = self._name + subpath.removeprefix(".")
        entry = Entry(name, found.path, found.origin, self._lookup.format_of(found))
        self._found.setdefault(subpath, entry)
        return True

    def _note(self, message: str, written: str, severity: Literal["info", "warning"] = "warning") -> None:
        manifest = self._lookup.manifest
        line = manifest.line_of(written) if manifest.text else 0
        self._notes.append(Note(severity, "entry-missing", message, manifest.path, line))

    # -- exports -----------------------------------------------------------------------------------------

    def _exported(self, exports: SubpathMap) -> None:
        patterns = Patterns(self._context, self._lookup, self._wards.inner(self._package))
        keys = frozenset(exports.patterns)
        for key, target in exports.by_key.items():
            subpaths = [key]
            if key in keys:
                subpaths = [each for each in patterns.subpaths(key, target) if each not in exports.by_key]
            elif "*" in key or not (key == "." or key.startswith("./")):
                continue
            found = [self._add(each, self._lookup.find(each)) for each in subpaths]
            if not any(found) and not patterns.is_exhausted:
                self._missing(key, target)
        for key, twins in patterns.twins.items():
            message = (
                f"{key} has {len(twins)} subpath{'s' if len(twins) > 1 else ''} for require, left out: "
                f"modules are shown as import finds them ({twins[0][0]} by {twins[0][1]})"
            )
            self._notes.append(Note("info", "left-out", message, self._lookup.manifest.path))
        if self._untold:
            message = f"{self._untold} more subpaths of exports lead to files that are not there"
            self._notes.append(Note("warning", "entry-missing", message, self._lookup.manifest.path))
        if patterns.is_exhausted or exports.is_cut:
            message = "exports have more patterns than are held against the files; subpaths are left out"
            self._notes.append(Note("warning", "left-out", message, self._lookup.manifest.path))

    def _missing(self, key: str, target: object) -> None:
        """Say what a subpath of code leads to; nothing of one that is excluded, or an asset."""
        named = [each for each in dict.fromkeys(conditions.leaves(target)) if _is_code_path(each)]
        if not named or conditions.is_excluded(target):
            return
        if len(self._notes) >= _MOST_TOLD:
            self._untold += 1
            return
        outside = next((each for each in named if self._lookup.placed(each) is None), None)
        if outside is not None:
            message = f"{key} leads to {outside[:200]!r}, which is no path inside the package; left out"
        else:
            message = (
                f"{key} leads to {named[0][:200]}, which is not there, nor is a source that it would be built "
                "from; commit it, or name outDir and rootDir in tsconfig.json"
            )
        self._note(message, key)

    # -- without exports -----------------------------------------------------------------------------------

    def _missing_main(self) -> None:
        named = [(key, written) for key, written in self._lookup.fields() if _is_code_path(written)]
        if not named:
            return
        for key, written in named:
            place = inside(self._directory, written)
            if place is None or not is_below(place, self._directory):
                self._note(f"{key} is {written[:200]!r}, which is no path inside the package; left out", key)
                return
        if "." not in self._found:
            key, written = named[0]
            message = (
                f"{key} leads to {written}, which is not there, nor is a source that it would be built from"
            )
            self._note(message, key)

    def _documented(self) -> Iterator[str]:
        """Subpaths that the package speaks of itself, though callers could import any file."""
        versioned = self._lookup.versioned
        for key in versioned.by_key if versioned is not None else ():
            if "*" not in key and key and inside("", key):
                yield f"./{inside('', key)}"
        files = self._context.tree.below(self._directory)
        inner = self._wards.inner(self._package)
        for path in files:
            if path.rpartition("/")[2] == FILE and not path.startswith(inner) and not is_ignored(path):
                folder = folder_of(path)
                relative = relative_to(folder, self._directory) if folder != self._directory else ""
                if relative and not is_aside(f"{relative}/x") and self._redirects(folder):
                    yield f"./{relative}"

    def _redirects(self, folder: str) -> bool:
        """Whether a ``package.json`` says where its directory leads."""
        inner = self._wards.manifest(folder)
        return inner is not None and any(inner.string(key) for key in ("types", "typings", "main", "module"))

    # -- packages without a package.json, and those that others describe -----------------------------------

    def _add_aliases(self) -> None:
        """Without a ``package.json`` callers import it as the workspace's ``paths`` say."""
        if self._lookup.manifest.text or self._lookup.manifest.problem:
            return
        for config in self._base_configs():
            for alias, targets in config.options.get("paths", {}).items():
                place = next((each for each in targets if is_below(each, self._directory)), None)
                if place is not None and "*" not in alias and place in self._context.tree:
                    found = Found(place, place)
                    entry = Entry(alias, place, found.origin, self._lookup.format_of(found))
                    if self._found.get(".") is not None and self._found["."].path == place:
                        del self._found["."]
                    self._found.setdefault(alias, entry)

    def _base_configs(self) -> Iterator[tsconfig.Config]:
        read = tsconfig.configs(self._context)
        for name in ("tsconfig.base.json", "tsconfig.json"):
            if name in self._context.tree:
                found = read.at(name)
                looked_at(self._context, found.files)
                yield found

    def _stand_in(self) -> None:
        """JavaScript that ``@types`` of the same repository describe is known by those."""
        described = self._wards.types_of(self._name)
        if described is None or described is self._package:
            return
        lookup = self._wards.lookup(described)
        missing = [] if "." in self._found else ["."]
        for subpath in (*missing, *self._found):
            own = self._found.get(subpath)
            found = lookup.find(subpath) if own is None or own.origin == "javascript" else None
            if found is not None:
                name = own.name if own is not None else self._name
                looked_at(self._context, [found.path])
                self._found[subpath] = Entry(name, found.path, found.origin, lookup.format_of(found))


def _is_code_path(written: str) -> bool:
    """Whether a target names code, and no style sheet, data or the like."""
    name = written.rpartition("/")[2]
    return is_code(written) or written.endswith(DECLARATIONS) or ("." not in name and "*" not in name)
