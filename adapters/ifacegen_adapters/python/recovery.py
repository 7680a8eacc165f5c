"""Damaged files: what can still be read, and what is said about the rest.

An ERROR inside a function's body is nobody's business. Any other makes tree-sitter swallow whole definitions
after it, so such a file is cut at the lines that start a statement in column 0, and each piece read alone. A
class that is still damaged is cut again, at the lines that start its members. Pieces are read a fixed number of
times at each level, so that the time stays linear.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from ifacegen_adapters._treesitter import captures, is_deeper_than
from ifacegen_adapters.python.containment import keeps_errors
from ifacegen_adapters.python.facts import Definition, Problem
from ifacegen_adapters.python.headers import class_signature, function_signature
from ifacegen_adapters.python.source import repaired, without_comment_runs, without_towers
from ifacegen_adapters.python.syntax import Text, grammar

#: What starts a statement behind its indentation; documentation comments go with it.
_STATEMENT = (
    rb"(?:@|(?:async[ \t]+)?(?:def|for|with)\b|class\b|from\b|import\b|if\b|try\b|while\b|del\b|__all__\b"
    rb"|\w+[ \t]*(?::[^=\n]+)?=[^=]%s)"
)
_ANNOTATED = rb"|\w+[ \t]*:[ \t]*\w"
#: A decorator behind a bracket that does not belong there.
_DECORATES = rb"[ \t]{0,%d}[\[\](){}][ \t]*@(?=[^\n]*\n%s(?:@|(?:async[ \t]+)?def\b|class\b))"
_DOC_COMMENTS = rb"(?:%s#:[^\n]*\n){0,40}"
_DEFINITION = rb"^%s(?:async[ \t]+)?(def|class)[ \t]+([^\W\d]\w*)[^\n]*"
_ANY_DEFINITION = re.compile(rb"\b(?:def|class)[ \t]+\w")
#: The indentation of a line that starts a member for sure.
_MEMBER = re.compile(rb"^([ \t]+)(?:@|(?:async[ \t]+)?def\b|class\b)", re.MULTILINE)
_FILLED = re.compile(rb"^([ \t]*)[^\s#]", re.MULTILINE)
_QUOTES = (b'"""', b"'''")
_COLON_END = re.compile(rb":[ \t]*(?:#[^\n]*)?\Z")
_DOCSTRING = (
    rb"(?:[ \t]*(?:#[^\n]*)?\n)*%s[ \t]+[rRuU]?"
    rb"(?:\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*')[ \t]*(?:#[^\n]*)?(?:\n|\Z)"
)
#: Headers of blocks that lack their colon.
_NO_COLON = (
    rb"^(%s(?:(?:if|elif|for|while|with|except)\b[^\n#]*[\w)\]}\"']|else|try|finally|except))[ \t]*\n"
    rb"(?=\n*%s[ \t]+\S)"
)
#: Lines of a header that may be the last one, and levels of classes: nobody wrote what goes beyond.
_LONGEST_HEADER = 60
_DEEPEST = 20
#: What members are read in, so that indentation is what the grammar expects.
_AROUND = b"class _:\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """Statements that are read by themselves: a file, or what is between two cuts in a damaged one."""

    #: A module, or the block of a class.
    root: Node
    text: Text
    damaged: bool = False
    #: The column in which its statements start; None where that is not in doubt.
    column: int | None = None
    #: Where only the start of a damaged class or function is in ``root``: its last line.
    end_line: int = 0
    #: Its header as written, where that is not what ``root`` was read from.
    verbatim: str | None = None
    #: What could be read in the body of a damaged class.
    members: tuple[Piece, ...] = ()


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
    if root.type != "ERROR" and keeps_errors(root, source):
        return Parsed((Piece(root, Text(source)),), problems, deep)
    return Parsed(tuple(_pieces(_Part(source, copy), 0)), problems, deep)


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


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines of a damaged file, whose statements start behind one indentation."""

    source: bytes
    #: The same as the grammar gets it.
    copy: bytes
    #: How many lines stand before it.
    line: int = 0
    indent: bytes = b""

    def lines(self, start: int, end: int, before: int | None = None) -> _Part:
        """What is between two bytes; ``before`` is how many lines of this part stand before, if known."""
        before = self.copy.count(b"\n", 0, start) if before is None else before
        return replace(
            self, source=self.source[start:end], copy=self.copy[start:end], line=self.line + before
        )

    def with_text(self, text: bytes) -> _Part:
        """Another text in place of its own."""
        return replace(self, source=text, copy=text)

    @property
    def end_line(self) -> int:
        """Its last line that is not blank, from 1."""
        return self.line + self.copy.rstrip().count(b"\n") + 1

    def piece(self) -> Piece:
        """The part, parsed."""
        if not self.indent:
            root = _tree(self.copy)
            return Piece(root, Text(self.source, self.line), root.has_error, 0)
        root = _tree(_AROUND + self.copy)
        around = root.children[0] if root.named_child_count == 1 and root.type == "module" else None
        body = around.child_by_field_name("body") if around is not None else None
        if around is None or body is None or any(e.has_error for e in around.children if e != body):
            return Piece(root, Text(_AROUND + self.source, self.line - 1), True, len(self.indent))
        return Piece(body, Text(_AROUND + self.source, self.line - 1), body.has_error, len(self.indent))


