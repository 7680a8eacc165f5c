"""Which files a name comes from through ``export *``: looked up once for each file, circles included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from ifacegen_adapters.typescript.spaces import Space, Star


class Provider(NamedTuple):
    """A module that exports a name by itself."""

    space: Space
    #: Some star on the way gives types only.
    is_type: bool


Table: TypeAlias = Mapping[str, tuple[Provider, ...]]


class Stars:
    """Tables of what modules export, with all that their stars bring."""

    def __init__(self, target: Callable[[Star], Space | None]) -> None:
        """``target``: the module of the package that a star names."""
        self._target = target
        self._tables: dict[Space, Table] = {}

    def table(self, space: Space) -> Table:
        """Name → the modules that it may come from: one, or several that differ."""
        if space not in self._tables:
            for circle in _components(space, self._edges, self._tables):
                self._settle(circle)
        return self._tables[space]

    def _edges(self, space: Space) -> list[Space]:
        return [target for star in space.stars if (target := self._target(star)) is not None]

    def _settle(self, circle: list[Space]) -> None:
        """Tables of modules that export all of one another; mostly it is one that does not."""
        for space in circle:
            self._tables[space] = self._merged(space)
        is_changed = len(circle) > 1
        while is_changed:
            is_changed = False
            for space in circle:
                table = self._merged(space)
                is_changed = is_changed or _size(table) != _size(self._tables[space])
                self._tables[space] = table

    def _merged(self, space: Space) -> Table:
        found: dict[str, tuple[Provider, ...]] = {}
        for star in space.stars:
            target = self._target(star)
            if target is None:
                continue
            for name, providers in self._tables.get(target, {}).items():
                if name not in space.exports:
                    found[name] = _joined(found.get(name, ()), providers, is_type=star.export.is_type)
        own = (Provider(space, False),)
        found.update((name, own) for name in space.exports if name not in ("default", "="))
        return found


def _joined(
    known: tuple[Provider, ...], more: tuple[Provider, ...], *, is_type: bool
) -> tuple[Provider, ...]:
    added = [Provider(each.space, each.is_type or is_type) for each in more]
    if not known:
        return tuple(added)
    types = {each.space: each.is_type for each in known}
    for each in added:
        types[each.space] = types.get(each.space, True) and each.is_type
    return tuple(Provider(space, only) for space, only in types.items())


def _size(table: Table) -> tuple[int, int, int]:
    providers = [each for found in table.values() for each in found]
    return len(table), len(providers), sum(each.is_type for each in providers)


def _components(
    start: Space, edges: Callable[[Space], list[Space]], done: Mapping[Space, object]
) -> Iterator[list[Space]]:
    """Modules that lead to one another, those first that lead to none of the others (Tarjan's algorithm)."""
    number: dict[Space, int] = {start: 0}
    lowest: dict[Space, int] = {start: 0}
    open_: list[Space] = [start]
    is_open = {start}
    stack = [(start, iter(edges(start)))]
    while stack:
        space, rest = stack[-1]
        following = next(rest, None)
        if following is None:
            stack.pop()
            if stack:
                parent = stack[-1][0]
                lowest[parent] = min(lowest[parent], lowest[space])
            if lowest[space] == number[space]:
                at = _last(open_, space)
                circle = open_[at:]
                del open_[at:]
                is_open.difference_update(circle)
                yield circle
        elif following in is_open:
            lowest[space] = min(lowest[space], number[following])
        elif following not in number and following not in done:
            number[following] = lowest[following] = len(number)
            open_.append(following)
            is_open.add(following)
            stack.append((following, iter(edges(following))))


def _last(open_: list[Space], space: Space) -> int:
    at = len(open_) - 1
    while open_[at] is not space:
        at -= 1
    return at
