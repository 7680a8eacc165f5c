"""Long lines broken, within brackets only: what is printed means what the source says, token by token."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tree_sitter import Node

from ifacegen_adapters._treesitter import leaves
from ifacegen_adapters.python.syntax import ATOMIC, grammar, parts_of

#: Columns beyond which a line is broken.
WIDTH = 110
INDENT = "    "

_FROM = re.compile(r"from (\S+) import (.+)\Z")
_OPEN, _CLOSE = ("(", "[", "{"), (")", "]", "}")
_PREFIX = b"_ = "
#: What may not stand without its parentheses, and what reads worse without.
_KEEP = frozenset({"named_expression", "yield"})
#: Before which an expression in brackets may be broken that has no commas.
_OPERATORS = frozenset({"|", "+", "or", "and", "if", "else"})


def import_lines(statements: Iterable[str]) -> Iterator[str]:
    """Import statements with those from one module on one line, broken where it gets long."""
    groups: dict[str, list[str]] = {}
    for statement in statements:
        found = _FROM.match(statement)
        groups.setdefault(found[1] if found else statement, []).extend([found[2]] if found else [])
    for module, names in groups.items():
        line = f"from {module} import {', '.join(names)}" if names else module
        if len(line) <= WIDTH:
            yield line
        else:
            yield f"from {module} import ("
            yield from _filled([[f"{name}, "] for name in names], INDENT)
            yield ")"


def value_lines(head: str, value: str, indent: str) -> list[str]:
    """``head`` and a value: on one line, without parentheses that say nothing, or broken within the value's brackets.

    Args:
        head: What stands before the value, such as ``"name: type = "``.
        value: An expression on one line; one of several (a string's) stays as it is.
        indent: Of the first line.
    """
    start = f"{indent}{head}"
    line = f"{start}{value}"
    if "\n" in value or (len(line) <= WIDTH and not value.startswith("(")):
        return [line]
    tokens, redundant = _tokens(value)
    inner = tokens[redundant : len(tokens) - redundant]
    line = f"{start}{''.join(inner).strip()}"
    if len(line) <= WIDTH or not tokens:
        return [line if tokens else f"{start}{value}"]
    if redundant and len(_items(inner)) > 1:
        inner = tokens
    return _broken(inner, start, indent) or [line]


def _tokens(value: str) -> tuple[list[str], int]:
    """The tokens of a value, each with the blanks before it, and how many pairs of parentheses around it are redundant."""
    source = value.encode("utf-8", "surrogatepass")
    root = grammar().parse(_PREFIX + source)
    statement = parts_of(root)
    node = parts_of(statement[0])[0].child_by_field_name("right") if len(statement) == 1 else None
    if root.has_error or node is None or node.end_byte != len(_PREFIX) + len(source):
        return [], 0
    tokens: list[str] = []
    end = node.start_byte
    for leaf, _ in leaves(node, ATOMIC):
        tokens.append(
            source[end - len(_PREFIX) : leaf.end_byte - len(_PREFIX)].decode("utf-8", "surrogatepass")
        )
        end = leaf.end_byte
    return tokens, _redundant(node)


def _redundant(node: Node) -> int:
    count = 0
    while node.type == "parenthesized_expression" and parts_of(node)[0].type not in _KEEP:
        count += 1
        node = parts_of(node)[0]
    return count


def _broken(tokens: Sequence[str], start: str, indent: str) -> list[str] | None:
    """An expression broken within the brackets that end it, as lines; None where there is no place to break."""
    opening = _opening(tokens)
    if opening is None:
        return None
    head = start + "".join(tokens[: opening + 1]).lstrip()
    inside = tokens[opening + 1 : -1]
    close = tokens[-1].strip()
    items = _items(inside)
    if len(items) > 1:
        return [head, *_filled(items, indent + INDENT), f"{indent}{close}"]
    inner = _broken(inside, head, indent)
    return [*inner[:-1], f"{inner[-1]}{close}"] if inner else None


def _opening(tokens: Sequence[str]) -> int | None:
    """Where the brackets open that close at the end."""
    depth = 0
    for index in range(len(tokens) - 1, -1, -1):
        depth += _step(tokens[index])
        if depth == 0:
            return index if tokens[index].strip() in _OPEN else None
    return None


def _step(token: str) -> int:
    bare = token.strip()
    return (bare in _OPEN) - (bare in _CLOSE)


def _items(tokens: Sequence[str]) -> list[list[str]]:
    """What stands between commas; where there are none, between strings side by side, or before operators."""
    outer: list[str] = []
    depth = 0
    for token in tokens:
        before, depth = depth, depth + _step(token)
        outer.append("" if before or depth else token.strip())
    starts = [index + 1 for index, token in enumerate(outer) if token == ","]
    if "for" in outer:
        starts = [outer.index("for")]
    elif not starts:
        strings = [token.endswith(('"', "'")) for token in outer]
        starts = [index for index in range(1, len(outer)) if strings[index - 1] and strings[index]]
    if not starts:
        starts = [index for index, token in enumerate(outer) if index and token in _OPERATORS]
    bounds = [0, *starts, len(tokens)]
    parts = [list(tokens[first:last]) for first, last in pairwise(bounds)]
    return [part for part in parts if part]


def _filled(items: Iterable[Sequence[str]], indent: str) -> Iterator[str]:
    """Items side by side as far as a line goes; one that is too long for a line is broken itself."""
    line = ""
    for item in items:
        text = "".join(item) if line else "".join(item).lstrip()
        if line and len(line) + len(text.rstrip()) <= WIDTH:
            line += text
            continue
        if line:
            yield line.rstrip()
        text = text.lstrip()
        line = f"{indent}{text}"
        if len(line.rstrip()) > WIDTH and (lines := _broken_item(item, indent)):
            yield from lines
            line = ""
    if line:
        yield line.rstrip()


def _broken_item(item: Sequence[str], indent: str) -> list[str] | None:
    comma = item[-1].strip() == ","
    lines = _broken(item[:-1] if comma else item, indent, indent)
    return [*lines[:-1], lines[-1] + "," * comma] if lines else None
