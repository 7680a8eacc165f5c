"""Members that a public class has from private bases: callers see them on the class, wherever they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ifacegen_adapters.python.ancestry import definition_at
from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.names import Program, Target

_BASE = re.compile(r"([^\W\d][\w.]*)\s*(?:\[(.*)\])?\Z", re.DOTALL)
_GENERIC = re.compile(r"(?:\w+\.)?(?:Generic|Protocol)\[(.*)\]\Z", re.DOTALL)


#: Whether a class is private, given the module and the dotted name that mention it.
IsPrivate: TypeAlias = Callable[[Target, str, str], bool]
#: Bases of bases that are followed; a cycle of them ends here.
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Inherited:
    """A private base whose members belong to a class."""

    target: Target
    definition: Definition
    #: The base's type variables → what the class gives for them, as the class writes it.
    arguments: Mapping[str, str]


def private_bases(
    program: Program, module: str, definition: Definition, is_private: IsPrivate
) -> Iterator[Inherited]:
    """The private bases of a class, in the order in which Python looks members up, bases of private bases included.

    A base whose type arguments cannot be matched to its type variables is left out: its members would get
    wrong types, so it is shown whole instead.
    """
    found: dict[Target, Inherited] = {}
    pending: list[tuple[str, str, Mapping[str, str], int]] = [
        (module, base, {}, 0) for base in definition.header.bases
    ]
    while pending:
        where, base, outer, depth = pending.pop(0)
        inherited = _inherited(program, where, base, outer, is_private) if depth < _DEEPEST else None
        if inherited is None:
            continue
        # As in Python's order of resolution, a base shared by two others comes after both.
        found.pop(inherited.target, None)
        found[inherited.target] = inherited
        inner = inherited.definition.header.bases
        pending[:0] = [(inherited.target.module, each, inherited.arguments, depth + 1) for each in inner]
    yield from found.values()


def _inherited(
    program: Program, where: str, base: str, outer: Mapping[str, str], is_private: IsPrivate
) -> Inherited | None:
    """The private base that an expression in a class header stands for."""
    found = _BASE.match(base)
    target = program.resolve_chain(where, found[1]) if found else None
    if (
        found is None
        or target is None
        or target.kind != "definition"
        or not is_private(target, where, found[1])
    ):
        return None
    variants = program.definitions(target.module).get(target.name, [])
    meant = definition_at(program, where, found[1])  # of `Outer.Inner`, the target is `Outer`
    if len(variants) != 1 or variants[0].kind != "class" or meant is None or meant[1] is not variants[0]:
        return None
    arguments = _arguments(variants[0], found[2], outer)
    return Inherited(target, variants[0], arguments) if arguments is not None else None


def _arguments(base: Definition, given: str | None, outer: Mapping[str, str]) -> dict[str, str] | None:
    variables = _variables(base)
    if given is None:
        return {} if not variables else None
    values = split_commas(given)
    if len(values) != len(variables):
        return None
    return {variable: outer.get(value, value) for variable, value in zip(variables, values, strict=True)}


def _variables(base: Definition) -> list[str]:
    if base.header.type_params:
        parts = split_commas(base.header.type_params[1:-1])
        return [re.split(r"[:=]", part)[0].strip().lstrip("*") for part in parts]
    for each in base.header.bases:
        if found := _GENERIC.match(each):
            return split_commas(found[1])
    return []


def split_commas(text: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]
