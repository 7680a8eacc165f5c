"""What makes a Python view, with versions: part of every key, and shown in the header."""

from __future__ import annotations

import importlib.metadata

from ifacegen_adapters.python.facts import FACTS_VERSION
from ifacegen_adapters.python.stubgen import tool as stubgen_tool


def tool() -> str:
    """The parts whose versions a view depends on, in one line."""
    runtime, grammar = map(importlib.metadata.version, ("tree-sitter", "tree-sitter-python"))
    parser = f"tree-sitter-python {grammar} on tree-sitter {runtime}"
    return f"ifacegen facts {FACTS_VERSION}, {parser}, types from {stubgen_tool()}"
