"""What is plain about expressions: literals, functions, objects of them; everything else has no type here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.facts import Fact, Text

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_state import Above, State


def type_of(state: State, node: Node, *, is_constant: bool = False) -> Text | None:
    """The type of an expression."""
    return None


def returned(state: State, node: Node) -> Text | None:
    """The type of what a function without a stated type returns."""
    return None


def literal(state: State, node: Node) -> str | None:
    """A literal as written; None if it is none."""
    if node.type in ("string", "number", "true", "false", "null", "undefined"):
        return state.texts.cut(node)
    return None


def constant(state: State, node: Node, name: str, keyword: str, above: Above) -> Fact:
    """A variable whose type is not stated."""
    return state.fact(node, "variable", name, above, header=(f"{keyword} {name}",))
