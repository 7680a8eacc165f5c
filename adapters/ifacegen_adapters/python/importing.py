"""The imports a shown module needs, and the aliases it offers: how a name in one module reaches another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ifacegen.model import Declaration, Note
from ifacegen_adapters.python.declare import Mention
from ifacegen_adapters.python.facts import Import
from ifacegen_adapters.python.names import Program, Target
from ifacegen_adapters.python.surface import Export, Place, SurfaceNames

#: Beyond this many leading dots an absolute name reads better.
_MOST_DOTS = 2
#: Modules that offer the same names for the same things.
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "collections"})


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One name bound by an import: ``from module import name as local``, or ``import module as local``.

    Without a module: another spelling of a name that is declared here.
    """

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
        if not self.module:
            return f"{self.local} = {self.name}"
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
    #: Name → where it was written → what it means there, if that isn't what it means here.
    clashing: dict[str, dict[str, Target]] = field(default_factory=dict)
    #: Name → where it was written → what it means there.
    origins: dict[str, dict[str, Target]] = field(default_factory=dict)
    #: Names that are imported where they are written not only for type checkers.
    at_run_time: set[str] = field(default_factory=set)
    #: Names that other modules reach through this one.
    offered: set[str] = field(default_factory=set)
    #: Name → the module that it was written in, and the imports that bind it there under conditions.
    variants: dict[str, tuple[str, tuple[Import, ...]]] = field(default_factory=dict)

    def need(self, mention: Mention, target: Target, spelling: str | None = None) -> None:
        """Make the first name of a mention mean the same here as where it was written.

        Args:
            mention: The name.
            target: What it means where it was written.
            spelling: What is written here for it; by default the same.
        """
        first = mention.chain.partition(".")[0]
        local = spelling or first
        if self.is_exported(local, target):
            return
        place = self._place(target)
        if place is not None:
            if place.module != self.module or place.name != local:
                self._add(local, mention.origin, target, self._line(mention, target, place, local), first)
            return
        line = self._as_written(mention, target, local)
        self._add(line.key, mention.origin, target, line, first)

    def need_variants(self, origin: str, name: str, imports: tuple[Import, ...]) -> None:
        """Make a name mean here what one of several imports makes it mean where it was written."""
        imports = tuple(replace(each, name=name) for each in imports)
        known = self.variants.setdefault(name, (origin, imports))
        if [self._variant(origin, each) for each in imports] != [
            self._variant(known[0], each) for each in known[1]
        ]:
            target = self.program.resolve(origin, name)
            if target is not None:
                self.clashing.setdefault(name, {})[origin] = target

    def offer(self, name: str, target: Target) -> None:
        """Let other modules reach a name through this one, though it isn't public here."""
        place = self._place(target)
        if self.is_exported(name, target) or place == Place(self.module, name):
            return
        line = self._alias_line(name, target, place)
        self._add(name, self.module, target, line, name)
        self.offered.add(name)

    def is_exported(self, name: str, target: Target) -> bool:
        """Whether callers get the same thing by this name from here."""
        exported = self.names.exports.get(self.module, {}).get(name)
        return exported is not None and exported.target == target

    def _line(self, mention: Mention, target: Target, place: Place, local: str) -> ImportLine:
        """The import of a name of the package: as the source has it, where that is a way that is shown."""
        if place.module == self.module:
            return ImportLine("", place.name, local)
        first = mention.chain.partition(".")[0]
        for each in self.program.imports(mention.origin).get(first, ()):
            source = self.program.absolute(mention.origin, each.module)
            exported = self.names.exports.get(source, {}).get(each.attribute or "")
            if exported is not None and exported.target == target and source != self.module:
                stays = mention.origin == self.module or not each.module.startswith(".")
                return ImportLine(each.module if stays else self._relative(source), each.attribute, local)
        return ImportLine(self._relative(place.module), place.name, local)

    def _place(self, target: Target) -> Place | None:
        if target.kind != "definition" or not self.program.is_own(target.module):
            return None
        return self.names.homes.get(target) or Place(target.module, target.name)

    def _add(self, key: str, origin: str, target: Target, line: ImportLine, written: str) -> None:
        known = self.targets.setdefault(key, target)
        if known == target:
            self.lines.setdefault(key, line)
        elif not self._same(known, target):
            self.clashing.setdefault(key, {})[origin] = target
        self.origins.setdefault(key, {})[origin] = target
        if not self._is_for_type_checkers(origin, written):
            self.at_run_time.add(key)

    def _is_for_type_checkers(self, origin: str, name: str) -> bool:
        imports = self.program.imports(origin).get(name, ())
        return bool(imports) and all(each.type_checking_only for each in imports)

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
        first = mention.chain.partition(".")[0]
        candidates = self.program.imports(mention.origin).get(first, [])
        fitting = [
            each for each in candidates if each.dotted and f"{mention.chain}.".startswith(f"{each.module}.")
        ]
        for each in fitting or candidates:
            line = self._moved(mention.origin, each, target)
            return line if local == first else replace(line, local=local, dotted=False)
        for star in self.program.facts(mention.origin).stars:
            source = self.program.absolute(mention.origin, star)
            if self.program.module(source) is not None and first in self.program.star_names(source):
                if self.program.is_own(source):  # which merely uses the name: go to where it comes from
                    return self._as_written(replace(mention, origin=source), target, local)
                return ImportLine(self._written_source(source), first, local)
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
        if target is not None and target.kind == "module" and self.program.is_own(target.module):
            return self._module_line(target.module, each.name)
        inside = each.module.startswith(".") or self.program.is_own(source)
        return ImportLine(self._relative(source) if inside else source, each.attribute, each.name)

    def _module_line(self, module: str, local: str) -> ImportLine:
        """The import of a module of the package by its own name, whatever others are called like it."""
        owner, _, name = module.rpartition(".")
        exported = self.names.exports.get(owner, {}).get(name)
        hidden = exported is not None and exported.target != Target("module", module)
        return (
            ImportLine(module, None, local)
            if hidden or not owner
            else ImportLine(self._relative(owner), name, local)
        )

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
        line = self._alias_line(export.name, target, place)
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

    def conditional_alias(self, origin: str, each: Import, *, explicit: bool) -> Declaration:
        """An import of the module ``origin`` as it is written in this one, under its conditions."""
        line = self._variant(origin, each)
        return Declaration(
            id="",
            name=each.name,
            qualname=each.name,
            kind="alias" if explicit else "import",
            signature=line.text(explicit=explicit),
            visibility="public" if explicit else "carried",
            conditions=each.conditions,
            origin=f"{line.module}.{line.name}" if line.name else line.module,
        )

    def _variant(self, origin: str, each: Import) -> ImportLine:
        target = self.program.imported(origin, each)
        place = self._place(target) if target is not None else None
        if place is not None and place.module != self.module:
            return ImportLine(self._relative(place.module), place.name, each.name)
        return self._moved(origin, each, target)

    def _alias_line(self, name: str, target: Target, place: Place | None) -> ImportLine:
        if place is not None:
            if place.module == self.module:
                return ImportLine(self.module, place.name, name)
            return ImportLine(self._relative(place.module), place.name, name)
        return self._as_written(Mention(self.module, name, True), target, name)

    def settle(self, declared: Iterable[str]) -> dict[str, dict[str, str]]:
        """Give names that mean several things here a spelling of their own.

        Args:
            declared: Names that are declared here.

        Returns:
            Where they were written → name → what is to be written for it here.
        """
        taken = {*declared, *self.names.exports.get(self.module, ())}
        for key, (origin, imports) in list(self.variants.items()):
            target = self.program.imported(origin, imports[0])
            if target and origin != self.module and (key in taken or self._hides_a_submodule(key, target)):
                self.clashing.setdefault(key, {})[origin] = target
                del self.variants[key]
        lines = [key for key, line in self.lines.items() if not line.dotted]
        for key in [key for key in lines if key in taken or self._hides_a_submodule(key, self.targets[key])]:
            self.clashing.setdefault(key, {}).update(self.origins[key])
            del self.lines[key]
            self.offered.discard(key)
        spelled: dict[str, dict[str, str]] = {}
        for key in sorted(self.clashing):
            for origin, target in sorted(self.clashing[key].items()):
                spelled.setdefault(origin, {})[key] = self._free(key, target, taken)
        self.clashing.clear()
        return spelled

    def _hides_a_submodule(self, name: str, target: Target) -> bool:
        """Whether a name means another thing than the module that everybody else reaches by it."""
        below = f"{self.module}.{name}"
        return self.program.is_own(below) and target != Target("module", below)

    def clashes(self, path: str, declared: Iterable[str]) -> Iterator[Note]:
        """Names that still mean two things in this module; what is declared or was first is kept."""
        for key in {*declared} & self.lines.keys():
            self.clashing.setdefault(key, {}).update(self.origins[key])
            del self.lines[key]
        for key, origins in sorted(self.clashing.items()):
            for target in sorted(set(origins.values())):
                message = f"`{key}` stands for {target.dotted} in a declaration shown in {self.module}, where it means another"
                yield Note("info", "name-clash", message, path)

    def _free(self, name: str, target: Target, taken: set[str]) -> str:
        """A private name that means ``target`` here or nothing yet."""
        base = f"_{name.lstrip('_')}"
        candidates = (base, *(f"{base}_{number}" for number in range(2, 1_000)))
        for each in candidates:
            if each not in taken and each != name and self.targets.setdefault(each, target) == target:
                return each
        raise ValueError(name)

    def declarations(self) -> Iterator[Declaration]:
        """The imports as declarations, in an order of their own: that of the source means nothing."""
        for line in sorted(self.lines.values(), key=lambda line: line.order):
            is_offered = line.local in self.offered
            yield Declaration(
                id=f"{self.module}:import {line.key}",
                name=line.local,
                qualname=line.local,
                kind="alias" if is_offered else "import",
                signature=line.text(explicit=is_offered),
                visibility="carried",
                origin=self.targets[line.key].dotted,
                extra={} if line.key in self.at_run_time else {"type_checking": True},
            )
