"""From facts to a surface: which declarations a package shows, where, and what they need around them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ifacegen.adapter import BuildContext, Surface
from ifacegen.model import Declaration, Interface, Module, Note, Visibility
from ifacegen_adapters.python.compile import Compiler
from ifacegen_adapters.python.consulted import absent, answers
from ifacegen_adapters.python.declare import Declarer, Mention, Origin, Shown
from ifacegen_adapters.python.facts import Import
from ifacegen_adapters.python.folding import Inherited, private_bases
from ifacegen_adapters.python.importing import Importer
from ifacegen_adapters.python.mentions import mentioned
from ifacegen_adapters.python.merge import Merger
from ifacegen_adapters.python.modules import NAME, package_modules
from ifacegen_adapters.python.names import Program, Target
from ifacegen_adapters.python.surface import Export, Place, SurfaceNames


def link(context: BuildContext, tool: str) -> Surface:
    """The Python surface of a package."""
    own = package_modules(context.tree, context.package, context.packages)
    compiler = Compiler(context)
    sources = Program(context, replace(own, modules={**own.modules, **own.described}), compiler)
    merger = Merger(sources)
    program = Program(context, own, compiler, sources.consulted, merger.merged)
    names = SurfaceNames(program, context.options)
    names.settle()
    linker = _Linker(context, program, names)
    linker.run()
    modules, notes = tuple(linker.modules()), (*own.notes, *names.notes, *merger.notes(), *linker.notes())
    return Surface(
        interfaces=tuple(_interfaces(program, tool)),
        modules=modules,
        notes=notes,
        sources=own.sources,
        source_tokens=sum(program.compiler.facts(path).tokens for path in own.sources),
        consulted=answers(program.compiler, program.consulted),
        absent=absent(context, program.consulted),
    )


def _interfaces(program: Program, tool: str) -> Iterator[Interface]:
    modules = program.own.modules.values()
    written = tuple(sorted(module.path for module in modules if not module.published))
    stubs = tuple(sorted(module.path for module in modules if module.published))
    described = (module.path for module in program.own.described.values())
    if written:
        yield Interface(NAME, "generated", tool, written)
    if stubs:
        more = "; documentation, values and decorators of the sources" if program.own.described else ""
        paths = tuple(sorted((*stubs, *described)))
        yield Interface(NAME, "published", f"existing stubs{more}", paths)


@dataclass(slots=True)
class _Sheet:
    """One shown module while it is filled."""

    declarer: Declarer
    imports: Importer
    declarations: list[tuple[tuple[str, int, str], Declaration]] = field(default_factory=list)


@dataclass(slots=True)
class _Linker:
    context: BuildContext
    program: Program
    names: SurfaceNames
    sheets: dict[str, _Sheet] = field(default_factory=dict)
    #: Private definitions that are shown because others mention them → whether whole.
    carried: dict[Target, bool] = field(default_factory=dict)
    queue: deque[Target] = field(default_factory=deque)
    more: list[Note] = field(default_factory=list)
    _origins: dict[str, Origin] = field(default_factory=dict)
    _shown: dict[Target, list[Declaration]] = field(default_factory=dict)

    def run(self) -> None:
        """Show what is public, then whatever that mentions, until nothing is missing."""
        for module in self.names.exports:
            self._sheet(module)
        for target, place in sorted(self.names.homes.items()):
            self._show(target, place)
        for module, exports in self.names.exports.items():
            for name in exports:
                self._need_conditions(module, name)
        while self.queue:
            target = self.queue.popleft()
            self._show(target, Place(target.module, target.name))
            self._need_conditions(target.module, target.name)
        self.more.extend(self.names.unmatched())
        for target, made in self._shown.items():
            place = self.names.homes.get(target) or Place(target.module, target.name)
            moved = "" if place.module == target.module else target.module
            sheet = self._sheet(place.module)
            sheet.declarations.extend(((moved, each.line, each.id), each) for each in made)

    def _sheet(self, module: str) -> _Sheet:
        sheet = self.sheets.get(module)
        if sheet is None:
            declarer = Declarer(module, self.context.options, matched=self.names.matched)
            sheet = self.sheets[module] = _Sheet(declarer, Importer(module, self.program, self.names))
        return sheet

    def _origin(self, module: str) -> Origin:
        origin = self._origins.get(module)
        if origin is None:
            source = self.program.module(module)
            path = source.path if source is not None else ""
            types = self.program.compiler.types(path, self.program.facts(module))
            if (problem := types.problem) is not None:
                self.more.append(Note(problem.severity, problem.code, problem.message, path, problem.line))
            origin = Origin(
                module, path, types.known, lambda name: self.program.resolve(module, name) is not None
            )
            self._origins[module] = origin
        return origin

    def _show(self, target: Target, place: Place) -> None:
        """Make the declarations of a definition and look up every name they show."""
        sheet = self._sheet(place.module)
        origin = self._origin(target.module)
        whole = self.carried.get(target)
        sheet.declarer.mentions.clear()
        if target in self._shown:  # it was shown in brief, and somebody needs it whole
            sheet.declarer.forget(self._shown[target])
        shown = Shown(
            place.name,
            self._visibility(place) if whole is None else "carried",
            brief=whole is False,
            origin=f"{target.module}:{target.name}" if place != Place(target.module, target.name) else None,
            import_paths=tuple(self.names.paths.get(target, ())),
        )
        bases = tuple(self._private_bases(target))
        inherited = () if shown.brief else tuple((base, self._origin(base.target.module)) for base in bases)
        made = [
            sheet.declarer.declare(definition, origin, shown, inherited)
            for definition in self.program.definitions(target.module)[target.name]
        ]
        self._shown[target] = made
        folded = {base.target for base in bases}
        for mention in dict.fromkeys(sheet.declarer.mentions):
            self._need(sheet, mention, folded)

    def _visibility(self, place: Place) -> Visibility:
        export = self.names.exports[place.module][place.name]
        return "type_checking" if export.type_checking_only else "public"

    def _private_bases(self, target: Target) -> Iterator[Inherited]:
        definition = self.program.definitions(target.module)[target.name][-1]
        yield from private_bases(self.program, target.module, definition, self._is_private)

    def _is_private(self, target: Target, where: str, chain: str) -> bool:
        if self.program.is_own(target.module):
            return target not in self.names.homes
        # Of another package's class it counts under which name it is used, not where it is written.
        first, _, rest = chain.partition(".")
        imported = self.program.imports(where).get(first)
        written = f"{imported[0].module}.{imported[0].attribute or ''}" if imported else first
        return any(part.startswith("_") for part in f"{written}.{rest}".split("."))

    def _need(self, sheet: _Sheet, mention: Mention, folded: set[Target]) -> None:
        first = mention.chain.partition(".")[0]
        target = self.program.resolve(mention.origin, first)
        if target is None:
            return
        if target.kind == "module":
            self._need_inside(mention, folded)
        elif target.kind == "definition":
            inside = mention.chain != first  # an attribute of it is meant, so it must be there
            self._carry(target, (mention.whole or inside) and target not in folded)
        sheet.imports.need(mention, target)

    def _need_conditions(self, module: str, name: str) -> None:
        """Names in the conditions of imports that :meth:`_variants` will show."""
        for each in self._conditional_imports(module, name):
            for condition in each.conditions:
                for chain in mentioned(condition, strings=False):
                    self._need(self._sheet(module), Mention(module, chain, False), set())

    def _need_inside(self, mention: Mention, folded: set[Target]) -> None:
        """``module.name``: the module must have the name, wherever the name is shown."""
        parts = mention.chain.split(".")
        for count in range(1, len(parts)):
            owner = self.program.resolve_chain(mention.origin, ".".join(parts[:count]))
            inner = self.program.resolve_chain(mention.origin, ".".join(parts[: count + 1]))
            if owner is None or owner.kind != "module" or inner is None or inner.kind != "definition":
                continue
            self._carry(inner, mention.whole and inner not in folded)
            if self.program.is_own(owner.module):
                self._sheet(owner.module).imports.need(
                    Mention(owner.module, parts[count], mention.whole), inner
                )
            return

    def _carry(self, target: Target, whole: bool) -> None:
        """Show a private definition of the package where it is defined, marked."""
        if target in self.names.homes or not self.program.is_own(target.module):
            return
        if self.carried.get(target, False) >= whole and target in self.carried:
            return
        self.carried[target] = whole
        self.queue.append(target)

    def modules(self) -> Iterator[Module]:
        """The finished modules, by name."""
        for name in sorted(self.sheets):
            sheet = self.sheets[name]
            source = self.program.own.modules[name]
            sheet.declarations.extend(
                (("", each.line, each.id), each) for each in self._variants(name, sheet)
            )
            own = [declaration for _, declaration in sorted(sheet.declarations, key=lambda item: item[0])]
            aliases = sorted(self._aliases(name, sheet), key=lambda each: (each.origin or "", each.name))
            self.more.extend(sheet.imports.clashes(own))
            imports = sheet.imports.declarations()
            doc = self.program.facts(name).doc
            yield Module(name, NAME, source.path, doc, (*imports, *own, *aliases))

    def _variants(self, module: str, sheet: _Sheet) -> Iterator[Declaration]:
        """Imports that stand for a shown name under some condition, where other conditions give it another meaning."""
        exports = self.names.exports.get(module, {})
        carried = {target.name: None for target in self.carried if target.module == module}
        path = self.program.own.modules[module].path
        for name in {**dict.fromkeys(exports), **carried}:
            for each in self._conditional_imports(module, name):
                visibility: Visibility = "public" if name in exports else "carried"
                alias = replace(
                    sheet.imports.conditional_alias(each), id=sheet.declarer.id(name), visibility=visibility
                )
                yield replace(alias, path=path, line=each.line, end_line=each.line)

    def _conditional_imports(self, module: str, name: str) -> list[Import]:
        defined = name in self.program.definitions(module)
        imports = [
            each
            for each in self.program.imports(module).get(name, ())
            if not each.local and (defined or not each.type_checking_only)
        ]
        several = len(imports) > 1 or defined
        return imports if several and all(each.conditions for each in imports) else []

    def _aliases(self, module: str, sheet: _Sheet) -> Iterator[Declaration]:
        for export in self.names.exports.get(module, {}).values():
            place = self.names.homes.get(export.target) if export.target is not None else None
            if place == Place(module, export.name) or self._conditional_imports(module, export.name):
                continue
            if export.target is None:
                yield self._unresolved(module, export)
            else:
                paths = tuple(self.names.paths.get(export.target, ()))
                alias = sheet.imports.alias(export, place)
                yield replace(alias, import_paths=paths, path=self.program.own.modules[module].path)

    def _unresolved(self, module: str, export: Export) -> Declaration:
        path = self.program.own.modules[module].path
        message = f"{module}.{export.name} is listed, but nothing in the sources binds it"
        self.more.append(Note("warning", "unresolved-name", message, path))
        return Declaration(
            f"{module}:{export.name}",
            export.name,
            export.name,
            "variable",
            export.name,
            path=path,
            extra={"unresolved": True},
        )

    def notes(self) -> Iterator[Note]:
        """What was wrong with the package's files, then what linking found."""
        for name, module in self.program.own.modules.items():
            for problem in self.program.facts(name).problems:
                yield Note(
                    problem.severity, problem.code, f"{name}: {problem.message}", module.path, problem.line
                )
        yield from self.more
