"""Types that are stated in comments (PEP 484), as code that once ran on Python 2 does."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace

from tree_sitter import Node

from ifacegen.model import Parameter
from ifacegen_adapters.python.syntax import Text

_COMMENT = re.compile(r"\s*#[ \t]*type:(?![ \t]*ignore\b)([^#\n]+)")
#: Characters of the longest type that is read; nobody wrote what goes beyond.
_LONGEST = 2_000


def stated_behind(statement: Node, text: Text, count: int = 1) -> tuple[str, ...]:
    """The types that the comment behind an assignment gives its targets; none if it isn't about so many."""
    if not text.has_type_comments:
        return ()
    end = text.source.find(b"\n", statement.end_byte)
    rest = text.source[statement.end_byte : end if end >= 0 else None].decode("utf-8", "replace")
    found = _COMMENT.match(rest)
    written = found[1].strip() if found else ""
    tree = _parsed(written, "eval")
    if not isinstance(tree, ast.Expression):
        return ()
    if count > 1 and isinstance(tree.body, ast.Tuple) and not written.startswith("("):
        types = tuple(ast.get_source_segment(written, each) or "" for each in tree.body.elts)
    else:
        types = () if isinstance(tree.body, ast.Tuple) else (written,)
    return types if len(types) == count and all(types) else ()


def with_comments(
    function: Node, parameters: tuple[Parameter, ...], text: Text
) -> tuple[tuple[Parameter, ...], str | None]:
    """The parameters of a function without annotations, and what it returns, as its comments have them."""
    types, returns = _signature(function, text)
    if types is not None:
        # That of `self` is left out as a rule.
        skipped = [None] * (len(parameters) - len(types)) if _is_method(function) else []
        stated: Sequence[str | None] = [*skipped[:1], *types]
        if len(stated) != len(parameters):
            return parameters, None
    else:
        stated = _behind_each(function, len(parameters), text)
    typed = (replace(each, annotation=type_) for each, type_ in zip(parameters, stated, strict=True))
    return tuple(typed), returns


def _signature(function: Node, text: Text) -> tuple[list[str] | None, str | None]:
    """The types of parameters and result in ``# type: (int, str) -> bool``; the first are None for ``(...)``."""
    for child in function.children:
        found = _COMMENT.match(text.raw(child)) if child.type == "comment" else None
        written = found[1].strip() if found else ""
        tree = _parsed(written, "func_type")
        if isinstance(tree, ast.FunctionType):
            types = [ast.get_source_segment(written, each) or "" for each in tree.argtypes]
            returns = ast.get_source_segment(written, tree.returns)
            return (None if types == ["..."] else types), returns
    return None, None


def _behind_each(function: Node, count: int, text: Text) -> list[str | None]:
    """The types of parameters that stand on lines of their own, each with its comment."""
    stated: list[str | None] = [None] * count
    index, row = -1, -1
    parameters = function.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type != "comment":
            index += child.type not in ("positional_separator", "keyword_separator")
            row = child.end_point.row
        elif child.start_point.row == row and 0 <= index < count:
            found = _COMMENT.match(text.raw(child))
            written = found[1].strip() if found else ""
            stated[index] = written if _parsed(written, "eval") else None
    return stated


def _is_method(function: Node) -> bool:
    around = function.parent
    if around is not None and around.type == "decorated_definition":
        around = around.parent
    owner = around.parent if around is not None else None
    return owner is not None and owner.type == "class_definition"


def _parsed(written: str, mode: str) -> ast.AST | None:
    """The syntax of a type; comments are prose as often as not."""
    if not written or len(written) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(written, mode=mode)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return tree if all(isinstance(each, _OF_TYPES) for each in ast.walk(tree)) else None


#: What types are written with.
_OF_TYPES = (
    ast.Expression,
    ast.FunctionType,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Tuple,
    ast.List,
    ast.Constant,
    ast.BinOp,
    ast.BitOr,
    ast.UnaryOp,
    ast.USub,
    ast.Load,
)
