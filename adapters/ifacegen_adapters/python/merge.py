"""An existing stub and the source that it describes, merged name by name.

Which names there are, and their types, is the stub's to say. Documentation, values and decorators, of which
stubs state few, are the source's, wherever in the package it defines the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ifacegen.model import Declaration, Note
from ifacegen_adapters.python.facts import Definition, FileFacts
from ifacegen_adapters.python.folding import private_bases
from ifacegen_adapters.python.headers import with_parameters
from ifacegen_adapters.python.mentions import mentioned
from ifacegen_adapters.python.names import Program
from ifacegen_adapters.python.scope import is_overload

_FUNCTIONS = frozenset({"function", "method", "property"})
_VARIABLES = frozenset({"variable", "attribute"})
#: What these make of a function, a stub says in the function's type.
_STATED_BY_TYPES = frozenset(
    {"contextmanager", "asynccontextmanager", "wraps", "coroutine", "overload", "singledispatch"}
)


@dataclass(slots=True)
class Merger:
    """Merges the stubs of one package with its sources."""

    #: The package as its sources have it, without its stubs.
    sources: Program
    _lacking: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def merged(self, module: str, stub: FileFacts) -> FileFacts:
        """A stub's facts with what the source adds to them."""
        facts = self.sources.facts(module)
        bound = _bound(stub)
        reader = _Reader(self.sources, module, bound | _bound(facts))
        definitions = tuple(reader.all(stub.definitions))
        rest = [each for each in facts.definitions if each.name not in bound]
        if not stub.has_getattr:  # PEP 484: with one, a stub says that it is incomplete
            rest = [replace(each, flags=each.flags | {"unstated"}) for each in rest]
            self._lacking[module] = (*self._offered(module, bound), *reader.lacking)
        imports = [
            replace(each, module=self.sources.absolute(module, each.module), explicit=False)
            for each in facts.imports
            if each.name not in bound
        ]
        return replace(
            stub,
            doc=stub.doc if stub.doc is not None else facts.doc,
            definitions=(*definitions, *rest),
            imports=(*stub.imports, *imports),
        )

    def _offered(self, module: str, bound: frozenset[str]) -> Iterator[str]:
        """Public names of the source that the stub leaves out."""
        if self.sources.facts(module).problems:
            return  # what it binds is then not known for sure
        listed = self.sources.all_names(module)
        names = listed[0] if listed is not None else self.sources.definitions(module)
        for name in names:
            definitions = self.sources.definitions(module).get(name, ())
            if (
                name not in bound
                and name[:1] != "_"
                and not all("deleted" in each.flags for each in definitions)
            ):
                yield name

    def notes(self) -> Iterator[Note]:
        """Where a stub leaves out what callers could import."""
        for module, names in sorted(self._lacking.items()):
            if names:
                message = f"{module}: not in its stub, so not shown: {', '.join(names)}"
                yield Note("info", "not-in-stub", message, self.sources.own.modules[module].path)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads in the sources what one stub's names stand for."""

    sources: Program
    module: str
    #: Names that can be written where the stub's declarations are shown.
    known: frozenset[str]
    #: Public members that the stub leaves out.
    lacking: list[str] = field(default_factory=list)

    def all(self, stubs: Iterable[Definition]) -> Iterator[Definition]:
        """Each top-level definition of a stub with what the source says of it."""
        for group in _grouped(stubs):
            target = self.sources.resolve(self.module, group[0].name)
            if target is None and self._is_whole(group[0]):
                yield from (replace(each, flags=each.flags | {"type_checking"}) for each in group)
                continue
            if target is None or target.kind != "definition" or not self.sources.is_own(target.module):
                yield from group
                continue
            written = self.sources.definitions(target.module)[target.name]
            yield from self._group(group, written, target.module)

    def _is_whole(self, stub: Definition) -> bool:
        """Whether a name that the source doesn't bind isn't there at run time: it can be served or made by code."""
        facts = self.sources.facts(self.module)
        written = not (facts.has_getattr or facts.binds_names) or stub.kind in ("type_alias", "type_variable")
        return written and not facts.stars and not facts.problems and not stub.type_checking_only

    def _group(
        self, stubs: Sequence[Definition], written: Sequence[Definition], origin: str
    ) -> Iterator[Definition]:
        """All variants of a name: overloads, accessors, conditions."""
        documented = any(each.doc for each in stubs)
        for index, each in enumerate(stubs):
            source = _counterpart(each, written)
            if source is None:
                yield each
                continue
            merged = self._one(each, source, origin)
            # One implementation's documentation is one for all of its overloads.
            repeats = is_overload(each) and (index > 0 or documented)
            yield merged if not repeats else replace(merged, doc=each.doc)

    def _one(self, stub: Definition, source: Definition, origin: str) -> Definition:
        merged = replace(
            stub,
            doc=stub.doc or source.doc,
            raises=source.raises,
            deprecated=stub.deprecated or source.deprecated,
        )
        if stub.kind in _VARIABLES and source.kind in _VARIABLES:
            return self._variable(merged, source, origin)
        if stub.kind in _FUNCTIONS and source.kind in _FUNCTIONS:
            return self._decorated(self._defaulted(merged, source, origin), source, origin)
        if stub.kind == source.kind == "class":
            members = tuple(self._members(stub, source, origin))
            names = dict.fromkeys(each.name for each in source.members if _is_offered(each))
            there = {each.name for each in stub.members}
            self.lacking.extend(f"{stub.name}.{name}" for name in names if name not in there)
            return self._decorated(replace(merged, members=members), source, origin)
        return merged

    def _variable(self, stub: Definition, source: Definition, origin: str) -> Definition:
        stated = stub.value not in (None, "...")
        if stated or stub.keep_value or source.size is None or not self._speaks(source.value, origin):
            return stub
        return replace(stub, value=source.value, size=source.size, of_source=("=",))

    def _defaulted(self, stub: Definition, source: Definition, origin: str) -> Definition:
        defaults = {each.name.lstrip("_"): each.default for each in source.header.parameters}
        given = {
            each.name: default
            for each in stub.header.parameters
            if each.default == "..." and (default := defaults.get(each.name.lstrip("_"))) is not None
            if self._speaks(default, origin)
        }
        parameters = tuple(
            replace(each, default=given.get(each.name, each.default)) for each in stub.header.parameters
        )
        header = replace(stub.header, parameters=parameters)
        return replace(stub, header=header, of_source=tuple(f"{name}=" for name in given))

    def _decorated(self, stub: Definition, source: Definition, origin: str) -> Definition:
        """With the source's decorators in front, where the stub hasn't said in its way what they do."""
        if is_overload(stub):
            return stub
        there = {_short(each) for each in stub.decorators} | _STATED_BY_TYPES
        more = tuple(
            each for each in source.decorators if _short(each) not in there and self._speaks(each, origin)
        )
        added = (*stub.of_source, *(f"@{each}" for each in more))
        return replace(stub, decorators=(*more, *stub.decorators), of_source=added)

    def _members(self, stub: Definition, source: Definition, origin: str) -> Iterator[Definition]:
        written = _table(source.members)
        bases = private_bases(self.sources, origin, source, lambda *_: True)
        inherited = [(base.target.module, _table(base.definition.members)) for base in bases]
        for group in _grouped(stub.members):
            name = group[0].name
            tables = ((where, table) for where, table in ((origin, written), *inherited) if name in table)
            where, table = next(tables, (origin, {}))
            yield from self._group(group, table.get(name, ()), where)

    def _speaks(self, text: str | None, origin: str) -> bool:
        """Whether the names in a piece of source mean the same where the stub is shown."""
        return all(
            self._is_same(chain.partition(".")[0], origin) for chain in mentioned(text or "", strings=False)
        )

    def _is_same(self, name: str, origin: str) -> bool:
        there = self.sources.resolve(origin, name)
        if there is None:  # a builtin, or bound inside the expression
            return name not in self.known
        return name in self.known and self.sources.resolve(self.module, name) == there


