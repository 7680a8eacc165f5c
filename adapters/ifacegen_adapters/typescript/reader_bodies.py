"""What can be told from a body: whether anything is returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPES = frozenset(
    (
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
        "class_declaration",
        "class",
        "abstract_class_declaration",
    )
)
_MAY_BE_NEVER = frozenset(("arrow_function", "function_expression"))


def returned_value(data: bytes, function: Node, body: Node) -> Node | Literal["void", "never"] | None:
    """The one expression that a body returns, as its last statement; None where it may return several."""
    if b"return" not in data[body.start_byte : body.end_byte]:
        return _without_value(function, body)
    found = _returns(body)
    values = [each for each in found if each.named_child_count and each.named_children[-1].type != "comment"]
    if not values:
        return "void" if found else _without_value(function, body)
    if len(found) > 1 or _last(body) != values[0]:
        return None
    return values[0].named_children[0]


def _without_value(function: Node, body: Node) -> Literal["void", "never"]:
    last = _last(body)
    throws = last is not None and last.type == "throw_statement"
    return "never" if throws and function.type in _MAY_BE_NEVER else "void"


def _last(body: Node) -> Node | None:
    statements = [each for each in body.named_children if each.type != "comment"]
    return statements[-1] if statements else None


def _returns(body: Node) -> list[Node]:
    """The return statements of a body, without those of functions in it."""
    found: list[Node] = []
    cursor = body.walk()
    cursor.goto_first_child()
    while (current := cursor.node) is not None:
        kind = current.type
        if kind == "return_statement":
            found.append(current)
        elif kind not in _SCOPES and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
    return found
