"""What a subpath of one package leads to: a declaration file, a source, or JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from ifacegen.adapter import BuildContext
from ifacegen_adapters.typescript import conditions, manifest
from ifacegen_adapters.typescript.conditions import IMPORT, REQUIRE, Stop, SubpathMap
from ifacegen_adapters.typescript.files_at import Candidates
from ifacegen_adapters.typescript.manifest import Manifest, strings, table
from ifacegen_adapters.typescript.paths import (
    SCRIPTS,
    inside,
    is_below,
    is_declaration,
    is_script,
    joined,
    relative_to,
    stem_of,
)
from ifacegen_adapters.typescript.unbuilt import Unbuilt
from ifacegen_adapters.typescript.versions import covers

Origin: TypeAlias = Literal["shipped", "source", "javascript"]
Format: TypeAlias = Literal["module", "commonjs"]
#: What bundlers take before ``main``; neither node nor the compiler asks for it.
_BUNDLERS_FIELD = "module"
#: What the package's own name leads to without ``exports``, in the order of authority.
_FIELDS = ("typings", "types", "main", _BUNDLERS_FIELD)


@dataclass(frozen=True, slots=True)
class Found:
    """A file that answers to a subpath."""

    path: str
    #: What ``package.json`` names, relative to the repository; it is how node takes the file.
    target: str

    @property
    def origin(self) -> Origin:
        """What kind of file it is."""
        return "shipped" if is_declaration(self.path) else "javascript" if is_script(self.path) else "source"


@dataclass
class Lookup:
    """One package, or a directory inside of one that has a ``package.json`` of its own."""

    context: BuildContext
    #: The package's directory: nothing outside is an answer.
    directory: str
    manifest: Manifest
    #: Where relative targets start; another than ``directory`` only for directories inside.
    start: str = ""
    _known: dict[str, Found | None] = field(default_factory=dict)

    @cached_property
    def exports(self) -> SubpathMap | None:
        """What the package allows to be imported; None where it doesn't say."""
        value = self.manifest.data.get("exports")
        return None if value is None else SubpathMap(value)

    @cached_property
    def unbuilt(self) -> Unbuilt:
        """What builds of the package are made from."""
        return Unbuilt(self.context, self.directory)

    @cached_property
    def _candidates(self) -> Candidates:
        return Candidates(self.context.tree)

    @cached_property
    def versioned(self) -> SubpathMap | None:
        """``typesVersions`` for the compiler."""
        stated = table(self.manifest.data.get("typesVersions"))
        paths = next((table(each) for written, each in stated.items() if covers(written)), None)
        return SubpathMap(paths, "") if paths else None

    def find(self, subpath: str) -> Found | None:
        """The file behind ``.`` or ``./x``; None if there is none, or it is excluded."""
        if subpath not in self._known:
            self._known[subpath] = self._find(subpath)
        return self._known[subpath]

    def _find(self, subpath: str) -> Found | None:
        if self.exports is not None:
            return self._exported(subpath)
        return self._main() if subpath == "." else self._deep(subpath)

    # -- exports -----------------------------------------------------------------------------------------

    def _exported(self, subpath: str) -> Found | None:
        match = self.exports.match(subpath) if self.exports is not None else None
        return self.target(match, subpath) if match is not None else None

    def target(self, match: conditions.Match, subpath: str) -> Found | None:
        """What a match of ``exports`` or ``imports`` leads to.

        Declarations go first, then sources that the package's own tools take, then those that a missing build
        would be made from, then JavaScript.
        """
        exact = self._candidates

        def placed(target: str) -> str | None:
            return self.placed(conditions.filled(target, match.star))

        def stated(look: Callable[[str], str | None]) -> Callable[[str], Found | None]:
            def of(target: str) -> Found | None:
                path = placed(target)
                found = look(path) if path is not None else None
                return Found(found, path) if found is not None and path is not None else None

            return of

        def unbuilt(path: str) -> str | None:
            places = map(placed, conditions.leaves(match.target))
            is_built = any(place is not None and exact.any_code(place) for place in places)
            return exact.source(self.unbuilt.stems(path, subpath), built=is_built)

        def unbuilt_script(path: str) -> str | None:
            return self._candidates.script(self.unbuilt.stems(path, subpath))

        attempts: tuple[tuple[Callable[[str], str | None], bool], ...] = (
            (exact.typed, False),
            (exact.exact_source, True),
            (unbuilt, False),
            (exact.exact_script, False),
            (unbuilt_script, False),
        )
        try:
            for look, custom in attempts:
                for wanted in (IMPORT, REQUIRE):
                    found = conditions.search(match.target, _admits(wanted, custom=custom), stated(look))
                    if found is not None:
                        return found
            return conditions.search(match.target, lambda _: True, stated(exact.any_code))
        except Stop:
            return None

    def placed(self, target: str) -> str | None:
        """Where a target of ``exports`` lies; None where it is none that node would take."""
        if not target.startswith("./") or any(
            part in ("", ".", "..", "node_modules") for part in target[2:].split("/")
        ):
            return None
        return inside(self.directory, target)

    # -- without exports -----------------------------------------------------------------------------------

    def fields(self) -> Iterator[tuple[str, str]]:
        """(field, file) that may say what the package's own name means, in the order of authority."""
        for key in _FIELDS:
            if written := self.manifest.string(key):
                yield key, written

    def _main(self) -> Found | None:
        # Only what stands first is rewritten: the compiler asks no other.
        first = next((written for _, written in self.fields()), "index")
        rewritten = self._rewritten(first.removeprefix("./"))
        if rewritten is not None:
            return rewritten
        named = [(key, place) for key, each in self.fields() if (place := self._below(each)) is not None]
        places = [place for key, place in named if key != _BUNDLERS_FIELD]
        bundled = [place for key, place in named if key == _BUNDLERS_FIELD]
        index = [joined(self._base, "index")]
        exact = self._candidates
        attempts = (
            (exact.typed_loosely, places),
            (self._unbuilt_source, places),
            (exact.typed_loosely, [*index, *bundled]),
            (self._unbuilt_source, bundled),
            (exact.script_loosely, [*places, *bundled, *index]),
            (self._unbuilt_script, [*places, *bundled]),
        )
        for look, asked in attempts:
            for place in asked:
                found = look(place)
                if found is not None:
                    return Found(found, place)
        return self._by_convention() if not named else None

    @property
    def _base(self) -> str:
        return self.start or self.directory

    def _below(self, written: str) -> str | None:
        place = inside(self._base, written)
        return place if place is not None and is_below(place, self.directory) else None

    def _subpath(self) -> str:
        inner = relative_to(self._base, self.directory) if self._base != self.directory else ""
        return f"./{inner}" if inner else "."

    def _unbuilt_source(self, place: str) -> str | None:
        return self._source(place, self._subpath())

    def _source(self, place: str, subpath: str) -> str | None:
        """The source that a build's file is made from."""
        stems = self.unbuilt.stems(place, subpath)
        built = any(stem_of(place) + suffix in self.context.tree for suffix in SCRIPTS)
        return self._candidates.source(stems, built=built)

    def _unbuilt_script(self, place: str) -> str | None:
        return self._candidates.script(self.unbuilt.stems(place, self._subpath()))

    def _by_convention(self) -> Found | None:
        """A package that names no entry point at all has ``index``, or ``src/index``."""
        place = joined(self._base, "src/index")
        found = self._candidates.typed_loosely(place) or self._candidates.script_loosely(place)
        return Found(found, place) if found is not None else None

    def _rewritten(self, name: str) -> Found | None:
        """What ``typesVersions`` makes of a path of the package."""
        match = self.versioned.match(name) if self.versioned is not None and not self.start else None
        targets = strings(match.target) if match is not None else ()
        for target in targets:
            place = self._below(conditions.filled(target, match.star if match is not None else None))
            found = self._candidates.typed_loosely(place) if place is not None else None
            if found is None and place is not None:
                found = self._source(place, ".")
            if found is not None and place is not None:
                return Found(found, place)
        return None

    def _deep(self, subpath: str) -> Found | None:
        """Without ``exports`` any file can be imported, and a directory that says what it means."""
        rewritten = self._rewritten(subpath.removeprefix("./"))
        if rewritten is not None:
            return rewritten
        place = self._below(subpath)
        if place is None:
            return None
        inner = manifest.in_directory(self.context.tree, self.context.shared, place)
        if inner is not None and place != self.directory and not self.start:
            found = Lookup(self.context, self.directory, inner, place).find(".")
            if found is not None:
                return found
        path = self._candidates.typed_loosely(place) or self._candidates.script_loosely(place)
        return Found(path, place) if path is not None else None

    def format_of(self, found: Found) -> Format:
        """How node takes a file: by its suffix, else by the nearest ``package.json``."""
        target = found.target
        for suffix, known in _FORMATS:
            if target.endswith(suffix):
                return known
        if target.endswith((".ts", ".js", ".tsx", ".jsx")) or not is_declaration(found.path):
            path = target
        else:
            path = found.path
        scope = manifest.scope_of(self.context.tree, self.context.shared, path)
        value: Any = scope.data.get("type") if scope is not None else None
        return "module" if value == "module" else "commonjs"


_FORMATS: tuple[tuple[str, Format], ...] = (
    (".mjs", "module"),
    (".mts", "module"),
    (".cjs", "commonjs"),
    (".cts", "commonjs"),
)


def _admits(wanted: frozenset[str], *, custom: bool) -> Callable[[str], bool]:
    def admits(condition: str) -> bool:
        return conditions.allows(condition, wanted) or (custom and conditions.is_custom(condition))

    return admits
