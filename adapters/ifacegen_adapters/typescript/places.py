"""Where every name lives: the modules of a view, what stands in each, and what must be carried along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ifacegen_adapters.typescript.chosen import Chosen
from ifacegen_adapters.typescript.facts import Ref
from ifacegen_adapters.typescript.names import Names
from ifacegen_adapters.typescript.origins import External, Found, Link, Whole
from ifacegen_adapters.typescript.program import File, Program
from ifacegen_adapters.typescript.shelves import Home, Places, Shelf
from ifacegen_adapters.typescript.spaces import Group, Space, Unit
from ifacegen_adapters.typescript.texts import dotted, mentions, mentions_of_block


class Door(NamedTuple):
    """An entry point, as far as it matters here."""

    name: str
    path: str
    format: str


def place(
    program: Program, names: Names, doors: Sequence[Door], package: str, root: str, chosen: Chosen
) -> Places:
    """Find a place for whatever can be imported, and for what that mentions.

    Args:
        program: The files.
        names: Resolves their names.
        doors: The entry points, those first that names should rather live in.
        package: The package's published name.
        root: Its directory.
        chosen: What its owners say is public, or hidden.
    """
    placer = _Placer(program, names, package, root, chosen)
    placer.open(doors)
    placer.settle()
    placer.carry()
    return placer.places()


class _Placer:
    def __init__(self, program: Program, names: Names, package: str, root: str, chosen: Chosen) -> None:
        self._program = program
        self._names = names
        self._package = package
        self._root = root
        self._chosen = chosen
        self._shelves: list[Shelf] = []
        self._of_space: dict[Space, Shelf] = {}
        self._homes: dict[Group, Home] = {}
        #: Carried groups → the one module that needs them; None where several do.
        self._needed: dict[Group, Shelf | None] = {}
        self._private: dict[Space, Shelf] = {}
        self._nowhere: dict[tuple[Space, str], None] = {}
        self._internal: dict[str, None] = {}
        self._pending: list[tuple[Shelf | None, Group]] = []

    # -- the modules ---------------------------------------------------------------------------------

    def open(self, doors: Sequence[Door]) -> None:
        """Set up a module for each entry point, ambient module and exported namespace."""
        for door in doors:
            self._add(Shelf(door.name, "entry", door.path, self._program.space(door.path), door.format))
        for shelf in self._shelves:  # grows while it is walked
            self._fill(shelf)
            self._namespaces(shelf)
        for name in sorted(self._program.ambient, key=lambda each: (len(each), each)):
            space = self._program.ambient[name]
            shelf = Shelf(name, "ambient", space.path, space, "ambient")
            self._add(shelf)
            self._fill(shelf)
        if self._program.globals.groups or self._has_global_blocks():
            paths = [unit.path for unit in self._program.globals.units]
            shelf = Shelf(f"{self._package} (global)", "global", paths[0], self._program.globals, "global")
            shelf.exports = {
                name: (Link(Found(group)),)
                for name, group in self._program.globals.groups.items()
                if not group.is_internal
            }
            self._add(shelf)

    def _has_global_blocks(self) -> bool:
        return any(file.blocks for file in self._program.files.values() if not file.facts.is_module)

    def _add(self, shelf: Shelf) -> None:
        shelf.number = len(self._shelves)
        self._shelves.append(shelf)
        self._of_space.setdefault(shelf.space, shelf)

    def _fill(self, shelf: Shelf) -> None:
        names = list(self._names.listed(shelf.space))
        for name in (*names, *(["="] if "=" in shelf.space.exports else [])):
            links = tuple(
                link for link in self._names.links(shelf.space, name) if self._is_shown(shelf, name, link)
            )
            if links:
                shelf.exports[name] = links
            elif not self._names.links(shelf.space, name):
                self._nowhere[shelf.space, name] = None
        shelf.outside = tuple(self._names.outside(shelf.space))
        shelf.starred = tuple(self._names.starred(shelf.space))

    def _is_shown(self, shelf: Shelf, name: str, link: Link) -> bool:
        if self._chosen.is_hidden(shelf.name, name):
            return False
        origin = link.found.origin
        is_internal = isinstance(origin, Group) and origin.is_internal
        is_internal = is_internal or self._names.is_internal(shelf.space, name)
        if not is_internal or self._chosen.is_public(shelf.name, name):
            return True
        self._internal[name] = None
        return False

    def _namespaces(self, shelf: Shelf) -> None:
        """Files that a module exports as a namespace are modules, too; called as what they are first exported as."""
        for name in sorted(shelf.exports, key=lambda name: name in ("default", "=")):
            for link in shelf.exports[name]:
                space = _whole(link)
                if space is not None and space not in self._of_space:
                    self._add(Shelf(f"{shelf.name}.{name}", "namespace", space.path, space, shelf.format))

    # -- homes ------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Give everything that is exported a home, where it can be used as what it is if anywhere."""
        offers: dict[Group, list[tuple[Shelf, str, bool]]] = {}
        for shelf in self._shelves:
            for name, links in shelf.exports.items():
                for link in links:
                    group = link.found.origin
                    if isinstance(group, Group) and not link.found.path:
                        is_type = link.is_type and "value" in group.meanings
                        offers.setdefault(group, []).append((shelf, name, is_type))
        for group, found in offers.items():
            is_apart = group.space.kind in ("global", "ambient")  # the rest of its blocks lives there
            whole = self._of_space.get(group.space) if is_apart else None
            self._homes[group] = _home(group, [each for each in found if whole in (None, each[0])] or found)
        for shelf in self._shelves:
            own = dict.fromkeys(
                link.found.origin
                for links in shelf.exports.values()
                for link in links
                if isinstance(link.found.origin, Group) and not link.found.path
            )
            shelf.groups = [group for group in own if self._homes[group].shelf is shelf]
        self._settle_blocks()

    def _settle_blocks(self) -> None:
        """What files say of others goes to the first module that leads to them."""
        for file in self._program.files.values():
            if not self._shelves:
                return
            entry = self._shelves[min(file.entry, len(self._shelves) - 1)]
            for block in file.blocks:
                owner = self._of_space.get(block.body.parent.space) if block.body.parent else None
                is_ambient = owner is not None and owner.kind in ("ambient", "global")
                (owner if owner is not None and is_ambient else entry).blocks.append(block)
            known = dict(entry.statements)
            entry.statements += (
                (name, text) for name, text in _statements(self._program, file) if name not in known
            )

    # -- what is mentioned ---------------------------------------------------------------------------------

    def carry(self) -> None:
        """Find what is not exported, but mentioned, directly or not, by what is."""
        for shelf in self._shelves:
            for group in shelf.groups:
                self._look(shelf, mentions(group))
            for block in shelf.blocks:
                self._look(shelf, mentions_of_block(block.body))
            for links in shelf.exports.values():
                for link in links:
                    if link.found.path:
                        self._mention(shelf, link.found)
            self._drain()
        self._drain()
        for group, owner in self._needed.items():
            if owner is not None:
                owner.carried.append(group)
                self._homes[group] = Home(owner, "")
            else:
                private = self._private_shelf(group.space)
                private.groups.append(group)
                self._homes[group] = Home(private, group.name)

    def _drain(self) -> None:
        while self._pending:
            shelf, group = self._pending.pop()
            self._look(shelf, mentions(group))

    def _look(self, shelf: Shelf | None, found: Iterable[tuple[Ref, Unit]]) -> None:
        first = len(self._pending)
        for ref, unit in found:
            meant = self._names.resolve(unit, ref)
            if meant is not None:
                self._mention(shelf, meant, ref)
        self._pending[first:] = reversed(self._pending[first:])

    def _mention(self, shelf: Shelf | None, found: Found, ref: Ref | None = None) -> None:
        meaning = ref.meaning if ref is not None else "type"
        for _ in range(_MOST_STEPS):
            origin = found.origin
            if isinstance(origin, External):
                return
            if isinstance(origin, Group):
                self._need(shelf, origin)
                return
            if not found.path:
                self._need_whole(origin.space)
                return
            if self._is_whole(found):
                return
            following = self._names.enter(found, meaning)
            if following is None:
                return
            found = following

    def _is_whole(self, found: Found) -> bool:
        return Places((), {}, self._of_space).is_whole(found)

    def _need(self, shelf: Shelf | None, group: Group) -> None:
        if group in self._homes or group.space.kind == "inner":
            return
        if group.space.kind in ("ambient", "global"):
            shelf = self._of_space.get(group.space, shelf)
        if group not in self._needed:
            self._needed[group] = shelf
        elif self._needed[group] is None or self._needed[group] is shelf:
            return
        else:
            self._needed[group] = shelf = None
        self._pending.append((shelf, group))

    def _need_whole(self, space: Space) -> None:
        """A module is meant as a whole that is none of the view's yet: one for its file."""
        if space in self._of_space:
            return
        shelf = self._private_shelf(space)
        self._of_space[space] = shelf
        self._fill(shelf)
        for links in shelf.exports.values():
            for link in links:
                if isinstance(link.found.origin, Group):
                    self._need(None, link.found.origin)
                elif isinstance(link.found.origin, Whole):
                    self._need_whole(link.found.origin.space)

    def _private_shelf(self, space: Space) -> Shelf:
        if space not in self._private:
            taken = {shelf.name for shelf in (*self._shelves, *self._private.values())}
            name = plain = self._private_name(space.path)
            count = 0
            while name in taken:
                count += 1
                name = f"{plain}_{count}"
            self._private[space] = Shelf(name, "private", space.path, space)
        return self._private[space]

    def _private_name(self, path: str) -> str:
        relative = path.removeprefix(f"{self._root}/") if self._root not in ("", ".") else path
        folder, _, file = relative.rpartition("/")
        stem = file.partition(".d.")[0] if ".d." in file else file.rpartition(".")[0]
        return "/".join(each for each in (self._package, folder, stem) if each)

    def places(self) -> Places:
        """All there is."""
        private = sorted(self._private.values(), key=lambda each: each.name)
        formats = {shelf.format for shelf in self._shelves if shelf.kind == "entry"}
        for shelf in private:
            shelf.format = formats.pop() if len(formats) == 1 else "module"
            formats = {shelf.format}
        return Places(
            (*self._shelves, *private),
            self._homes,
            self._of_space,
            self._offered(),
            tuple(self._internal),
            tuple(self._nowhere),
        )

    def _offered(self) -> dict[Group, str]:
        """What the namespaces of ``export =`` export that is declared outside of them."""
        found: dict[Group, str] = {}
        for owner, home in self._homes.items():
            if home.name != "=":
                continue
            for body in owner.units().values():
                for export in body.exports:
                    if export.module or not export.local or export.kind == "umd":
                        continue
                    for ref in dotted(export.local):
                        meant = self._names.resolve(body, ref)
                        group = meant.origin if meant is not None and not meant.path else None
                        if isinstance(group, Group) and self._homes.get(group) == Home(home.shelf, ""):
                            found.setdefault(group, export.name)
        return found


