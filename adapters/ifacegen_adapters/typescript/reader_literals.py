"""Literals: as types of their own, and what they are where they may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_text import Texts

_WORDS = frozenset(("true", "false", "null", "undefined"))


def literal(texts: Texts, node: Node) -> str | None:
    """A literal as it is written as a type; None if it is none."""
    kind = node.type
    if kind == "number" or kind in _WORDS:
        return texts.cut(node)
    if kind == "string":
        return _quoted(texts.cut(node))
    if kind == "template_string" and all(each.type == "string_fragment" for each in node.named_children):
        written = texts.cut(node)
        return _quoted(written) if "\n" not in written else None
    if kind == "unary_expression" and node.named_child_count == 1 and node.children[0].type == "-":
        number = node.named_children[0]
        return f"-{texts.cut(number)}" if number.type == "number" else None
    return None


def _quoted(written: str) -> str:
    """A string in double quotes, where that needs no more than other quotes."""
    inner = written[1:-1]
    return written if '"' in inner or ("\\" in inner and written[0] != '"') else f'"{inner}"'


def widened(written: str) -> str:
    """What a literal is where it may change; empty for ``null`` and ``undefined``."""
    if written in ("true", "false"):
        return "boolean"
    if written in ("null", "undefined"):
        return ""
    if written[0] in "\"'`":
        return "string"
    return "bigint" if written.endswith("n") and not written.startswith("0x") else "number"
