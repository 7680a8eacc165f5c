"""What the tokens of an interface are spent on: every token of a Python text under one heading.

Knows nothing of ifacegen, so that its views and the peers' stubs are split by the same rules.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ifacegen.tokens import _encoding

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

#: Headings in the order of the table.
CAUSES = (
    *("headers, names", "annotations", "defaults", "bases", "values", "decorators", "decorator calls"),
    *("imports", "re-exports", "conditions", "module docs", "class docs", "function docs", "attribute docs"),
    *("parameter docs", "`# defined in`, `# from`", "`# -> T`", "other comments", "not split"),
)

_COMMENTS = (
    (re.compile(r"# (defined in|from) [\w.:]+"), "`# defined in`, `# from`"),
    (re.compile(r"# -> "), "`# -> T`"),
)


def causes(text: str) -> Counter[str]:
    """Heading → tokens; all of them are ``not split`` where the running Python cannot read the text."""
    data = text.encode("utf-8", "replace")
    try:
        painted = _Painter(data).painted()
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        painted = bytearray([CAUSES.index("not split")]) * len(data)
    counts: Counter[str] = Counter()
    place = 0
    encoding = _encoding()
    for token in encoding.decode_tokens_bytes(encoding.encode_ordinary(data.decode("utf-8"))):
        # White space before a word belongs to it.
        blank = len(token) - len(token.lstrip())
        first = place + blank if blank < len(token) else place
        counts[CAUSES[painted[first]]] += 1
        place += len(token)
    return counts


def without_docs(text: str) -> str:
    """The text without any docstring, ``...`` where nothing else is left; as it is where Python cannot read it."""
    data = text.encode("utf-8", "replace")
    try:
        tree = _parsed(data)
    except (SyntaxError, ValueError, RecursionError):
        return text
    starts = _line_starts(data)
    for node, is_alone in sorted(_strings(tree), key=lambda each: -each[0].lineno):
        first, last = _span(node, starts)
        line = data.rfind(b"\n", 0, first) + 1
        if is_alone or data[line:first].strip() or data[last : last + 1] not in (b"\n", b""):
            data = data[:first] + b"..." + data[last:]
        else:
            data = data[:line] + data[last + 1 :]
    return data.decode("utf-8")


class _Painter:
    """Gives every byte of a text the number of its heading, from the outside in."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = _line_starts(data)
        self._marks = bytearray(len(data))

    def painted(self) -> bytearray:
        tree = _parsed(self._data)
        self._paint_body(tree.body, "module docs")
        for node in ast.walk(tree):
            self._paint_node(node)
        self._paint_comments()
        return self._marks

    def _paint_node(self, node: ast.AST) -> None:
        match node:
            case ast.ClassDef():
                for base in (*node.bases, *node.keywords):
                    self._paint(base, "bases")
                self._paint_body(node.body, "class docs")
                self._paint_decorators(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._paint_function(node)
            case ast.Assign():
                self._paint(node.value, "values")
            case ast.AnnAssign():
                self._paint(node.annotation, "annotations")
                self._paint(node.value, "values")
            case ast.Import() | ast.ImportFrom():
                given = all(each.asname == each.name for each in node.names)
                self._paint(node, "re-exports" if given else "imports")
            case ast.If() | ast.Try():
                self._paint_condition(node)
            case _:
                pass

    def _paint_function(self, node: _Function) -> None:
        arguments = node.args
        given = [
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            arguments.vararg,
            arguments.kwarg,
        ]
        for each in given:
            self._paint(each.annotation if each else None, "annotations")
        self._paint(node.returns, "annotations")
        for default in (*arguments.defaults, *arguments.kw_defaults):
            self._paint(default, "defaults")
        self._paint_body(node.body, "function docs")
        self._paint_decorators(node)

    def _paint_decorators(self, node: _Function | ast.ClassDef) -> None:
        for each in node.decorator_list:
            self._paint(each, "decorator calls" if isinstance(each, ast.Call) else "decorators", before=1)

    def _paint_condition(self, node: ast.If | ast.Try) -> None:
        """Its own lines, the first to the last, without the statements under them."""
        self._paint(node, "conditions")
        handlers = node.handlers if isinstance(node, ast.Try) else []
        final = node.finalbody if isinstance(node, ast.Try) else []
        for block in (node.body, *(each.body for each in handlers), node.orelse, final):
            for statement in block:
                self._paint(statement, "headers, names")
            self._paint_body(block, "attribute docs")

    def _paint_body(self, body: Sequence[ast.stmt], own: str) -> None:
        before: ast.stmt | None = None
        for statement in body:
            if _is_string(statement):
                # pyright puts a module's documentation below the imports.
                is_own = before is None or isinstance(before, ast.Import | ast.ImportFrom)
                self._paint(statement, own if is_own else "attribute docs")
            before = statement

    def _paint(self, node: ast.AST | None, cause: str, before: int = 0) -> None:
        if node is not None:
            first, last = _span(node, self._starts)
            self._fill(first - before, last, cause)

    def _fill(self, first: int, last: int, cause: str) -> None:
        self._marks[first:last] = bytes([CAUSES.index(cause)]) * (last - first)

    def _paint_comments(self) -> None:
        lines = self._data.splitlines(keepends=True)
        header = 0
        for token in tokenize.tokenize(io.BytesIO(self._data).readline):
            if token.type == tokenize.OP:
                header += (token.string in "([{") - (token.string in ")]}")
            if token.type == tokenize.COMMENT:
                line, column = token.start
                first = self._starts[line - 1] + len(lines[line - 1].decode("utf-8")[:column].encode("utf-8"))
                size = len(token.string.encode("utf-8"))
                self._fill(first, first + size, _comment(token.string, is_inside=header > 0))


def _comment(text: str, *, is_inside: bool) -> str:
    if is_inside:
        return "parameter docs"
    return next((cause for pattern, cause in _COMMENTS if pattern.match(text)), "other comments")


def _parsed(text: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `"\s"` in a default is as its author wrote it
        return ast.parse(text)


def _strings(tree: ast.Module) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements that are a string, and whether their block holds nothing else."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            strings = [each for each in block if _is_string(each)] if isinstance(block, list) else []
            is_alone = bool(strings) and len(strings) == len(block or ()) and node is not tree
            yield from ((each, is_alone) for each in strings)


def _is_string(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _line_starts(data: bytes) -> list[int]:
    return [0, *(found.end() for found in re.finditer(rb"\n", data))]


def _span(node: ast.AST, starts: Sequence[int]) -> tuple[int, int]:
    """First byte and the one after the last; what has no place is empty."""
    if not isinstance(node, ast.stmt | ast.expr | ast.keyword) or node.end_lineno is None:
        return 0, 0
    return (
        starts[node.lineno - 1] + node.col_offset,
        starts[node.end_lineno - 1] + (node.end_col_offset or 0),
    )
