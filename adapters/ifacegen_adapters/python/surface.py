"""Which names callers can import, and the one place where each of them lives.

A definition lives in its defining module if that is public and offers it; else at its shortest public path,
then the alphabetically first. Every other public module that exports it has an alias.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass, field

from ifacegen.adapter import ViewOptions
from ifacegen.model import Note
from ifacegen_adapters.python.facts import Definition, Import
from ifacegen_adapters.python.names import Program, Target

#: Module attributes that say how a module works, not what it offers.
_MACHINERY = frozenset(
    {"__all__", "__path__", "__getattr__", "__dir__", "__doc__", "__file__", "__name__", "__spec__"}
)


@dataclass(frozen=True, slots=True)
class Export:
    """A name that a public module offers."""

    name: str
    #: None where the module lists a name that nothing in the sources binds.
    target: Target | None
    type_checking_only: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a definition is shown."""

    module: str
    name: str


@dataclass(slots=True)
class SurfaceNames:
    """The public names of one package."""

    program: Program
    options: ViewOptions
    exports: dict[str, dict[str, Export]] = field(default_factory=dict)
    homes: dict[Target, Place] = field(default_factory=dict)
    #: Every dotted path under which a target can be imported, the best first.
    paths: dict[Target, list[str]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    #: Entries of ``public`` and ``hidden`` that named something.
    matched: set[str] = field(default_factory=set)

    def settle(self) -> None:
        """Work out exports, then homes."""
        pending = [name for name in self.program.own.modules if self._is_public(name)]
        while pending:
            for name in pending:
                path = self.program.own.modules[name].path
                self.exports[name] = {each.name: each for each in self._exports(name, path)}
            pending = sorted(self._offered_modules() - self.exports.keys())
        for module_name, exports in self.exports.items():
            for export in exports.values():
                if export.target is not None:
                    self.paths.setdefault(export.target, []).append(f"{module_name}.{export.name}")
        for target, paths in self.paths.items():
            paths.sort(key=lambda path: (path.count("."), path))
            if target.kind == "definition" and self.program.is_own(target.module):
                fixed = [path for path in paths if not self._is_one_of_several(path)]
                if fixed:
                    self.homes[target] = self._home(target, fixed)

    def _is_public(self, module: str) -> bool:
        if module.endswith("__main__") or self._is_hidden(module):
            return False
        if module in self.options.public:
            self.matched.add(module)
            return True
        return self.program.own.modules[module].is_public

    def _offered_modules(self) -> set[str]:
        """Private modules that a public one offers under a public name: their names can be reached through it."""
        targets = (each.target for exports in self.exports.values() for each in exports.values())
        return {
            each.module
            for each in targets
            if each and each.kind == "module" and self.program.is_own(each.module)
        }

    def _is_hidden(self, dotted: str) -> bool:
        """Whether the owners hide a name, or something it lies in."""
        for name in self.options.hidden:
            if dotted == name or dotted.startswith(f"{name}."):
                self.matched.add(name)
                return True
        return False

    def unmatched(self) -> Iterator[Note]:
        """Names in the configuration that nothing answers to."""
        for option in ("public", "hidden"):
            for name in getattr(self.options, option):
                if name not in self.matched:
                    message = f"{option}: {name} names nothing in this package"
                    yield Note("warning", "option-unmatched", message, self.program.context.package.path)

    def _is_one_of_several(self, path: str) -> bool:
        """Whether the name means now this and now that: then what it means lives elsewhere."""
        module, _, name = path.rpartition(".")
        imports = self.program.variants(module, name)
        return len(imports) > 1 and name not in self.program.definitions(module)

    def _home(self, target: Target, paths: list[str]) -> Place:
        defined = self.exports.get(target.module, {}).get(target.name)
        if defined is not None and defined.target == target:
            return Place(target.module, target.name)
        module, _, name = paths[0].rpartition(".")
        return Place(module, name)

    def _exports(self, module: str, path: str) -> Iterator[Export]:
        names = dict.fromkeys(self._listed(module, path))
        prefix = f"{module}."
        for dotted in self.options.public:
            name = dotted.removeprefix(prefix)
            target = self.program.resolve(module, name) if dotted.startswith(prefix) else None
            if target is not None and target.kind != "module":
                self.matched.add(dotted)
                names[name] = None
        for name in names:
            if not name.isidentifier() or keyword.iskeyword(name):
                message = f"__all__ of {module} lists {name!r}, which no name can be"
                self.notes.append(Note("warning", "unresolved-name", message, path))
                continue
            target = self.program.resolve(module, name)
            defined = target.dotted if target is not None and self.program.is_own(target.module) else ""
            if not self._is_hidden(f"{module}.{name}") and not self._is_hidden(defined):
                yield Export(name, target, self._for_type_checkers(module, name, target))

    def _listed(self, module: str, path: str) -> Iterator[str]:
        listed = self.program.all_names(module)
        if listed is None or not (listed[0] or listed[1]):
            yield from self._unlisted(module)
        elif listed[1]:
            yield from listed[0]
            yield from (name for name in self._unlisted(module) if _is_metadata(name))
        else:
            message = f"__all__ of {module} is partly computed; names without underscore are shown too"
            self.notes.append(Note("warning", "all-computed", message, path))
            yield from listed[0]
            yield from self._unlisted(module)

    def _unlisted(self, module: str) -> Iterator[str]:
        """What a module without ``__all__`` offers: its own names, explicit re-exports, stars, lazy names."""
        facts = self.program.facts(module)
        definitions = self.program.definitions(module)
        yield from (name for name in definitions if self._is_own_name(module, name))
        for name, imports in self.program.imports(module).items():
            if any(self._is_export(module, each, name in definitions) for each in imports):
                yield name
        for star in facts.stars:
            yield from self._starred(module, star)
        yield from (each.name for each in facts.lazy_imports if self._is_lazy_export(module, each))
        for entry in facts.lazy:
            for name in (entry.key, *entry.values):
                if name.isidentifier() and not name.startswith("_"):
                    target = self.program.resolve(module, name)
                    if target is not None and (name == entry.key or target.kind == "definition"):
                        yield name

    def _is_own_name(self, module: str, name: str) -> bool:
        """Whether a definition is public by its name, and still there when the module has run."""
        if all(each.flags & {"deleted", "unstated"} for each in self.program.definitions(module)[name]):
            return False
        return _is_metadata(name) or not (name.startswith("_") or self._is_missing_module(module, name))

    def _is_missing_module(self, module: str, name: str) -> bool:
        """``try: import ssl`` with ``except ImportError: ssl = None``: a module of others, not a name of ours."""
        imports = self.program.imports(module).get(name, ())
        of_others = bool(imports) and all(each.attribute is None and not each.explicit for each in imports)
        return of_others and all(each.kind == "variable" for each in self.program.definitions(module)[name])

    def _is_export(self, module: str, each: Import, defined_too: bool) -> bool:
        if each.local or each.name.startswith("_"):
            return not each.local and _is_metadata(each.name)
        if each.explicit or defined_too:
            return each.explicit or not self._is_missing_module(module, each.name)
        source = self.program.module(module)
        if source is None or source.published or not source.is_package:
            return False  # in a stub, only `as` exports (PEP 484)
        origin = self.program.absolute(module, each.module)
        if each.attribute is None:
            return self.program.is_own(origin) and not each.dotted and each.name != origin
        return self.program.is_own(origin) or self.program.is_own(f"{origin}.{each.attribute}")

    def _is_lazy_export(self, module: str, each: Import) -> bool:
        return not each.name.startswith("_") and self.program.is_own(
            self.program.absolute(module, each.module)
        )

    def _starred(self, module: str, star: str) -> Iterator[str]:
        source = self.program.absolute(module, star)
        if source == module:
            return
        if self.program.module(source) is None:
            message = f"`from {star} import *`: {source} is not in the repository; its names are not listed"
            self.notes.append(Note("info", "star-unresolved", message, self.program.own.modules[module].path))
            return
        for name in sorted(self.program.star_names(source)):
            target = self.program.resolve(source, name)
            # A star also brings what the other module merely uses; only the package's own is its interface.
            listed = self.program.all_names(source)
            if target is not None and (
                listed is not None or target.kind == "definition" or self.program.is_own(target.module)
            ):
                yield name

    def _for_type_checkers(self, module: str, name: str, target: Target | None) -> bool:
        definitions = self.program.definitions(module).get(name, [])
        imports = [each for each in self.program.imports(module).get(name, ()) if not each.local]
        bound: list[Definition | Import] = [*definitions, *imports]
        if not bound or not all(each.type_checking_only for each in bound):
            return False
        facts = self.program.facts(module)
        lazy = any(each.name == name for each in facts.lazy_imports) or any(
            name == entry.key or name in entry.values for entry in facts.lazy
        )
        is_module = target is not None and target.kind == "module" and self.program.is_own(target.module)
        # Code binds it, or may: then the block for type checkers only says what it will be.
        served = facts.has_getattr and self._is_listed(module, name)
        return not (lazy or is_module or served or facts.binds_names or name in facts.global_names)

    def _is_listed(self, module: str, name: str) -> bool:
        listed = self.program.all_names(module)
        return listed is not None and name in listed[0]


def _is_metadata(name: str) -> bool:
    """``__version__`` and its like, which callers read though ``__all__`` rarely lists them."""
    return name.startswith("__") and name.endswith("__") and name not in _MACHINERY
