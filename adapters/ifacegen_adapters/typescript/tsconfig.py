"""Reads ``tsconfig.json``: the options that govern a directory, with ``extends`` followed inside the repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from ifacegen.adapter import BuildContext, Tree
from ifacegen.errors import ReadError
from ifacegen_adapters.typescript import jsonc
from ifacegen_adapters.typescript.manifest import strings, table, text
from ifacegen_adapters.typescript.neighbours import Neighbours, neighbours, place_of
from ifacegen_adapters.typescript.outside import looked_at
from ifacegen_adapters.typescript.paths import folder_of, inside, is_below, joined

_NAMES = ("tsconfig.json", "jsconfig.json")
#: Other names under which the settings of a package's build are found.
_BUILDS = [f"tsconfig.{each}.json" for each in ("build", "lib", "prod", "types", "src", "esm", "cjs")]
_MOST_FILES = 40
_PATH_OPTIONS = ("outDir", "declarationDir", "rootDir", "baseUrl")
_OWN_DIRECTORY = "${configDir}"


@dataclass(frozen=True)
class Config:
    """One configuration with all that it extends."""

    path: str
    #: ``compilerOptions``; ``outDir``, ``declarationDir``, ``rootDir``, ``baseUrl`` and the targets of ``paths`` are
    #: relative to the repository (``""`` is the repository), and left out where they lead out of it.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Directories and files that it takes, relative to the repository, without what is behind the first wildcard.
    includes: tuple[str, ...] = ()
    #: Configurations that it refers to.
    references: tuple[str, ...] = ()
    #: Every file that was read for it, or is missing.
    files: tuple[str, ...] = ()

    @property
    def directory(self) -> str:
        """Where it lies."""
        return folder_of(self.path)


class Configs:
    """The configurations of a tree, read once."""

    def __init__(self, tree: Tree, shared: MutableMapping[str, Any], known: Neighbours) -> None:
        self._tree = tree
        self._known: dict[str, Config] = shared.setdefault("typescript.configs", {})
        self._nearest: dict[str, tuple[str | None, tuple[str, ...]]] = shared.setdefault(
            "typescript.nearest-configs", {}
        )
        self._neighbours = known

    def at(self, path: str) -> Config:
        """What a file states."""
        if path not in self._known:
            self._known[path] = _Reading(self._tree, self._named, path).config()
        return self._known[path]

    def nearest(self, folder: str) -> tuple[Config | None, tuple[str, ...]]:
        """The configuration that an editor would take for a directory, and the places that it was not found at."""
        if folder not in self._nearest:
            missed = []
            place, found = folder, None
            while found is None:
                found = self._in(place)
                missed += [joined(place, name) for name in _NAMES[:1]] if found is None else []
                if not place:
                    break
                place = folder_of(place)
            self._nearest[folder] = found, tuple(missed)
        path, missed_places = self._nearest[folder]
        return (self.at(path) if path is not None else None), missed_places

    def of_package(self, directory: str) -> Iterator[Config]:
        """All configurations that may say where a package's build writes: its own, those referred to, the nearest."""
        own = [joined(directory, name) for name in (*_NAMES[:1], *_BUILDS, "src/tsconfig.json")]
        pending = [path for path in own if path in self._tree]
        nearest, _ = self.nearest(directory)
        pending += [nearest.path] if nearest is not None else []
        seen: dict[str, None] = {}
        for path in pending:  # grows
            if path not in seen and len(seen) < _MOST_FILES:
                seen[path] = None
                config = self.at(path)
                yield config
                pending += config.references if is_below(path, directory) else ()

    def _in(self, folder: str) -> str | None:
        paths = (joined(folder, name) for name in _NAMES)
        return next((path for path in paths if path in self._tree), None)

    def _named(self, name: str) -> Iterator[str]:
        """Where the settings may lie that a workspace's package called so, or a file of one, stands for."""
        own = "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
        package = self._neighbours.by_name.get(own)
        rest = name[len(own) + 1 :] or "tsconfig.json"
        found = inside(place_of(package), rest) if package is not None else None
        yield from (found, f"{found}.json", f"{found}/tsconfig.json") if found else ()


