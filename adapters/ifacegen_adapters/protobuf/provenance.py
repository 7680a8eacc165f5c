"""What makes a protobuf view, with versions: all of it part of every key, what a reader can use in the header."""

from __future__ import annotations

import functools
import importlib.metadata

#: Raised whenever the same file gives other facts.
FACTS_VERSION = 2


@functools.cache
def tool() -> str:
    """The parts whose versions a view depends on, in one line."""
    protoc, runtime = map(importlib.metadata.version, ("grpcio-tools", "protobuf"))
    return f"protoc of grpcio-tools {protoc}, protobuf {runtime}, ifacegen facts {FACTS_VERSION}"


@functools.cache
def shown() -> str:
    """The same for a reader: which compiler read the files."""
    return f"protoc (grpcio-tools {importlib.metadata.version('grpcio-tools')})"
