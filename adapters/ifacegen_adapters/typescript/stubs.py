"""Views as ``.d.ts`` files: a package that compilers take for the one that it is the view of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.brackets import tokens
from ifacegen_adapters.typescript.emit import Printer
from ifacegen_adapters.typescript.headings import is_private
from ifacegen_adapters.typescript.lines import INDENT
from ifacegen_adapters.typescript.prefixes import block_place, chooses, place_of
from ifacegen_adapters.typescript.stub_paths import StubPath, is_ambient, is_global, package_name, stub_paths

_PACKAGE = "package.json"


def render_stubs(modules: Sequence[Module], docs: str) -> Mapping[str, str]:
    """Path → text of each file of a package that offers what modules do."""
    if not modules:
        return {}
    package = package_name(modules)
    files = _Files(modules, package, Printer(docs, is_stub=True))
    return {_PACKAGE: files.package_file(), **dict(sorted(files.texts()))}


class _Files:
    """The files of one package."""

    def __init__(self, modules: Sequence[Module], package: str, printer: Printer) -> None:
        self._modules = modules
        self._package = package
        self._printer = printer
        self._paths = stub_paths(modules, package)
        #: Those that nobody imports by a path: the package's main file refers to them.
        self._referred = [each for each in modules if is_ambient(each) or is_global(each)]
        self._main = self._paths.get(package) or StubPath("index")

    def texts(self) -> Iterator[tuple[str, str]]:
        """Path → text of every declaration file."""
        if self._package not in self._paths and self._referred:
            yield self._main.path, "".join(self._references())
        for module in self._modules:
            path = self._paths[module.name]
            lines = "".join(f"{line}\n" for line in self._lines(_spelled(module, self._names(module))))
            references = "".join(self._references()) if module.name == self._package else ""
            yield path.path, f"{references}{lines}"

    def _references(self) -> Iterator[str]:
        for each in sorted(self._referred, key=lambda module: self._paths[module.name].path):
            yield f'/// <reference path="./{self._paths[each.name].path}" />\n'

    def _names(self, module: Module) -> _Names:
        """How a module's stub calls the others."""
        own = self._paths[module.name]
        relative = {
            each.name: self._paths[each.name].seen_from(own)
            for each in self._modules
            if each not in self._referred
        }
        return _Names({} if module in self._referred else relative, relative)

    # -- one file --------------------------------------------------------------------------------------

    def _lines(self, module: Module) -> Iterator[str]:
        yield from self._printer.doc(module.doc, "")
        if is_ambient(module):
            yield from self._wrapped(
                module, f"declare module {json.dumps(module.name, ensure_ascii=False)} {{"
            )
        elif is_global(module) and any(each.kind == "import" for each in module.declarations):
            yield from self._global_with_imports(module)
        else:
            if is_private(module):
                module = replace(module, declarations=tuple(map(_exported, module.declarations)))
            yield from self._printer.body(module.declarations, "", place_of(module))
            if not is_global(module) and not chooses(module.declarations):
                yield "export {};"

    def _wrapped(self, module: Module, head: str) -> Iterator[str]:
        yield head
        place = block_place(module.declarations)
        yield from self._printer.body(module.declarations, INDENT, place)
        if place.exports and not chooses(module.declarations):
            yield f"{INDENT}export {{}};"
        yield "}"

    def _global_with_imports(self, module: Module) -> Iterator[str]:
        """A file with imports has no global names but in a block."""
        imports = [each for each in module.declarations if each.kind == "import"]
        others = [each for each in module.declarations if each.kind != "import"]
        yield from self._printer.body(imports, "", place_of(module))
        yield from self._wrapped(replace(module, declarations=tuple(others)), "declare global {")
        yield "export {};"

    # -- package.json ----------------------------------------------------------------------------------

    def package_file(self) -> str:
        """What leads compilers from names to files, old ones too."""
        entries = dict(self._entries())
        value: dict[str, object] = {"name": self._package}
        if "." in entries:
            value["types"] = entries["."]
        value["exports"] = {name: {"types": path} for name, path in entries.items()}
        subpaths = {name.removeprefix("./"): [path] for name, path in entries.items() if name != "."}
        if subpaths:
            value["typesVersions"] = {"*": subpaths}
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

    def _entries(self) -> Iterator[tuple[str, str]]:
        if self._package in self._paths or self._referred:
            yield ".", f"./{self._main.path}"
        namespaces = _namespaces(self._modules)
        for name in sorted(self._paths):
            inner = name.removeprefix(f"{self._package}/")
            if inner != name and name not in namespaces and not self._is_hidden(name):
                yield f"./{inner}", f"./{self._paths[name].path}"

    def _is_hidden(self, name: str) -> bool:
        return any(
            each.name == name and (is_private(each) or each in self._referred) for each in self._modules
        )


def _namespaces(modules: Sequence[Module]) -> frozenset[str]:
    """Modules that are no entry point, but what one has as ``export * as name``."""
    return frozenset(
        f"{module.name}.{each.name}"
        for module in modules
        for each in module.declarations
        if each.kind == "alias" and each.signature.startswith("export * as ")
    )


def _exported(declaration: Declaration) -> Declaration:
    return replace(declaration, visibility="public") if declaration.visibility == "carried" else declaration


# -- names of modules ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Names:
    """How other modules are called: in statements, and in types (``import("x").T``)."""

    statements: Mapping[str, str]
    types: Mapping[str, str]


def _spelled(module: Module, names: _Names) -> Module:
    return replace(module, declarations=tuple(_declaration(each, names) for each in module.declarations))


def _declaration(declaration: Declaration, names: _Names) -> Declaration:
    is_statement = declaration.kind in ("import", "alias", "ambient")
    signature = declaration.signature
    if is_statement or "import(" in signature or "require(" in signature:
        signature = _renamed(signature, names.statements if is_statement else names.types)
    members = tuple(_declaration(each, names) for each in declaration.members)
    if signature == declaration.signature and members == declaration.members:
        return declaration
    return replace(declaration, signature=signature, members=members)


def _renamed(signature: str, names: Mapping[str, str]) -> str:
    """A signature with other names of modules: strings behind ``from``, ``import``, ``module`` and their parentheses."""
    pieces: list[str] = []
    end = 0
    before = last = ""
    for kind, start, stop in tokens(signature):
        text = signature[start:stop]
        word = before if last == "(" else last
        if kind == "string" and word in ("from", "import", "require", "module") and text[1:-1] in names:
            pieces += [signature[end:start], json.dumps(names[text[1:-1]], ensure_ascii=False)]
            end = stop
        before, last = last, text
    return "".join([*pieces, signature[end:]])