#: Namespaces of namespaces that are longer lead nowhere.
_MOST_STEPS = 1000


def _statements(program: Program, file: File) -> Iterator[tuple[str, str]]:
    """What a file needs to be there: types of others, and modules that are imported for their effect."""
    for kind, value in file.facts.references:
        if kind in ("types", "lib"):
            yield value, f'/// <reference {kind}="{value}" />'
    for imported in file.facts.imports:
        if imported.module and not imported.name:
            target = program.target(imported.module, file.path)
            if isinstance(target, External):
                yield target.module, f'import "{target.module}"'


def _whole(link: Link) -> Space | None:
    """The file that an export gives as a namespace."""
    origin = link.found.origin
    is_file = isinstance(origin, Whole) and not link.found.path and origin.space.kind == "file"
    return origin.space if is_file and isinstance(origin, Whole) else None


def _home(group: Group, offers: Sequence[tuple[Shelf, str, bool]]) -> Home:
    """The first module that exports it as what it is; one that calls it otherwise gives way to one that does not."""
    is_named = group.name != "default" and any(name == group.name for _, name, _ in offers)

    def rank(offer: tuple[Shelf, str, bool]) -> tuple[bool, bool]:
        return offer[2], is_named and offer[1] not in (group.name, "default", "=")

    shelf, _, is_type = next((offer for offer in offers if offer[1] == "="), min(offers, key=rank))
    names = [name for each, name, only in offers if each is shelf and only == is_type]
    ranked = sorted(names, key=lambda name: (name == "default", name != group.name))
    return Home(shelf, "=" if "=" in names else ranked[0], is_type)
