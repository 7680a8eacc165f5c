"""Which of several definitions of one name counts: overloads, variants under conditions, redefinitions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.mentions import mentioned
from ifacegen_adapters.python.values import NONE, UNKNOWN

_OVERLOAD = frozenset(
    {"overload", "typing.overload", "t.overload", "T.overload", "typing_extensions.overload"}
)
#: A list as it is written, and no item of one.
_LIST = re.compile(r"\[(?:(?!\]\s*\[).)*\]\Z", re.DOTALL)


@dataclass(slots=True)
class Scope:
    """The definitions of a module or class as they are read."""

    in_class: bool = False
    definitions: list[Definition] = field(default_factory=list)

    def remove(self, name: str) -> None:
        """``del name``: callers have it no longer, but defaults and aliases made from it before may show it."""
        self.definitions = [
            replace(each, flags=each.flags | {"deleted"}) if each.name == name else each
            for each in self.definitions
        ]

    def forget_value(self, name: str) -> None:
        """Leave what a variable is open, but for a list, which stays one."""
        self.definitions[:] = [
            self._open(each) if each.name == name and each.size else each for each in self.definitions
        ]

    def _open(self, definition: Definition) -> Definition:
        is_list = _LIST.match(definition.value or "") is not None
        if definition.type is None and is_list and not self.in_class:  # in a class a type may make a field
            definition = replace(definition, type="list", type_origin="inferred")
        return replace(definition, value=None, size=None)

    def document(self, count: int, doc: str) -> None:
        """Give the last ``count`` definitions a docstring, behind one they may have."""
        for index in range(len(self.definitions) - count, len(self.definitions)):
            each = self.definitions[index]
            self.definitions[index] = replace(each, doc=f"{each.doc}\n\n{doc}" if each.doc else doc)


def is_overload(definition: Definition) -> bool:
    """Whether it is decorated as an overload."""
    return any(decorator in _OVERLOAD for decorator in definition.decorators)


def _is_accessor(definition: Definition) -> bool:
    """``@x.setter``, ``@x.deleter``, ``@f.register``: another part of the same name."""
    return any(decorator.startswith(f"{definition.name}.") for decorator in definition.decorators)


def settled(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    """What is left of each name at the end of the scope, in source order."""
    kept: dict[str, list[Definition]] = {}
    for each in definitions:
        variants = kept.setdefault(each.name, [])
        if not variants or not _joins(each, variants):
            if each.conditions:
                variants.append(each)
            else:
                variants[:] = [_inheriting(each, variants)]
    return tuple(sorted((each for group in kept.values() for each in group), key=_position))


def _position(definition: Definition) -> tuple[int, int]:
    return definition.line, definition.end_line


def _joins(each: Definition, variants: list[Definition]) -> bool:
    """Put ``each`` among earlier definitions of its name where it doesn't simply replace them."""
    same = [v for v in variants if v.conditions == each.conditions]
    last = same[-1] if same else None
    if "hoisted" in each.flags:  # the class body or an earlier method has said it
        index = variants.index(last or variants[-1])
        variants[index] = _completed(variants[index], each)
        return True
    if last is None:
        return False
    if _is_wrapping(each, last):
        return True
    if (
        is_overload(last)
        and not is_overload(each)
        and not _is_accessor(each)
        and each.kind in ("function", "method")
    ):
        if each.doc:
            bare = next((v for v in same if not v.doc), same[0])
            documented = replace(bare, doc=f"{bare.doc}\n\n{each.doc}" if bare.doc else each.doc)
            variants[variants.index(bare)] = documented
        return True
    if (is_overload(each) and is_overload(last)) or _is_accessor(each):
        variants.append(each)
        return True
    if each.conditions:
        variants[variants.index(last)] = _inheriting(each, [last])
        return True
    return False


def _is_wrapping(each: Definition, last: Definition) -> bool:
    """``C = register(C)`` behind ``class C``: a decorator in another spelling, behind which the class still counts."""
    if each.kind not in ("variable", "attribute") or last.kind in ("variable", "attribute"):
        return False
    _, bracket, arguments = (each.value or "").partition("(")
    return bool(bracket) and each.name in mentioned(arguments, strings=False)


def _completed(first: Definition, later: Definition) -> Definition:
    """An attribute's first mention, with the type or doc that only a later ``self.x`` gives."""
    if first.kind != "attribute":
        return first
    if first.type is None and later.type is not None and first.value is None:
        first = replace(first, type=later.type, type_origin=later.type_origin)
    elif first.type is None and later.type is None:
        first = replace(first, hints=_alternatives(first, later))
    return replace(first, doc=later.doc) if first.doc is None and later.doc else first


def _alternatives(first: Definition, later: Definition) -> tuple[str, ...]:
    """The hints of all that an attribute is set to; where type checkers look, the first says what may come later."""
    if "checked" in later.flags and not {UNKNOWN, NONE} & set(first.hints):
        return first.hints
    return tuple(dict.fromkeys((*first.hints, *later.hints)))


def _inheriting(each: Definition, earlier: list[Definition]) -> Definition:
    """``x: int`` and later ``x = 1`` are one definition with a type and a value."""
    stated = next((v for v in reversed(earlier) if v.kind == each.kind and v.type_origin == "stated"), None)
    if each.kind not in ("variable", "attribute") or stated is None:
        return each
    typed = each if each.type else replace(each, type=stated.type, type_origin=stated.type_origin)
    return replace(typed, doc=each.doc or stated.doc, line=stated.line)
