"""What one must see to use a declaration: the messages and enums that it mentions, and what these do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ifacegen.model import Declaration, Module


def needed(modules: Sequence[Module], declarations: Sequence[Declaration]) -> list[Module]:
    """Of the modules, what the declarations mention, directly or not, without the declarations themselves."""
    places = {
        path: each
        for module in modules
        for top in module.declarations
        for each in top.walk()
        if each.kind in ("message", "enum")
        for path in each.import_paths
    }
    shown = {each.id for top in declarations for each in top.walk()}
    wanted: dict[str, None] = {}
    pending = [name for each in declarations for name in _mentions(each)]
    while pending:
        found = places.get(pending.pop())
        if found is not None and found.id not in shown and found.id not in wanted:
            wanted[found.id] = None
            pending.extend(_mentions(found))
    return [made for module in modules if (made := _cut(module, wanted)) is not None]


def _mentions(declaration: Declaration) -> Iterator[str]:
    for each in declaration.walk():
        names = each.extra.get("mentions")
        if isinstance(names, tuple):
            yield from names


def _cut(module: Module, wanted: Mapping[str, None]) -> Module | None:
    kept = tuple(_kept(module.declarations, wanted))
    return replace(module, doc=None, declarations=kept) if kept else None


def _kept(declarations: Iterable[Declaration], wanted: Mapping[str, None]) -> Iterator[Declaration]:
    """What is wanted, whole; what holds some of it, without its other members."""
    for each in declarations:
        if each.id in wanted:
            yield each
        elif inner := tuple(_kept(each.members, wanted)):
            elided = len(each.members) - len(inner)
            extra = {**each.extra, "members_elided": elided} if elided else each.extra
            yield replace(each, members=inner, extra=extra)
