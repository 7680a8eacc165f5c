"""What stands in front of declarations: ``export``, ``default``, ``declare``, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.headings import GLOBAL

#: What is written as members in braces, whether there are any or not.
BLOCKS = frozenset({"class", "interface", "enum", "namespace", "global", "ambient"})
#: What stands by itself, not in a type.
TOP = frozenset({"function", "variable", "type", *BLOCKS})
STATEMENTS = frozenset({"import", "alias"})
#: What may follow ``export default``.
_DEFAULTS = frozenset({"class", "function", "interface"})
#: What needs no ``declare`` to be one.
_PLAIN = frozenset({"interface", "type"})


@dataclass(frozen=True, slots=True)
class Place:
    """What is around declarations, and decides what is written in front of them."""

    #: Whether they are members of something with a type.
    is_type: bool = False
    #: Whether those without ``export`` need a ``declare``: elsewhere, what is around them has one.
    declares: bool = True
    #: Whether names that callers can have are marked as exported.
    exports: bool = True
    #: Names whose default export is a statement of its own.
    apart: frozenset[str] = frozenset()


MEMBERS = Place(is_type=True)


def place_alone(declaration: Declaration) -> Place:
    """Where a declaration stands of which nothing else is known."""
    return Place(apart=frozenset(_defaults_apart([declaration]))) if declaration.kind in TOP else MEMBERS


def place_of(module: Module) -> Place:
    """Where the declarations of a module stand."""
    if module.name.endswith(GLOBAL) or _assigns(module.declarations):
        return Place(exports=False)
    return Place(apart=frozenset(_defaults_apart(module.declarations)))


def block_place(members: Sequence[Declaration]) -> Place:
    """Where the members of a namespace or an ambient module stand: all are exported, unless something says which."""
    is_chosen = chooses(members) or any(
        each.visibility == "carried" or each.extra.get("export") for each in members
    )
    exports = is_chosen and not _assigns(members)
    return Place(declares=False, exports=exports, apart=frozenset(_defaults_apart(members)))


def _assigns(declarations: Iterable[Declaration]) -> bool:
    return any(each.kind == "alias" and each.signature.startswith("export =") for each in declarations)


def chooses(declarations: Iterable[Declaration]) -> bool:
    """Whether a statement says what is exported: where there is none, all of a declaration file is."""
    return any(
        each.kind == "alias" and not each.signature.startswith("export as namespace") for each in declarations
    )


def _defaults_apart(declarations: Sequence[Declaration]) -> Iterator[str]:
    """Names of default exports that are no classes, functions or interfaces, or several things at once."""
    kinds: dict[str, set[str]] = {}
    for each in declarations:
        if each.extra.get("export") == "default":
            kinds.setdefault(each.name, set())
    for each in declarations:
        if each.name in kinds and each.kind not in STATEMENTS:
            kinds[each.name].add(each.kind)
    for name, found in kinds.items():
        if len(found) > 1 or not found <= _DEFAULTS:
            yield name


def prefix(declaration: Declaration, place: Place) -> str:
    """The words in front of a signature."""
    if place.is_type or declaration.kind not in TOP:
        return ""
    if declaration.kind in ("global", "ambient"):
        return "declare " if place.declares else ""
    if declaration.visibility != "carried" and place.exports:
        form = declaration.extra.get("export")
        if form is None:
            return "export "
        if form == "default" and declaration.name not in place.apart:
            return "export default "
    return "declare " if place.declares and declaration.kind not in _PLAIN else ""
