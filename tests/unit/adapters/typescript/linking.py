"""Surfaces of packages that lie nowhere: fast, for tests with many examples."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ifacegen.adapter import BuildContext, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Declaration, Package, Project
from ifacegen_adapters.typescript import TypeScriptAdapter
from support.trees import memory_tree

ADAPTER = TypeScriptAdapter()
NAME = "pkg"


def context(
    files: Mapping[str, str],
    *,
    name: str = NAME,
    exports: Mapping[str, str] | None = None,
    options: ViewOptions | None = None,
) -> BuildContext:
    """What a build of the package with these files looks at; its main file is ``index.d.ts`` where ``exports`` is silent."""
    found = exports or {".": "./index.d.ts"}
    manifest = json.dumps({"name": name, "exports": {key: {"types": path} for key, path in found.items()}})
    package = Package(".", name, "library", (Project("typescript", "", name=name),))
    tree = memory_tree({"package.json": manifest, **files})
    return BuildContext(
        tree,
        package,
        (package,),
        options or ViewOptions(),
        MemoryFacts(),
        {},
        lambda text: len(text) // 4,
        {},
    )


def surface_of(
    files: Mapping[str, str],
    *,
    name: str = NAME,
    exports: Mapping[str, str] | None = None,
    options: ViewOptions | None = None,
) -> Surface:
    """What the adapter makes of the package."""
    return ADAPTER.build(context(files, name=name, exports=exports, options=options))


def text_of(surface: Surface) -> str:
    """A surface as it prints."""
    return ADAPTER.render(surface.modules)


def signatures(surface: Surface, module: str = NAME) -> list[str]:
    """What stands in a module, a line a declaration."""
    (found,) = (each for each in surface.modules if each.name == module)
    return [each.signature for each in found.declarations]


def declared(surface: Surface, id_: str) -> Declaration:
    """The declaration of that id."""
    (found,) = (
        each
        for module in surface.modules
        for top in module.declarations
        for each in top.walk()
        if each.id == id_
    )
    return found


def codes(surface: Surface) -> list[str]:
    """The codes of its notes."""
    return [note.code for note in surface.notes]
