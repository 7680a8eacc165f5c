"""Reads import statements."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from ifacegen_adapters.python.facts import Import
from ifacegen_adapters.python.syntax import Text


def starred_module(node: Node, text: Text) -> str | None:
    """The module of ``from m import *``, as written; None for other imports."""
    module = node.child_by_field_name("module_name")
    starred = any(child.type == "wildcard_import" for child in node.children)
    return text.dotted(module) if module is not None and starred else None


def read_import(node: Node, text: Text, conditions: tuple[str, ...]) -> Iterator[Import]:
    """The names that an import statement binds."""
    module = node.child_by_field_name("module_name")
    source = text.dotted(module) if module is not None else None
    line = text.line(node)
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        named = child.child_by_field_name("name") if alias is not None else child
        if named is None:
            continue
        name = text.dotted(named)
        bound = text.raw(alias) if alias is not None else None
        if node.type == "future_import_statement":
            yield Import(bound or name, "__future__", name, line, conditions=conditions)
        elif source is not None:
            yield Import(bound or name, source, name, line, bound == name, conditions=conditions)
        elif bound is not None:
            yield Import(bound, name, None, line, bound == name, conditions=conditions)
        else:
            yield Import(name.partition(".")[0], name, None, line, dotted="." in name, conditions=conditions)
