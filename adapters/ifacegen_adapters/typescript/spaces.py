"""Scopes: where declared names live, and what a text inside one can see.

A *space* is a set of names with exports: a file, all ``declare module "x"`` blocks of one name, all scripts of the
package together (their names are global), or the body of a namespace. A *unit* is one piece of source whose names go
to a space: most spaces have one; ambient modules, merged namespaces and augmented files have several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ifacegen_adapters.typescript.facts import Export, Fact, Import, Meaning

SpaceKind: TypeAlias = Literal["file", "ambient", "global", "inner"]

_MEANINGS: dict[str, frozenset[Meaning]] = {
    "function": frozenset({"value"}),
    "class": frozenset({"type", "value"}),
    "interface": frozenset({"type"}),
    "type": frozenset({"type"}),
    "enum": frozenset({"type", "value", "namespace"}),
    "variable": frozenset({"value"}),
    "namespace": frozenset({"value", "namespace"}),
}
EVERY_MEANING: frozenset[Meaning] = frozenset({"type", "value", "namespace"})


class Part(NamedTuple):
    """One declaration of a name, and the unit that it stands in."""

    fact: Fact
    unit: Unit


@dataclass(eq=False, slots=True)
class Group:
    """All that is declared under one name in one space: overloads, merged interfaces, a class and its namespace."""

    space: Space
    name: str
    parts: list[Part]
    #: The names in its namespaces; made by whoever looks into them first.
    body: Space | None = None

    @property
    def meanings(self) -> frozenset[Meaning]:
        """What the name stands for."""
        return frozenset().union(*(_MEANINGS.get(part.fact.kind, EVERY_MEANING) for part in self.parts))

    @property
    def is_internal(self) -> bool:
        """Whether all of it is tagged ``@internal``."""
        return bool(self.parts) and all(part.fact.is_internal for part in self.parts)

    def units(self) -> dict[int, Unit]:
        """``id`` of each namespace among the facts → its body."""
        if self.body is None:
            self.body = Space("inner", "", "")
            for fact, unit in self.parts:
                if fact.kind == "namespace":
                    self.body.add_unit(unit.inside(self.body, fact))
        return {id(unit.fact): unit for unit in self.body.units}


class Star(NamedTuple):
    """One ``export * from``."""

    export: Export
    unit: Unit


class Binding(NamedTuple):
    """What an exported name is: a group of the space, or an export or import statement in one of its units."""

    unit: Unit
    group: Group | None = None
    export: Export | None = None
    imported: Import | None = None


class Unit:
    """One piece of source: a file, or a block in it."""

    __slots__ = (
        "augments",
        "blocks",
        "exports",
        "fact",
        "imports",
        "is_declared",
        "parent",
        "path",
        "space",
        "statements",
    )

    def __init__(
        self, space: Space, path: str, parent: Unit | None, fact: Fact | None, *, is_declared: bool
    ) -> None:
        """``fact`` is the block; None of a file. ``is_declared``: it is, or stands in, a declaration file."""
        self.space = space
        self.path = path
        self.parent = parent
        self.fact = fact
        self.is_declared = is_declared
        #: The module that a ``declare module`` adds to: its exports are in sight.
        self.augments: Space | None = None
        self.imports: dict[str, list[Import]] = {}
        self.exports: Sequence[Export] = ()
        self.statements: Sequence[Import] = ()
        #: ``declare global`` and ``declare module`` in it.
        self.blocks: list[Fact] = []

    def inside(self, space: Space, fact: Fact) -> Unit:
        """A block of this unit, whose names go to ``space``."""
        declared = self.is_declared or fact.kind != "namespace"
        inner = Unit(space, self.path, self, fact, is_declared=declared)
        inner.fill(fact.members, fact.imports, fact.exports)
        return inner

    @property
    def is_open(self) -> bool:
        """Whether all that is declared is exported: so it is where nothing says what is."""
        return self.is_declared and all(each.kind == "umd" for each in self.exports)

    def fill(
        self, declarations: Sequence[Fact], imports: Sequence[Import], exports: Sequence[Export]
    ) -> None:
        """Take in what the source states."""
        self.statements, self.exports = imports, exports
        for each in imports:
            self.imports.setdefault(each.local, []).append(each)
        is_open = self.is_open
        for fact in declarations:
            if fact.kind in ("global", "ambient"):
                self.blocks.append(fact)
            else:
                self.space.add(fact, self, is_open=is_open)
        for each in imports:
            if each.is_exported:
                self.space.export(each.local, Binding(self, imported=each), each.line)
        for export in exports:
            self._export(export)

    def _export(self, export: Export) -> None:
        if export.kind == "umd":
            self.space.umd.append(export)
        elif export.name == "*":
            self.space.stars.append(Star(export, self))
            self.space.order.append((len(self.space.units), export.line, "*", self.space.stars[-1]))
        elif export.name:
            self.space.export(export.name, Binding(self, export=export), export.line)
            if export.doc:
                self.space.docs.setdefault(export.name, export.doc)


class Space:
    """Names with what they mean, and what is exported of them."""

    __slots__ = (
        "docs",
        "exports",
        "groups",
        "key",
        "kind",
        "order",
        "own",
        "path",
        "stars",
        "umd",
        "units",
    )

    def __init__(self, kind: SpaceKind, key: str, path: str) -> None:
        """``key`` tells it from others of its kind: a path, or the name of an ambient module."""
        self.kind: SpaceKind = kind
        self.key = key
        self.path = path
        self.units: list[Unit] = []
        self.groups: dict[str, Group] = {}
        #: What is not exported of a name that is: of ``export const X`` and ``interface X`` the interface.
        self.own: dict[str, Group] = {}
        #: Exported name → what it is; several where a type and a value have one name.
        self.exports: dict[str, list[Binding]] = {}
        #: What statements that export names say of them.
        self.docs: dict[str, str] = {}
        self.stars: list[Star] = []
        self.umd: list[Export] = []
        #: Exported names and stars with where they stand.
        self.order: list[tuple[int, int, str, Star | None]] = []

    def add_unit(self, unit: Unit) -> Unit:
        """Note that a unit's names are here."""
        self.units.append(unit)
        return unit

    def add(self, fact: Fact, unit: Unit, *, is_open: bool) -> None:
        """Declare something; where all is exported (``is_open``), that too."""
        name = fact.name or "default"
        group = self.groups.get(name)
        if group is None:
            group = self.groups[name] = Group(self, name, [])
        group.parts.append(Part(fact, unit))
        if fact.is_default:
            self.export("default", Binding(unit, group), fact.line)
        elif fact.is_exported or is_open:
            self.export(name, Binding(unit, group), fact.line)

    def split(self) -> None:
        """Tell what is exported of a name from what is not, where a type and a value differ in that."""
        named = {
            binding.export.local
            for bindings in self.exports.values()
            for binding in bindings
            if binding.export is not None and not binding.export.module
        }
        for name, bindings in self.exports.items():
            for group in (binding.group for binding in bindings):
                if group is not None and group.name not in named and name not in ("default", "="):
                    self._split(group)

    def _split(self, group: Group) -> None:
        shown = [part for part in group.parts if part.fact.is_exported or part.unit.is_open]
        hidden = [part for part in group.parts if not (part.fact.is_exported or part.unit.is_open)]
        if shown and hidden:
            own = Group(self, group.name, hidden)
            if not own.meanings & Group(self, group.name, shown).meanings:
                group.parts[:] = shown
                self.own[group.name] = own

    def export(self, name: str, binding: Binding, line: int) -> None:
        """Note that a name is exported."""
        known = self.exports.setdefault(name, [])
        if not known:
            self.order.append((len(self.units), line, name, None))
        if binding.group is None or all(each.group is not binding.group for each in known):
            known.append(binding)

    def sequence(self) -> Iterator[tuple[str, Star | None]]:
        """Exported names, and stars, in the order of the source."""
        for _, _, name, star in sorted(self.order, key=lambda each: each[:2]):
            yield name, star
