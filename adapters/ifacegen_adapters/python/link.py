"""From facts to a surface: which declarations a package shows, where, and what they need around them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ifacegen.adapter import BuildContext, Surface
from ifacegen.model import Declaration, Interface, Module, Note, Visibility
from ifacegen_adapters.python.ancestry import Ancestry
from ifacegen_adapters.python.compile import Compiler
from ifacegen_adapters.python.consulted import absent, answers
from ifacegen_adapters.python.declare import Declarer, Mention, Origin, Shown, is_structural
from ifacegen_adapters.python.facts import Definition, Import, for_type_checkers
from ifacegen_adapters.python.folding import Inherited, private_bases
from ifacegen_adapters.python.importing import Importer
from ifacegen_adapters.python.instances import Instances
from ifacegen_adapters.python.mentions import mentioned
from ifacegen_adapters.python.merge import Merger
from ifacegen_adapters.python.modules import NAME, package_modules
from ifacegen_adapters.python.names import Program, Target
from ifacegen_adapters.python.respell import respelled
from ifacegen_adapters.python.surface import Export, Place, SurfaceNames

#: How often what means another thing is written anew: what that brings may clash in turn.
_ROUNDS = 3


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
    #: (Shown module, module of origin) → name → what is written for it, where it would mean another thing.
    spellings: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    #: The same the other way round.
    written: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    #: Private members of classes that something reaches through the class.
    inner: dict[Target, set[str]] = field(default_factory=dict)
    ancestry: Ancestry = field(init=False)
    _seen: set[tuple[str, str, str]] = field(default_factory=set)
    _origins: dict[str, Origin] = field(default_factory=dict)
    _shown: dict[Target, list[Declaration]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ancestry = Ancestry(self.program)

    def run(self) -> None:
        """Show what is public, then whatever that mentions, until nothing is missing."""
        for module in self.names.exports:
            self._sheet(module)
        for target, place in sorted(self.names.homes.items()):
            self._show(target, place)
        for module, exports in self.names.exports.items():
            for name in exports:
                self._need_variants(module, name)
        for target, place in self.names.homes.items():
            if target.module != place.module:
                self._need_variants(target.module, target.name, place.module)
        self._drain()
        for _ in range(_ROUNDS):
            asked, spelled = self._answer(), self._respell()
            if not (asked or spelled):
                break
            self._drain()
        self.more.extend(self.names.unmatched())
        for target, made in self._shown.items():
            self._lay_down(target, made)

    def _lay_down(self, target: Target, made: list[Declaration]) -> None:
        place = self._place(target)
        moved = "" if place.module == target.module else target.module
        sheet = self._sheet(place.module)
        others = self._moved_variants(target, place, sheet) if moved else ()
        sheet.declarations.extend(((moved, each.line, each.id), each) for each in (*made, *others))

    def _drain(self) -> None:
        while self.queue:
            target = self.queue.popleft()
            self._show(target, self._place(target))
            self._need_variants(target.module, target.name)

    def _place(self, target: Target) -> Place:
        return self.names.homes.get(target) or Place(target.module, target.name)

    def _answer(self) -> bool:
        """Show the private members by which shown classes answer to shown protocols; whether there were any."""
        asked = {
            member.name
            for target in self._shown
            for definition in self.program.definitions(target.module)[target.name]
            if is_structural(definition)
            for member in definition.members
            if _is_inner(member.name)
        }
        more = [
            (target, name)
            for target in (list(self._shown) if asked else ())
            for definition in self.program.definitions(target.module)[target.name]
            for name in sorted(asked.intersection(each.name for each in definition.members))
            if name not in self.inner.get(target, ())
        ]
        for target, name in more:
            self._need_member(target, name)
        return bool(more)

    def _moved_variants(self, target: Target, place: Place, sheet: _Sheet) -> Iterator[Declaration]:
        """Imports that are the other branches of a definition shown elsewhere than it is written."""
        for each in self.program.variants(target.module, target.name):
            yield self._variant(sheet, target.module, replace(each, name=place.name), "public")

    def _respell(self) -> bool:
        """Show again what mentions names that mean another thing where it is shown; whether there was anything."""
        shown: dict[str, list[Target]] = {}
        for target in self._shown:
            shown.setdefault(self._place(target).module, []).append(target)
        again: list[Target] = []
        for module, sheet in sorted(self.sheets.items()):
            targets = shown.get(module, [])
            found = sheet.imports.settle(self._place(target).name for target in targets)
            for origin, spelling in found.items():
                self.spellings.setdefault((module, origin), {}).update(spelling)
                reverse = {new: old for old, new in spelling.items()}
                self.written.setdefault((module, origin), {}).update(reverse)
            if found:
                again.extend(targets)
        for target in again:
            self._show(target, self._place(target))
        return bool(again)

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
                module,
                path,
                types.known,
                Instances(self.program, self.ancestry, module).settled,
                lambda definition: self.ancestry.above(module, definition),
            )
            self._origins[module] = origin
        return origin

    def _show(self, target: Target, place: Place) -> None:
        """Make the declarations of a definition and look up every name they show."""
        sheet = self._sheet(place.module)
        origin = self._origin(target.module)
        whole = self.carried.get(target)
        sheet.declarer.mentions.clear()
        if target in self._shown:  # it was shown in brief or in other words
            sheet.declarer.forget(self._shown[target])
        shown = Shown(
            place.name,
            self._visibility(place) if whole is None else "carried",
            brief=whole is False,
            origin=f"{target.module}:{target.name}" if place != Place(target.module, target.name) else None,
            import_paths=tuple(self.names.paths.get(target, ())),
            conditions=self._conditions(target, place),
            inner=frozenset(self.inner.get(target, ())),
        )
        bases = tuple(self._private_bases(target))
        inherited = () if shown.brief else tuple(self._inherited(bases, place.module))
        made = [
            sheet.declarer.declare(self._spelled(definition, target, place.module), origin, shown, inherited)
            for definition in self._at_run_time(target, place, shown.visibility)
        ]
        self._shown[target] = made
        folded = {base.target for base in bases}
        for mention in dict.fromkeys(sheet.declarer.mentions):
            self._need(sheet, mention, folded)

    def _at_run_time(self, target: Target, place: Place, visibility: Visibility) -> list[Definition]:
        """The definitions of a name under the conditions that hold where it is shown.

        What is written for type checkers and is there all the same has none; what a module asserts of the platform
        needn't hold for a name that others import from here: they may get it from another module there.
        """
        definitions = self.program.definitions(target.module)[target.name]
        dropped = self.program.facts(target.module).asserted if place.module != target.module else ()
        for_checkers = all(each.type_checking_only for each in definitions)
        if not dropped and (visibility != "public" or not for_checkers):
            return definitions

        def holds(condition: str) -> bool:
            is_dropped = for_checkers and visibility == "public" and for_type_checkers((condition,))
            return condition not in dropped and not is_dropped

        return [replace(each, conditions=tuple(filter(holds, each.conditions))) for each in definitions]

    def _spelled(self, definition: Definition, target: Target, module: str) -> Definition:
        """A definition with the names that mean, where it is shown, what its own mean where it is written."""
        return respelled(definition, self.spellings.get((module, target.module), {}))

    def _conditions(self, target: Target, place: Place) -> tuple[str, ...]:
        """Those of the import that makes a private module's definition public."""
        imports = self.program.variants(place.module, place.name) if place.module != target.module else ()
        return imports[0].conditions if len(imports) == 1 else ()

    def _visibility(self, place: Place) -> Visibility:
        export = self.names.exports[place.module][place.name]
        return "type_checking" if export.type_checking_only else "public"

    def _inherited(self, bases: Iterable[Inherited], module: str) -> Iterator[tuple[Inherited, Origin]]:
        for base in bases:
            # Its type variables are replaced by what the class gives for them, so they clash with nothing.
            spelling = self.spellings.get((module, base.target.module), {})
            own = {name: new for name, new in spelling.items() if name not in base.arguments}
            definition = respelled(base.definition, own)
            yield replace(base, definition=definition), self._origin(base.target.module)

    def _private_bases(self, target: Target) -> Iterator[Inherited]:
        definition = self.program.definitions(target.module)[target.name][-1]
        yield from private_bases(self.program, target.module, definition, self._is_folded)

    def _is_folded(self, target: Target, where: str, chain: str) -> bool:
        """Whether a base's members are shown in the classes below it: not if they are fields, which have an order."""
        definition = self.program.definitions(target.module)[target.name][-1]
        private = self._is_private(target, where, chain)
        return private and not self.ancestry.has_fields(target.module, definition)

    def _is_private(self, target: Target, where: str, chain: str) -> bool:
        if self.program.is_own(target.module):
            return target not in self.names.homes
        # Of another package's class it counts under which name it is used, not where it is written.
        first, _, rest = chain.partition(".")
        imported = self.program.imports(where).get(first)
        written = f"{imported[0].module}.{imported[0].attribute or ''}" if imported else first
        return any(part.startswith("_") for part in f"{written}.{rest}".split("."))

    def _need(self, sheet: _Sheet, mention: Mention, folded: set[Target]) -> None:
        first, dot, rest = mention.chain.partition(".")
        old = self.written.get((sheet.imports.module, mention.origin), {}).get(first)
        spelling = None
        if old is not None:
            mention, first, spelling = replace(mention, chain=f"{old}{dot}{rest}"), old, first
        target = self.program.resolve(mention.origin, first)
        if target is None:
            return
        if target.kind == "module":
            self._need_inside(mention, folded)
        elif target.kind == "definition":
            self._need_definition(mention, target, rest, folded)
        if not self._need_any(sheet, mention, target, spelling):
            sheet.imports.need(mention, target, spelling)

    def _need_any(self, sheet: _Sheet, mention: Mention, target: Target, spelling: str | None = None) -> bool:
        """Show a name under the conditions that decide what it means; whether there are any."""
        origin, name = mention.origin, mention.chain.partition(".")[0]
        defined = target.kind == "definition" and target.module == origin
        imports = () if defined else self.program.variants(origin, name)
        if not imports and (imports := tuple(self._conditional(sheet, name, target))):
            origin = target.module
        if imports and not sheet.imports.is_exported(name, target):
            sheet.imports.need_variants(origin, spelling or name, imports)
            self._need_targets(sheet, origin, name, imports)
        return bool(imports)

    def _conditional(self, sheet: _Sheet, name: str, target: Target) -> Iterator[Import]:
        """The import of a definition that is there under some conditions only."""
        if target.kind != "definition" or self._place(target).module == sheet.imports.module:
            return
        definitions = self.program.definitions(target.module)[target.name]
        others = len(definitions) > 1 or target.name in self.program.imports(target.module)
        tests = [each for each in definitions[0].conditions if not for_type_checkers((each,))]
        if not others and tests and all(each.startswith("if ") for each in tests):
            yield Import(name, target.module, target.name, conditions=tuple(tests))

    def _need_variants(self, module: str, name: str, shown: str | None = None) -> None:
        """What the imports mention that will be shown for a name, there or in another module."""
        if imports := self.program.variants(module, name):
            self._need_targets(self._sheet(shown or module), module, name, imports)

    def _need_targets(self, sheet: _Sheet, origin: str, name: str, imports: Iterable[Import]) -> None:
        key = sheet.imports.module, origin, name
        if key in self._seen:
            return
        self._seen.add(key)
        for each in imports:
            target = self.program.imported(origin, each)
            if target is not None and target.kind == "definition":
                self._carry(target, True)
            for condition in each.conditions:
                for chain in mentioned(condition, strings=False):
                    self._need(sheet, Mention(origin, chain, False), set())

    def _need_inside(self, mention: Mention, folded: set[Target]) -> None:
        """``module.name``: the module must have the name, wherever the name is shown."""
        parts = mention.chain.split(".")
        for count in range(1, len(parts)):
            owner = self.program.resolve_chain(mention.origin, ".".join(parts[:count]))
            inner = self.program.resolve_chain(mention.origin, ".".join(parts[: count + 1]))
            if owner is None or owner.kind != "module" or inner is None:
                return
            if inner.kind == "definition":
                self._need_definition(mention, inner, ".".join(parts[count + 1 :]), folded)
            is_submodule = inner.kind == "module" and inner.module == f"{owner.module}.{parts[count]}"
            if self.program.is_own(owner.module) and not is_submodule:
                sheet = self._sheet(owner.module)
                if not self._need_any(sheet, Mention(owner.module, parts[count], mention.whole), inner):
                    sheet.imports.offer(parts[count], inner)
                sheet.imports.offered.add(parts[count])
            if inner.kind != "module":
                return

    def _need_definition(self, mention: Mention, target: Target, rest: str, folded: set[Target]) -> None:
        """A definition that is mentioned, or of which an attribute is: then that must be there."""
        definitions = self.program.definitions(target.module)[target.name]
        makes = mention.decorates and definitions[-1].kind == "class"
        self._carry(target, bool(rest) or makes or (mention.whole and target not in folded))
        self._need_member(target, rest)

    def _need_member(self, target: Target, rest: str) -> None:
        """``Class._name``: a private member that something reaches through its class."""
        name = rest.partition(".")[0]
        if not _is_inner(name) or not self.program.is_own(target.module):
            return
        known = self.inner.setdefault(target, set())
        if name not in known:
            known.add(name)
            self.queue.append(target)

    def _carry(self, target: Target, whole: bool) -> None:
        """Show a private definition of the package where it is defined, marked."""
        if target in self.names.homes or not self.program.is_own(target.module):
            return
        whole = whole or any(map(is_structural, self.program.definitions(target.module)[target.name]))
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
            self.more.extend(sheet.imports.clashes(source.path, (each.name for each in own)))
            imports = sheet.imports.declarations()
            doc = self.program.facts(name).doc
            listed, is_complete = self.program.all_names(name) or ((), True)
            exports = listed if is_complete else ()
            yield Module(name, NAME, source.path, doc, (*imports, *own, *aliases), exports)

    def _variants(self, module: str, sheet: _Sheet) -> Iterator[Declaration]:
        """Imports that stand for a shown name under some condition."""
        exports = self.names.exports.get(module, {})
        carried = {target.name: None for target in self.carried if target.module == module}
        path = self.program.own.modules[module].path
        here = {**dict.fromkeys(exports), **carried}
        for name in here:
            export = exports.get(name)
            home = self.names.homes.get(export.target) if export and export.target else None
            if home == Place(module, name) and name not in self.program.definitions(module):
                continue  # the definition is shown here, under the import's conditions
            for each in self.program.variants(module, name):
                yield self._variant(sheet, module, each, "public" if name in exports else "carried")
        for name, (origin, imports) in sheet.imports.variants.items():
            if name in here and origin == module:
                continue
            for each in imports:
                offered = name in sheet.imports.offered
                alias = sheet.imports.conditional_alias(origin, each, explicit=offered)
                alias = replace(alias, id=sheet.declarer.id(name), visibility="carried")
                yield replace(alias, path=path, line=each.line) if origin == module else alias

    def _variant(self, sheet: _Sheet, origin: str, each: Import, visibility: Visibility) -> Declaration:
        """An import of the module that it is written in, as one that others get the name by."""
        alias = sheet.imports.conditional_alias(origin, each, explicit=True)
        path = self.program.own.modules[origin].path
        alias = replace(alias, id=sheet.declarer.id(each.name), visibility=visibility)
        return replace(alias, path=path, line=each.line, end_line=each.line)

    def _aliases(self, module: str, sheet: _Sheet) -> Iterator[Declaration]:
        for export in self.names.exports.get(module, {}).values():
            place = self.names.homes.get(export.target) if export.target is not None else None
            if place == Place(module, export.name) or self.program.variants(module, export.name):
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


def _is_inner(name: str) -> bool:
    """Whether a member is for its class's own use by its name."""
    return name.startswith("_") and not name.endswith("__")
