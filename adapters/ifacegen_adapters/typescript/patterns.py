"""Which subpaths a pattern of ``exports`` gives: those that a file of the package answers to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ifacegen.adapter import BuildContext
from ifacegen_adapters.typescript import conditions
from ifacegen_adapters.typescript.lookup import Lookup
from ifacegen_adapters.typescript.paths import (
    folder_of,
    is_aside,
    is_code,
    is_declaration,
    is_ignored,
    relative_to,
    stem_of,
)

#: Files that are held against the patterns of one package, times patterns.
_MOST_TRIED = 1_000_000
_MOST_SUBPATHS = 50_000
#: What a target may call a file that has one of these suffixes.
_CALLED = {
    ".d.ts": (".d.ts", ".js", ".jsx"),
    ".d.mts": (".d.mts", ".mjs"),
    ".d.cts": (".d.cts", ".cjs"),
    ".tsx": (".tsx", ".js", ".jsx"),
    ".ts": (".ts", ".js"),
    ".mts": (".mts", ".mjs"),
    ".cts": (".cts", ".cjs"),
}


class Patterns:
    """The patterns of one package, held against its files."""

    def __init__(self, context: BuildContext, lookup: Lookup, others: tuple[str, ...]) -> None:
        """``others`` are what paths of packages inside the package begin with."""
        self._context = context
        self._lookup = lookup
        self._others = others
        self._budget = _MOST_TRIED
        self._left = _MOST_SUBPATHS
        #: Pattern → (subpath that is left out, the same module's for ``import``).
        self.twins: dict[str, list[tuple[str, str]]] = {}

    @property
    def is_exhausted(self) -> bool:
        """Whether there were more files and patterns than are held against each other."""
        return self._budget < 0 or self._left < 0

    def subpaths(self, key: str, target: object) -> Iterator[str]:
        """Subpaths that may be meant, sorted; the lookup knows which are."""
        if self.is_exhausted:
            return
        before, _, behind = key.partition("*")
        found = set(self._stars(target, key))
        self._left -= len(found)
        for star in sorted(found) if self._left >= 0 else ():
            twin = _imported_twin(star, found)
            if twin is None:
                yield before + star + behind
            else:
                self.twins.setdefault(key, []).append((before + star + behind, before + twin + behind))

    def _stars(self, target: object, key: str) -> Iterator[str]:
        """What a star may stand for: all that a file answers to; sources count where nothing is built."""
        standard = list(self._places(target, _is_standard))
        built = [star for place in standard for star in self._in(place, is_open=place.endswith("*"))]
        if built:
            yield from built
            return
        for place in self._places(target, lambda _: True):
            yield from self._in(place, is_open=place.endswith("*"), callers_suffix=True)
        subpath = key.partition("*")[0].rstrip("/")
        for place in standard:
            stems = self._lookup.unbuilt.stems(place, subpath)
            for stem in (each for each in stems if "*" in each):
                found = [*self._in(stem, is_open=place.endswith("*"), callers_suffix=True, bare=True)]
                yield from found
                if found:  # what is less sure would only add other names
                    break

    def _places(self, target: object, admits: Callable[[str], bool]) -> Iterator[str]:
        for leaf in dict.fromkeys(conditions.leaves(target, admits)):
            place = self._lookup.placed(f"{leaf}*" if leaf.endswith("/") else leaf)
            if place is not None and place.count("*") == 1:
                yield place

    def _in(
        self, pattern: str, *, is_open: bool, callers_suffix: bool = False, bare: bool = False
    ) -> Iterator[str]:
        """One for each file that a path with a star may mean.

        Args:
            pattern: The path.
            is_open: Whether callers write the suffix.
            callers_suffix: Whether that is the suffix of a build, while sources are found.
            bare: Whether the path lacks its suffix.
        """
        before, _, behind = pattern.partition("*")
        files = self._context.tree.below(folder_of(before))
        self._budget -= len(files)
        for path in files if self._budget >= 0 else ():
            if not path.startswith(before) or not is_code(path) or path.startswith(self._others):
                continue
            relative = relative_to(path, self._lookup.directory)
            if is_ignored(relative) or is_aside(relative):
                continue
            for called in _names(path, bare, is_open, callers_suffix):
                fits = called.startswith(before) and called.endswith(behind)
                if fits and len(called) > len(before) + len(behind):
                    yield called[len(before) : len(called) - len(behind)]


def _imported_twin(star: str, stars: Collection[str]) -> str | None:
    """The same module's name for ``import``, where callers write the suffix: each format has its own name then."""
    stem = star.removesuffix(".cjs")
    return next((name for name in (f"{stem}.js", f"{stem}.mjs") if star != stem and name in stars), None)


def _names(path: str, bare: bool, is_open: bool, callers_suffix: bool) -> Iterator[str]:
    """What a target may call a file; see :meth:`Patterns._in`."""
    stem = stem_of(path)
    suffix = path[len(stem) :]
    called = _CALLED.get(suffix, (suffix,))
    if is_open:
        yield stem + (called[1] if is_declaration(path) or (callers_suffix and len(called) > 1) else suffix)
    elif bare:
        yield stem
        if stem.endswith("/index"):
            yield stem.removesuffix("/index")
    else:
        yield from (stem + each for each in called)


def _is_standard(condition: str) -> bool:
    return conditions.allows(condition, conditions.IMPORT) or conditions.allows(condition, conditions.REQUIRE)
