"""A package as it is once it is imported, and the rule that says which of its names are public.

A name that a module has at run time is **public** when

1. ``__all__`` lists it; where there is no ``__all__``, when it has no leading underscore and
2. the module's own source defines or assigns it (unless as stand-in for another's module that may be missing), or
3. the source imports it as itself, ``from .x import a as a``, which says that it is meant to be exported, or
4. the module is an ``__init__`` that imports it from the package, or it comes by a star from a module of the
   package that offers it by these rules, or
5. it is a submodule without a leading underscore, or
6. nothing in the source binds it and it is the package's own: it was made at run time.

Own modules that stars leave in another's namespace (``networkx.astar``) have **strayed**: importable, but
nobody's interface. They are counted apart. **Metadata** (``__version__``) may be shown, and need not be.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from evaluation._source import Binding, Class, Source
from evaluation.packages import RealPackage

_PROBE = Path(__file__).with_name("_probe.py")
_LEFT_OUT = re.compile(r"tests|test_.*|.*_test|conftest|_?vendor|_?vendored|third_party|_external")


@dataclass(frozen=True, slots=True)
class Value:
    """What a name of a module stands for at run time."""

    module: bool
    #: The module that defines it, as it says itself; nothing where it says nothing.
    origin: str
    #: Whether it is the package's.
    own: bool
    #: Key of the class that it is.
    key: str | None


class Sources:
    """The sources of a package, by module."""

    def __init__(self, package: RealPackage) -> None:
        self.package = package
        self.find = cache(self._find)

    def _find(self, module: str) -> Source | None:
        base = self.package.folder / module.replace(".", "/")
        paths = (base / "__init__.py", base.parent / f"{base.name}.py")
        return next((Source(path, module) for path in paths if path.is_file()), None)

    @cached_property
    def left_out(self) -> frozenset[str]:
        """Modules with a public name that views leave out by design."""
        parts = {name: name.split(".") for name in self._named}
        left_out = {name for name, each in parts.items() if any(_LEFT_OUT.fullmatch(part) for part in each)}
        return frozenset(name for name in left_out if "testing" not in parts[name] or "tests" in parts[name])

    @property
    def public(self) -> frozenset[str]:
        """Modules whose dotted name has no private part, without those."""
        return self._named - self.left_out

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(name for origin in self.package.modules for name in self._below(origin))

    def _below(self, origin: str) -> Iterator[str]:
        for path in (self.package.folder / origin).rglob("*"):
            if path.suffix in (".py", ".so", ".pyd"):
                parts = [*path.relative_to(self.package.folder).parent.parts, path.name.partition(".")[0]]
                dotted = ".".join(parts).removesuffix(".__init__")
                if all(part.isidentifier() and part[0] != "_" for part in dotted.split(".")):
                    yield dotted

    def own(self, dotted: str) -> bool:
        """Whether a dotted name lies in the package."""
        return dotted.partition(".")[0] in self.package.origins

    def starred(self, module: str, name: str, above: frozenset[str] = frozenset()) -> bool | None:
        """Whether the modules that one imports by stars offer a name; None where none of them binds it."""
        source = self.find(module)
        stars = [star for star in source.scope.stars if self.own(star)] if source else []
        found = [self._offered(star, name, above | {module}) for star in stars if star not in above]
        return any(found) if any(each is not None for each in found) else None

    def _offered(self, module: str, name: str, above: frozenset[str]) -> bool | None:
        source = self.find(module)
        bindings = source.scope.bindings.get(name, []) if source else []
        if source is None or not bindings:
            return self.starred(module, name, above)
        if name in source.listed:
            return True
        return any(
            each.means != "import" or each.explicit or (source.is_package and self.own(each.origin))
            for each in bindings
        )


@dataclass(frozen=True)
class ImportedModule:
    """A module as it is at run time."""

    name: str
    sources: Sources
    #: ``__all__``.
    listed: frozenset[str] | None
    values: Mapping[str, Value]

    @property
    def source(self) -> Source | None:
        """Its source; None for an extension."""
        return self.sources.find(self.name)

    def bindings(self, name: str) -> list[Binding]:
        """Where its source binds a name."""
        return self.source.scope.bindings.get(name, []) if self.source else []

    @cached_property
    def strayed(self) -> frozenset[str]:
        """Own modules under a foreign name, which nothing in the source gave them."""
        if self.listed is not None:
            return frozenset()
        modules = {name: value for name, value in self.values.items() if value.module and value.own}
        return frozenset(
            name
            for name, value in modules.items()
            if value.origin != f"{self.name}.{name}" and not self.bindings(name)
        )

    @cached_property
    def public(self) -> frozenset[str]:
        """The names that callers may rely on."""
        if self.listed is not None:
            return self.listed & self.values.keys()
        named = {name: value for name, value in self.values.items() if name[0] != "_"}
        return frozenset(name for name, value in named.items() if self._is_public(name, value)) - self.strayed

    def may_show(self, name: str) -> bool:
        """Whether a view that shows a name says nothing false."""
        is_metadata = name.startswith("__") and name.endswith("__")
        is_stand_in = self.listed is None and self._is_stand_in(name) and len(self.bindings(name)) > 1
        # A star brings a name with an underscore only where the other module's `__all__` lists it.
        is_starred = self.listed is None and name in self.values and not self.bindings(name)
        return is_metadata or is_stand_in or is_starred or name in self.public or self.is_module(name)

    def is_module(self, name: str) -> bool:
        """Whether a name is that of a public submodule."""
        return f"{self.name}.{name}" in self.sources.public

    def _is_stand_in(self, name: str) -> bool:
        """``try: import ssl`` with ``except ImportError: ssl = None``."""
        imports = [each for each in self.bindings(name) if each.means == "import"]
        return bool(imports) and not any(self.sources.own(each.origin) for each in imports)

    def _is_public(self, name: str, value: Value) -> bool:
        if value.module and value.origin == f"{self.name}.{name}":
            return True
        bindings = self.bindings(name)
        imports = [each for each in bindings if each.means == "import"]
        if any(each.explicit for each in imports):
            return True
        if any(each.means not in ("import", "deletion") for each in bindings):
            return not self._is_stand_in(name) or (value.own and value.origin == self.name)
        if imports:
            in_init = self.source is not None and self.source.is_package
            return in_init and any(self.sources.own(each.origin) for each in imports)
        if value.module and not value.own:
            return False
        starred = self.sources.starred(self.name, name)
        return value.own if starred is None else starred


@dataclass(frozen=True)
class ImportedClass:
    """A class as it is at run time."""

    key: str
    #: The module whose source defines it.
    home: str
    sources: Sources
    bases: tuple[str, ...]
    metaclass: str | None
    #: What its own dictionary has: name → type, whether generated, key of a nested class.
    vars: Mapping[str, Mapping[str, Any]]
    annotations: frozenset[str]
    #: What those of its bases have that are not the package's.
    inherited: frozenset[str]
    is_typed_dict: bool
    fields: frozenset[str]
    #: Everything that it, its bases and its metaclass have.
    attributes: frozenset[str]

    @property
    def qualname(self) -> str:
        """Its name in its module."""
        return self.key.partition(":")[2].partition("#")[0]

    @cached_property
    def source(self) -> Class | None:
        """Its statement; None where it has none at its module's top."""
        module = self.sources.find(self.home)
        return module.class_named(self.qualname) if module else None


