"""How everything is called in one module of the view: local names, imports, and texts that use them.

A name that is moved into another module must mean there what it meant before: nothing that is declared or imported
may capture a global that some text means, nor may a type parameter of a text capture a name that is spelled anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ifacegen_adapters.typescript.facts import Doc, Meaning, Ref, Text
from ifacegen_adapters.typescript.names import Names
from ifacegen_adapters.typescript.origins import External, Found, Whole
from ifacegen_adapters.typescript.shelves import Places, Shelf
from ifacegen_adapters.typescript.spaces import EVERY_MEANING, Group, Unit


class Imported(NamedTuple):
    """A name of another module, of the view or outside; ``*``, ``=`` and ``default`` as in imports."""

    module: str
    name: str


Entity: TypeAlias = "Group | Imported"


class Spelled(NamedTuple):
    """How a mention is written: what it names, and the names behind that; None where the text is as it should be."""

    entity: Entity | None
    path: tuple[str, ...] = ()
    text: str = ""
    #: The declaration that is meant, wherever it lives.
    group: Group | None = None


class Spelling:
    """The names of one module: first everything that it mentions is noted, then names are given."""

    def __init__(self, shelf: Shelf, places: Places, names: Names) -> None:
        """Names are given by :meth:`settle`, when all has been noted."""
        self.shelf = shelf
        self._places = places
        self._names = names
        self._written: dict[tuple[Unit, Ref], Spelled] = {}
        #: What is imported → whether only as a type, and what it is called where it is used.
        self._imports: dict[Imported, tuple[bool, str]] = {}
        #: Global name → as what it is meant.
        self._globals: dict[str, set[Meaning]] = {}
        self._avoided: dict[Entity, set[str]] = {}
        #: What files call it that import it.
        self._called: dict[Entity, dict[str, None]] = {}
        self.local: dict[Entity, str] = {}
        #: What each declaration mentions.
        self.mentioned: dict[Group, dict[Group, None]] = {}

    # -- what is mentioned ----------------------------------------------------------------------------

    def note(self, found: Iterable[tuple[Ref, Unit]], owner: Group | None, bound: frozenset[str]) -> None:
        """Take in the mentions of a declaration.

        Args:
            found: The mentions.
            owner: What mentions them.
            bound: Names that the text itself binds: type parameters.
        """
        for ref, unit in found:
            spelled = self.spelled(ref, unit)
            if spelled.group is not None and owner is not None:
                self.mentioned.setdefault(owner, {})[spelled.group] = None
            if spelled.entity is None:
                if not spelled.text and not ref.module:
                    self._global(ref.name, "namespace" if ref.path and ref.meaning == "type" else ref.meaning)
                continue
            inner = bound | _inner_names(unit)
            inner = inner if ref.module else inner - {ref.name}
            if isinstance(spelled.entity, Group) and spelled.entity.name in inner:
                spelled = self._from_here(spelled.entity, spelled, ref, unit)
            if spelled.entity is not None:
                if not ref.module and ref.path == spelled.path:
                    self._called.setdefault(spelled.entity, {})[ref.name] = None
                self._avoided.setdefault(spelled.entity, set()).update(inner)

    def _from_here(self, group: Group, spelled: Spelled, ref: Ref, unit: Unit) -> Spelled:
        """What cannot be called by its public name in some text is imported from its own module by another."""
        home = self._places.homes[group]
        if home.name in _UNNAMED or home.is_type or self.shelf.kind == "global":
            return spelled
        imported = Imported(self.shelf.name, home.name)
        again = self._import(imported, spelled.path, ref.meaning, group.name)._replace(group=group)
        self._written[unit, ref] = again
        return again

    def note_found(self, found: Found, name: str, *, is_type: bool) -> Spelled:
        """Take in something that a statement names, and would call ``name``."""
        return self._entity(found, "type" if is_type else "value", name)

    def spelled(self, ref: Ref, unit: Unit) -> Spelled:
        """How a mention is written here."""
        key = unit, ref
        if key not in self._written:
            found = self._names.resolve(unit, ref)
            self._written[key] = (
                Spelled(None) if found is None else self._entity(found, ref.meaning, ref.name, ref.module)
            )
        return self._written[key]

    def _entity(self, found: Found, meaning: Meaning, name: str, module: str = "") -> Spelled:
        for _ in range(_MOST_STEPS):
            origin = found.origin
            if isinstance(origin, Group):
                return self._group(origin, found.path, meaning)
            if isinstance(origin, External):
                if not origin.module:
                    self._global(origin.name, meaning)
                    return Spelled(None, text=".".join((origin.name, *found.path)))
                if module:
                    return Spelled(None, text=_import_type(origin.module, found.path))
                return self._import(Imported(origin.module, origin.name), found.path, meaning, name)
            if self._places.is_whole(found):
                return self._module(origin, found.path, meaning, name, module)
            following = self._names.enter(found, meaning)
            if following is None:
                break
            found = following
        return Spelled(None)

    def _module(
        self, origin: Whole, path: tuple[str, ...], meaning: Meaning, name: str, module: str
    ) -> Spelled:
        target = self._places.of_space[origin.space]
        if module and path:  # `import("./x").Foo` → `Foo`
            following = self._names.enter(Found(origin, path), meaning)
            return self._entity(following, meaning, path[0]) if following is not None else Spelled(None)
        if module:
            return Spelled(None, text=_import_type(target.name, path))
        return self._import(Imported(target.name, "*"), path, meaning, name)

    def _group(self, group: Group, path: tuple[str, ...], meaning: Meaning) -> Spelled:
        if group.space.kind == "inner":
            return Spelled(None, text=".".join((group.name, *path)))
        home = self._places.homes.get(group)
        if home is None:
            return Spelled(None)
        if home.shelf is self.shelf:
            return Spelled(group, path, group=group)
        if home.shelf.kind == "global":
            self._global(group.name, *group.meanings)
            return Spelled(None, (), ".".join((group.name, *path)), group)
        if home.name == "=" and path and gives(group, path[0]):
            named = Imported(home.shelf.name, path[0])
            return self._import(named, path[1:], meaning, path[0])._replace(group=group)
        imported = Imported(home.shelf.name, home.name or group.name)
        name = group.name if home.name in _UNNAMED else home.name
        return self._import(imported, path, meaning, name)._replace(group=group)

    def _import(self, imported: Imported, path: tuple[str, ...], meaning: Meaning, name: str) -> Spelled:
        is_type, called = self._imports.get(imported, (True, name))
        self._imports[imported] = (is_type and meaning == "type", called or imported.name)
        return Spelled(imported, path)

    def _global(self, name: str, *meanings: Meaning) -> None:
        self._globals.setdefault(name, set()).update(meanings)

    # -- names ----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Give names: first to what is public, then to what is carried, then to what is imported."""
        taken: set[str] = set()
        public = [group for group in self.shelf.groups if self._places.homes[group].name not in _UNNAMED]
        others = [group for group in self.shelf.groups if self._places.homes[group].name in _UNNAMED]
        later: list[Group] = []
        for group in public:
            name = self._places.homes[group].name
            if self._is_free(group, name, taken) or self._shares(group, name):
                self.local[group] = name
                taken.add(name)
            else:
                later.append(group)
        for entity in (*later, *others, *self.shelf.carried):
            self._give(entity, entity.name, taken)
        for imported, (_, name) in sorted(self._imports.items()):
            plain = imported.name if imported.name not in ("*", "=", "default") else "imported"
            self._give(imported, name or plain, taken)

    def _is_free(self, entity: Entity, name: str, taken: set[str]) -> bool:
        """Whether something can have a name here without taking it from anything else."""
        meanings = entity.meanings if isinstance(entity, Group) else EVERY_MEANING
        if name in RESERVED or (name in _TYPES and "type" in meanings and isinstance(entity, Group)):
            return False
        meant = self._globals.get(name)
        if meant and self.shelf.kind != "global" and meant & meanings:
            return False
        return name not in taken and name not in self._avoided.get(entity, ())

    def _shares(self, group: Group, name: str) -> bool:
        """Whether a type and a value have one name here, as in the source."""
        return any(
            link.found.origin is not group and self.local.get(link.found.origin) == name
            for link in self.shelf.exports.get(name, ())
            if isinstance(link.found.origin, Group)
        )

    def _give(self, entity: Entity, name: str, taken: set[str]) -> None:
        if isinstance(entity, Group) and self._is_anonymous(entity):
            self.local[entity] = name
            return
        candidates = (name, *self._called.get(entity, ())) if isinstance(entity, Group) else (name,)
        given = next((each for each in candidates if self._is_free(entity, each, taken)), "")
        count = 0
        while not given:
            count += 1
            numbered = f"{name}_{count}"
            given = numbered if self._is_free(entity, numbered, taken) else ""
        self.local[entity] = given
        taken.add(given)

    def _is_anonymous(self, group: Group) -> bool:
        """Whether a default export has no name and needs none."""
        return group.name == "default" and self._places.homes[group].name == "default"

    # -- texts ----------------------------------------------------------------------------------------

    def text(self, text: Text, unit: Unit) -> str:
        """A text with its names as they are here."""
        return "".join(self._pieces(text, unit))

    def _pieces(self, text: Text, unit: Unit) -> Iterator[str]:
        for piece in text:
            if isinstance(piece, str):
                yield piece
            elif isinstance(piece, Doc):
                yield f"/** {piece.text} */"
            else:
                yield self.ref(piece, unit)

    def ref(self, ref: Ref, unit: Unit) -> str:
        """One mention."""
        return self.written(self.spelled(ref, unit)) or as_written(ref)

    def first(self, refs: Sequence[Ref], unit: Unit) -> str:
        """What a statement names, as the first of several mentions that means something."""
        for ref in refs:
            if (written := self.written(self.spelled(ref, unit))) and self.spelled(
                ref, unit
            ).entity is not None:
                return written
        return self.ref(refs[0], unit)

    def written(self, spelled: Spelled) -> str:
        """What was noted, with its name; empty where it is as in the source."""
        if spelled.entity is None:
            return spelled.text
        return ".".join((self.local[spelled.entity], *spelled.path))

    def imports(self) -> Iterator[tuple[str, str, str]]:
        """Module, name, and statement of every import, sorted."""
        yield from import_lines(
            {imported: (self.local[imported], is_type) for imported, (is_type, _) in self._imports.items()}
        )


