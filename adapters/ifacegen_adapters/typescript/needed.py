"""What one must see to use a declaration: the types that it mentions, what these mention, and where others are from."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ifacegen.model import Declaration, Module

_WORD = re.compile(r"[\w$]+")
_NAME = re.compile(r"[:.]")
_NUMBER = re.compile(r"#\d+\Z")


def needed(modules: Sequence[Module], declarations: Sequence[Declaration]) -> list[Module]:
    """Of the modules, what the declarations mention, directly or not, without themselves; the nearest first."""
    places = _by_name(modules)
    shown = {each.id for top in declarations for each in top.walk()}
    wanted: dict[str, int] = {}
    waiting = deque(_mentions(each) or _of_owner(each, modules) for each in declarations)
    while waiting:
        for name in waiting.popleft():
            for found in places.get(name, ()):
                if found.id not in shown and found.id not in wanted:
                    wanted[found.id] = len(wanted)
                    waiting.append(_mentions(found))
    cut = [(module, list(_kept(module.declarations, wanted))) for module in modules]
    order = {module.name: _nearest(kept, wanted) for module, kept in cut}
    made = [_made(module, kept, wanted, declarations) for module, kept in cut]
    return sorted((each for each in made if each is not None), key=lambda each: order[each.name])


def _by_name(modules: Sequence[Module]) -> dict[str, list[Declaration]]:
    """All declarations but imports and aliases by id, overloads and what is merged under one."""
    found: dict[str, list[Declaration]] = {}
    for module in modules:
        for top in module.declarations:
            for each in top.walk():
                if each.kind not in ("import", "alias"):
                    found.setdefault(_NUMBER.sub("", each.id), []).append(each)
    return found


def _mentions(declaration: Declaration) -> list[str]:
    found: list[str] = []
    for each in declaration.walk():
        names = each.extra.get("mentions")
        if isinstance(names, tuple):
            found += (_NUMBER.sub("", name) for name in names)
    return found


def _of_owner(member: Declaration, modules: Sequence[Module]) -> list[str]:
    """What a member mentions of that which is known only of all members of its owner."""
    words = _words([member])
    tops = (top for module in modules for top in module.declarations if _is_in(member, top))
    return [name for top in tops for name in _mentions(top) if _NAME.split(name)[-1] in words]


def _is_in(member: Declaration, top: Declaration) -> bool:
    return member.id.startswith(f"{_NUMBER.sub('', top.id)}.") and any(each is member for each in top.walk())


def _kept(declarations: Iterable[Declaration], wanted: Mapping[str, int]) -> Iterator[Declaration]:
    """What is wanted, whole; a namespace that holds some of it, without its other members."""
    for each in declarations:
        if each.id in wanted:
            yield each
        elif each.members and (inner := tuple(_kept(each.members, wanted))):
            elided = len(each.members) - len(inner)
            extra = {**each.extra, "members_elided": elided} if elided else each.extra
            yield replace(each, members=inner, extra=extra)


def _nearest(kept: Sequence[Declaration], wanted: Mapping[str, int]) -> int:
    return min((_rank(each, wanted) for each in kept), default=len(wanted))


def _rank(declaration: Declaration, wanted: Mapping[str, int]) -> int:
    return min((wanted[each.id] for each in declaration.walk() if each.id in wanted), default=len(wanted))


def _made(
    module: Module, kept: list[Declaration], wanted: Mapping[str, int], asked: Sequence[Declaration]
) -> Module | None:
    """A module with what is wanted of it, and the imports that this, or what was asked for, needs."""
    own = [each for each in asked if each.id.startswith(f"{module.name}:")]
    words = _words([*kept, *own])
    imports = (each for each in module.declarations if each.kind == "import" and _is_used(each, words))
    kept.sort(key=lambda each: _rank(each, wanted))
    declarations = (*imports, *kept)
    return replace(module, doc=None, declarations=declarations) if declarations else None


def _words(declarations: Iterable[Declaration]) -> frozenset[str]:
    return frozenset(
        word for top in declarations for each in top.walk() for word in _WORD.findall(each.signature)
    )


def _is_used(statement: Declaration, words: Collection[str]) -> bool:
    """Whether one of the names that an import binds is mentioned."""
    bound = statement.signature.partition(" from ")[0].removeprefix("import ")
    return any(word in words for word in _WORD.findall(bound.replace(" as ", " ")) if word != "type")
