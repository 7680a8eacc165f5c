"""What the bodies of functions say about the interface: instance attributes, yields, raises.

One query over the file finds the places; nothing walks the bodies.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, Query

from ifacegen_adapters._treesitter import captures
from ifacegen_adapters.python.syntax import Text, comment_doc, doc_comment, doc_text, grammar, parts_of
from ifacegen_adapters.python.type_comments import stated_behind

_QUERY = """
(assignment left: (attribute object: (identifier) attribute: (identifier)) @target)
(pattern_list (attribute object: (identifier) attribute: (identifier)) @target)
(tuple_pattern (attribute object: (identifier) attribute: (identifier)) @target)
(list_pattern (attribute object: (identifier) attribute: (identifier)) @target)
(for_statement left: (attribute object: (identifier)) @target)
(as_pattern_target (attribute object: (identifier)) @target)
(yield) @yield
(return_statement (_)) @return
(raise_statement) @raise
(function_definition) @scope
(lambda) @scope
"""
#: Several targets side by side.
_PATTERNS = ("pattern_list", "tuple_pattern", "list_pattern")


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
    doc: str | None = None
    #: The type in a comment behind it (PEP 484).
    commented: str | None = None


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
            raised = next(iter(parts_of(node)), None)
            if raised is not None and raised.type == "call":
                raised = raised.child_by_field_name("function")
            if raised is not None and raised.type in ("identifier", "attribute"):
                names.setdefault(self._text.clean(raised))
        return tuple(name for name in names if name.rpartition(".")[2][:1].isupper())

    def self_attributes(self, method: Node, receiver: str) -> Iterator[SelfAttribute]:
        """Attributes that a method sets on its receiver, in order."""
        inside = self._inside("target", method)
        own = (
            [n for n in self._inside("scope", method) if n.id != method.id and self._rebinds(n, receiver)]
            if inside
            else []
        )
        for node in inside:
            if self._text.raw(parts_of(node)[0]) != receiver:
                continue
            if any(each.start_byte <= node.start_byte < each.end_byte for each in own):
                continue
            name = self._text.raw(parts_of(node)[-1])
            yield self._set(name, node)

    def _set(self, name: str, target: Node) -> SelfAttribute:
        """An attribute that is the target of an assignment or of another statement, or one of several."""
        assignment = target.parent
        if assignment is None or assignment.type not in ("assignment", *_PATTERNS):
            return SelfAttribute(name, target)
        typed = value = None
        if assignment.type == "assignment":
            typed, value = assignment.child_by_field_name("type"), assignment.child_by_field_name("right")
        statement = assignment
        while statement.parent is not None and statement.type != "expression_statement":
            if statement.type not in ("assignment", *_PATTERNS):  # of `for` or `with`
                return SelfAttribute(name, target)
            assignment, statement = statement, statement.parent
        commented = stated_behind(statement, self._text) if value is not None and typed is None else ()
        return SelfAttribute(name, assignment, typed, value, self._doc(statement), *commented)

    def _rebinds(self, function: Node, receiver: str) -> bool:
        """Whether a nested function has a parameter of the receiver's name."""
        parameters = function.child_by_field_name("parameters")
        return parameters is not None and receiver in re.findall(r"\w+", self._text.raw(parameters))

    def _doc(self, statement: Node) -> str | None:
        """The documentation of an assignment in a body: ``#:`` before or behind it, a string after it."""
        found: list[str] = []
        # A comment before the first statement of a block stands before the block.
        block = statement.parent
        before = statement.prev_named_sibling or (block.prev_named_sibling if block is not None else None)
        row = statement.start_point.row
        while before is not None and before.start_point.row == row - 1 and _starts_its_row(before):
            comment = doc_comment(before, self._text)
            if comment is None:
                break
            found.insert(0, comment)
            row, before = row - 1, before.prev_named_sibling
        after = statement.next_named_sibling
        while after is not None and after.type == "comment":
            comment = doc_comment(after, self._text)
            if comment is not None and after.start_point.row == statement.end_point.row:
                found.append(comment)
            after = after.next_named_sibling
        parts = [comment_doc(found) or "", (doc_text(after, self._text) if after is not None else None) or ""]
        return "\n\n".join(part for part in parts if part) or None


def _starts_its_row(comment: Node) -> bool:
    """Whether nothing stands before a comment on its line."""
    before = comment.prev_named_sibling
    return before is None or before.end_point.row < comment.start_point.row