#: Homes that give no name to refer to.
_UNNAMED = frozenset({"", "default", "="})
_MOST_STEPS = 1000
#: What no declaration may be called.
RESERVED = frozenset(
    re.findall(
        r"\w+",
        "break case catch class const continue debugger default delete do else enum export extends false finally for"
        " function if import in instanceof new null return super switch this throw true try typeof var void while"
        " with implements interface let package private protected public static yield await undefined",
    )
)
#: What no type may be called.
_TYPES = frozenset(["any", "unknown", "never", "number", "bigint", "boolean", "string", "symbol", "object"])
_BOUND = re.compile(
    r"(?:[<,(\[]\s*(?:(?:const|in|out)\s+)*|\binfer\s+)([A-Za-z_$][\w$]*)(?=\s*(?:[,>=)?:]|extends\b|in\b|$))"
)


def bound_names(texts: Iterable[Text]) -> frozenset[str]:
    """Names that texts may bind by themselves: type parameters, ``infer T``, keys of mapped types."""
    found: set[str] = set()
    for text in texts:
        for piece in text:
            if isinstance(piece, str):
                found.update(_BOUND.findall(piece))
    return frozenset(found)


def gives(group: Group, name: str) -> bool:
    """Whether the namespaces of a group export a name."""
    group.units()
    return group.body is not None and name in group.body.exports


