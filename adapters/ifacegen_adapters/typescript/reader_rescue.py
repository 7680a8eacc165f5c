"""Declarations in places that cannot be parsed: each by itself, for one's fault is seldom another's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ifacegen_adapters.typescript.facts import Fact
from ifacegen_adapters.typescript.grammar import parse
from ifacegen_adapters.typescript.reader_state import Block
from ifacegen_adapters.typescript.reader_text import TooDeep

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_state import State

#: Declarations of a damaged file that are looked at by themselves; each costs a walk over the file.
_MOST = 40
_DECLARED = re.compile(
    rb"^(?:(?P<export>export)\s+)?(?P<words>(?:(?:default|declare|abstract|async)\s+)*)"
    rb"(?P<kind>type|interface|class|enum|const\s+enum|function|const|let|var|namespace)\b[ \t*]*(?P<name>[\w$]+)",
    re.MULTILINE,
)
_QUOTED = re.compile(
    rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|//[^\n]*|/\*[\s\S]*?\*/|(?P<sign>[()\[\]{}])"
)
_PAIRS = {b")": b"(", b"]": b"[", b"}": b"{"}
#: Kinds that are one text; of others the half would be invalid.
_TEXTS = {
    b"type": "type",
    b"function": "function",
    b"const": "variable",
    b"let": "variable",
    b"var": "variable",
}


class _Region(NamedTuple):
    found: re.Match[bytes]
    end: int


def rescued(state: State, node: Node, known: set[str]) -> Block:
    """What a place declares at the beginnings of its lines, but for names that are known from there already."""
    block = Block([], [], [])
    if state.rescued >= _MOST:
        return block
    regions = [each for each in _regions(state, node) if each.found["name"].decode() not in known]
    for region in regions[: _MOST - state.rescued]:
        state.rescued += 1
        root = parse(_alone(state.texts.data, region), state.suffix, is_odd=True)
        if not root.has_error:
            inner = state.parts.block(state, root.children)
            block.declarations.extend(inner.declarations)
            block.imports.extend(inner.imports)
            block.exports.extend(inner.exports)
        elif (fact := _verbatim(state, root, region)) is not None:
            block.declarations.append(fact)
    return block


def _regions(state: State, node: Node) -> Iterator[_Region]:
    """Beginnings of declarations, each with where the next one begins."""
    found = list(_DECLARED.finditer(state.texts.data, node.start_byte, node.end_byte))
    for index, each in enumerate(found):
        yield _Region(each, found[index + 1].start() if index + 1 < len(found) else node.end_byte)


def _alone(text: bytes, region: _Region) -> bytes:
    """A copy of the file with nothing in it but one declaration."""
    start = region.found.start()
    return b" " * start + text[start : region.end]


def _verbatim(state: State, root: Node, region: _Region) -> Fact | None:
    """A declaration as it is written; None where its end isn't to be seen."""
    found = region.found
    kind = _TEXTS.get(found["kind"])
    written = state.texts.data[found.start("kind") : region.end]
    if kind is None or not _is_balanced(written):
        return None
    text = written.rstrip(b"; \t\n")
    try:
        header = state.texts.between(root, found.start("kind"), found.start("kind") + len(text))
    except TooDeep:
        return None
    start, end = found.start("kind"), found.start("kind") + len(text)
    return Fact(
        kind,
        found["name"].decode(),
        header,
        is_exported=found["export"] is not None,
        is_default=b"default" in found["words"],
        degraded="cannot be parsed",
        line=state.texts.line(start),
        end_line=state.texts.line(end - 1),
    )


def _is_balanced(text: bytes) -> bool:
    stack: list[bytes] = []
    for found in _QUOTED.finditer(text):
        sign = found["sign"]
        if sign in _PAIRS:
            if not stack or stack.pop() != _PAIRS[sign]:
                return False
        elif sign:
            stack.append(sign)
    return not stack