def _pieces(part: _Part, depth: int) -> Iterator[Piece]:
    """What can be read in a part, cut at the lines that start a statement in its column."""
    parts = list(_cut(part))
    # Lines of a docstring may look like statements: what an open string is between is tried as one.
    unclosed = (
        index for index, each in enumerate(parts) if any(each.copy.count(quote) % 2 for quote in _QUOTES)
    )
    last_of = dict(itertools.pairwise(unclosed))
    index = 0
    while index < len(parts):
        last = last_of.get(index)
        if last is not None and not (piece := _together(parts[index : last + 1]).piece()).damaged:
            yield piece
            index = last + 1
            continue
        if (found := _piece(parts[index], depth)) is not None:
            yield found
        index += 1


def _together(parts: Sequence[_Part]) -> _Part:
    source, copy = b"".join(each.source for each in parts), b"".join(each.copy for each in parts)
    return replace(parts[0], source=source, copy=copy)


def _cut(part: _Part) -> Iterator[_Part]:
    start = _DOC_COMMENTS % part.indent + part.indent + _STATEMENT % (_ANNOTATED if part.indent else b"")
    statement = re.compile(
        rb"^(?:%s|%s)" % (start, _DECORATES % (len(part.indent), part.indent)), re.MULTILINE
    )
    kept = [0]
    decorated = False
    for found in statement.finditer(part.copy):
        if found.start() and not decorated:
            kept.append(found.start())
        decorated = found[0].endswith(b"@")
    line = 0
    for first, last in zip(kept, [*kept[1:], len(part.copy)], strict=True):
        yield part.lines(first, last, line)
        line += part.copy.count(b"\n", first, last)


def _piece(part: _Part, depth: int) -> Piece | None:
    """What can be read of one statement, or of several that nothing tells apart."""
    if not _FILLED.search(part.copy):
        return None
    piece = part.piece()
    if not piece.damaged:
        return piece
    if piece.root.type == ("block" if part.indent else "module") and keeps_errors(
        piece.root, piece.text.source
    ):
        return piece
    mended = re.sub(_NO_COLON % (part.indent, part.indent), rb"\1:\n", part.copy, flags=re.MULTILINE)
    if mended != part.copy and not (again := part.with_text(mended).piece()).damaged:
        return again
    if (meant := _meant(part, depth)) is not None:
        return meant
    return None if part.indent else piece


