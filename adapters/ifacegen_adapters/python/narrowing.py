"""What a parameter's annotation still says at the place in a method where the parameter is used.

A method may give the parameter another value, or test it and go on with a narrower type.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, Query

from ifacegen_adapters._treesitter import captures
from ifacegen_adapters.python.syntax import Text, grammar, last_part, parts_of
from ifacegen_adapters.python.values import NONE, UNKNOWN, Hints, hints, not_none

_BINDINGS = """
(assignment left: (identifier) @name)
(augmented_assignment left: (identifier) @name)
(named_expression name: (identifier) @name)
(pattern_list (identifier) @name)
(tuple_pattern (identifier) @name)
(list_pattern (identifier) @name)
(list_splat_pattern (identifier) @name)
(for_statement left: (identifier) @name)
(as_pattern_target (_) @name)
(case_pattern (_) @name)
(delete_statement (_) @name)
(import_statement name: (dotted_name . (identifier) @name))
(import_from_statement name: (dotted_name (identifier) @name))
(aliased_import alias: (identifier) @name)
(function_definition name: (identifier) @name)
(class_definition name: (identifier) @name)
(parameters (_) @name)
(lambda_parameters (_) @name)
"""
_WORD = re.compile(r"[^\W\d]\w*")
_EXITS = frozenset({"raise_statement", "return_statement", "continue_statement", "break_statement"})
_EXIT = re.compile(r"\b(?:raise|return|continue|break)\b")
#: Types of which a test may leave a part.
_UNION = re.compile(r"\||\b(?:Union|Optional|Literal)\b")
_CLASS_CALL = re.compile(r"(?:\w+\.)*_*[A-Z]\w*[a-z]\w*\(")
_SCOPES = frozenset({"function_definition", "lambda"})
_CLAUSES = frozenset({"elif_clause", "else_clause"})


@functools.cache
def _query() -> Query:
    return grammar().query(_BINDINGS)


def bound_names(node: Node, text: Text) -> frozenset[str]:
    """The names that a piece of a function binds, and some more: whatever is not among them is bound elsewhere."""
    found = captures(_query(), node).get("name", [])
    return frozenset(word for each in found for word in _WORD.findall(text.raw(each)))


@dataclass(slots=True)
class Use:
    """A use of a parameter in a statement of a method."""

    name: str
    #: The parameter's annotation.
    stated: str
    statement: Node
    method: Node
    text: Text
    #: What it was given where it was None.
    given: Hints = ()

    def hints(self) -> Hints:
        """The hints of its type there."""
        narrowed = self._is_narrowed()
        if narrowed is None:
            return (UNKNOWN,)
        return (f":{not_none(self.stated) if narrowed else self.stated}", *self.given)

    def _is_narrowed(self) -> bool | None:
        """Whether it is known not to be None there; None if nothing is known of it any longer."""
        narrowed = False
        place = self.statement
        while place.id != self.method.id:
            parent = place.parent
            if parent is None or (parent.type in _SCOPES and parent.id != self.method.id):
                return None  # a function within has names of its own
            for effect in (self._of_test(parent, place), *self._of_statements(parent, place)):
                if effect is None:
                    return None
                narrowed = narrowed or effect
            place = parent
        return narrowed

    def _if_tested(self, test: Node) -> bool | None:
        """What a test tells that isn't understood: it may have left one of several types, or a narrower one."""
        written = self.text.raw(test)
        last = re.escape(self.stated.rpartition(".")[2])
        same = re.search(rf"isinstance\({self.name}, (?:\w+\.)*{last}\)", written)
        narrower = "isinstance(" in written and same is None
        return None if narrower or _UNION.search(self.stated) else False

    def _of_test(self, parent: Node, place: Node) -> bool | None:
        """What it means to stand in this part of an ``if``, ``while`` or ``match``."""
        tests = [parent.child_by_field_name("condition"), parent.child_by_field_name("subject")]
        if parent.type == "if_statement" and place.type in _CLAUSES:
            clauses = parent.children_by_field_name("alternative")
            tests.extend(each.child_by_field_name("condition") for each in clauses if each.id != place.id)
        asked = [each for each in tests if each is not None and self._mentions(each)]
        if not asked:
            return False
        if parent.type not in ("if_statement", "elif_clause") or len(asked) > 1:
            return self._if_tested(asked[-1])
        in_else = place.type in _CLAUSES
        return True if self._means_none(asked[0]) is in_else else self._if_tested(asked[0])

    def _of_statements(self, parent: Node, place: Node) -> Iterator[bool | None]:
        """What the statements before it do, in a loop also those behind it."""
        if parent.type in ("for_statement", "while_statement") and self.name in bound_names(
            parent, self.text
        ):
            yield None
        if parent.type not in ("block", "try_statement"):
            return
        for each in parent.named_children:
            if each.id == place.id:
                return
            if self._mentions(each):
                yield self._effect(each)

    def _effect(self, statement: Node) -> bool | None:
        if self.name in bound_names(statement, self.text):
            return True if self._replaces_none(statement) else None
        if statement.type == "assert_statement":
            test = parts_of(statement)[0]
            if self._means_none(test) is False:
                return True
            return self._if_tested(test) if self._mentions(test) else False
        if statement.type != "if_statement" or not self._is_tested(statement):
            return False
        if (block := self._where_none(statement)) is not None:
            last = last_part(block)
            return last is not None and last.type in _EXITS
        return self._if_tested(statement) if _EXIT.search(self.text.raw(statement)) else False

    def _replaces_none(self, statement: Node) -> bool:
        """``if x is None: x = []``, ``x = x or []``: afterwards it is what it was, without None."""
        if (block := self._where_none(statement)) is not None:
            steps = parts_of(block)
            return len(steps) == 1 and self._replaces_none(steps[0])
        assignment = parts_of(statement)[0] if statement.type == "expression_statement" else statement
        left, value = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        plain = assignment.type == "assignment" and left is not None and self.text.raw(left) == self.name
        if value is None or not plain:
            return False
        own = bound_names(self.method, self.text)
        found = hints(value, self.text, lambda name: (NONE,) if name == self.name else _own(name, own))
        is_made = _CLASS_CALL.match(self.text.raw(value))
        self.given = tuple(each for each in found if not (is_made or _is_made(each)))
        return True

    def _where_none(self, statement: Node) -> Node | None:
        """The block of ``if x is None:`` without ``else``."""
        test = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
        alone = statement.child_by_field_name("alternative") is None
        if test is None or not alone or not self._means_none(test):
            return None
        return statement.child_by_field_name("consequence")

    def _is_tested(self, statement: Node) -> bool:
        clauses = (statement, *statement.children_by_field_name("alternative"))
        tests = (each.child_by_field_name("condition") for each in clauses)
        return any(test is not None and self._mentions(test) for test in tests)

    def _means_none(self, test: Node) -> bool | None:
        """Whether a test holds for None: True for ``x is None``, False for ``x``; None for any other test."""
        written = self.text.clean(test)
        if written in (f"{self.name} is None", f"not {self.name}"):
            return True
        return False if written in (self.name, f"{self.name} is not None") else None

    def _mentions(self, node: Node) -> bool:
        source, name = self.text.source, self.name.encode()
        if source.find(name, node.start_byte, node.end_byte) < 0:
            return False
        return self.name in _WORD.findall(self.text.raw(node))


def _own(name: str, own: frozenset[str]) -> Hints | None:
    return (UNKNOWN,) if name in own else None


def _is_made(hint: str) -> bool:
    """Whether a value is certainly not None: a literal, or what a class makes. Its type the annotation tells."""
    if hint in (UNKNOWN, NONE):
        return False
    return hint[0] == ":" or (hint[-1] == ")" and hint.rpartition(".")[2].lstrip("_")[:1].isupper())
