"""Protobuf surfaces of trees that lie nowhere: fast, for tests with many examples."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

from ifacegen.adapter import BuildContext, Facts, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Declaration, Package, Project, SourceRoot
from ifacegen_adapters.protobuf import ProtobufAdapter
from support.trees import Picture, memory_tree

ADAPTER = ProtobufAdapter()
HEAD = 'syntax = "proto3";\n'


def context(
    files: Picture,
    *,
    roots: Sequence[str] = ("",),
    path: str = ".",
    others: Sequence[Package] = (),
    facts: Facts | None = None,
    options: ViewOptions | None = None,
) -> BuildContext:
    """What a build of a package with these import roots looks at."""
    shared: MutableMapping[str, object] = {}
    package = package_of(path, roots)
    return BuildContext(
        memory_tree(files),
        package,
        (package, *others),
        options or ViewOptions(),
        facts or MemoryFacts(),
        {},
        len,
        shared,
    )


def package_of(path: str, roots: Sequence[str]) -> Package:
    """A package of protobuf files."""
    project = Project("protobuf", "" if path == "." else path, roots=tuple(map(SourceRoot, roots)))
    return Package(path, path, "library", (project,))


def surface_of(files: Picture) -> Surface:
    """What the adapter makes of files that are imported by their paths."""
    return ADAPTER.build(context(files))


def text_of(surface: Surface) -> str:
    """A surface as it prints."""
    return ADAPTER.render(surface.modules)


def declared(surface: Surface, qualname: str) -> Declaration:
    """The one declaration of that name."""
    (found,) = (
        each
        for module in surface.modules
        for top in module.declarations
        for each in top.walk()
        if each.qualname == qualname
    )
    return found
