"""The finished modules of a view: names given everywhere first, then everything declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.aliases import Aliases, is_aliased
from ifacegen_adapters.typescript.chosen import Chosen
from ifacegen_adapters.typescript.declare import Declarer, Ids, Shown
from ifacegen_adapters.typescript.facts import Text
from ifacegen_adapters.typescript.names import Names
from ifacegen_adapters.typescript.program import Block, Program
from ifacegen_adapters.typescript.shelves import Places, Shelf
from ifacegen_adapters.typescript.spaces import Group
from ifacegen_adapters.typescript.spelling import Spelling, bound_names
from ifacegen_adapters.typescript.texts import mentions, mentions_of_block, shown_facts


class Modules:
    """Makes the modules."""

    def __init__(self, program: Program, names: Names, places: Places, chosen: Chosen) -> None:
        """Give all names."""
        self._program = program
        self._places = places
        self._names = names
        self._chosen = chosen
        self._spellings = {shelf: Spelling(shelf, places, names) for shelf in places.shelves}
        self._aliases: dict[Shelf, Aliases] = {}
        for shelf, spelling in self._spellings.items():
            for group in (*shelf.groups, *shelf.carried):
                spelling.note(mentions(group), group, bound_names(_texts(group)))
            for block in shelf.blocks:
                spelling.note(mentions_of_block(block.body), None, frozenset())
            self._aliases[shelf] = Aliases(shelf, places, spelling)
            spelling.settle()
        self._locals: Mapping[Shelf, Mapping[Group, str]] = {
            shelf: {entity: name for entity, name in spelling.local.items() if isinstance(entity, Group)}
            for shelf, spelling in self._spellings.items()
        }
        self._inferred = frozenset(path for path, file in program.files.items() if file.facts.is_inferred)
        self._paths = self._import_paths()

    def _import_paths(self) -> Mapping[Group, tuple[str, ...]]:
        """Every way to import a declaration; through namespaces, too."""
        found: dict[Group, dict[str, None]] = {}
        entries = [shelf.name for shelf in self._places.shelves if shelf.kind == "entry"]
        for shelf in self._places.shelves:
            if shelf.kind == "private":
                continue
            inside = _within(shelf, entries)
            for name, links in shelf.exports.items():
                for link in links:
                    if isinstance(link.found.origin, Group) and not link.found.path:
                        found.setdefault(link.found.origin, {})[f"{inside}{name}"] = None
        for group, name in self._places.offered.items():
            found.setdefault(group, {})[f"{self._places.homes[group].shelf.name}:{name}"] = None
        return {group: tuple(paths) for group, paths in found.items()}

    def all(self) -> Iterator[Module]:
        """The modules, in the order in which they are printed."""
        for shelf in self._places.shelves:
            declarations = tuple(self._declarations(shelf))
            if declarations or shelf.kind == "entry":
                file = self._program.files.get(shelf.path)
                doc = file.facts.doc if file is not None and shelf.kind != "global" else None
                yield Module(shelf.name, "typescript", shelf.path, doc, _marked(declarations, shelf))

    def _declarations(self, shelf: Shelf) -> Iterator[Declaration]:
        spelling = self._spellings[shelf]
        ids = Ids(shelf.name)
        declarer = Declarer(
            spelling, ids, self._inferred, lambda qualname: self._chosen.is_hidden(shelf.name, qualname)
        )
        # their own ids are given first: imports and aliases have no more right to a name than they
        declared = [
            each
            for group in (*shelf.groups, *shelf.carried)
            for each in declarer.group(group, self._shown(group, shelf, spelling))
        ]
        declared += (declarer.block(block, self._block_name(block)) for block in shelf.blocks)
        for name, text in sorted(shelf.statements, key=lambda each: not each[1].startswith("///")):
            yield declarer.statement("import", name, text)
        for module, _, signature in spelling.imports():
            yield declarer.statement("import", module, signature)
        yield from declared
        for alias in self._aliases[shelf].write(self._locals):
            doc = shelf.space.docs.get(alias.name)
            yield declarer.statement("alias", alias.name, alias.signature, alias.origin, doc)

    def _block_name(self, block: Block) -> str:
        """The module that a block adds to, as it is called here."""
        if block.target is None:
            return block.fact.name or "global"
        for name in block.body.space.groups:
            for link in self._names.links(block.target, name):
                if isinstance(link.found.origin, Group) and link.found.origin in self._places.homes:
                    return self._places.homes[link.found.origin].shelf.name
        shelf = self._places.of_space.get(block.target)
        return shelf.name if shelf is not None else block.fact.name

    def _shown(self, group: Group, shelf: Shelf, spelling: Spelling) -> Shown:
        local = self._locals[shelf][group]
        home = self._places.homes[group]
        is_carried = shelf.kind == "private" or not home.name
        export = home.name if home.name in ("default", "=") else ""
        if is_aliased(group, shelf, self._places, local):
            export = "alias"
        mentioned = (self._id(each) for each in spelling.mentioned.get(group, ()) if each is not group)
        if group in self._places.offered:
            is_carried, export = False, "="
        return Shown(
            local,
            "carried" if is_carried else "public",
            () if is_carried else self._paths.get(group, ()),
            export,
            tuple(sorted(set(mentioned))),
            shelf.kind == "private",
            "" if export == "alias" else shelf.space.docs.get(home.name, ""),
        )

    def _id(self, group: Group) -> str:
        home = self._places.homes[group]
        return f"{home.shelf.name}:{self._locals[home.shelf][group]}"


def _within(shelf: Shelf, entries: list[str]) -> str:
    """What stands before a name where it is imported: ``zod/v4/core.util:X`` is ``zod/v4/core:util.X`` to callers."""
    if shelf.kind == "namespace":
        owners = [each for each in entries if shelf.name.startswith(f"{each}.")]
        if owners:
            owner = max(owners, key=len)
            return f"{owner}:{shelf.name[len(owner) + 1 :]}."
    return f"{shelf.name}:"


def _marked(declarations: tuple[Declaration, ...], shelf: Shelf) -> tuple[Declaration, ...]:
    """The first declaration says what kind of module it is."""
    if not declarations or not shelf.format:
        return declarations
    first, *rest = declarations
    return (replace(first, extra={**first.extra, "format": shelf.format}), *rest)


def _texts(group: Group) -> Iterator[Text]:
    """The headers of a group's declarations, and of all that is in them."""
    for fact in shown_facts(group):
        yield fact.header
