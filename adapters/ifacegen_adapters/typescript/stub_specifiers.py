"""Declarations that call other modules by the paths of their stubs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.brackets import tokens

#: What a module is called by; None: as it is.
Called: TypeAlias = Callable[[str], str | None]

_WORDS = frozenset({"from", "import", "require", "module"})


def spelled(module: Module, in_statements: Called, in_types: Called) -> Module:
    """A module with other names of modules, in its imports and exports, and in types (``import("x").T``)."""
    declarations = tuple(_declaration(each, in_statements, in_types) for each in module.declarations)
    return replace(module, declarations=declarations)


def _declaration(declaration: Declaration, in_statements: Called, in_types: Called) -> Declaration:
    signature = declaration.signature
    if declaration.kind in ("import", "alias", "ambient"):
        signature = _renamed(signature, in_statements)
    elif "import(" in signature:
        signature = _renamed(signature, in_types)
    # What stands in an ambient module may not import by a path, but mention types so.
    inner = _as_it_is if declaration.kind == "ambient" else in_statements
    members = tuple(_declaration(each, inner, in_types) for each in declaration.members)
    if signature == declaration.signature and members == declaration.members:
        return declaration
    return replace(declaration, signature=signature, members=members)


def _as_it_is(_: str) -> None:
    return None


def _renamed(signature: str, called: Called) -> str:
    """A signature with other strings behind ``from``, ``import``, ``require``, ``module`` and their parentheses."""
    pieces: list[str] = []
    end = 0
    before = last = ""
    for kind, start, stop in tokens(signature):
        text = signature[start:stop]
        if kind == "string" and (before if last == "(" else last) in _WORDS:
            name = called(text[1:-1])
            if name is not None:
                pieces += [signature[end:start], json.dumps(name, ensure_ascii=False)]
                end = stop
        before, last = last, text
    return "".join([*pieces, signature[end:]])
