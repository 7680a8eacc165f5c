"""Reading single pieces of Python syntax out of a tree: text, strings, docstrings, annotations."""

from __future__ import annotations

import ast
import functools
import inspect
import keyword
import re
import textwrap
import unicodedata
import warnings
from collections.abc import Sequence

import tree_sitter_python
from tree_sitter import Node

from ifacegen_adapters._treesitter import Grammar, leaves

_STRING = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")(.*)\2\Z", re.DOTALL)
#: Tokens of Python 2, which the grammar lets through: integers, ``repr`` by backticks, a comparison, a prefix.
_OLD = re.compile(r"0\d*[1-9]\d*\Z|\d+[lL]\Z|`|<>\Z|[uU][rR][\"']")
#: What a text with one of them has in it somewhere.
_MAYBE_OLD = re.compile(r"\b0\d|\d[lL]\b|`|<>|\b[uU][rR][\"']")
#: Lines of white space only, which ``cleandoc`` keeps at both ends.
_BLANK_EDGES = re.compile(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z")
#: Nodes that are read as one token.
ATOMIC = frozenset({"string"})
#: PEP 484's comments with types.
_TYPE_COMMENT = re.compile(rb"#[ \t]*type:(?![ \t]*ignore\b)")
#: A call or subscript written apart from its name, or a word before a parenthesis.
_APART = re.compile(r"\w\s+[(\[]")
#: What may stand between any two tokens.
_ANYWHERE = ("comment", "line_continuation")

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
#: Containers whose trailing comma means nothing.
_PLAIN_COMMA = frozenset({"parameters", "argument_list", "list", "dictionary", "set", "lambda_parameters"})
#: Containers in which a trailing comma makes a tuple of one item → children from which it means nothing.
_LEAST_ITEMS = {"tuple": 2, "type_parameter": 2, "subscript": 3}
#: Characters and levels of brackets of an expression that are printed; nobody wrote what goes beyond.
LONGEST = 10_000
_DEEPEST = 100


@functools.cache
def grammar() -> Grammar:
    """The Python grammar, loaded once."""
    return Grammar(tree_sitter_python.language())


class Text:
    """The source a tree was made from, to cut slices from."""

    def __init__(self, source: bytes, line_offset: int = 0) -> None:
        self.source = source
        self._line_offset = line_offset
        #: Lines of expressions that were printed as ``...`` because they are no Python 3 or too long.
        self.elided: list[int] = []

    @functools.cached_property
    def has_type_comments(self) -> bool:
        """Whether there may be types in comments (PEP 484)."""
        return _TYPE_COMMENT.search(self.source) is not None

    def line(self, node: Node) -> int:
        """Line number of the start of a node, from 1."""
        return node.start_point.row + 1 + self._line_offset

    def end_line(self, node: Node) -> int:
        """Line number of the end of a node, from 1, comments after its last statement left out."""
        last = self.source.rfind(b"\n", 0, node.end_byte) + 1
        while self.source[last : node.end_byte].lstrip().startswith(b"#") and node.child_count:
            node = next(
                (child for child in reversed(node.children) if child.type != "comment"), node.children[0]
            )
            last = self.source.rfind(b"\n", 0, node.end_byte) + 1
        return node.end_point.row + 1 + self._line_offset

    def raw(self, node: Node) -> str:
        """The node's text, untouched but for names, which are read as Python does."""
        raw = self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        return _name(raw) if node.type == "identifier" else raw

    def dotted(self, node: Node) -> str:
        """A dotted name as Python reads it, wherever its line is broken."""
        raw = _name(self.raw(node))
        return raw if raw.isidentifier() else "".join(raw.replace("\\", " ").split())

    def clean(self, node: Node) -> str:
        """The node's text on one line where it has no multi-line string; comments are left out."""
        return self.between(node, node.start_byte, node.end_byte)

    def between(self, node: Node, start: int, end: int) -> str:
        """Like :meth:`clean`, for the part of ``node`` from byte ``start`` to byte ``end``."""
        raw = self.source[start:end].decode("utf-8", "replace")
        if raw.isidentifier() and end - start <= LONGEST:
            return _name(raw)
        if (
            (_MAYBE_OLD.search(raw) and self._is_old(node))
            or end - start > LONGEST
            or (len(raw) > 2 * _DEEPEST and _is_tower(raw))
        ):
            self.elided.append(self.line(node))
            return "..."
        if "\n" not in raw and "#" not in raw and not _APART.search(raw) and _is_normal(raw):
            return raw.strip() if "  " not in raw or "'" in raw or '"' in raw else " ".join(raw.split())
        return self._joined(node, start, end)

    def _is_old(self, node: Node) -> bool:
        """Whether a node has tokens that Python 3 does not know."""
        return any(_OLD.match(self.raw(leaf)) for leaf, _ in leaves(node, ATOMIC))

    def _joined(self, node: Node, start: int, end: int) -> str:
        pieces: list[str] = []
        last, last_end, broken = "", start, False
        for leaf, parent in leaves(node, ATOMIC):
            if leaf.start_byte < start or leaf.end_byte > end or leaf.start_byte == leaf.end_byte:
                continue
            if leaf.type in _ANYWHERE:
                broken = True
                continue
            gap = self.source[last_end : leaf.start_byte]
            broken = broken or b"\n" in gap
            token = self.raw(leaf)
            if broken and token in _CLOSE and last == "," and _drops_comma(parent, leaf):
                pieces.pop()
            elif pieces:
                pieces.append(
                    _space(last, token) if broken else " " if gap and not _opens(last, token) else ""
                )
            pieces.append(token)
            last, last_end, broken = token, leaf.end_byte, False
        return "".join(pieces)


def _name(raw: str) -> str:
    """A name as Python reads it (NFKC): letters in other shapes are the same letters."""
    return raw if raw.isascii() else unicodedata.normalize("NFKC", raw)


def _is_normal(raw: str) -> bool:
    return raw.isascii() or unicodedata.is_normalized("NFKC", raw)


def _is_tower(raw: str) -> bool:
    if raw.count("(") + raw.count("[") + raw.count("{") <= _DEEPEST:
        return False
    depth = deepest = 0
    for char in raw:
        depth += (char in _OPEN) - (char in _CLOSE)
        deepest = max(deepest, depth)
    return deepest > _DEEPEST


def _space(before: str, after: str) -> str:
    """What stands between two tokens where the source breaks the line."""
    tight = before in _OPEN or after in _CLOSE or after == "," or "." in (before, after)
    return "" if tight or _opens(before, after) else " "


def _opens(before: str, after: str) -> bool:
    """Whether ``after`` opens a call's arguments or a subscript."""
    return after in ("(", "[") and before.isidentifier() and not keyword.iskeyword(before)


def _drops_comma(parent: str, closing: Node) -> bool:
    if parent in _PLAIN_COMMA:
        return True
    owner = closing.parent
    least = _LEAST_ITEMS.get(parent)
    if least is None or owner is None:
        return False
    return len(parts_of(owner)) >= least


def parts_of(node: Node) -> list[Node]:
    """The named children of a node, but for what may stand anywhere: comments and line continuations."""
    return [child for child in node.named_children if child.type not in _ANYWHERE]


def first_part(node: Node) -> Node | None:
    """The first of :func:`parts_of`."""
    return _part(node, range(node.named_child_count))


def last_part(node: Node) -> Node | None:
    """The last of :func:`parts_of`."""
    return _part(node, range(node.named_child_count - 1, -1, -1))


def _part(node: Node, indices: range) -> Node | None:
    for index in indices:
        child = node.named_child(index)
        if child.type not in _ANYWHERE:
            return child
    return None


def without_parentheses(expression: str) -> str:
    """An expression's text without parentheses around the whole of it."""
    if not (expression.startswith("(") and expression.endswith(")")):
        return expression
    root = grammar().parse(expression.encode("utf-8", "replace"))
    statement = first_part(root)
    node = first_part(statement) if statement is not None and not root.has_error else None
    is_wrapped = node is not None and node.type == "parenthesized_expression"
    return expression[1:-1] if is_wrapped else expression


def string_value(node: Node, text: Text) -> str | None:
    """The value of a string literal (or several side by side); None for bytes, f-strings and other nodes."""
    if node.type == "concatenated_string":
        parts = [string_value(child, text) for child in parts_of(node)]
        return "".join(part for part in parts if part is not None) if None not in parts else None
    if node.type == "parenthesized_expression" and len(inner := parts_of(node)) == 1:
        return string_value(inner[0], text)
    if node.type != "string":
        return None
    raw = text.raw(node)
    found = _STRING.match(raw)
    if not found or set(found[1].lower()) - {"r", "u"}:
        return None
    if "\\" not in raw or "r" in found[1].lower():
        return found[3]
    return _evaluated(raw) or found[3]


def _evaluated(literal: str) -> str | None:
    """Resolve escapes; ``literal_eval`` runs nothing, and an invalid escape is the source's own affair."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(literal)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def doc_text(node: Node, text: Text) -> str | None:
    """The docstring an expression statement is, whole and dedented; None if it is none."""
    if node.type != "expression_statement" or len(parts := parts_of(node)) != 1:
        return None
    value = string_value(parts[0], text)
    return clean_doc(value) if value is not None and value.strip() else None


def clean_doc(value: str) -> str:
    """Dedent a docstring; lone surrogates, which no file can hold, become their escapes."""
    cleaned = inspect.cleandoc(value)
    if cleaned[:1].isspace() or cleaned[-1:].isspace():
        cleaned = _BLANK_EDGES.sub("", cleaned)
    return cleaned.encode("utf-8", "backslashreplace").decode("utf-8")


def doc_comment(node: Node, text: Text) -> str | None:
    """A line of a documentation comment (``#:``), without the one space that sets it off; None for other nodes."""
    raw = text.raw(node) if node.type == "comment" else ""
    return raw[2:].removeprefix(" ").rstrip() if raw.startswith("#:") else None


def comment_doc(lines: Sequence[str]) -> str | None:
    """The documentation that lines of ``#:`` comments make together; what is indented stays so."""
    doc = textwrap.dedent("\n".join(lines))
    return _BLANK_EDGES.sub("", doc) or None


def block_doc(block: Node | None, text: Text) -> str | None:
    """The docstring that opens a block or module."""
    first = first_part(block) if block is not None else None
    return doc_text(first, text) if first is not None else None


def is_annotation(node: Node) -> bool:
    """Whether a ``type`` node is one: the grammar also takes ``a: b``, ``a := b`` and backticks, Python does not."""
    kinds = ("constrained_type", "named_expression")
    parts = parts_of(node)
    return not (len(parts) == 1 and (parts[0].type in kinds or (node.text or b"").startswith(b"`")))


def annotation(node: Node, text: Text) -> tuple[str, str | None]:
    """An annotation's text and, apart, the text of a ``Doc("…")`` in its ``Annotated`` (PEP 727)."""
    whole = text.clean(node)
    if "Doc(" not in whole:
        return whole, None
    inner = _within_type(node)
    bracket = parts_of(inner)[-1] if inner.type == "generic_type" else inner
    found = [(item, value) for item in parts_of(bracket) if (value := _doc_argument(item, text)) is not None]
    if len(found) != 1:
        return whole, None
    items = [text.clean(item) for item in parts_of(bracket)]
    head = text.clean(parts_of(inner)[0])
    if inner.type == "subscript":
        items = items[1:]
    kept = [item for item in items if item != text.clean(found[0][0])]
    return (kept[0] if len(kept) == 1 else f"{head}[{', '.join(kept)}]"), clean_doc(found[0][1])


def _within_type(node: Node) -> Node:
    parts = parts_of(node)
    return parts[0] if node.type == "type" and len(parts) == 1 else node


def _doc_argument(node: Node, text: Text) -> str | None:
    inner = _within_type(node)
    if inner.type != "call":
        return None
    function, arguments = inner.child_by_field_name("function"), inner.child_by_field_name("arguments")
    if function is None or arguments is None or text.dotted(function).rpartition(".")[2] != "Doc":
        return None
    values = parts_of(arguments)
    return string_value(values[0], text) if len(values) == 1 else None
