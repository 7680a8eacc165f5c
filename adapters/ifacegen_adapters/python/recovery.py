"""Damaged files: what can still be read, and what is said about the rest.

An ERROR inside a body is nobody's business. One at module level makes tree-sitter swallow whole definitions
after it, so such a file is cut at the lines that start a statement in column 0, and each piece read alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from ifacegen_adapters._treesitter import captures, is_deeper_than
from ifacegen_adapters.python.facts import Definition, Problem
from ifacegen_adapters.python.headers import Header, class_signature, function_signature
from ifacegen_adapters.python.source import repaired, without_comment_runs, without_towers
from ifacegen_adapters.python.syntax import Text, grammar

_STATEMENT = re.compile(
    rb"^(?:@|(?:async[ \t]+)?def\b|class\b|from\b|import\b|if\b|try\b|\w+[ \t]*(?::[^=\n]+)?=[^=])",
    re.MULTILINE,
)
_DEFINITION = re.compile(rb"^(?:async[ \t]+)?(?:def|class)\b", re.MULTILINE)
#: Statements that keep a syntax error to themselves.
_CONTAIN = frozenset({"function_definition", "class_definition", "decorated_definition"})
_HEADER = re.compile(r"(?:async\s+)?(def|class)\s+([^\W\d]\w*)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file that is read by itself."""

    root: Node
    text: Text
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """The parts of a file to read, and what is wrong with it."""

    pieces: tuple[Piece, ...]
    problems: tuple[Problem, ...] = ()
    #: Whether the tree is too deep for parsers that recurse.
    deep: bool = False


def parsed(source: bytes, deepest: int) -> Parsed:
    """Parse a file's text, repairing what the grammar does not know and cutting what it cannot read."""
    source, tower = without_towers(source)
    problems: tuple[Problem, ...] = ()
    if tower:
        problems = (Problem("too-long", "brackets or continued lines without end; shown as `...`", tower),)
    copy = without_comment_runs(source)
    root = _tree(copy)
    deep = is_deeper_than(root, deepest)
    if not root.has_error:
        return Parsed((Piece(root, Text(source)),), problems, deep)
    problems += (_problem(root, source),)
    if root.type != "ERROR" and all(child.type in _CONTAIN for child in root.children if child.has_error):
        return Parsed((Piece(root, Text(source)),), problems, deep)
    return Parsed(tuple(_cut(source, copy)), problems, deep)


def _tree(source: bytes) -> Node:
    """The tree of a text; where the grammar finds an error, of the text without what it does not know."""
    root = grammar().parse(source)
    if root.has_error and (again := repaired(source)) != source:
        root = grammar().parse(again)
    return root


def _problem(root: Node, source: bytes) -> Problem:
    errors = captures(grammar().query("[(ERROR) (MISSING)] @error"), root).get("error", [])
    line = errors[0].start_point.row + 1 if errors else 0
    rows = source.split(b"\n", line)
    excerpt = rows[line - 1].decode("utf-8", "replace").strip()[:60] if 0 < line <= len(rows) else ""
    return Problem("parse-error", f"syntax error at `{excerpt}`; what could be read around it is shown", line)


def _cut(source: bytes, copy: bytes) -> Iterator[Piece]:
    kept = [0]
    for found in _STATEMENT.finditer(copy):
        previous = copy[kept[-1] : found.start()]
        decorated = previous.lstrip().startswith(b"@") and not _DEFINITION.search(previous)
        if found.start() and not decorated:
            kept.append(found.start())
    line = 0
    for start, end in zip(kept, [*kept[1:], len(copy)], strict=True):
        part = copy[start:end]
        if part.strip():
            root = _tree(part)
            yield Piece(root, Text(source[start:end], line), damaged=root.has_error)
        line += part.count(b"\n")


def damaged_definition(piece: Piece) -> Iterator[Definition]:
    """The definition that a damaged piece was meant to be, with its first line verbatim."""
    text = piece.text.source.decode("utf-8", "replace")
    if found := re.search(rf"^{_HEADER.pattern}.*", text, re.MULTILINE):
        kind = "class" if found[1] == "class" else "function"
        header = Header(found[2], verbatim=" ".join(found[0].split()))
        line = piece.text.line(piece.root) + text.count("\n", 0, found.start())
        yield Definition(kind, header, line, line, flags=frozenset({"stub"}))


def checked(definition: Definition) -> Definition:
    """A definition of a damaged file: as it is where its header can be read back, else with the header verbatim.

    tree-sitter may put an ERROR beside the piece that it belongs to, so only reading the print tells.
    """
    definition = replace(definition, members=tuple(map(checked, definition.members)))
    if not all(_reads(f"{'try: ...' * each.startswith('e')}\n{each}: ...") for each in definition.conditions):
        definition = replace(definition, conditions=())
    written = _written(definition)
    if definition.header.verbatim is not None or _reads(written):
        return definition
    header = replace(definition.header, verbatim=" ".join(written.removesuffix(": ...").split()))
    return replace(definition, header=header, decorators=(), type=None, value=None, size=None)


def _written(definition: Definition) -> str:
    """A definition's header as it would be printed."""
    decorated = "".join(f"@{each}\n" for each in definition.decorators)
    if definition.kind == "class":
        return f"{decorated}{class_signature(definition.header)}: ..."
    if definition.kind in ("function", "method", "property"):
        return f"{decorated}{function_signature(definition.header)}: ..."
    stated = f": {definition.type}" if definition.type else ""
    return f"{definition.name}{stated} = {definition.value or '...'}"


def _reads(written: str) -> bool:
    return not _tree(written.encode("utf-8", "replace")).has_error
