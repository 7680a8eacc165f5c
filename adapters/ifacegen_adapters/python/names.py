"""What names stand for: one resolver over the facts of all modules, for views and all that come after.

Nothing is imported; a name that leads out of the repository ends in a dotted name and is never expanded.
Every module looked for outside the package is recorded, found or not, because a view depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from ifacegen.adapter import BuildContext
from ifacegen_adapters.python.compile import Compiler
from ifacegen_adapters.python.consulted import consulted_module
from ifacegen_adapters.python.exports import LazyName
from ifacegen_adapters.python.facts import Definition, FileFacts, Import
from ifacegen_adapters.python.modules import PackageModules, SourceModule


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """What a name stands for in the end."""

    kind: Literal["definition", "module", "external"]
    #: The module that defines it; for ``external`` the module it is imported from.
    module: str
    #: Name in that module; empty for a module itself.
    name: str = ""

    @property
    def dotted(self) -> str:
        """As one dotted name."""
        return f"{self.module}.{self.name}" if self.name else self.module


@dataclass(slots=True)
class Program:
    """The package's modules and, behind them, the repository's."""

    context: BuildContext
    own: PackageModules
    compiler: Compiler
    #: Every module looked for outside the package, found or not.
    consulted: dict[str, SourceModule | None] = field(default_factory=dict)
    #: What the source adds to the stub that describes a module of the package.
    merge: Callable[[str, FileFacts], FileFacts] | None = None
    _known: dict[tuple[str, str], Target | None] = field(default_factory=dict)
    _facts: dict[str, FileFacts] = field(default_factory=dict)
    _definitions: dict[str, dict[str, list[Definition]]] = field(default_factory=dict)
    _imports: dict[str, dict[str, list[Import]]] = field(default_factory=dict)
    _stars: dict[str, frozenset[str]] = field(default_factory=dict)
    _listings: dict[str, tuple[tuple[str, ...], bool] | None] = field(default_factory=dict)

    def module(self, name: str) -> SourceModule | None:
        """The module of that name, the package's own first."""
        if (mine := self.own.modules.get(name)) is not None:
            return mine
        if name not in self.consulted:
            self.consulted[name] = consulted_module(self.context, name)
        return self.consulted[name]

    def is_own(self, name: str) -> bool:
        """Whether a module belongs to the package itself."""
        return name in self.own.modules

    def facts(self, name: str) -> FileFacts:
        """The facts of a module that exists."""
        known = self._facts.get(name)
        if known is None:
            module = self.module(name)
            known = self.compiler.facts(module.path) if module is not None else FileFacts()
            if self.merge is not None and name in self.own.described:
                known = self.merge(name, known)
            self._facts[name] = known
        return known

    def definitions(self, module: str) -> dict[str, list[Definition]]:
        """Definitions of a module by name, variants in source order."""
        table = self._definitions.get(module)
        if table is None:
            table = self._definitions[module] = {}
            for definition in self.facts(module).definitions:
                table.setdefault(definition.name, []).append(definition)
        return table

    def imports(self, module: str) -> dict[str, list[Import]]:
        """Imports of a module by bound name; those that run go before those for type checkers."""
        table = self._imports.get(module)
        if table is None:
            table = self._imports[module] = {}
            for each in self.facts(module).imports:
                table.setdefault(each.name, []).append(each)
            for name, group in table.items():
                table[name] = sorted(group, key=lambda each: (each.local, each.type_checking_only))
        return table

    def variants(self, module: str, name: str) -> tuple[Import, ...]:
        """The imports that bind a name under conditions, where callers must know which of them holds."""
        defined = name in self.definitions(module)
        imports = [each for each in self.imports(module).get(name, ()) if not each.local]
        if not defined and not any(map(_is_for_others, imports)):
            imports = [each for each in imports if not each.type_checking_only]
        if not all(each.conditions for each in imports):
            return ()
        alone = len(imports) == 1 and not defined
        tested = all(condition.startswith("if ") for each in imports for condition in each.conditions)
        return tuple(imports) if tested or not alone else ()

    def absolute(self, module: str, written: str) -> str:
        """The absolute name of a module as an import in ``module`` writes it."""
        level = len(written) - len(written.lstrip("."))
        if not level:
            return written
        source = self.module(module)
        parts = module.split(".")
        drop = level - 1 if source is not None and source.is_package else level
        base = parts[: len(parts) - drop] if drop else parts
        if not base:
            return written  # beyond the top: no module can have this name
        return ".".join([*base, *([written[level:]] if written[level:] else [])])

    def resolve(self, module: str, name: str) -> Target | None:
        """What ``name`` stands for in a module's namespace; None if nothing there binds it."""
        key = module, name
        if key not in self._known:
            self._known[key] = None  # a cycle of imports ends here
            self._known[key] = self._resolved(module, name)
        return self._known[key]

    def _resolved(self, module: str, name: str) -> Target | None:
        if name in self.definitions(module):
            return Target("definition", module, name)
        for each in self.imports(module).get(name, ()):
            if (target := self.imported(module, each)) is not None:
                return target
        for source in self._starred(module):
            if name in self.star_names(source) and (target := self.resolve(source, name)) is not None:
                return target
        if (target := self._lazy(module, name)) is not None:
            return target
        below = f"{module}.{name}"
        exists = below in self.own.modules if self.is_own(module) else self.module(below) is not None
        return Target("module", below) if exists else self._from_the_only_star(module, name)

    def _from_the_only_star(self, module: str, name: str) -> Target | None:
        """A listed name that nothing binds can only come from a star import that leads out of the repository."""
        stars = [self.absolute(module, star) for star in self.facts(module).stars]
        outside = [source for source in stars if self.module(source) is None]
        listed = self.all_names(module) if len(outside) == 1 else None
        return Target("external", outside[0], name) if listed is not None and name in listed[0] else None

    def imported(self, module: str, each: Import) -> Target | None:
        """What an import in a module binds its name to."""
        source = self.absolute(module, each.module)
        if each.attribute is None:
            bound = each.name if each.dotted else source
            return Target("module" if self.module(bound) is not None else "external", bound)
        below = f"{source}.{each.attribute}"
        if source == module and self.module(below) is not None and not self._is_bound_before(module, each):
            return Target("module", below)
        return self.attribute(source, each.attribute)

    def _is_bound_before(self, module: str, each: Import) -> bool:
        """Whether a package has bound a name when it imports that name from itself: else it gets the submodule."""
        name = each.attribute or ""
        bound = (*self.definitions(module).get(name, ()), *self.imports(module).get(name, ()))
        return any(other.line < each.line for other in bound)

    def attribute(self, source: str, name: str) -> Target | None:
        """What ``from source import name`` gives."""
        if self.module(source) is not None:
            target = self.resolve(source, name)
            if target is None and self.module(f"{source}.{name}") is not None:
                target = Target("module", f"{source}.{name}")  # `from pkg import sub` in pkg itself
            # A module of ours that binds no such name still gives it somehow: keep the name, claim nothing.
            return target or Target("external", source, name)
        if self.module(f"{source}.{name}") is not None:
            return Target("module", f"{source}.{name}")
        return Target("external", source, name)

    def _lazy(self, module: str, name: str) -> Target | None:
        facts = self.facts(module)
        named = [each for each in facts.lazy_imports if each.name == name]
        for each in named or [each for each in facts.lazy_imports if each.attribute == name]:
            if (target := self.imported(module, each)) is not None:
                return target
        for entry in facts.lazy:
            for source, attribute in _readings(entry, name):
                place = self.absolute(module, source)
                if self.module(place) is None:
                    continue
                if not attribute:
                    return Target("module", place)
                if (target := self.resolve(place, attribute)) is not None:
                    return target
        return None

    def star_names(self, module: str) -> frozenset[str]:
        """The names that ``from module import *`` binds."""
        known = self._stars.get(module)
        if known is None:
            self._stars[module] = frozenset()  # two modules that star-import each other
            listed = self.all_names(module)
            known = (
                frozenset(listed[0]) if listed is not None and listed[1] else frozenset(self._public(module))
            )
            self._stars[module] = known
        return known

    def _public(self, module: str) -> Iterator[str]:
        listed = self.all_names(module)
        yield from listed[0] if listed is not None else ()
        for name, group in self.definitions(module).items():
            if not name.startswith("_") and not all("unstated" in each.flags for each in group):
                yield name
        known = self.module(module)
        published = known is not None and known.published
        for name, imports in self.imports(module).items():
            hidden = imports[0].local or (published and not imports[0].explicit)  # PEP 484, of stubs
            if not name.startswith("_") and not hidden:
                yield name
        for source in self._starred(module):
            yield from (name for name in self.star_names(source) if not name.startswith("_"))

    def _starred(self, module: str) -> Iterator[str]:
        """The modules of the repository that a module imports everything from."""
        for star in self.facts(module).stars:
            source = self.absolute(module, star)
            if source != module and self.module(source) is not None:
                yield source

    def all_names(self, module: str) -> tuple[tuple[str, ...], bool] | None:
        """``__all__`` as far as it can be read, and whether that is all of it; None where there is none."""
        if module not in self._listings:
            self._listings[module] = None  # modules that take each other's `__all__`
            self._listings[module] = self._read_all(module)
        return self._listings[module]

    def _read_all(self, module: str) -> tuple[tuple[str, ...], bool] | None:
        operations = self.facts(module).all_operations
        if not operations:
            imported = self.imports(module).get("__all__")
            source = self.absolute(module, imported[0].module) if imported else module
            return self.all_names(source) if source != module and self.module(source) is not None else None
        names: dict[str, None] = {}
        complete = True
        for operation in operations:
            found: list[str] = []
            for item in operation.items:
                values = self._listed(module, item[1:]) if item.startswith("*") else (item,)
                complete = complete and values is not None
                found.extend(values or ())
            complete = complete and operation.complete
            if operation.kind == "set":
                names = dict.fromkeys(found)
            elif operation.kind == "add":
                names.update(dict.fromkeys(found))
            else:
                names = {name: None for name in names if name not in found}
        return tuple(names), complete

    def _listed(self, module: str, reference: str) -> tuple[str, ...] | None:
        """The strings a reference in ``__all__`` stands for."""
        owner, _, last = reference.rpartition(".")
        if not owner:
            imported = [
                each for each in self.imports(module).get(reference, ()) if each.attribute == "__all__"
            ]
            if not imported:
                return self.facts(module).tables.get(reference)
            return self._whole_listing(module, self.absolute(module, imported[0].module))
        target = self.resolve_chain(module, owner)
        is_listing = target is not None and target.kind == "module" and last == "__all__"
        return self._whole_listing(module, target.module) if is_listing and target is not None else None

    def _whole_listing(self, module: str, source: str) -> tuple[str, ...] | None:
        """Another module's ``__all__``; None unless all of it can be read."""
        listed = self.all_names(source) if source != module and self.module(source) is not None else None
        return listed[0] if listed is not None and listed[1] else None

    def resolve_chain(self, module: str, chain: str) -> Target | None:
        """What a dotted name stands for; members of classes are not looked into."""
        first, *rest = chain.split(".")
        target = self.resolve(module, first)
        for part in rest:
            if target is None or target.kind != "module":
                return target
            target = self.attribute(target.module, part)
        return target


def _is_for_others(each: Import) -> bool:
    """Whether an import is the other branch of one for type checkers."""
    return any("not (" in condition and "TYPE_CHECKING" in condition for condition in each.conditions)


def _readings(entry: LazyName, name: str) -> Iterator[tuple[str, str]]:
    """The (module, attribute) pairs that a lazy table's entry may mean for a name."""
    if entry.by_module:
        if name == entry.key:
            yield f".{name}", ""
        elif name in entry.values:
            yield entry.key, name
            yield f".{entry.key}", name
        return
    if entry.key != name:
        return
    first, *rest = entry.values
    module, colon, attribute = first.partition(":")
    if colon:
        yield module, attribute
    elif rest:
        yield first, rest[0]
        yield rest[0], name
    else:
        yield first, name
        yield f".{first}", name
        owner, _, last = first.rpartition(".")
        yield (owner or "."), last
        yield first, ""