class _Reading:
    """One configuration, while what it extends is gathered."""

    def __init__(self, tree: Tree, named: Any, path: str) -> None:
        self._tree = tree
        self._named = named
        self._path = path
        self._files: dict[str, None] = {}

    def config(self) -> Config:
        options: dict[str, Any] = {}
        covered: dict[str, tuple[str, ...]] = {}
        first: Mapping[str, Any] | None = None
        for path, value in reversed(list(self._chain())):
            options.update(_options(value, folder_of(path), folder_of(self._path), options.get("baseUrl")))
            stated = _includes(value, folder_of(path))
            covered.update({"": stated} if stated is not None else {})
            first = value
        references = self._references(first or {})
        return Config(self._path, options, covered.get("", ()), references, tuple(self._files))

    def _chain(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The file and all that it extends, what goes first first."""
        pending = [self._path]
        while pending and len(self._files) < _MOST_FILES:
            path = pending.pop()
            if path in self._files:
                continue
            self._files[path] = None
            value = self._read(path)
            yield path, value
            stated = value.get("extends")
            extended = [stated] if isinstance(stated, str) else list(strings(stated))
            found = (self._extended(each, folder_of(path)) for each in extended)
            pending += [each for each in found if each is not None]  # the last one goes first

    def _read(self, path: str) -> Mapping[str, Any]:
        try:
            return table(jsonc.loads(self._tree.read(path).data))
        except (
            ReadError,
            jsonc.Malformed,
        ):  # TypeScript goes on without, too; nothing in it is part of a view
            return {}

    def _extended(self, written: str, folder: str) -> str | None:
        if written.startswith(("./", "../")) or written in (".", ".."):
            found = inside(folder, written)
            paths = [] if found is None else [found, f"{found}.json", joined(found, "tsconfig.json")]
        else:
            paths = list(self._named(written))
        for path in paths:
            if path in self._tree:
                return str(path)
            self._files.setdefault(path, None)
        return None

    def _references(self, value: Mapping[str, Any]) -> tuple[str, ...]:
        stated = value.get("references")
        found = []
        for each in stated if isinstance(stated, list) else ():
            path = inside(folder_of(self._path), text(table(each).get("path")))
            places = (path, f"{path}/tsconfig.json") if path else ()
            found += [place for place in places if place in self._tree]
        return tuple(found)


def _options(value: Mapping[str, Any], folder: str, leaf: str, base: str | None) -> dict[str, Any]:
    """Options of one file with its paths relative to the repository.

    Args:
        value: The file's.
        folder: Where it lies.
        leaf: Where the file lies that extends it, and governs.
        base: ``baseUrl`` of what it extends itself.
    """
    options = dict(table(value.get("compilerOptions")))
    for key in _PATH_OPTIONS:
        if key in options:
            place = _rebased(options.pop(key), folder, leaf)
            options.update({key: place} if place is not None else {})
    if "paths" in options:
        start = options.get("baseUrl", folder if base is None else base)
        options["paths"] = {
            pattern: tuple(p for each in strings(targets) if (p := _rebased(each, start, leaf)) is not None)
            for pattern, targets in table(options["paths"]).items()
        }
    return options


def _rebased(written: Any, folder: str, leaf: str) -> str | None:
    if not isinstance(written, str):
        return None
    if written.startswith(_OWN_DIRECTORY):
        return inside(leaf, written.removeprefix(_OWN_DIRECTORY).lstrip("/"))
    return inside(folder, written)


def _includes(value: Mapping[str, Any], folder: str) -> tuple[str, ...] | None:
    if "include" not in value and "files" not in value:
        return None
    places = []
    for each in (*strings(value.get("include")), *strings(value.get("files"))):
        fixed = each.partition("*")[0]
        fixed = fixed if fixed == each else fixed.rpartition("/")[0]
        place = inside(folder, fixed.replace(_OWN_DIRECTORY, "."))
        places += [place] if place is not None else []
    return tuple(dict.fromkeys(places))


def configs(context: BuildContext) -> Configs:
    """The configurations of the context's tree."""
    return Configs(context.tree, context.shared, neighbours(context.packages, context.shared))


def governing(context: BuildContext, folder: str) -> Config | None:
    """The configuration of a directory, remembered as looked at for the package."""
    found, missed = configs(context).nearest(folder)
    looked_at(context, missed)
    looked_at(context, found.files if found is not None else ())
    return found


def compiler_options(context: BuildContext, folder: str | None = None) -> Mapping[str, Any]:
    """The options that govern the package, or a directory of the repository; see :attr:`Config.options`."""
    found = governing(context, place_of(context.package) if folder is None else folder)
    return found.options if found is not None else {}
