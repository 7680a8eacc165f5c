"""What makes the views, with the versions that they depend on."""

from __future__ import annotations

from importlib.metadata import version

#: Raised whenever facts of a file come out otherwise than before.
FACTS_VERSION = 1


def tool() -> str:
    """All that views depend on but the toolchain, which is another one on every machine."""
    return f"typescript {FACTS_VERSION}, tree-sitter {version('tree-sitter')}, {_grammar()}"


def _grammar() -> str:
    return f"tree-sitter-typescript {version('tree-sitter-typescript')}"
