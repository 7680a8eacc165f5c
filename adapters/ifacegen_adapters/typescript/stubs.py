"""Views as ``.d.ts`` files: a package that compilers take for the one that it is the view of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.emit import Printer
from ifacegen_adapters.typescript.headings import is_private, namespaces
from ifacegen_adapters.typescript.lines import INDENT
from ifacegen_adapters.typescript.prefixes import block_place, chooses, place_of
from ifacegen_adapters.typescript.stub_paths import (
    StubPath,
    imported_name,
    is_ambient,
    is_global,
    package_name,
    relative,
    stub_paths,
)
from ifacegen_adapters.typescript.stub_specifiers import spelled
from ifacegen_adapters.typescript.used import is_used, words

_PACKAGE = "package.json"
#: The main file of a package without any that can be imported.
_INDEX = StubPath("index")


def render_stubs(modules: Sequence[Module], docs: str) -> Mapping[str, str]:
    """Path → text of each file of a package that offers what modules do."""
    if not modules:
        return {}
    package = package_name(modules)
    files = _Files([part for each in modules for part in _parts(each)], package, Printer(docs, is_stub=True))
    return {_PACKAGE: files.package_file(), **dict(sorted(files.texts()))}


def _parts(module: Module) -> Iterator[Module]:
    """A module; one of global names in two, where it needs imports: ambient modules stand in files without any."""
    ambient = [each for each in module.declarations if each.kind == "ambient"]
    imports = [each for each in module.declarations if _is_import(each)]
    if not is_global(module) or not ambient or not imports:
        yield module
        return
    others = [each for each in module.declarations if each.kind != "ambient" and not _is_import(each)]
    names = words(others)
    used = [each for each in imports if is_used(each, names)]
    yield replace(module, declarations=(*used, *others))
    yield replace(module, doc=None, declarations=tuple(_with_imports(each, imports) for each in ambient))


def _with_imports(ambient: Declaration, imports: Sequence[Declaration]) -> Declaration:
    names = words([ambient])
    return replace(ambient, members=(*(each for each in imports if is_used(each, names)), *ambient.members))


def _is_import(declaration: Declaration) -> bool:
    return declaration.kind == "import" and not declaration.signature.startswith("///")


class _Files:
    """The files of one package."""

    def __init__(self, modules: Sequence[Module], package: str, printer: Printer) -> None:
        self._package = package
        self._imported = imported_name(package)
        self._printer = printer
        self._places = list(zip(modules, stub_paths(modules, self._imported), strict=True))
        self._namespaces = namespaces(modules)
        #: The first that callers import: it refers to those that nobody imports by a path.
        self._main = next((path for module, path in self._places if self._is_entry(module)), None)
        self._referred = sorted(path.path for module, path in self._places if _is_referred(module))
        ambient = {module.name for module in modules if is_ambient(module)}
        self._paths = {
            module.name: path
            for module, path in self._places
            if not _is_referred(module) and module.name not in ambient
        }

    def texts(self) -> Iterator[tuple[str, str]]:
        """Path → text of every declaration file."""
        if self._main is None and self._referred:
            yield _INDEX.path, "".join(self._references(_INDEX))
        for module, path in self._places:
            lines = "".join(f"{line}\n" for line in self._lines(self._spelled(module, path)))
            references = "".join(self._references(path)) if path is self._main else ""
            yield path.path, f"{references}{lines}"

    def _references(self, main: StubPath) -> Iterator[str]:
        for path in self._referred:
            yield f'/// <reference path="{relative(path, main.folder)}" />\n'

    def _spelled(self, module: Module, own: StubPath) -> Module:
        """A module that calls others by the paths of their stubs."""

        def called(name: str) -> str | None:
            path = self._paths.get(name)
            return path.seen_from(own) if path is not None else None

        # What stands in an ambient module may not import by a path, but mention types so.
        in_statements = (lambda _: None) if is_ambient(module) else called
        return spelled(module, in_statements, called)

    # -- one file --------------------------------------------------------------------------------------

    def _lines(self, module: Module) -> Iterator[str]:
        yield from self._printer.doc(module.doc, "")
        if is_ambient(module):
            yield from self._wrapped(
                module, f"declare module {json.dumps(module.name, ensure_ascii=False)} {{"
            )
        elif is_global(module) and any(map(_is_import, module.declarations)):
            yield from self._global_with_imports(module)
        else:
            if is_private(module):
                module = replace(module, declarations=tuple(map(_exported, module.declarations)))
            yield from self._printer.body(module.declarations, "", place_of(module))
            if not is_global(module) and _is_module(module) and not chooses(module.declarations):
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
        if self._main is None and self._referred:
            yield ".", f"./{_INDEX.path}"
        for module, path in sorted(self._places, key=lambda place: place[0].name):
            if self._is_entry(module):
                yield f".{module.name.removeprefix(self._imported)}", f"./{path.path}"

    def _is_entry(self, module: Module) -> bool:
        if _is_referred(module) or is_private(module) or module.name in self._namespaces:
            return False
        return module.name == self._imported or module.name.startswith(f"{self._imported}/")


def _is_referred(module: Module) -> bool:
    return is_ambient(module) or is_global(module)


def _is_module(module: Module) -> bool:
    """Whether a file is more than references to others."""
    return not module.declarations or not all(
        each.signature.startswith("///") for each in module.declarations
    )


def _exported(declaration: Declaration) -> Declaration:
    return replace(declaration, visibility="public") if declaration.visibility == "carried" else declaration
