"""What one must see to use a declaration: the types that it mentions, what these mention, and where others are from."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.headings import is_hidden
from ifacegen_adapters.typescript.used import is_used, whole_words, words

#: Tokens of what is shown whole, more or less.
_ROOM = 3000
_NAME = re.compile(r"[:.]")
_NUMBER = re.compile(r"#\d+\Z")


def needed(modules: Sequence[Module], declarations: Sequence[Declaration]) -> list[Module]:
    """Of the modules, what the declarations mention, directly or not, without themselves; the nearest first.

    Types mention types until nearly all of a package is there: what is farther away than there is room for has no
    members, and what only that mentions is left out.
    """
    wanted = _Wanted(_Places(modules))
    wanted.gather(declarations)
    cut = [(module, list(_kept(module.declarations, wanted))) for module in modules]
    order = {module.name: min((_rank(each, wanted) for each in kept), default=0) for module, kept in cut}
    made = [_made(module, kept, wanted, declarations) for module, kept in cut]
    return sorted((each for each in made if each is not None), key=lambda each: order[each.name])


class _Places:
    """Where everything is."""

    def __init__(self, modules: Sequence[Module]) -> None:
        #: Id without number → what has it: overloads and what is merged are together.
        self.named: dict[str, list[Declaration]] = {}
        #: Id of a member → the declaration at the top of a module that it is in.
        self._tops: dict[str, Declaration] = {}
        for module in modules:
            for top in module.declarations:
                for each in top.walk():
                    if each.kind not in ("import", "alias"):
                        self.named.setdefault(_bare(each.id), []).append(each)
                        self._tops[each.id] = top

    def mentions(self, declaration: Declaration) -> list[Declaration]:
        """What a declaration and its members mention; of namespaces only what they name of them."""
        names = _stated(declaration)
        top = self._tops.get(declaration.id)
        if not names and top is not None and top is not declaration:
            # What members mention is known only of all that are in a declaration together.
            own = words([declaration])
            names = [name for name in _stated(top) if _NAME.split(name)[-1] in own]
        return [each for name in names for each in self._meant(self.named.get(name, []), declaration)]

    def _meant(self, found: list[Declaration], declaration: Declaration) -> list[Declaration]:
        """What has a name, or of a namespace what a declaration names of it, where it does not name the whole."""
        if all(each.kind != "namespace" for each in found) or found[0].name in whole_words([declaration]):
            return found
        own = words([declaration])
        return [inner for each in found for inner in each.members if inner.name in own]


def _bare(name: str) -> str:
    return _NUMBER.sub("", name)


def _stated(declaration: Declaration) -> list[str]:
    found: list[str] = []
    for each in declaration.walk():
        names = each.extra.get("mentions")
        if isinstance(names, tuple):
            found += map(_bare, names)
    return found


@dataclass(slots=True)
class _Wanted:
    """What is to be shown."""

    places: _Places
    #: Id → how near it is, counted from 0.
    ranks: dict[str, int] = field(default_factory=dict)
    #: Ids of what has no members.
    far: set[str] = field(default_factory=set)

    def gather(self, declarations: Sequence[Declaration]) -> None:
        """All that declarations lead to."""
        shown = {each.id for top in declarations for each in top.walk()}
        waiting = deque(declarations)
        room = _ROOM
        while waiting:
            for each in self.places.mentions(waiting.popleft()):
                if each.id in shown or each.id in self.ranks:
                    continue
                self.ranks[each.id] = len(self.ranks)
                if each.tokens <= room:
                    room -= each.tokens
                    waiting.append(each)
                else:
                    self.far.add(each.id)


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
            tokens = _own_tokens(each) + sum(member.tokens for member in inner)
            yield replace(each, members=inner, tokens=tokens, extra=extra)


def _without_members(declaration: Declaration) -> Declaration:
    if not declaration.members:
        return declaration
    count = sum(1 for each in declaration.walk() if not is_hidden(each)) - 1
    extra = {**declaration.extra, "members_elided": count}
    return replace(declaration, members=(), tokens=_own_tokens(declaration), extra=extra)


def _own_tokens(declaration: Declaration) -> int:
    return max(0, declaration.tokens - sum(each.tokens for each in declaration.members))


def _rank(declaration: Declaration, wanted: _Wanted) -> int:
    ranks = (wanted.ranks[each.id] for each in declaration.walk() if each.id in wanted.ranks)
    return min(ranks, default=len(wanted.ranks))


def _made(
    module: Module, kept: list[Declaration], wanted: _Wanted, asked: Sequence[Declaration]
) -> Module | None:
    """A module with what is wanted of it, and the imports that this, or what was asked for, needs."""
    own = [each for each in asked if each.id.startswith(f"{module.name}:")]
    names = words([*kept, *own])
    imports = (each for each in module.declarations if each.kind == "import" and is_used(each, names))
    kept.sort(key=lambda each: _rank(each, wanted))
    declarations = (*imports, *kept)
    return replace(module, doc=None, declarations=declarations) if declarations else None
