"""Files outside a package that its documents refer to: named so that they can be asked for again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

from ifacegen.adapter import BuildContext, Tree
from ifacegen.errors import ReadError

#: Tells these names from those of other adapters.
_PREFIX = "openapi:"


def input_name(path: str) -> str:
    """The name of a file as an input: one word."""
    return _PREFIX + quote(path, errors="surrogateescape")


def consult(context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
    """What lies at the files of these names now; names of others are left to them."""
    return {name: _found(context.tree, path) for name, path in _paths(names).items()}


def absent(tree: Tree, names: Sequence[str]) -> tuple[str, ...]:
    """The files of these names that are not there."""
    return tuple(sorted(path for path in _paths(names).values() if path not in tree))


def _paths(names: Sequence[str]) -> dict[str, str]:
    return {
        name: unquote(name.removeprefix(_PREFIX), errors="surrogateescape")
        for name in names
        if name.startswith(_PREFIX)
    }


def _found(tree: Tree, path: str) -> tuple[str, str] | None:
    if path not in tree:
        return None
    try:
        return path, tree.id(path)
    except ReadError:
        return path, ""
