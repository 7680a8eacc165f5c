"""Whether a syntax error stays where it is, or takes what stands around it with it."""

from __future__ import annotations

import re

from tree_sitter import Node

#: What holds blocks of statements, and the parts of it that do.
_COMPOUND = frozenset(
    {
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "with_statement",
    }
)
_STATEMENT = re.compile(rb"^([ \t]*)(?:@|(?:async[ \t]+)?def\b|class\b)", re.MULTILINE)
_COMMENT_LINES = re.compile(rb"^[ \t]*#.*\n?", re.MULTILINE)


def keeps_errors(block: Node, source: bytes) -> bool:
    """Whether all errors below a module or block are inside the bodies of functions that end where they should."""
    pending = [block]
    while pending:
        node = pending.pop()
        if node.type in ("module", "block") and not _is_aligned(node):
            return False
        for child in node.children:
            if not child.has_error:
                continue
            if child.type == "decorated_definition" or child.type in _COMPOUND or child.type == "block":
                pending.append(child)
            elif child.type == "function_definition":
                if not (_has_good_header(child, source) and _ends_in_time(child, source)):
                    return False
            elif child.type == "class_definition" and _has_good_header(child, source):
                pending.append(child)
            else:
                return False
    return True


def _is_aligned(block: Node) -> bool:
    """Whether all its statements start in one column: what an error cut off a body does not."""
    columns = set()
    row = -1
    for child in block.named_children:
        if child.start_point.row > row and child.type != "comment":
            columns.add(child.start_point.column)
        row = max(row, child.end_point.row - (child.end_point.column == 0))
    return len(columns) <= 1


def _has_good_header(definition: Node, source: bytes) -> bool:
    """Whether what stands before the body can be read to its colon; errors in parameters are kept with them."""
    body = definition.child_by_field_name("body")
    if body is None:
        return False
    header = _COMMENT_LINES.sub(b"", source[definition.start_byte : body.start_byte])
    return header.partition(b"#")[0].rstrip().endswith(b":")


def _ends_in_time(function: Node, source: bytes) -> bool:
    """Whether no definition that should stand behind a function is within it."""
    rest = source.find(b"\n", function.start_byte, function.end_byte)
    if rest < 0:
        return True
    column = function.start_point.column
    return all(len(found[1]) > column for found in _STATEMENT.finditer(source, rest + 1, function.end_byte))
