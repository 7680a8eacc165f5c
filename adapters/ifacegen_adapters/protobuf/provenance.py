"""What makes a protobuf view, with versions: part of every key, and shown in the header."""

from __future__ import annotations

import functools
import importlib.metadata

#: Raised whenever the same file gives other facts.
FACTS_VERSION = 1


@functools.cache
def tool() -> str:
    """The parts whose versions a view depends on, in one line."""
    protoc, runtime = map(importlib.metadata.version, ("grpcio-tools", "protobuf"))
    return f"protoc of grpcio-tools {protoc}, protobuf {runtime}, ifacegen facts {FACTS_VERSION}"
