"""Damaged files: what can still be read, and what is said about the rest.

An ERROR inside a body is nobody's business. One at module level makes tree-sitter swallow whole definitions
after it, so such a file is cut at the lines that start a statement in column 0, and each piece read alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tree_sitter import Node

from ifacegen_adapters._treesitter import captures, is_deeper_than
from ifacegen_adapters.python.facts import Definition, Problem
from ifacegen_adapters.python.headers import Header, class_signature, function_signature
from ifacegen_adapters.python.mending import Mender
from ifacegen_adapters.python.source import repaired, without_comment_runs, without_towers
from ifacegen_adapters.python.syntax import Text, grammar

_STATEMENT = re.compile(
    rb"^(?:@|(?:async[ \t]+)?def\b|class\b|from\b|import\b|if\b|try\b|\w+[ \t]*(?::[^=\n]+)?=[^=])",
    re.MULTILINE,
)
_DEFINITION = re.compile(rb"^(?:async[ \t]+)?(?:def|class)\b", re.MULTILINE)
#: Statements that keep a syntax error to themselves.
_CONTAIN = frozenset({"function_definition", "class_definition", "decorated_definition"})
#: Characters that are read to mend one piece: what takes more is left to the grammar's own recovery.
_MOST_READ = 2_000_000
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
        return Parsed((_contained(root, source),), problems, deep)
    return Parsed(tuple(_cut(source, copy)), problems, deep)


def _tree(source: bytes) -> Node:
    """The tree of a text; where the grammar finds an error, of the text without what it does not know."""
    root = grammar().parse(source)
    if root.has_error and (again := repaired(source)) != source:
        root = grammar().parse(again)
    return root


def _contained(root: Node, source: bytes) -> Piece:
    """A file whose errors are each inside one definition, with what is intact in its damaged classes."""
    lines = source.decode("utf-8", "replace").split("\n")
    verbatim: dict[int, str] = {}
    for children in _statements(root):
        if any(child.has_error for child in children):
            start, end = children[0].start_point.row, children[-1].end_point.row + 1
            mender = Mender(_Reading())
            lines[start:end] = mender.mended("\n".join(lines[start:end])).split("\n")
            verbatim |= {start + row: header for row, header in mender.verbatim.items()}
    return _better(Piece(root, Text(source)), "\n".join(lines), verbatim)


def _statements(root: Node) -> Iterator[list[Node]]:
    """Nodes at module level, each in column 0 with those behind it that are not: an error makes members of them."""
    group: list[Node] = []
    for child in root.children:
        if child.start_point.column == 0 and group:
            yield group
            group = []
        group.append(child)
    if group:
        yield group


def _better(piece: Piece, mended: str, verbatim: Mapping[int, str], line: int = 0) -> Piece:
    """The piece as it is mended, if that has more definitions than the grammar's own recovery finds."""
    source = mended.encode("utf-8", "replace")
    root = _tree(source)
    if root.has_error or _definitions(root) <= _definitions(piece.root):
        return piece
    return Piece(root, Text(source, line, verbatim), piece.damaged)


def _definitions(root: Node) -> int:
    """How many definitions stand where definitions can stand."""
    query = grammar().query("[(function_definition) (class_definition)] @definition")
    return sum(map(_is_placed, captures(query, root).get("definition", [])))


def _is_placed(definition: Node) -> bool:
    parent = definition.parent
    if parent is not None and parent.type == "decorated_definition":
        definition, parent = parent, parent.parent
    return definition.start_point.column == 0 or (parent is not None and parent.type == "block")


@dataclass(slots=True)
class _Reading:
    """Tells whether a text is Python, as long as that does not take too much."""

    left: int = _MOST_READ

    def __call__(self, text: str) -> bool:
        self.left -= len(text)
        return self.left >= 0 and not _tree(text.encode("utf-8", "replace")).has_error


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
            piece = Piece(root, Text(source[start:end], line), damaged=root.has_error)
            yield _mended(piece, line) if piece.damaged and _DEFINITION.search(part) else piece
        line += part.count(b"\n")


def _mended(piece: Piece, line: int) -> Piece:
    mender = Mender(_Reading())
    text = mender.mended(piece.text.source.decode("utf-8", "replace"))
    return _better(piece, text, mender.verbatim, line)


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
