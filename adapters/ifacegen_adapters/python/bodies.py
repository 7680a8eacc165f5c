"""What the bodies of functions say about the interface: instance attributes, yields, raises.

One query over the file finds the places; nothing walks the bodies.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, Query

from ifacegen_adapters._treesitter import captures
from ifacegen_adapters.python.syntax import Text, grammar

_QUERY = """
(assignment left: (attribute object: (identifier) attribute: (identifier)) @target)
(assignment left: (_ (attribute object: (identifier) attribute: (identifier)) @target))
(for_statement left: (attribute object: (identifier)) @target)
(for_statement left: (_ (attribute object: (identifier)) @target))
(as_pattern_target (attribute object: (identifier)) @target)
(yield) @yield
(return_statement (_)) @return
(raise_statement) @raise
(function_definition) @scope
(lambda) @scope
"""


@functools.cache
def _query() -> Query:
    return grammar().query(_QUERY)


@dataclass(frozen=True, slots=True)
class SelfAttribute:
    """``self.name: annotation = value`` in a method."""

    name: str
    node: Node
    annotation: Node | None = None
    value: Node | None = None


class Bodies:
    """Answers questions about the bodies of one file."""

    def __init__(self, root: Node, text: Text) -> None:
        found = captures(_query(), root)
        self._text = text
        self._nodes = {name: found.get(name, []) for name in ("target", "yield", "return", "raise", "scope")}
        self._starts = {name: [node.start_byte for node in nodes] for name, nodes in self._nodes.items()}

    def _inside(self, what: str, node: Node) -> list[Node]:
        first = bisect_left(self._starts[what], node.start_byte)
        last = bisect_left(self._starts[what], node.end_byte)
        return self._nodes[what][first:last]

    def _own(self, what: str, function: Node) -> Iterator[Node]:
        """Nodes of a function's own body, not of functions nested in it."""
        inside = self._inside(what, function)
        if not inside:
            return
        nested = [(n.start_byte, n.end_byte) for n in self._inside("scope", function) if n.id != function.id]
        for node in inside:
            if not any(start <= node.start_byte < end for start, end in nested):
                yield node

    def yields(self, function: Node) -> bool:
        """Whether calling it gives a generator."""
        return any(True for _ in self._own("yield", function))

    def returns_value(self, function: Node) -> bool:
        """Whether it has a ``return`` with a value."""
        return any(True for _ in self._own("return", function))

    def raises(self, function: Node) -> tuple[str, ...]:
        """Names of the exceptions that the body itself raises, in order."""
        names: dict[str, None] = {}
        for node in self._own("raise", function):
            raised = node.named_children[0] if node.named_child_count else None
            if raised is not None and raised.type == "call":
                raised = raised.child_by_field_name("function")
            if raised is not None and raised.type in ("identifier", "attribute"):
                names.setdefault(self._text.clean(raised))
        return tuple(name for name in names if name.rpartition(".")[2][:1].isupper())

    def self_attributes(self, method: Node, receiver: str) -> Iterator[SelfAttribute]:
        """Attributes that a method sets on its receiver, in order."""
        for node in self._inside("target", method):
            if self._text.raw(node.named_children[0]) != receiver:
                continue
            name = self._text.raw(node.named_children[-1])
            statement = node.parent
            if statement is not None and statement.type == "assignment":
                typed, value = statement.child_by_field_name("type"), statement.child_by_field_name("right")
                yield SelfAttribute(name, statement, typed, value)
            else:
                yield SelfAttribute(name, node)
