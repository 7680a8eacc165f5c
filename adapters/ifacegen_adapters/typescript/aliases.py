"""What a module exports without declaring it: second names, and names that live elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ifacegen_adapters.typescript.origins import External, Found, Link, Whole
from ifacegen_adapters.typescript.shelves import Places, Shelf
from ifacegen_adapters.typescript.spaces import Group
from ifacegen_adapters.typescript.spelling import Spelled, Spelling, gives


class Alias(NamedTuple):
    """One exported name that is no declaration of the module."""

    name: str
    signature: str
    #: Id of the declaration, or ``module:name``.
    origin: str
    #: Where it comes from: what aliases are sorted by.
    module: str


class Aliases:
    """The aliases of one module: what they name is noted first, and written when all names are given."""

    def __init__(self, shelf: Shelf, places: Places, spelling: Spelling) -> None:
        """Note what statements will mention."""
        self._shelf = shelf
        self._places = places
        self._spelling = spelling
        self._spelled: dict[tuple[str, Link], Spelled] = {}
        self._stars = _stars(shelf, places)
        starred = {name for star in self._stars for name in star.exports if name != "default"}
        self._names = [name for name in shelf.exports if name not in starred]
        for name in self._names:
            for link in shelf.exports[name]:
                if _is_spelled(name, link, shelf, places):
                    called = link.found.path[-1] if link.found.path else name
                    noted = spelling.note_found(link.found, self._called(link.found, called), is_type=False)
                    self._spelled[name, link] = noted

    def write(self, locals_: Mapping[Shelf, Mapping[Group, str]]) -> Iterator[Alias]:
        """The aliases, sorted by where they come from; ``locals_`` has what declarations are called."""
        found: list[Alias] = []
        for name in self._names:
            for link in self._shelf.exports[name]:
                made = self._alias(name, link, locals_)
                if made is not None and made not in found[-1:]:
                    found.append(made)
        ours = self._shelf.name
        yield from sorted(found, key=lambda each: ("" if each.module == ours else each.module, each.name))
        for star in self._stars:
            yield Alias("*", f'export * from "{star.name}"', f"{star.name}:*", star.name)
        covered = {module for star in self._stars for module in star.outside}
        for module in self._shelf.outside:
            if module not in covered:
                yield Alias("*", f'export * from "{module}"', f"{module}:*", module)
        for each in self._shelf.space.umd:
            yield Alias(each.name, f"export as namespace {each.name}", f"{ours}:*", ours)

    def _alias(self, name: str, link: Link, locals_: Mapping[Shelf, Mapping[Group, str]]) -> Alias | None:
        origin = link.found.origin
        if (name, link) in self._spelled:
            return self._statement(name, link, self._spelling.written(self._spelled[name, link]))
        if isinstance(origin, Whole):
            target = self._places.of_space[origin.space].name
            return Alias(name, f'export * as {name} from "{target}"', f"{target}:*", target)
        if isinstance(origin, External):
            return _outer(name, origin, is_type=link.is_type)
        return self._of_group(name, origin, link, locals_)

    def _of_group(
        self, name: str, origin: Group, link: Link, locals_: Mapping[Shelf, Mapping[Group, str]]
    ) -> Alias | None:
        home = self._places.homes[origin]
        local = locals_[home.shelf][origin]
        id_ = ".".join((f"{home.shelf.name}:{local}", *link.found.path))
        if link.found.path:
            return _from(name, link.found.path[0], home.shelf.name, id_, link.is_type)
        is_type = link.is_type and "value" in origin.meanings
        if home.shelf is not self._shelf and home.name == "=":
            return _required(name, home.shelf.name)
        if home.shelf is not self._shelf:
            return _from(name, home.name, home.shelf.name, id_, is_type)
        if name == home.name and not home.is_type and name in ("default", local):
            return None
        if name == "=":
            return Alias("=", f"export = {local}", id_, self._shelf.name)
        item = local if local == name else f"{local} as {name}"
        only = "type " if is_type else ""
        return Alias(name, f"export {only}{{ {item} }}", id_, self._shelf.name)

    def _called(self, found: Found, name: str) -> str:
        """What something is called where a statement names it: as it is imported, if it is."""
        origin = found.origin
        if isinstance(origin, External):
            for unit in self._shelf.space.units:
                for each in unit.statements:
                    if (each.module, each.name) == origin and each.local:
                        return each.local
        if isinstance(origin, Group):
            return origin.name
        if isinstance(origin, External) and origin.name not in ("*", "=", "default"):
            return origin.name
        module = origin.module if isinstance(origin, External) else origin.space.key
        plain = module.rpartition("/")[2].partition(".")[0]
        return plain if plain.isidentifier() else name if name.isidentifier() else "imported"

    def _statement(self, name: str, link: Link, spelled: str) -> Alias:
        origin = link.found.origin
        module = origin.module if isinstance(origin, External) else self._shelf.name
        id_ = f"{module}:{spelled}"
        if name == "=":
            return Alias(name, f"export = {spelled}", id_, module)
        if name == "default":
            return Alias(name, f"export default {spelled}", id_, module)
        if not link.found.path:
            item = spelled if spelled == name else f"{spelled} as {name}"
            only = "type " if link.is_type else ""
            return Alias(name, f"export {only}{{ {item} }}", id_, module)
        return Alias(name, f"export import {name} = {spelled}", id_, module)


def is_aliased(group: Group, shelf: Shelf, places: Places, local: str) -> bool:
    """Whether a declaration is exported by an alias only, not by what stands before it."""
    home = places.homes[group]
    return home.name not in ("", "default", "=") and (local != home.name or home.is_type)


def _is_spelled(name: str, link: Link, shelf: Shelf, places: Places) -> bool:
    """Whether an alias names what it exports by a name of the module."""
    origin, path = link.found
    if path:
        return name == "=" or not _is_member(link.found, shelf, places)
    if isinstance(origin, External):
        return not origin.module or name == "=" or (origin.name == "=" and name == "default")
    if isinstance(origin, Whole):
        return name == "="
    home = places.homes[origin]
    return home.shelf is not shelf and (name == "=" or home.shelf.kind == "global")


def _is_member(found: Found, shelf: Shelf, places: Places) -> bool:
    """Whether a name is one that another module has by ``export =``."""
    if not isinstance(found.origin, Group) or len(found.path) != 1 or found.origin not in places.homes:
        return False
    home = places.homes[found.origin]
    return home.shelf is not shelf and home.name == "=" and gives(found.origin, found.path[0])


def _outer(name: str, origin: External, *, is_type: bool) -> Alias:
    """A name of another package."""
    module = origin.module
    if origin.name == "*":
        return Alias(name, f'export * as {name} from "{module}"', f"{module}:*", module)
    if origin.name == "=":
        return _required(name, module)
    return _from(name, origin.name, module, f"{module}:{origin.name}", is_type)


def _required(name: str, module: str) -> Alias:
    return Alias(name, f'export import {name} = require("{module}")', f"{module}:=", module)


def _from(name: str, theirs: str, module: str, origin: str, is_type: bool) -> Alias:
    item = theirs if theirs == name else f"{theirs} as {name}"
    return Alias(name, f'export {"type " if is_type else ""}{{ {item} }} from "{module}"', origin, module)


def _stars(shelf: Shelf, places: Places) -> list[Shelf]:
    """Other modules of which this one exports all that they do: one line for each stands for all their names."""
    candidates = dict.fromkeys(_written(shelf, places))
    for links in shelf.exports.values():
        for link in links:
            home = places.homes.get(link.found.origin) if isinstance(link.found.origin, Group) else None
            if home is not None and home.shelf is not shelf and home.shelf.kind != "private":
                candidates.setdefault(home.shelf)
    found: list[Shelf] = []
    covered: set[str] = set()
    for each in candidates:
        names = each.exports.keys() - {"default"}
        if not names <= covered and _contains(shelf, each, places):
            found.append(each)
            covered |= names
    return found


def _written(shelf: Shelf, places: Places) -> Iterator[Shelf]:
    """Modules that the source itself exports all of; only those before it, so that no two export each other."""
    for space in shelf.starred:
        other = places.of_space.get(space)
        if other is not None and other.number < shelf.number:
            yield other


def _contains(shelf: Shelf, other: Shelf, places: Places) -> bool:
    if "=" in other.exports or not set(other.outside) <= set(shelf.outside):
        return False
    names = [name for name in other.exports if name != "default"]
    return len(names) >= _LEAST and all(
        shelf.exports.get(name) == other.exports[name] and not _lives_in(shelf, other.exports[name], places)
        for name in names
    )


def _lives_in(shelf: Shelf, links: tuple[Link, ...], places: Places) -> bool:
    """Whether a module declares some of what a name means."""
    origins = (link.found.origin for link in links if not link.found.path)
    return any(isinstance(each, Group) and places.homes[each].shelf is shelf for each in origins)


#: Fewer names are shown as what they are.
_LEAST = 2