def _inner_names(unit: Unit) -> frozenset[str]:
    """Names of the namespaces that a mention stands in."""
    found: set[str] = set()
    each: Unit | None = unit
    while each is not None and each.space.kind == "inner":
        found.update(each.space.groups)
        each = each.parent
    return frozenset(found)


def as_written(ref: Ref) -> str:
    """A mention as the source has it."""
    if ref.module:
        return _import_type(ref.module, ref.path)
    return ".".join((ref.name, *ref.path))


def _import_type(module: str, path: tuple[str, ...]) -> str:
    return ".".join((f'import("{module}")', *path))


def import_lines(names: Mapping[Imported, tuple[str, bool]]) -> Iterator[tuple[str, str, str]]:
    """(module, names, statement) of each import line, by module: one for names, and one for each other form."""
    listed: dict[str, list[tuple[str, str, bool]]] = {}
    lines: list[tuple[str, str, str]] = []
    for (module, name), (local, is_type) in sorted(names.items()):
        what = "type " if is_type else ""
        if name == "*":
            lines.append((module, local, f'import * as {local} from "{module}"'))
        elif name == "=":
            lines.append((module, local, f'import {local} = require("{module}")'))
        elif name == "default":
            lines.append((module, local, f'import {what}{local} from "{module}"'))
        else:
            listed.setdefault(module, []).append((name, local, is_type))
    for module, found in listed.items():
        only = "type " if all(is_type for _, _, is_type in found) else ""
        items = ", ".join(name if name == local else f"{name} as {local}" for name, local, _ in found)
        locals_ = ", ".join(local for _, local, _ in found)
        lines.append((module, locals_, f'import {only}{{ {items} }} from "{module}"'))
    yield from sorted(lines, key=lambda line: line[0])
