"""The modules of a view while they are filled: what each exports, and what stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ifacegen_adapters.typescript.origins import Found, Link
from ifacegen_adapters.typescript.program import Block
from ifacegen_adapters.typescript.spaces import Group, Space

ShelfKind: TypeAlias = Literal["entry", "namespace", "ambient", "global", "private"]


@dataclass(eq=False, slots=True)
class Shelf:
    """One module of the view."""

    name: str
    kind: ShelfKind
    path: str
    space: Space
    format: str = ""
    #: Its place among the modules of the view that anybody can import.
    number: int = 0
    #: Public name → what it is; ``=`` of ``export =``.
    exports: dict[str, tuple[Link, ...]] = field(default_factory=dict)
    #: Modules of other packages that it exports all of.
    outside: tuple[str, ...] = ()
    #: What lives here, in the order in which it is printed.
    groups: list[Group] = field(default_factory=list)
    carried: list[Group] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    #: Modules of the package that its source exports all of.
    starred: tuple[Space, ...] = ()
    #: Name and text of statements that stand first: references, imports for their effect.
    statements: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Home:
    """Where a group lives."""

    shelf: Shelf
    #: Its public name there; ``=`` of what is assigned to the exports, empty where it is carried.
    name: str
    #: It may be used as a type only.
    is_type: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """All modules of a view, and where everything is."""

    #: In the order of their priority: entry points, namespaces, ambient modules, what is global, private ones.
    shelves: tuple[Shelf, ...]
    homes: Mapping[Group, Home]
    #: Of files and ambient modules.
    of_space: Mapping[Space, Shelf]
    #: Carried groups that a namespace gives to callers of a module with ``export =``, and the names it gives them.
    offered: Mapping[Group, str] = field(default_factory=dict)
    #: Names that are exported, but tagged as internal.
    internal: tuple[str, ...] = ()
    #: Exported names that mean nothing.
    nowhere: tuple[tuple[Space, str], ...] = ()

    def is_whole(self, found: Found) -> bool:
        """Whether a mention of something in a module can be written with the module's name before it."""
        from ifacegen_adapters.typescript.origins import Whole

        if not isinstance(found.origin, Whole):
            return False
        shelf = self.of_space.get(found.origin.space)
        return shelf is not None and (not found.path or found.path[0] in shelf.exports)