def _bound(facts: FileFacts) -> frozenset[str]:
    return frozenset({*(each.name for each in facts.definitions), *(each.name for each in facts.imports)})


def _is_offered(member: Definition) -> bool:
    return member.name[:1] != "_" and not member.flags & {"hoisted", "deleted", "loop"}


def as_stated(declaration: Declaration) -> Declaration:
    """A declaration as its stub has it, which is what type checkers are given.

    The stub's types are of what the source's decorators make, and a default of the source need not be of the type
    that the stub gives to one of several overloads.
    """
    of_source = declaration.extra.get("of_source")
    if not isinstance(of_source, tuple):
        return declaration
    decorators = tuple(each for each in declaration.decorators if f"@{each}" not in of_source)
    if "=" in of_source and "enum_member" in declaration.extra:
        return declaration
    if "=" in of_source:
        stated = f": {declaration.type}" if declaration.type else ""
        return replace(declaration, value=None, signature=f"{declaration.name}{stated}")
    parameters = tuple(
        replace(each, default="...") if f"{each.name}=" in of_source else each
        for each in declaration.parameters
    )
    undecorated = replace(declaration, decorators=decorators)
    is_same = parameters == declaration.parameters
    return undecorated if is_same else with_parameters(undecorated, parameters, declaration.returns)


def _counterpart(stub: Definition, written: Sequence[Definition]) -> Definition | None:
    """The definition in the source that a stub's describes; None where several could be meant."""
    alike = [each for each in written if _role(each) == _role(stub)]
    same = [each for each in alike if each.conditions == stub.conditions]
    for found in (same, alike):
        if len(found) == 1 or (found and all(map(is_overload, found))):
            return next((each for each in found if each.doc), found[0])
    return None


def _role(definition: Definition) -> str:
    """``setter`` for ``@x.setter``; empty for what isn't part of a property."""
    prefix = f"{definition.name}."
    return next((each.removeprefix(prefix) for each in definition.decorators if each.startswith(prefix)), "")


def _short(decorator: str) -> str:
    return re.split(r"[(\[]", decorator, maxsplit=1)[0].rpartition(".")[2].strip()


def _table(definitions: Iterable[Definition]) -> Mapping[str, Sequence[Definition]]:
    return {group[0].name: group for group in _grouped(definitions)}


def _grouped(definitions: Iterable[Definition]) -> Iterator[list[Definition]]:
    groups: dict[str, list[Definition]] = {}
    for each in definitions:
        groups.setdefault(each.name, []).append(each)
    yield from groups.values()
