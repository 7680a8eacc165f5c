"""What one must see to use a declaration: the types that it mentions, what these mention, and where others are from."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.headings import is_hidden

#: Tokens of what is shown whole, more or less.
_ROOM = 3000
_WORD = re.compile(r"[\w$]+")
_NAME = re.compile(r"[:.]")
_NUMBER = re.compile(r"#\d+\Z")


def needed(modules: Sequence[Module], declarations: Sequence[Declaration]) -> list[Module]:
    """Of the modules, what the declarations mention, directly or not, without themselves; the nearest first.

    Types mention types until nearly all of a package is there: what is farther away than there is room for has no
    members, and what only that mentions is left out.
    """
    wanted = _Wanted()
    shown = {each.id for top in declarations for each in top.walk()}
    wanted.gather(
        _by_name(modules), shown, [_mentions(each) or _of_owner(each, modules) for each in declarations]
    )
    cut = [(module, list(_kept(module.declarations, wanted))) for module in modules]
    order = {module.name: _nearest(kept, wanted) for module, kept in cut}
    made = [_made(module, kept, wanted, declarations) for module, kept in cut]
    return sorted((each for each in made if each is not None), key=lambda each: order[each.name])


@dataclass(slots=True)
class _Wanted:
    """What is to be shown."""

    #: Id → how near it is, counted from 0.
    ranks: dict[str, int] = field(default_factory=dict)
    #: Ids of what has no members.
    far: set[str] = field(default_factory=set)

    def gather(
        self,
        places: Mapping[str, Sequence[Declaration]],
        shown: Collection[str],
        names: Iterable[Sequence[str]],
    ) -> None:
        """All that names lead to."""
        waiting = deque(names)
        room = _ROOM
        while waiting:
            for each in (found for name in waiting.popleft() for found in places.get(name, ())):
                if each.id in shown or each.id in self.ranks:
                    continue
                self.ranks[each.id] = len(self.ranks)
                if room > 0:
                    room -= each.tokens
                    waiting.append(_mentions(each))
                else:
                    self.far.add(each.id)


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


def _kept(declarations: Iterable[Declaration], wanted: _Wanted) -> Iterator[Declaration]:
    """What is wanted, whole; a namespace that holds some of it, without its other members."""
    for each in declarations:
        if each.id in wanted.far:
            yield _without_members(each)
        elif each.id in wanted.ranks:
            yield each
        elif each.members and (inner := tuple(_kept(each.members, wanted))):
            elided = len(each.members) - len(inner)
            extra = {**each.extra, "members_elided": elided} if elided else each.extra
            yield replace(each, members=inner, extra=extra)


def _without_members(declaration: Declaration) -> Declaration:
    if not declaration.members:
        return declaration
    count = sum(1 for each in declaration.walk() if not is_hidden(each)) - 1
    return replace(declaration, members=(), extra={**declaration.extra, "members_elided": count})


def _nearest(kept: Sequence[Declaration], wanted: _Wanted) -> int:
    return min((_rank(each, wanted) for each in kept), default=len(wanted.ranks))


def _rank(declaration: Declaration, wanted: _Wanted) -> int:
    return min(
        (wanted.ranks[each.id] for each in declaration.walk() if each.id in wanted.ranks),
        default=len(wanted.ranks),
    )


def _made(
    module: Module, kept: list[Declaration], wanted: _Wanted, asked: Sequence[Declaration]
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
