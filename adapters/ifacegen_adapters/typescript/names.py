"""From a name, as an export or inside a text, to what it is: through imports, re-exports and stars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ifacegen_adapters.typescript.facts import Import, Meaning, Ref
from ifacegen_adapters.typescript.origins import External, Found, Link, Whole
from ifacegen_adapters.typescript.program import Program
from ifacegen_adapters.typescript.spaces import Binding, Group, Part, Space, Star, Unit
from ifacegen_adapters.typescript.stars import Stars


@dataclass(frozen=True, slots=True)
class _Export:
    """To do: find what a module exports under a name."""

    space: Space
    name: str
    path: tuple[str, ...]
    is_type: bool


@dataclass(frozen=True, slots=True)
class _Local:
    """To do: find what a name means in a unit."""

    unit: Unit
    name: str
    meaning: Meaning | None
    path: tuple[str, ...]
    is_type: bool
    #: A statement names it, which must not name a global one without saying so.
    is_exported: bool = True


_Task: TypeAlias = "_Export | _Local"


class Names:
    """Resolves names of one program; every answer is remembered."""

    def __init__(self, program: Program) -> None:
        """Nothing is resolved before it is asked for."""
        self._program = program
        self._stars = Stars(self._own_star)
        self._links: dict[tuple[Space, str], tuple[Link, ...]] = {}
        self._listed: dict[Space, tuple[dict[str, None], tuple[str, ...]]] = {}
        self._refs: dict[tuple[Unit, Ref], Found | None] = {}
        for body in program.additions:
            self._add(body)
        if program.additions:  # what was found on the way may be less than there is now
            self._links.clear()
            self._listed.clear()
            self._stars = Stars(self._own_star)
        #: (module, name) that two stars give different meanings: nobody can import it.
        self.ambiguous: dict[tuple[Space, str], None] = {}

    def _add(self, body: Unit) -> None:
        """What a ``declare module`` adds to a module of the package: to what it exports, or a name of its own."""
        space = body.augments
        if space is None:
            return
        if "=" in space.exports:
            self._add_to_assigned(body, space)
            return
        declared = list(body.space.groups.values())
        body.space = Space("file", space.key, body.path)
        for group in declared:
            links = self.links(space, group.name)
            known = next((link.found.origin for link in links if not link.found.path), None)
            if isinstance(known, Group):
                known.parts += group.parts
                continue
            added = Group(space, group.name, group.parts)  # a local of that name is another thing
            space.groups.setdefault(group.name, added)
            space.export(group.name, Binding(body, added), group.parts[0].fact.line)

    def _add_to_assigned(self, body: Unit, space: Space) -> None:
        """What is added to a module with ``export =`` is added to the namespace of what that names."""
        for link in self.links(space, "="):
            group = link.found.origin
            if (
                isinstance(group, Group)
                and not link.found.path
                and body.fact is not None
                and body.parent is not None
            ):
                header = (f"namespace {group.name}",)
                fact = replace(body.fact, kind="namespace", name=group.name, header=header)
                group.parts.append(Part(fact, body.parent))
                group.body = None

    # -- what modules export ---------------------------------------------------------------------------

    def listed(self, space: Space) -> Sequence[str]:
        """The names that a module exports, in the order of its source; of stars, in that of their files."""
        return tuple(self._list(space)[0])

    def outside(self, space: Space) -> Sequence[str]:
        """Modules of other packages that a module exports all of."""
        return self._list(space)[1]

    def _own_star(self, star: Star) -> Space | None:
        target = self._star(star.export.module, star.unit, star.export.line)
        return target if isinstance(target, Space) else None

    def starred(self, space: Space) -> Iterator[Space]:
        """Modules of the package that the source of another exports all of."""
        for star in space.stars:
            target = self._star(star.export.module, star.unit, star.export.line)
            if isinstance(target, Space) and not star.export.is_type:
                yield target

    def _list(self, space: Space) -> tuple[dict[str, None], tuple[str, ...]]:
        if space in self._listed:
            return self._listed[space]
        names: dict[str, None] = {}
        outside: dict[str, None] = {}
        seen = {space}
        stack = [(space.sequence(), True)]
        while stack:
            rest, is_own = stack[-1]
            entry = next(rest, None)
            if entry is None:
                stack.pop()
                continue
            name, star = entry
            if star is None:
                if (is_own or name != "default") and name != "=":
                    names.setdefault(name)
                continue
            target = self._star(star.export.module, star.unit, star.export.line)
            if isinstance(target, External):
                outside.setdefault(target.module)
            elif target is not None and target not in seen:
                seen.add(target)
                stack.append((target.sequence(), False))
        self._listed[space] = names, tuple(outside)
        return self._listed[space]

    def _star(self, module: str, unit: Unit, line: int) -> Space | External | None:
        found = self._program.found(module, unit.path, line)
        if found is None:
            return None
        return found.origin.space if isinstance(found.origin, Whole) else _external(found)

    def links(self, space: Space, name: str) -> tuple[Link, ...]:
        """What importers of a name get: nothing, one thing, or a type and a value that have one name."""
        key = space, name
        if key not in self._links:
            self._links[key] = ()  # whoever asks while it is looked for is in a circle
            self._links[key] = self._search(space, name)
        return self._links[key]

    def _search(self, space: Space, name: str) -> tuple[Link, ...]:
        found = self._run([_Export(space, name, (), False)])
        if len(found) < 2 or len(space.exports.get(name, ())) > 1:
            return tuple(found)
        taken: set[str] = set()
        for link in found:
            if taken & link.found.meanings:
                self.ambiguous[space, name] = None
                return ()
            taken |= link.found.meanings
        return tuple(found)

    def has(self, space: Space, name: str) -> bool:
        """Whether a module exports a name, wherever that then leads."""
        if name in space.exports or "=" in space.exports:
            return True
        return name != "default" and (name in self._stars.table(space) or bool(self.outside(space)))

    def is_internal(self, space: Space, name: str) -> bool:
        """Whether the statements that export a name tag it as internal."""
        if name in space.exports:
            return is_internal(space.docs.get(name, ""))
        providers = self._stars.table(space).get(name, ())
        return bool(providers) and all(is_internal(each.space.docs.get(name, "")) for each in providers)

    def is_known(self, unit: Unit, name: str) -> bool:
        """Whether a file has something of a name: declared, imported or global."""
        return (
            name in unit.space.groups
            or name in unit.imports
            or name in self._program.globals.groups
            or name in self._program.global_names
        )

    # -- what texts mention ------------------------------------------------------------------------------

    def resolve(self, unit: Unit, ref: Ref) -> Found | None:
        """What a mention means; None for what is global, or nothing. Names of inner scopes are groups there."""
        key = unit, ref
        if key not in self._refs:
            self._refs[key] = self._resolve(unit, ref)
        return self._refs[key]

    def _resolve(self, unit: Unit, ref: Ref) -> Found | None:
        if ref.module:
            found = self._program.found(ref.module, unit.path)
            return None if found is None else Found(found.origin, ref.path)
        first = _first_meaning(ref)
        found_all = self._run([_Local(unit, ref.name, first, ref.path, False, False)])
        return best(found_all, first)

    def enter(self, found: Found, meaning: Meaning) -> Found | None:
        """One step into a module: ``ns.Foo`` → ``Foo`` where it is; None where nothing is."""
        if not isinstance(found.origin, Whole) or not found.path:
            return None
        links = self.links(found.origin.space, found.path[0])
        inner = best(links, "namespace" if len(found.path) > 1 and meaning == "type" else meaning)
        return Found(inner.origin, (*inner.path, *found.path[1:])) if inner is not None else None

    # -- the search -----------------------------------------------------------------------------------------

    def _run(self, tasks: list[_Task]) -> list[Link]:
        """Follow every chain to its ends."""
        found: dict[Found, bool] = {}
        seen: set[_Task] = set()
        while tasks:
            task = tasks.pop()
            if task in seen or len(seen) > _MOST:
                continue
            seen.add(task)
            steps = self._export(task) if isinstance(task, _Export) else self._local(task)
            following: list[_Task] = []
            for each in steps:
                if isinstance(each, Link):
                    found[each.found] = found.get(each.found, True) and each.is_type
                else:
                    following.append(each)
            tasks += reversed(following)
        return [Link(each, is_type) for each, is_type in found.items()]

    def _export(self, task: _Export) -> Iterator[_Task | Link]:
        space, name = task.space, task.name
        bindings = space.exports.get(name, ())
        for binding in bindings:
            yield from self._bound(binding, task)
        if bindings:
            return
        if "=" in space.exports:
            path = task.path if name == "default" else (name, *task.path)
            yield _Export(space, "=", path, task.is_type)
        elif name != "default":
            yield from self._starred(task)

    def _starred(self, task: _Export) -> Iterator[_Task | Link]:
        if not task.space.stars:
            return
        providers = self._stars.table(task.space).get(task.name, ())
        for each in providers:
            yield _Export(each.space, task.name, task.path, task.is_type or each.is_type)
        outside = self._list(task.space)[1] if not providers else ()
        if outside:  # nobody can tell whether it is there; who imports it says that it is
            yield Link(Found(External(outside[0], task.name), task.path), task.is_type)

    def _bound(self, binding: Binding, task: _Export) -> Iterator[_Task | Link]:
        unit, export = binding.unit, binding.export
        if binding.group is not None:
            yield Link(Found(binding.group, task.path), task.is_type)
        elif binding.imported is not None:
            yield from self._imported(unit, binding.imported, task.path, task.is_type)
        elif export is not None:
            is_type = task.is_type or export.is_type
            if export.module:
                imported = Import(export.module, export.local, export.name, line=export.line)
                yield from self._imported(unit, imported, task.path, is_type)
            else:
                first, *rest = export.local.split(".")
                path = (*rest, *task.path)
                yield _Local(unit, first, "namespace" if rest else None, path, is_type)

    def _imported(
        self, unit: Unit, imported: Import, path: tuple[str, ...], is_type: bool
    ) -> Iterator[_Task | Link]:
        is_type = is_type or imported.is_type
        if not imported.module:
            first, *rest = imported.name.split(".")
            yield _Local(unit, first, "namespace" if rest else None, (*rest, *path), is_type)
            return
        found = self._program.found(imported.module, unit.path, imported.line)
        if found is None:
            return
        if not isinstance(found.origin, Whole):
            yield Link(Found(External(_external(found).module, imported.name), path), is_type)
            return
        space = found.origin.space
        if imported.name in ("*", "="):
            if "=" in space.exports:
                yield _Export(space, "=", path, is_type)
            else:
                yield Link(Found(found.origin, path), is_type)
        else:
            yield _Export(space, imported.name, path, is_type)

    def _local(self, task: _Local) -> Iterator[_Task | Link]:
        unit: Unit | None = task.unit
        while unit is not None:
            found = list(self._in_unit(unit, task))
            if found:
                yield from found
                return
            unit = unit.parent
        found = list(self._declared(self._program.globals, task))
        if not found and task.is_exported and task.name in self._program.global_names:
            found = [Link(Found(External("", task.name), task.path), task.is_type)]
        yield from found

    def _in_unit(self, unit: Unit, task: _Local) -> Iterator[_Task | Link]:
        declared = list(self._declared(unit.space, task))
        yield from declared
        if declared and task.meaning is not None:
            return
        if unit.augments is not None and not declared and task.name in self._list(unit.augments)[0]:
            yield _Export(unit.augments, task.name, task.path, task.is_type)
        for imported in unit.imports.get(task.name, ()):
            if imported.module or unit.space.kind != "inner":
                yield from self._imported(unit, imported, task.path, task.is_type)
            else:  # `import A = B.C` inside a namespace is printed there
                yield Link(Found(_alias(unit.space, imported), task.path), task.is_type)

    def _declared(self, space: Space, task: _Local) -> Iterator[Link]:
        for groups in (space.groups, space.own):
            group = groups.get(task.name)
            if group is not None and (task.meaning is None or task.meaning in group.meanings):
                yield Link(Found(group, task.path), task.is_type)


def is_internal(doc: str) -> bool:
    """Whether a documentation says that nobody outside is to use something."""
    return _INTERNAL.search(doc) is not None


_INTERNAL = re.compile(r"(?<![\w{])@internal\b")
#: Chains of re-exports that are longer lead nowhere.
_MOST = 100_000


def _alias(space: Space, imported: Import) -> Group:
    """A name that a namespace gives to something else: one of its own."""
    return space.groups.setdefault(imported.local, Group(space, imported.local, []))


def _external(found: Found) -> External:
    if not isinstance(found.origin, External):
        raise TypeError(found)
    return found.origin


def _first_meaning(ref: Ref) -> Meaning:
    """What the first name of a mention must be."""
    return "namespace" if ref.path and ref.meaning == "type" else ref.meaning


def best(links: Sequence[Link], meaning: Meaning) -> Found | None:
    """Of what a name means, what it means here."""
    for link in links:
        if meaning in link.found.meanings:
            return link.found
    return links[0].found if links else None
