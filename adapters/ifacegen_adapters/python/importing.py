"""The imports a shown module needs, and the aliases it offers: how a name in one module reaches another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ifacegen.model import Declaration, Note
from ifacegen_adapters.python.declare import Mention
from ifacegen_adapters.python.facts import Import
from ifacegen_adapters.python.names import Program, Target
from ifacegen_adapters.python.surface import Export, Place, SurfaceNames

#: Beyond this many leading dots an absolute name reads better.
_MOST_DOTS = 3
#: Modules that offer the same names for the same things.
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "collections"})


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One name bound by an import: ``from module import name as local``, or ``import module as local``."""

    module: str
    #: None for ``import module``.
    name: str | None
    local: str
    #: ``import a.b`` without ``as``.
    dotted: bool = False

    @property
    def key(self) -> str:
        """What tells it from the module's other imports; ``import a.b`` and ``import a.c`` both bind ``a``."""
        return self.module if self.dotted else self.local

    @property
    def order(self) -> tuple[bool, bool, str]:
        """Whole modules first, then names from elsewhere, then names from the package itself."""
        return self.name is not None, self.module.startswith("."), self.text()

    def text(self, *, explicit: bool = False) -> str:
        """The statement; ``explicit`` writes ``as`` even where it changes nothing (a re-export, PEP 484)."""
        if self.name is None:
            suffix = (
                "" if self.dotted or (self.module == self.local and not explicit) else f" as {self.local}"
            )
            return f"import {self.module}{suffix}"
        suffix = f" as {self.local}" if explicit or self.name != self.local else ""
        return f"from {self.module} import {self.name}{suffix}"


