"""What must hold for every view, checked by means of our own: no parser and no resolver of the product."""

from __future__ import annotations

import ast
import builtins
import json
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import libcst

from ifacegen.model import View
from ifacegen.render.json import to_json, view_value

_SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "view-1.json"
_GIVEN = frozenset({*dir(builtins), "__file__", "__path__"})
_FATAL = frozenset({"adapter-broken", "adapter-failed"})


def failures(view: View, stubs: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a view, in words."""
    if not view.modules:
        yield "no module"
    yield from (str(note) for note in view.notes if note.code in _FATAL)
    if reason := unparsed(view.text):
        yield f"text: {reason}"
    yield from (f"stub {path}: {reason}" for path, text in stubs.items() if (reason := unparsed(text)))
    value = json.loads(to_json(view_value(view)))
    yield from (
        f"schema: {error.json_path}: {error.message[:200]}" for error in validator().iter_errors(value)
    )
    counts = Counter(declaration.id for _, declaration in view.declarations())
    yield from (f"id {each} is {count} declarations" for each, count in counts.items() if count > 1)


def unparsed(text: str) -> str | None:
    """Why a text is no Python; newer syntax than the running one's is read by LibCST."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `"\s"` in a default is as its author wrote it
        try:
            ast.parse(text)
        except SyntaxError as error:
            return None if _is_newer_syntax(text) else str(error)
    return None


def _is_newer_syntax(text: str) -> bool:
    try:
        libcst.parse_module(text)
    except libcst.ParserSyntaxError:
        return False
    return True


@cache
def validator() -> jsonschema.Draft202012Validator:
    """Validates against the published schema."""
    schema: dict[str, Any] = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def unbound(stub: str) -> frozenset[str]:
    """Names that a stub uses and binds nowhere; none where a star import could bring them."""
    try:
        nodes = list(ast.walk(ast.parse(stub)))
    except SyntaxError:
        return frozenset()
    bound = {name for node in nodes for name in _bound(node)}
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return frozenset() if "*" in bound else frozenset(used - bound - _GIVEN)


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Import() | ast.ImportFrom():
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)
        case ast.arg():
            yield node.arg
        case ast.Name(ctx=ast.Store()):
            yield node.id
        case _ if type(node).__name__ in {"TypeVar", "ParamSpec", "TypeVarTuple"}:
            yield getattr(node, "name", "")
        case _:
            pass
