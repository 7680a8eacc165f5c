"""What the adapter of published contracts makes of documents that lie nowhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ifacegen.adapter import BuildContext, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Declaration, Package
from ifacegen_adapters.openapi import OpenApiAdapter
from support.trees import memory_tree

Document = Mapping[str, Any]


def openapi_context(files: Mapping[str, str | bytes], options: ViewOptions | None = None) -> BuildContext:
    """The context of a build of ``.``, whose documents are found among the files; characters count as tokens."""
    tree = memory_tree(files)
    projects = tuple(OpenApiAdapter().find_projects(tree))
    package = Package(".", "api", "library", projects)
    return BuildContext(tree, package, (package,), options or ViewOptions(), MemoryFacts(), {}, len, {})


def openapi_surface(
    document: Document | str | bytes, more: Mapping[str, str | bytes] | None = None
) -> Surface:
    """The surface of one document; ``more`` are files beside it."""
    content = document if isinstance(document, str | bytes) else json.dumps(document)
    return OpenApiAdapter().build(openapi_context({"openapi.json": content, **(more or {})}))


def openapi_text(surface: Surface, docs: str = "full") -> str:
    """A surface as it prints."""
    return OpenApiAdapter().render(surface.modules, docs=docs)


def openapi_declared(surface: Surface, qualname: str) -> Declaration:
    """The one declaration of that name."""
    everything = (d for module in surface.modules for top in module.declarations for d in top.walk())
    (found,) = (each for each in everything if each.qualname == qualname)
    return found
