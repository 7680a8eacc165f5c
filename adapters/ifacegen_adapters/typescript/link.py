"""From entry points to a package's surface: what can be imported, each name once, in the words of its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ifacegen.adapter import BuildContext, Surface
from ifacegen.errors import ReadError
from ifacegen.model import Interface, Package
from ifacegen_adapters.typescript import (
    consulted,
    files,
    generate,
    outside,
    package_files,
    provenance,
    toolchain,
)
from ifacegen_adapters.typescript import entries as entry_points
from ifacegen_adapters.typescript.assembly import Modules
from ifacegen_adapters.typescript.chosen import Chosen
from ifacegen_adapters.typescript.entries import Entry
from ifacegen_adapters.typescript.facts import FileFacts
from ifacegen_adapters.typescript.generate import Generated
from ifacegen_adapters.typescript.merging import enriched
from ifacegen_adapters.typescript.names import Names
from ifacegen_adapters.typescript.paths import is_declaration, stem_of
from ifacegen_adapters.typescript.places import Door, place
from ifacegen_adapters.typescript.program import Program
from ifacegen_adapters.typescript.resolve import Resolver, Target
from ifacegen_adapters.typescript.troubles import file_notes, internal_note, name_notes


def link(context: BuildContext) -> Surface:
    """The surface of ``context.package``."""
    package = _package_name(context.package)
    found = entry_points.package_entries(context)
    entries = sorted(found.entries, key=lambda each: (each.name != package, len(each.name), each.name))
    generated = _generated(context, entries)
    reading = Reading(context, generated)
    program = Program(reading, [each.path for each in entries])
    names = Names(program)
    chosen = Chosen(context.options)
    doors = [Door(each.name, each.path, each.format) for each in entries]
    places = place(program, names, doors, package, context.package.path, chosen)
    modules = tuple(Modules(program, names, places, chosen).all())
    sources = tuple(package_files.sources(context))
    looked_at = dict(sorted({**generated.consulted, **outside.consulted(context)}.items()))
    notes = [
        *found.notes,
        *generated.notes,
        *file_notes(program),
        *name_notes(program, names, places),
        *internal_note(places.internal, context.package.path),
        *chosen.notes(context.package.path),
    ]
    return Surface(
        tuple(_interfaces(context, entries, generated)),
        modules,
        tuple(dict.fromkeys(notes)),
        sources,
        sum(_tokens(context, path) for path in sources),
        looked_at,
        tuple(consulted.absent(context, tuple(looked_at))),
    )


@dataclass(slots=True)
class Reading:
    """How files are read: those that declarations were made for, by those."""

    context: BuildContext
    generated: Generated
    resolver: Resolver

    def __init__(self, context: BuildContext, generated: Generated) -> None:
        """Nothing is read before it is asked for."""
        self.context = context
        self.generated = generated
        self.resolver = Resolver(context)

    def facts(self, path: str) -> FileFacts:
        """What a file states; its declarations as they were made, if they were."""
        own = files.facts_of(self.context, path)
        text = self.generated.texts.get(path)
        if text is None:
            return own
        return enriched(files.facts_of_text(self.context, path, text), own)

    def is_declared(self, path: str) -> bool:
        """Whether its facts are those of a declaration file."""
        return path in self.generated.texts or is_declaration(path)

    def resolve(self, specifier: str, importer: str) -> Target:
        """Where an import leads; a file of another package that nobody can import is called by its path there."""
        target = self.resolver.resolve(specifier, importer)
        if target.path is None or target.module or not target.package:
            return target
        return replace(target, module=self._private_name(target.path, target.package))

    def _private_name(self, path: str, package: str) -> str:
        owner = next((each for each in self.context.packages if each.path == package), None)
        name = _package_name(owner) if owner is not None else package
        inside = path if package == "." else path.removeprefix(f"{package}/")
        return f"{name}/{stem_of(inside)}"


def _package_name(package: Package) -> str:
    names = (each.name for each in package.projects if each.adapter == "typescript" and each.name)
    return next(names, package.name)


def _generated(context: BuildContext, entries: list[Entry]) -> Generated:
    """Declarations for what the package has as sources only."""
    roots = [each.path for each in entries if each.origin != "shipped"]
    if not roots:
        return Generated({}, {}, {}, (), {})
    closure = package_files.closure(context, roots, lambda path: files.facts_of(context, path))
    return generate.declarations(context, closure)


def _interfaces(context: BuildContext, entries: list[Entry], generated: Generated) -> list[Interface]:
    shipped = sorted({each.path for each in entries if each.origin == "shipped"})
    others = sorted({each.path for each in entries if each.origin != "shipped"})
    found = []
    if shipped:
        found.append(Interface("typescript", "published", provenance.tool(), tuple(shipped)))
    if others:
        found.append(Interface("typescript", "generated", _makers(context, generated.makers), tuple(others)))
    return found


def _makers(context: BuildContext, makers: Mapping[str, str]) -> str:
    """What the declarations of sources were made with."""
    if not makers:
        return provenance.tool()
    return f"{provenance.tool()}, {toolchain.identity(context)}"


def _tokens(context: BuildContext, path: str) -> int:
    try:
        blob = context.tree.id(path)
        return context.tokens_of(
            blob, "typescript 1", lambda: context.tree.read(path).data.decode("utf-8", "replace")
        )
    except ReadError:
        return 0