def _meant(part: _Part, depth: int) -> Piece | None:
    """The class or function that a damaged part was meant to be: its header, and what is good behind it."""
    found = re.search(_DEFINITION % part.indent, part.copy, re.MULTILINE)
    if found is None:
        return None
    is_class = found[1] == b"class"
    before = part.copy[: found.start()]
    # Decorators that another, damaged, definition stands behind are that one's.
    decorated = bool(before.strip()) and not _ANY_DEFINITION.search(before)
    if decorated and (end := _header_end(part, found.start())):
        return _definition(part, end, is_class, depth)
    if decorated and (mended := _with_colon(part, found.start())):
        return _definition(*mended, is_class, depth)
    part = part.lines(found.start(), len(part.copy))
    if end := _header_end(part, 0):
        piece = _definition(part, end, is_class, depth)
        return replace(piece, verbatim=_verbatim(part, end)) if decorated else piece
    if not decorated and (mended := _with_colon(part, 0)):
        return _definition(*mended, is_class, depth)
    written = _verbatim(part, part.source.find(b"\n") + 1 or len(part.source))
    return replace(_definition(*_with_name(part, is_class, found[2]), is_class, depth), verbatim=written)


def _header_end(part: _Part, start: int) -> int | None:
    """Where the header that ends some lines after ``start`` does, if all until there can be read."""
    for row in range(_LONGEST_HEADER):
        end = part.copy.find(b"\n", start) + 1 or len(part.copy)
        may_end = not row or _COLON_END.search(part.copy[start:end].rstrip())
        if may_end and not part.lines(0, end, 0).piece().damaged:
            return end
        if end == len(part.copy):
            break
        start = end
    return None


def _with_colon(part: _Part, start: int) -> tuple[_Part, int] | None:
    """The part with the colon that a header lacks, if it can be read then, and where the header ends."""
    start = part.copy.find(b"\n", start) + 1
    closing = re.compile(rb"^%s\)[^\n]*" % part.indent, re.MULTILINE).search(part.copy, start)
    for last in (start - 1, closing.end() if closing else -1):
        code = part.copy[:last].rpartition(b"\n")[2].partition(b"#")[0].rstrip()
        if last > 0 and code:
            header = part.copy[: part.copy.rfind(b"\n", 0, last) + 1] + code + b":\n"
            mended = part.with_text(header + part.copy[last + 1 :])
            if not mended.lines(0, len(header), 0).piece().damaged:
                return mended, len(header)
    return None


def _with_name(part: _Part, is_class: bool, name: bytes) -> tuple[_Part, int]:
    """The part with only a name on its first line, and where that ends."""
    header = part.indent + (b"class %s:\n" if is_class else b"def %s():\n") % name
    return part.with_text(header + part.copy.partition(b"\n")[2]), len(header)


def _verbatim(part: _Part, end: int) -> str:
    """What is written up to ``end``, in one line."""
    return " ".join(part.source[:end].decode("utf-8", "replace").split())


def _definition(part: _Part, end: int, is_class: bool, depth: int) -> Piece:
    """A definition whose header ends at ``end``: a class with its members, a function with its docstring."""
    shell = part.lines(0, end, 0)
    members: tuple[Piece, ...] = ()
    if is_class:
        body = part.lines(end, len(part.copy))
        indent = _indent_of_members(body)
        if indent and depth < _DEEPEST:
            members = tuple(_pieces(replace(body, indent=indent), depth + 1))
    elif (doc := _docstring(part, end)) and not part.lines(0, doc, 0).piece().damaged:
        shell = part.lines(0, doc, 0)
    return replace(shell.piece(), damaged=True, end_line=part.end_line, members=members)


def _docstring(part: _Part, start: int) -> int | None:
    """Where the docstring that opens the body ends."""
    found = re.compile(_DOCSTRING % part.indent, re.DOTALL).match(part.copy, start)
    return found.end() if found else None


def _indent_of_members(body: _Part) -> bytes:
    """What the members of a class are indented by: its first line, if definitions are too."""
    found = {each[1] for each in _MEMBER.finditer(body.copy) if len(each[1]) > len(body.indent)}
    first = _FILLED.search(body.copy)
    if first and len(first[1]) > len(body.indent) and (first[1] in found or not found):
        return first[1]
    return min(found, key=len, default=b"")


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
