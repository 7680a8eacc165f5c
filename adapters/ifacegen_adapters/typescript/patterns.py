"""Which subpaths a pattern of ``exports`` gives: those that a file of the package answers to."""

from __future__ import annotations

from collections.abc import Iterator

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
from ifacegen_adapters.typescript.unbuilt import Unbuilt

#: Files that are held against the patterns of one package, times patterns.
_MOST_TRIED = 200_000
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


def subpaths_of(
    context: BuildContext, lookup: Lookup, key: str, target: object, others: tuple[str, ...]
) -> Iterator[str]:
    """Subpaths that may be meant, sorted; the lookup knows which are.

    Args:
        context: For the files of the tree.
        lookup: The package's.
        key: The pattern.
        target: What it leads to.
        others: What paths of packages inside the package begin with.
    """
    before, _, behind = key.partition("*")
    found: set[str] = set()
    budget = _MOST_TRIED
    for leaf in dict.fromkeys(conditions.leaves(target)):
        place = lookup.placed(leaf.replace("*", "\1") if "*" in leaf else leaf + "\1")
        if place is None or place.count("\1") != 1 or budget <= 0:
            continue
        for pattern, suffixes in _patterns(context, lookup, place.replace("\1", "*"), key):
            budget -= len(context.tree.below(folder_of(pattern.partition("*")[0])))
            if budget <= 0:
                break
            stars = list(_stars(context, lookup.directory, pattern, suffixes, others))
            found.update(stars)
    for star in sorted(found):
        yield before + star + behind


def _patterns(context: BuildContext, lookup: Lookup, place: str, key: str) -> Iterator[tuple[str, bool]]:
    """(path with a star, whether its suffix is left out)."""
    yield place, False
    for stem in Unbuilt(context, lookup.directory).stems(place, key.partition("*")[0].rstrip("/")):
        if "*" in stem:
            yield stem, True


def _stars(
    context: BuildContext, directory: str, pattern: str, bare: bool, others: tuple[str, ...]
) -> Iterator[str]:
    """What the star of a path stands for, one for each file that could answer."""
    before, _, behind = pattern.partition("*")
    for path in context.tree.below(folder_of(before)):
        if not path.startswith(before) or not is_code(path) or path.startswith(others):
            continue
        relative = relative_to(path, directory)
        if is_ignored(relative) or is_aside(relative):
            continue
        for called in _names(path, bare=bare, is_open=not behind):
            if (
                called.startswith(before)
                and called.endswith(behind)
                and len(called) > len(before) + len(behind)
            ):
                yield called[len(before) : len(called) - len(behind)]


def _names(path: str, *, bare: bool, is_open: bool) -> Iterator[str]:
    """What a target may call a file; one that ends in its star has the suffix from callers."""
    stem = stem_of(path)
    suffix = path[len(stem) :]
    called = _CALLED.get(suffix, (suffix,))
    if is_open:
        yield stem + (called[1] if is_declaration(path) or (bare and len(called) > 1) else suffix)
    elif bare:
        yield stem
        if stem.endswith("/index"):
            yield stem.removesuffix("/index")
    else:
        yield from (stem + each for each in called)