@dataclass(slots=True)
class Importer:
    """Gathers the imports of one shown module."""

    module: str
    program: Program
    names: SurfaceNames
    lines: dict[str, ImportLine] = field(default_factory=dict)
    targets: dict[str, Target] = field(default_factory=dict)
    clashing: dict[str, Target] = field(default_factory=dict)

    def need(self, mention: Mention, target: Target) -> None:
        """Make the first name of a mention mean the same here as where it was written."""
        local = mention.chain.partition(".")[0]
        exported = self.names.exports.get(self.module, {}).get(local)
        if exported is not None and exported.target == target:
            return
        place = self._place(target)
        if place is not None:
            if place.module != self.module or place.name != local:
                self._add(local, target, ImportLine(self._relative(place.module), place.name, local))
            return
        line = self._as_written(mention, target, local)
        self._add(line.key, target, line)

    def _place(self, target: Target) -> Place | None:
        if target.kind != "definition" or not self.program.is_own(target.module):
            return None
        return self.names.homes.get(target) or Place(target.module, target.name)

    def _add(self, key: str, target: Target, line: ImportLine) -> None:
        known = self.targets.setdefault(key, target)
        if known == target:
            self.lines[key] = line
        elif not self._same(known, target):
            self.clashing[key] = target

    def _same(self, one: Target, other: Target) -> bool:
        """Whether two targets mean the same to a reader: ``Callable`` of two modules, a TypeVar written twice."""
        if one.kind == other.kind == "external":
            return one.name == other.name and {one.module, other.module} <= _TYPING
        if one.kind != "definition" or other.kind != "definition":
            return False
        values = [self.program.definitions(each.module)[each.name][-1] for each in (one, other)]
        return values[0].value is not None and values[0].value == values[1].value

    def _as_written(self, mention: Mention, target: Target, local: str) -> ImportLine:
        """The import that binds the name where it was written, as it must be written here."""
        candidates = self.program.imports(mention.origin).get(local, [])
        fitting = [
            each for each in candidates if each.dotted and f"{mention.chain}.".startswith(f"{each.module}.")
        ]
        for each in fitting or candidates:
            return self._moved(mention.origin, each, target)
        for star in self.program.facts(mention.origin).stars:
            source = self.program.absolute(mention.origin, star)
            if self.program.module(source) is not None and local in self.program.star_names(source):
                return ImportLine(self._written_source(source), local, local)
        if target.kind == "module":
            owner, _, name = target.module.rpartition(".")
            return ImportLine(self._relative(owner), name, local) if owner else ImportLine(name, None, local)
        return ImportLine(target.module, target.name or None, local)

    def _moved(self, origin: str, each: Import, target: Target | None = None) -> ImportLine:
        source = self.program.absolute(origin, each.module)
        if (
            target is not None
            and target.kind == "external"
            and self.program.is_own(source)
            and target.module != source
        ):
            # A module of ours that merely uses a name of others doesn't show it: go to where it comes from.
            if not target.name:
                return ImportLine(target.module, None, each.name)
            return ImportLine(self._written_source(target.module), target.name, each.name)
        if each.attribute is None:
            return ImportLine(source, None, each.name, each.dotted)
        inside = each.module.startswith(".") or self.program.is_own(source)
        return ImportLine(self._relative(source) if inside else source, each.attribute, each.name)

    def _written_source(self, module: str) -> str:
        return self._relative(module) if self.program.is_own(module) else module

    def _relative(self, source: str) -> str:
        """``source`` as an import in this module writes it."""
        if source.startswith("."):
            return source
        here = self.module.split(".")
        if not self.program.own.modules[self.module].is_package:
            here = here[:-1]
        there = source.split(".")
        common = 0
        while common < min(len(here), len(there)) and here[common] == there[common]:
            common += 1
        dots = len(here) - common + 1
        if not common or dots > _MOST_DOTS:
            return source
        return "." * dots + ".".join(there[common:])

    def alias(self, export: Export, place: Place | None) -> Declaration:
        """A name that this module offers and another defines."""
        target = export.target
        if target is None:
            raise ValueError(export.name)
        line = self._alias_line(export, target, place)
        inside = target.kind == "definition"
        text = f"{export.name} = {line.name}" if line.module == self.module else line.text(explicit=True)
        return Declaration(
            id=f"{self.module}:{export.name}",
            name=export.name,
            qualname=export.name,
            kind="alias",
            signature=text,
            visibility="type_checking" if export.type_checking_only else "public",
            origin=f"{place.module}:{place.name}"
            if place
            else f"{target.module}:{target.name}"
            if inside
            else target.dotted,
        )

    def conditional_alias(self, each: Import) -> Declaration:
        """An import as it is written in this module, under its conditions."""
        line = self._moved(self.module, each)
        return Declaration(
            id="",
            name=each.name,
            qualname=each.name,
            kind="alias",
            signature=line.text(explicit=True),
            conditions=each.conditions,
            origin=f"{line.module}.{line.name}" if line.name else line.module,
        )

    def _alias_line(self, export: Export, target: Target, place: Place | None) -> ImportLine:
        if place is not None:
            if place.module == self.module:
                return ImportLine(self.module, place.name, export.name)
            return ImportLine(self._relative(place.module), place.name, export.name)
        return self._as_written(Mention(self.module, export.name, True), target, export.name)

    def clashes(self, declarations: Iterable[Declaration]) -> Iterator[Note]:
        """Names that would mean two things in this module; the first meaning is kept."""
        path = self.program.own.modules[self.module].path
        declared = {each.name: each for each in declarations}
        for key in [key for key in self.lines if key in declared]:
            del self.lines[key]
            self.clashing[key] = self.targets[key]
        for key, target in sorted(self.clashing.items()):
            message = f"`{key}` stands for {target.dotted} in a declaration shown in {self.module}, where it means another"
            yield Note("info", "name-clash", message, path)

    def declarations(self) -> tuple[Declaration, ...]:
        """The imports as declarations, in an order of their own: that of the source means nothing."""
        return tuple(
            Declaration(
                id=f"{self.module}:import {line.key}",
                name=line.local,
                qualname=line.local,
                kind="import",
                signature=line.text(),
                visibility="carried",
                origin=self.targets[line.key].dotted,
            )
            for line in sorted(self.lines.values(), key=lambda line: line.order)
        )
