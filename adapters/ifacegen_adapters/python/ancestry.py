"""What the bases of a class say about its members, as far as they lie in the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.infer import makes_fields
from ifacegen_adapters.python.names import Program

_RECORD = re.compile(r"(?:\w+\.)*(?:TypedDict|NamedTuple)\Z")
_NAME = re.compile(r"[^\W\d][\w.]*")
#: Bases of bases that are followed; a cycle of them ends here.
_DEEPEST = 20

#: A class: its module and what is written there.
Place: TypeAlias = tuple[str, Definition]


@dataclass(frozen=True, slots=True)
class Above:
    """Members of a class's bases by name; of several of one name the one that Python finds first."""

    members: Mapping[str, Definition] = field(default_factory=dict)

    def is_abstract(self, name: str) -> bool:
        """Whether a class that doesn't override ``name`` cannot be made."""
        found = self.members.get(name)
        return found is not None and is_abstract(found)

    def declares(self, member: Definition, *, known: bool) -> bool:
        """Whether an attribute that a method assigns is declared by a base, so that the base's type counts.

        Args:
            member: The attribute.
            known: Whether the assignment tells a type, which goes before a base that has none either.
        """
        if "hoisted" not in member.flags or member.type_origin == "stated" or member.doc:
            return False
        found = self.members.get(member.name)
        return found is not None and not (known and _is_untyped(found))


@dataclass(slots=True)
class Ancestry:
    """Looks up bases, each class once."""

    program: Program
    _known: dict[tuple[str, str, int], Above] = field(default_factory=dict)

    def above(self, module: str, definition: Definition) -> Above:
        """What the bases of a class written in ``module`` say about its members."""
        if not definition.header.bases:
            return Above()
        key = module, definition.name, definition.line
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Above(_first([*self.bases(module, definition)]))
        return known

    def bases(self, module: str, definition: Definition) -> Iterator[Place]:
        """The bases of a class, and theirs, in the order in which Python looks members up."""
        found: dict[int, Place] = {}
        pending = [(module, base, 0) for base in definition.header.bases]
        while pending:
            where, base, depth = pending.pop(0)
            place = self.class_at(where, base) if depth < _DEEPEST else None
            if place is None:
                continue
            # As in Python's order of resolution, a base shared by two others comes after both.
            found.pop(id(place[1]), None)
            found[id(place[1])] = place
            pending[:0] = [(place[0], each, depth + 1) for each in place[1].header.bases]
        yield from found.values()

    def has_fields(self, module: str, definition: Definition) -> bool:
        """Whether a class declares parameters of its constructor, whose order and options lie in the class itself."""
        classes = (definition, *(base for _, base in self.bases(module, definition)))
        if any(map(_RECORD.match, (each for one in classes for each in one.header.bases))):
            return True
        return makes_fields(definition.decorators) and any(map(_is_parameter, definition.members))

    def class_at(self, module: str, written: str) -> Place | None:
        """The class that an expression in a module stands for: ``name``, ``m.Outer.Inner``, ``Base[T]``."""
        chain = _NAME.match(written)
        found = definition_at(self.program, module, chain[0]) if chain else None
        return found if found is not None and found[1].kind == "class" else None


def definition_at(program: Program, module: str, chain: str) -> Place | None:
    """What a dotted name stands for, members of classes included; None unless it is exactly one definition."""
    first, *rest = chain.split(".")
    target = program.resolve(module, first)
    while target is not None and target.kind == "module" and rest:
        target = program.attribute(target.module, rest.pop(0))
    if target is None or target.kind != "definition":
        return None
    variants = program.definitions(target.module).get(target.name, [])
    for part in rest:
        owner = variants[0] if len(variants) == 1 else None
        variants = [each for each in owner.members if each.name == part] if owner is not None else []
    return (target.module, variants[0]) if len(variants) == 1 else None


def is_abstract(definition: Definition) -> bool:
    """Whether a class that has it as it is cannot be made."""
    return any(decorator.rpartition(".")[2].startswith("abstract") for decorator in definition.decorators)


def _first(bases: Sequence[Place]) -> Mapping[str, Definition]:
    """The first of each name, what methods merely assign last."""
    members: dict[str, Definition] = {}
    for hoisted in (False, True):
        for _, base in bases:
            for member in base.members:
                assigned = "hoisted" in member.flags and member.type is None
                if assigned is hoisted and "deleted" not in member.flags:
                    members.setdefault(member.name, member)
    return members


def _is_parameter(member: Definition) -> bool:
    stated = member.type_origin == "stated" and "hoisted" not in member.flags
    return stated and "ClassVar" not in (member.type or "") and "init=False" not in (member.value or "")


def _is_untyped(member: Definition) -> bool:
    """Whether a base itself only assigns an attribute in a method, and it isn't known what."""
    return "hoisted" in member.flags and member.type is None and any(each[0] != ":" for each in member.hints)
