"""The files of a package that its entry points lead to, as spaces of names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ifacegen_adapters.typescript.facts import Fact, FileFacts
from ifacegen_adapters.typescript.origins import External, Found, Whole
from ifacegen_adapters.typescript.spaces import Space, Unit
from ifacegen_adapters.typescript.texts import references


class Target(Protocol):
    """Where an import leads; see ``resolve.Target``."""

    @property
    def path(self) -> str | None:
        """The file, if there is one."""
        ...

    @property
    def module(self) -> str:
        """How callers of the package would write it; empty of relative specifiers."""
        ...

    @property
    def package(self) -> str:
        """Path of the package that the file lies in, if that is another one."""
        ...


class Reads(Protocol):
    """How a program gets at files."""

    def facts(self, path: str) -> FileFacts:
        """What a file states."""
        ...

    def is_declared(self, path: str) -> bool:
        """Whether its facts are those of a declaration file."""
        ...

    def resolve(self, specifier: str, importer: str) -> Target:
        """Where an import leads."""
        ...


@dataclass(eq=False, slots=True)
class Block:
    """A ``declare global``, or a ``declare module`` that describes no file of the package."""

    fact: Fact
    body: Unit
    #: The module of the package that it adds to.
    target: Space | None = None


@dataclass(eq=False, slots=True)
class File:
    """One file of the package."""

    path: str
    facts: FileFacts
    unit: Unit
    #: Number of the first entry point that leads to it.
    entry: int
    blocks: list[Block] = field(default_factory=list)


class Program:
    """Files, and what their specifiers lead to."""

    def __init__(self, reads: Reads, entries: Sequence[str]) -> None:
        """Load whatever the entry points lead to."""
        self._reads = reads
        self.files: dict[str, File] = {}
        self.ambient: dict[str, Space] = {}
        self.globals = Space("global", "", "")
        #: (file, specifier) of imports that lead nowhere.
        self.missing: dict[tuple[str, str], int] = {}
        #: Bodies of ``declare module`` that add to modules of the package.
        self.additions: list[Unit] = []
        self._targets: dict[tuple[str, str], str | External | None] = {}
        #: What importing a script gives: nothing.
        self._scripts: dict[str, Space] = {}
        for number, path in enumerate(entries):
            self._load(path, number)
        self._settle_blocks()
        #: What the package itself declares to be global, and what everybody knows.
        self.global_names = {"globalThis", *self.globals.groups}
        for file in self.files.values():
            for block in file.blocks:
                if block.fact.kind == "global":
                    self.global_names.update(block.body.space.groups)

    # -- reading -------------------------------------------------------------------------------------

    def _load(self, entry: str, number: int) -> None:
        pending = [entry]
        while pending:
            path = pending.pop()
            if path in self.files:
                continue
            file = self.files[path] = self._file(path, number)
            found = dict.fromkeys(self._leads(file))
            pending += reversed(list(found))

    def _file(self, path: str, number: int) -> File:
        facts = self._reads.facts(path)
        space = Space("file", path, path) if facts.is_module else self.globals
        unit = Unit(space, path, None, None, is_declared=self._reads.is_declared(path))
        unit.fill(facts.declarations, facts.imports, facts.exports)
        space.add_unit(unit)
        if facts.is_module:
            space.split()
        return File(path, facts, unit, number)

    def _leads(self, file: File) -> Iterator[str]:
        """The files of the package that one names."""
        for kind, value in file.facts.references:
            if kind == "path":
                specifier = value if value.startswith(".") else f"./{value}"
                path = self._resolved(specifier, file.path)
                if isinstance(path, str):
                    yield path
                elif path is None:
                    self.missing.setdefault((file.path, specifier), 0)
        for specifier in dict.fromkeys(_specifiers(file.facts)):
            path = self._resolved(specifier, file.path)
            if isinstance(path, str):
                yield path

    def _resolved(self, specifier: str, importer: str) -> str | External | None:
        """A file of the package, a module outside, or None where nothing is."""
        key = (importer, specifier)
        if key not in self._targets:
            target = self._reads.resolve(specifier, importer)
            if target.path is not None and not target.package:
                self._targets[key] = target.path
            else:
                self._targets[key] = External(target.module, "*") if target.module else None
        return self._targets[key]

    # -- modules that are declared ---------------------------------------------------------------------

    def _settle_blocks(self) -> None:
        """``declare module`` of scripts are modules; those of files that are modules add to others."""
        later: list[tuple[File, Fact]] = []
        for file in list(self.files.values()):
            for fact in file.unit.blocks:
                if fact.kind == "ambient" and not file.facts.is_module:
                    space = self.ambient.get(fact.name)
                    if space is None:
                        space = self.ambient[fact.name] = Space("ambient", fact.name, file.path)
                    body = space.add_unit(file.unit.inside(space, fact))
                    self._settle_globals(file, body)
                else:
                    later.append((file, fact))
        for file, fact in later:
            target = self.target(fact.name, file.path) if fact.kind == "ambient" else None
            if not isinstance(target, Space):
                self._keep(file, fact, file.unit)
            elif self._is_always_there(file, target):
                body = file.unit.inside(Space("inner", fact.name, file.path), fact)
                body.augments = target
                self.additions.append(body)
                self._settle_globals(file, body)
            else:
                self._keep(file, fact, file.unit, target)

    def _is_always_there(self, file: File, target: Space) -> bool:
        """Whether whoever imports a module gets what a file adds to it, as far as entry points go."""
        other = self.files.get(target.key) if target.kind == "file" else None
        return other is None or other.entry == file.entry

    def _settle_globals(self, file: File, body: Unit) -> None:
        """``global`` inside of ``declare module``."""
        for fact in body.blocks:
            self._keep(file, fact, body)

    def _keep(self, file: File, fact: Fact, unit: Unit, target: Space | None = None) -> None:
        space = Space("inner", fact.name, file.path)
        body = space.add_unit(unit.inside(space, fact))
        body.augments = target
        file.blocks.append(Block(fact, body, target))

    # -- asking ----------------------------------------------------------------------------------------

    def target(self, specifier: str, importer: str) -> Space | External | None:
        """What a specifier means in a file; None where nothing is."""
        if specifier in self.ambient:
            return self.ambient[specifier]
        resolved = self._resolved(specifier, importer)
        if not isinstance(resolved, str):
            return resolved
        return self.space(resolved)

    def space(self, path: str) -> Space:
        """What importing a file gives."""
        if path not in self.files:
            self._load(path, 0)
        file = self.files[path]
        if file.facts.is_module:
            return file.unit.space
        return self._scripts.setdefault(path, Space("file", path, path))

    def found(self, specifier: str, importer: str, line: int = 0) -> Found | None:
        """The same, as what a namespace import of it means; notes what leads nowhere."""
        target = self.target(specifier, importer)
        if target is None:
            self.missing.setdefault((importer, specifier), line)
            return None
        return Found(Whole(target) if isinstance(target, Space) else target)


def _specifiers(facts: FileFacts) -> Iterator[str]:
    """All that a file imports, by any way."""
    yield from (each.module for each in facts.imports if each.module)
    yield from (each.module for each in facts.exports if each.module)
    pending = list(facts.declarations)
    for fact in pending:
        yield from (ref.module for ref in references(fact) if ref.module)
    while pending:
        fact = pending.pop()
        if fact.kind in ("namespace", "global", "ambient"):
            yield from (each.module for each in fact.imports if each.module)
            yield from (each.module for each in fact.exports if each.module)
            if fact.kind == "ambient" and facts.is_module:
                yield fact.name
            pending += fact.members
