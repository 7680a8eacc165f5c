"""The one-line text of a declaration as a tree of brackets: enough to break it where a reader would.

No grammar: what is between brackets is split at its separators, everything else is left as it is. Whatever does
not balance has no tree, and stays on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

#: Groups that nest deeper are left on one line: their layout would be all indentation.
_DEEPEST = 100

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>/\*.*?(?:\*/|\Z))
    |(?P<string>"(?:[^"\\]|\\.)*(?:"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z))
    |(?P<template>`)
    |(?P<open>[(\[{<])
    |(?P<close>[)\]}>])
    |(?P<operator>\|\||&&|\?\?|\?\.|={2,3})
    |(?P<mark>=>|[,;:?|&=])
    |(?P<word>[^\s"'`()\[\]{}<>,;:?|&=/]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)
_IN_SUBSTITUTION = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*(?:"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z))|`|[{}]""", re.DOTALL
)
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(slots=True)
class Node:
    """A token, or a pair of brackets with all that is between them."""

    #: ``word``, ``string``, ``comment``, ``operator`` (of values), a mark (``|``), or the bracket that opens a group.
    kind: str
    start: int
    end: int
    #: What is between the brackets, item by item.
    items: list[Item] = field(default_factory=list)
    #: Whether documentation is inside: it cannot be printed on one line.
    is_tall: bool = False

    @property
    def width(self) -> int:
        """Characters."""
        return self.end - self.start


@dataclass(slots=True)
class Item:
    """What is between two separators."""

    nodes: list[Node] = field(default_factory=list)
    #: Documentation in front of it.
    docs: list[Node] = field(default_factory=list)
    separator: str = ""


def parsed(text: str) -> Item | None:
    """The tree of a text; None if its brackets do not balance, or nest too deep."""
    root = Item()
    stack: list[Node] = []
    item = root
    parents: list[Item] = []
    for kind, start, end in tokens(text):
        if kind == "open":
            if len(stack) >= _DEEPEST:
                return None
            group = Node(text[start], start, end)
            item.nodes.append(group)
            parents.append(item)
            stack.append(group)
            item = Item()
            group.items.append(item)
        elif kind == "close":
            if not stack or _CLOSES[stack[-1].kind] != text[start]:
                return None
            _close(stack, end)
            item = parents.pop()
        elif stack and kind == "mark" and _separates(text[start], stack[-1].kind):
            item.separator = text[start]
            item = Item()
            stack[-1].items.append(item)
        elif stack and kind == "comment" and not item.nodes and is_doc(text, start):
            item.docs.append(Node(kind, start, end))
            stack[-1].is_tall = True
        else:
            item.nodes.append(Node(text[start:end] if kind == "mark" else kind, start, end))
    return None if stack else root


def _close(stack: list[Node], end: int) -> None:
    group = stack.pop()
    group.end = end
    last = group.items[-1]
    if not last.nodes and not last.docs:
        group.items.pop()
    if stack and group.is_tall:
        stack[-1].is_tall = True


def _separates(mark: str, bracket: str) -> bool:
    return mark == "," or (mark == ";" and bracket == "{")


def is_doc(text: str, start: int) -> bool:
    """Whether a comment that begins here is documentation."""
    return text.startswith("/**", start) and not text.startswith("/**/", start)


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of every token but white space."""
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            return
        kind, end = found.lastgroup or "", found.end()
        if kind == "template":
            kind, end = "string", _template_end(text, end)
        if kind != "space":
            yield kind, position, end
        position = end


def _template_end(text: str, position: int) -> int:
    """Where a template literal ends, of which the first backtick was read; templates may nest in it."""
    inside = ["`"]
    while inside:
        pattern = _IN_TEMPLATE if inside[-1] == "`" else _IN_SUBSTITUTION
        found = pattern.search(text, position)
        if found is None:
            return len(text)
        position = found.end()
        if found[0] in ("`", "}") and inside[-1] == ("`" if found[0] == "`" else "{"):
            inside.pop()
        elif found[0] in ("`", "{", "${"):
            inside.append(found[0][-1])
    return position


def parameters_of(text: str) -> list[tuple[str, int]]:
    """First word and end of each parameter in the first parentheses of a signature; nothing where it has none."""
    root = parsed(text)
    group = next((each for each in root.nodes if each.kind == "("), None) if root is not None else None
    if group is None:
        return []
    nodes = [each.nodes for each in group.items if each.nodes]
    return [(text[each[0].start : each[0].end], each[-1].end) for each in nodes]
