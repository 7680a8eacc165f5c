"""Declarations of TypeScript made by hand, and what a parser makes of their text."""

from __future__ import annotations

from functools import cache
from textwrap import dedent
from typing import Any

import tree_sitter_typescript
from tree_sitter import Language, Parser

from ifacegen.model import Declaration, Module


def declared(kind: str, signature: str, name: str = "x", **fields: Any) -> Declaration:
    """A declaration of ``@acme/ui``."""
    return Declaration(f"@acme/ui:{name}", name, name, kind, signature, **fields)


def carried(kind: str, signature: str, name: str = "x", **fields: Any) -> Declaration:
    """One that is shown for the sake of others."""
    return declared(kind, signature, name, visibility="carried", **fields)


def module(*declarations: Declaration, name: str = "@acme/ui", doc: str | None = None) -> Module:
    """A module of these."""
    return Module(name, "typescript", "packages/ui/src/index.ts", doc, declarations)


def lines(expected: str) -> str:
    """An expected text, as it is written between the quotes of a test."""
    return dedent(expected).lstrip("\n")


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_typescript.language_typescript()))


def is_valid(text: str) -> bool:
    """Whether a text parses without an error."""
    return not _parser().parse(text.encode()).root_node.has_error