@dataclass(frozen=True)
class Runtime:
    """All of a package's modules, imported."""

    modules: Mapping[str, ImportedModule]
    classes: Mapping[str, ImportedClass]
    #: Module → why it could not be imported.
    failed: Mapping[str, str]

    @cached_property
    def public_classes(self) -> frozenset[str]:
        """Classes that a public module offers by name."""
        offering = (module for name, module in self.modules.items() if "._" not in f".{name}")
        values = (module.values[name] for module in offering for name in module.public)
        return frozenset(key for value in values if value.key for key in self._nested(value.key))

    def _nested(self, key: str) -> Iterator[str]:
        yield key
        for name, member in self.classes[key].vars.items():
            # An attribute may well refer to the class that it lies in.
            if member["class"] and name[0] != "_" and member["class"].startswith(f"{key}."):
                yield from self._nested(member["class"])


def imported(
    python: Path, sources: Sources, modules: Iterable[str], asked: Mapping[str, Iterable[str]]
) -> Runtime:
    """Import modules by the runtime's interpreter, those above first; ``asked`` are names to look for."""
    request = {
        "origins": sources.package.origins,
        "modules": sorted(modules, key=lambda name: (name.count("."), name)),
        "asked": {name: sorted(names) for name, names in asked.items()},
    }
    command = [str(python), "-I", str(_PROBE)]
    done = subprocess.run(command, check=True, input=json.dumps(request).encode(), stdout=subprocess.PIPE)
    report = json.loads(done.stdout)
    return Runtime(
        {
            name: _module(name, sources, each)
            for name, each in report["modules"].items()
            if "error" not in each
        },
        {key: _class(key, sources, each) for key, each in report["classes"].items()},
        {name: each["error"] for name, each in report["modules"].items() if "error" in each},
    )


def _module(name: str, sources: Sources, report: Mapping[str, Any]) -> ImportedModule:
    values = {
        each: Value(value["module"], value["origin"], value["own"], value["class"])
        for each, value in report["names"].items()
    }
    listed = None if report["all"] is None else frozenset(report["all"])
    return ImportedModule(name, sources, listed, values)


def _class(key: str, sources: Sources, report: Mapping[str, Any]) -> ImportedClass:
    return ImportedClass(
        key,
        report["home"],
        sources,
        tuple(report["bases"]),
        report["metaclass"],
        report["vars"],
        frozenset(report["annotations"]),
        frozenset(report["inherited"]),
        report["typed_dict"],
        frozenset(report["fields"]),
        frozenset(report["attributes"]),
    )
