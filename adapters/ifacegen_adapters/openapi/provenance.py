"""What makes a view of OpenAPI documents, with versions: part of every key, and shown in the header."""

from __future__ import annotations

import importlib.metadata

#: Counts with every change that alters a view.
VERSION = "1"


def tool() -> str:
    """The parts whose versions a view depends on, in one line."""
    return f"ifacegen openapi {VERSION}, PyYAML {importlib.metadata.version('pyyaml')}"
