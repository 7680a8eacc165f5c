"""The mentions in facts, one after another, without recursion."""

from __future__ import annotations

from collections.abc import Iterator

from ifacegen_adapters.typescript.facts import Fact, Ref
from ifacegen_adapters.typescript.spaces import Group, Part, Unit


def references(fact: Fact) -> Iterator[Ref]:
    """Every mention in a declaration, members' too."""
    pending = [fact]
    while pending:
        each = pending.pop()
        for piece in each.header:
            if isinstance(piece, Ref):
                yield piece
        pending += reversed(each.members)


def shown_parts(group: Group) -> Iterator[Part]:
    """The declarations of a group but those that are tagged ``@internal``, where not all of them are."""
    is_internal = group.is_internal
    yield from (part for part in group.parts if is_internal or not part.fact.is_internal)


def mentions(group: Group) -> Iterator[tuple[Ref, Unit]]:
    """Every mention in the declarations of a group that can be shown, with the unit that it is made in."""
    for fact, unit in shown_parts(group):
        yield from _mentions([(fact, unit, group)])


def mentions_of_block(body: Unit) -> Iterator[tuple[Ref, Unit]]:
    """Every mention in a ``declare global`` or ``declare module``."""
    yield from _statements(body)
    yield from _mentions(_contents(body))


def _contents(body: Unit) -> list[tuple[Fact, Unit, Group | None]]:
    members = body.fact.members if body.fact is not None else ()
    return [(fact, body, body.space.groups.get(fact.name or "default")) for fact in reversed(members)]


def _mentions(pending: list[tuple[Fact, Unit, Group | None]]) -> Iterator[tuple[Ref, Unit]]:
    while pending:
        fact, unit, group = pending.pop()
        for piece in fact.header:
            if isinstance(piece, Ref):
                yield piece, unit
        body = group.units().get(id(fact)) if group is not None and fact.kind == "namespace" else None
        if body is not None:
            yield from _statements(body)
            pending += _contents(body)
        else:
            pending += ((each, unit, None) for each in reversed(fact.members))


def _statements(body: Unit) -> Iterator[tuple[Ref, Unit]]:
    """What imports and exports inside a block mention."""
    for imported in body.statements:
        if not imported.module:
            yield from ((ref, body) for ref in dotted(imported.name))
    for export in body.exports:
        if not export.module and export.local and export.kind != "umd":
            yield from ((ref, body) for ref in dotted(export.local))


def dotted(name: str) -> tuple[Ref, ...]:
    """``a.b`` as a mention of whatever it may be."""
    first, *rest = name.split(".")
    if rest:
        return (Ref(first, tuple(rest), "type"), Ref(first, tuple(rest), "value"))
    return (Ref(first), Ref(first, (), "value"), Ref(first, (), "namespace"))


def shown_facts(group: Group) -> Iterator[Fact]:
    """The declarations of a group and all that is in them."""
    pending = [part.fact for part in shown_parts(group)]
    while pending:
        fact = pending.pop()
        yield fact
        pending += fact.members
