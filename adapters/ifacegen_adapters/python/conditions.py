"""Compound statements at module and class level: their blocks, and the condition each stands under.

A condition is a header that Python could run (``if X``, ``if not (X) and Y``, ``except ImportError``), so that it
says the same to a reader of one declaration as the whole chain does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from ifacegen_adapters.python.syntax import Text, parts_of

#: Expressions that bind less than ``and``, but for ``or``.
_LOOSE = frozenset({"conditional_expression", "lambda", "named_expression"})

_LITERAL = re.compile(r"""(?:"[^"\\]*"|'[^'\\]*'|-?\d+)\Z""")

Branch = tuple[Node, tuple[str, ...]]

#: A test that fails in whatever is imported, alone or with others.
_IS_MAIN = re.compile(r"(?:\A|\band )__name__ == ['\"]__main__['\"](?: and\b|\Z)")

#: What stands for a loop among conditions: names set in one are its own affair, as a rule.
LOOP = "for"

#: Characters after which the earlier tests of a long ``elif`` ladder are no longer repeated.
_LONGEST = 400


def branches(node: Node, text: Text) -> Iterator[Branch]:
    """The blocks of a compound statement that may define names, each with its condition."""
    if node.type == "if_statement":
        yield from _if_branches(node, text)
    elif node.type == "try_statement":
        yield from _try_branches(node, text)
    elif node.type == "with_statement":
        # Whatever it defines is there afterwards: no condition a caller could test.
        yield from ((block, ()) for block in _blocks(node))
    elif node.type in ("for_statement", "while_statement"):
        yield from ((block, (LOOP,)) for block in _blocks(node))
    elif node.type == "match_statement":
        yield from _match_branches(node, text)
    elif node.type == "ERROR":
        yield node, ()


def asserted_platform(node: Node, text: Text) -> tuple[str, ...]:
    """The condition that an ``assert`` on the platform sets for all that follows it: type checkers stop there."""
    parts = parts_of(node)
    written = text.clean(parts[0]) if parts and not node.has_error else ""
    return (f"if {written}",) if "sys.platform" in written else ()


def _blocks(node: Node) -> Iterator[Node]:
    for child in parts_of(node):
        if child.type == "block":
            yield child
        elif child.type in ("else_clause", "finally_clause"):
            yield from _blocks(child)


def _if_branches(node: Node, text: Text) -> Iterator[Branch]:
    failed = ""
    for clause in (node, *node.children_by_field_name("alternative")):
        test = clause.child_by_field_name("condition")
        block = clause.child_by_field_name("consequence") or clause.child_by_field_name("body")
        written, joined = _test(test, text) if test is not None else ("", "")
        if _IS_MAIN.search(written):
            failed = ""
            continue
        condition = f"{failed} and {joined}" if failed and joined else failed or written
        if block is not None:
            yield block, (f"if {condition}",) if condition else ()
        failed = _failing(failed, written)


def _test(node: Node, text: Text) -> tuple[str, str]:
    """A test without needless parentheses, and as it stands behind an ``and``."""
    while node.type == "parenthesized_expression" and not node.has_error:
        node = parts_of(node)[0]
    if node.has_error:
        return "...", "..."
    written = text.clean(node)
    operator = node.child_by_field_name("operator") if node.type == "boolean_operator" else None
    loose = node.type in _LOOSE or (operator is not None and operator.type == "or")
    return written, f"({written})" if loose else written


def _failing(failed: str, test: str) -> str:
    """The conjunction that holds once ``test`` has failed too."""
    longer = " and ".join(part for part in (failed, f"not ({test})") if part)
    return (
        longer if len(longer) <= _LONGEST else "..."
    )  # a placeholder that is true, as no caller reads such a ladder


def _match_branches(node: Node, text: Text) -> Iterator[Branch]:
    """Cases as the tests that they are where they compare one value with a literal; else under ``if ...``."""
    subject, body = node.child_by_field_name("subject"), node.child_by_field_name("body")
    failed: str | None = ""
    for case in parts_of(body) if body is not None else ():
        pattern = text.clean(parts_of(case)[0])
        is_plain = case.child_by_field_name("guard") is None and subject is not None
        if is_plain and pattern == "_":
            test = failed
        elif is_plain and failed is not None and _LITERAL.match(pattern) and subject is not None:
            test = " and ".join(part for part in (failed, f"{text.clean(subject)} == {pattern}") if part)
            failed = _failing(failed, f"{text.clean(subject)} == {pattern}")
        else:
            test = failed = None
        yield from ((block, (f"if {test or '...'}",)) for block in _blocks(case))


def _caught(clause: Node, text: Text) -> str:
    """The exceptions of an ``except``; several without parentheses (PEP 758) with them."""
    values = [
        parts_of(value)[0] if value.type == "as_pattern" else value
        for value in clause.children_by_field_name("value")
    ]
    written = ", ".join(map(text.clean, values))
    return f"({written})" if len(values) > 1 else written


def _try_branches(node: Node, text: Text) -> Iterator[Branch]:
    for child in parts_of(node):
        if child.type == "block":
            yield child, ("try",)
        elif child.type in ("except_clause", "except_group_clause"):
            header = f"except {_caught(child, text)}".rstrip()
            yield from ((block, (header,)) for block in _blocks(child))
        elif child.type == "else_clause":
            yield from ((block, ("else",)) for block in _blocks(child))
        elif child.type == "finally_clause":
            yield from ((block, ()) for block in _blocks(child))
