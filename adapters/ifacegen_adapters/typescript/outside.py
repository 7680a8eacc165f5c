"""What was looked at outside the package that a view is made of: its view depends on that, too."""

from __future__ import annotations

from collections.abc import Iterable

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen_adapters.typescript.neighbours import neighbours, place_of
from ifacegen_adapters.typescript.paths import is_below

#: Begins the name of a consulted file.
PREFIX = "file:"


def inner(context: BuildContext) -> tuple[str, ...]:
    """What paths of packages inside the package begin with."""
    known: dict[str, tuple[str, ...]] = context.shared.setdefault("typescript.inner", {})
    path = context.package.path
    if path not in known:
        known[path] = neighbours(context.packages, context.shared).inside(place_of(context.package))
    return known[path]


def is_own(context: BuildContext, path: str) -> bool:
    """Whether a file is the package's, and not one of a package inside it."""
    return is_below(path, place_of(context.package)) and not path.startswith(inner(context))


def looked_at(context: BuildContext, paths: Iterable[str]) -> None:
    """Remember files that were read, or missed, for the package; its own are no matter."""
    kept: dict[str, dict[str, None]] = context.shared.setdefault("typescript.outside", {})
    own = kept.setdefault(context.package.path, {})
    own.update((path, None) for path in paths if not is_own(context, path))


def consulted(context: BuildContext) -> dict[str, tuple[str, str] | None]:
    """``file:PATH`` → (path, blob id), or None where nothing lies, of all that was looked at so far."""
    kept: dict[str, dict[str, None]] = context.shared.get("typescript.outside", {})
    return {PREFIX + path: meaning(context, path) for path in sorted(kept.get(context.package.path, ()))}


def meaning(context: BuildContext, path: str) -> tuple[str, str] | None:
    """A file and its id, which is empty where it cannot be read; None if there is no such file."""
    if path not in context.tree:
        return None
    try:
        return path, context.tree.id(path)
    except ReadError:
        return path, ""
