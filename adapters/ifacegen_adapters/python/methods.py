"""What one method says of the attributes that it sets: its parameters' types where it uses them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from ifacegen.model import Parameter
from ifacegen_adapters.python.bodies import SelfAttribute
from ifacegen_adapters.python.headers import Header
from ifacegen_adapters.python.narrowing import Use, bound_names
from ifacegen_adapters.python.syntax import Text
from ifacegen_adapters.python.values import UNKNOWN, Hints, combined, hints, without_entries

#: Characters of what an attribute is set to that are worth a comment.
_SHORT = 40
_PLAIN = frozenset({"identifier", "attribute", "call"})


@dataclass(slots=True)
class Method:
    """A method that sets attributes on its receiver."""

    node: Node
    header: Header
    text: Text
    _bound: frozenset[str] | None = None
    _parameters: Mapping[str, Parameter] = field(init=False)

    def __post_init__(self) -> None:
        self._parameters = {each.name: each for each in self.header.parameters}

    @property
    def is_checked(self) -> bool:
        """Whether it is annotated, so that type checkers look at what it assigns."""
        parameters = self._parameters.values()
        return self.header.returns is not None or any(each.annotation is not None for each in parameters)

    def hints(self, found: SelfAttribute) -> Hints:
        """The hints of an attribute's type."""
        given = hints(found.value, self.text, functools.partial(self._named, found.node))
        return given if self.is_checked else without_entries(given)

    def set_to(self, found: SelfAttribute) -> str | None:
        """What it is set to at first, where that is short and made of names that callers can know."""
        value = found.value
        if value is None or value.type not in _PLAIN or value.end_byte - value.start_byte > _SHORT:
            return None
        if self.header.name != "__init__" or not self._is_always_run(found.node):
            return None
        written = self.text.clean(value)
        first = written.partition("(")[0].partition(".")[0]
        receiver = self.header.parameters[0].name
        known = first.isidentifier() and first != receiver and first not in self._bound_names()
        return written if known and "\n" not in written else None

    def _is_always_run(self, statement: Node) -> bool:
        """Whether a statement stands in the body itself, under no test."""
        block = statement
        while block.type != "block" and block.parent is not None:
            block = block.parent
        return block == self.node.child_by_field_name("body")

    def _bound_names(self) -> frozenset[str]:
        if self._bound is None:
            body = self.node.child_by_field_name("body")
            self._bound = bound_names(body, self.text) if body is not None else frozenset()
        return self._bound

    def _named(self, statement: Node, name: str) -> Hints | None:
        """The hints of a name in the method; None if it is not one of its own."""
        parameter = self._parameters.get(name)
        if parameter is None:
            return (UNKNOWN,) if name in self._bound_names() else None
        type_ = self._type(parameter)
        if type_ is None:
            return (UNKNOWN,)
        return Use(name, type_, statement, self.node, self.text).hints()

    def _type(self, parameter: Parameter) -> str | None:
        stated = parameter.annotation
        if stated is None or self._is_own(stated):
            return None
        if parameter.kind == "var_positional":
            return f"tuple[{stated}, ...]" if stated[0] not in "*'\"" else None
        if parameter.kind == "var_keyword":
            return f"dict[str, {stated}]" if "Unpack" not in stated and stated[0] not in "'\"" else None
        implicit = parameter.default == "None" and not any(
            word in stated for word in ("None", "Optional", "Any", "object")
        )
        return combined((stated, "None")) if implicit else stated

    def _is_own(self, stated: str) -> bool:
        """Whether a type mentions the method's own type parameters (PEP 695)."""
        own = (self.header.type_params or "")[1:-1]
        names = {each.partition(":")[0].strip().lstrip("*") for each in own.split(",")} if own else set()
        return any(name in stated for name in names)
