"""What is to be done to pages that are too long, and the pages that come of it.

A plan names declarations by their place. What was done to a page is counted while it is done, so that its header
says no more and no less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ifacegen.model import Declaration, Module
from ifacegen.render.page import Page, Section
from ifacegen.render.text import NOTE, without_notes

#: Page, section, module and declaration; :data:`MODULE` in the last is the module itself.
Place = tuple[int, int, int, int]
MODULE = -1
#: Way from a declaration to one of its members, by positions.
Path = tuple[int, ...]

#: A part of a module's name, with what ends it.
_PART = re.compile(r"[^./]*[./]|[^./]+")
#: Lines on folders of modules that are only counted.
_MOST_FOLDERS = 12
#: A module, its declarations that are only counted, and how many it has.
_Count = tuple[str, int, int]

_LINES = "a line each, without documentation, imports and options:"


@dataclass(slots=True)
class Plan:
    """What is to be done, and where."""

    #: Documentation that is printed instead of the whole.
    docs: dict[Place, dict[Path, str]] = field(default_factory=dict)
    #: Declarations without their members.
    bare: set[Place] = field(default_factory=set)
    #: Declarations that are a line; a module that has none loses its documentation.
    lines: set[Place] = field(default_factory=set)
    #: Declarations that are only counted.
    gone: set[Place] = field(default_factory=set)
    #: Modules that are only counted.
    merged: set[Place] = field(default_factory=set)
    #: Pages whose notes are counted, whose counted modules are not told by folder, that are nothing but a line.
    noteless: set[int] = field(default_factory=set)
    flat: set[int] = field(default_factory=set)
    bald: set[int] = field(default_factory=set)


def apply(pages: Sequence[Page], plan: Plan, budget: int) -> list[Page]:
    """The pages as a plan leaves them; those that it leaves alone are the same."""
    together = f" for {len(pages)} addresses together" if len(pages) > 1 else ""
    goal = f"shortened to {budget:,} tokens{together}: "
    return [_Editor(page, index, plan, goal).edited() for index, page in enumerate(pages)]


def bare(declaration: Declaration) -> Declaration:
    """A declaration with the number of its members in their place."""
    if not declaration.members:
        return declaration
    count = sum(1 for each in declaration.walk() if each.kind != "import") - 1
    return replace(declaration, members=(), extra={**declaration.extra, "members_elided": count})


def declared(module: Module) -> list[tuple[int, Declaration]]:
    """A module's declarations with their positions, without imports that only support them."""
    return [(index, each) for index, each in enumerate(module.declarations) if each.kind != "import"]


@dataclass(slots=True)
class _Tally:
    """What was done to a page."""

    docs: int = 0
    bare: int = 0
    lines: int = 0
    emptied: int = 0
    #: Adapter → (module, declarations that are only counted, of how many); merged modules apart.
    gone: dict[str, list[_Count]] = field(default_factory=dict)
    merged: dict[str, list[_Count]] = field(default_factory=dict)

    @property
    def counted(self) -> int:
        """Declarations that are only counted."""
        everything = (*self.gone.values(), *self.merged.values())
        return sum(count for counts in everything for _, count, _ in counts)


class _Editor:
    """One page in the hands of a plan."""

    def __init__(self, page: Page, index: int, plan: Plan, goal: str) -> None:
        self.page = page
        self.index = index
        self.plan = plan
        self.goal = goal
        self.tally = _Tally()

    def edited(self) -> Page:
        if self.index in self.plan.bald:
            return replace(self.page, header=(self._only_line(),), sections=(), counted={}, body=None)
        sections = [
            made for number, each in enumerate(self.page.sections) for made in self._made(number, each)
        ]
        if self.tally == _Tally() and self.index not in self.plan.noteless:
            return self.page
        adapters = dict.fromkeys(module.adapter for module in self.page.modules)
        counted = {each: tuple(self._counted(each)) for each in adapters}
        return replace(self.page, header=self._header(), sections=tuple(sections), counted=counted, body=None)

    def _made(self, number: int, section: Section) -> Iterator[Section]:
        places = [(self.index, number, position, MODULE) for position in range(len(section.modules))]
        made = [self._split(*each, section.lines) for each in zip(section.modules, places, strict=True)]
        whole = tuple(each for each, _ in made if each is not None)
        lines = tuple(each for _, each in made if each is not None)
        if whole:
            yield replace(section, modules=whole)
        if lines:
            yield Section(lines, section.caption if section.lines else _LINES, lines=True)

    # -- its modules -----------------------------------------------------------------------------------

    def _split(self, module: Module, place: Place, is_lines: bool) -> tuple[Module | None, Module | None]:
        """What of a module stays as it is, and what becomes a line each."""
        own = declared(module)
        if not own:
            return self._empty(module, place, is_lines)
        kept: set[int] = set()
        lines: list[Declaration] = []
        gone = 0
        for position, each in own:
            here = (*place[:3], position)
            if here in self.plan.gone:
                gone += 1
            elif here in self.plan.lines:
                self.tally.lines += 1
                lines.append(bare(each))
            elif is_lines:
                lines.append(self._declaration(each, here))
            else:
                kept.add(position)
        if gone:
            self._count(module, gone, len(own), place)
        whole = self._whole(module, place, kept) if kept else None
        return whole, replace(module, declarations=tuple(lines)) if lines else None

    def _empty(self, module: Module, place: Place, is_lines: bool) -> tuple[Module | None, Module | None]:
        """A module that is nothing but documentation."""
        if place in self.plan.gone:
            self._count(module, 0, 0, place)
            return None, None
        if is_lines or place in self.plan.lines:
            self.tally.emptied += not is_lines
            return None, module
        return self._whole(module, place, set()), None

    def _count(self, module: Module, gone: int, of: int, place: Place) -> None:
        counts = self.tally.merged if place in self.plan.merged else self.tally.gone
        counts.setdefault(module.adapter, []).append((module.name, gone, of))

    def _whole(self, module: Module, place: Place, kept: set[int]) -> Module:
        """A module with these of its declarations and what they need, some of them shorter."""
        doc = self.plan.docs.get(place, {}).get((), module.doc)
        self.tally.docs += doc != module.doc
        declarations = (
            each if each.kind == "import" else self._declaration(each, (*place[:3], position))
            for position, each in enumerate(module.declarations)
            if position in kept or each.kind == "import"
        )
        return replace(module, doc=doc, declarations=tuple(declarations))

    def _declaration(self, declaration: Declaration, place: Place) -> Declaration:
        docs: Mapping[Path, str] = self.plan.docs.get(place, {})
        if place in self.plan.bare:
            self.tally.bare += 1
            declaration = bare(declaration)
            docs = {path: doc for path, doc in docs.items() if not path}
        self.tally.docs += len(docs)
        return _with_docs(declaration, docs, ()) if docs else declaration

    # -- its header ------------------------------------------------------------------------------------

    def _header(self) -> tuple[str, ...]:
        header = self.page.header
        if self.index in self.plan.noteless:
            header = without_notes(header, self._notes())
        return (header[0], f"# {self.goal}{self._report()}", *header[1:])

    def _notes(self) -> int:
        return sum(line.startswith(NOTE) for line in self.page.header)

    def _report(self) -> str:
        tally = self.tally
        done = (
            (tally.docs, "doc", "to the first paragraph and errors"),
            (tally.bare, "declaration", "without members"),
            (tally.lines, "declaration", "to a line each"),
            (tally.emptied, "module", "without documentation"),
            (tally.counted, "declaration", "only counted"),
        )
        said = [f"{_number(count, what)} {how}" for count, what, how in done if count]
        return f"{', '.join(said) or 'notes only counted'}; whole: `ifacegen show {self.page.package}::NAME`"

    def _counted(self, adapter: str) -> Iterator[str]:
        gone, merged = self.tally.gone.get(adapter, []), self.tally.merged.get(adapter, [])
        if gone or merged:
            yield "not shown:"
        for name, count, of in gone:
            yield f"  {name}: {f'{count:,} of ' if count != of else ''}{_number(of, 'declaration')}"
        folders = {} if self.index in self.plan.flat else _by_folder(merged)
        for name, counts in (folders or {"": merged}).items():
            modules = _number(len(counts), "module" if folders or not gone else "more module")
            if merged:
                yield f"  {name}{': ' * bool(name)}{modules}{', ' if name else ': '}{_declarations(counts)}"

    def _only_line(self) -> str:
        modules = self.page.modules
        count = sum(len(declared(module)) for module in modules)
        notes = f" and {_number(self._notes(), 'note')}" if self._notes() else ""
        return (
            f"# {self.page.title} — {self.goal}{_number(len(modules), 'module')}, "
            f"{_number(count, 'declaration')}{notes} not shown; try a larger budget, or --module"
        )


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _declarations(counts: Sequence[_Count]) -> str:
    return _number(sum(count for _, count, _ in counts), "declaration")


def _by_folder(counts: Sequence[_Count]) -> dict[str, list[_Count]]:
    """Modules by the longest starts of their names that are few; nothing where that says no more than their number."""
    best: dict[str, list[_Count]] = {}
    for parts in range(1, 1 + max((len(_PART.findall(name)) for name, _, _ in counts), default=0)):
        found: dict[str, list[_Count]] = {}
        for each in counts:
            found.setdefault(_start(each[0], parts), []).append(each)
        if len(found) > _MOST_FOLDERS:
            break
        best = found
    return best if len(best) > 1 else {}


def _start(name: str, parts: int) -> str:
    """The first parts of a module's name, with a star where there are more."""
    start = "".join(_PART.findall(name)[:parts])
    return f"{start}*" if start != name else name


def _with_docs(declaration: Declaration, docs: Mapping[Path, str], path: Path) -> Declaration:
    members = declaration.members
    if any(len(each) > len(path) and each[: len(path)] == path for each in docs):
        members = tuple(_with_docs(each, docs, (*path, index)) for index, each in enumerate(members))
    return replace(declaration, doc=docs.get(path, declaration.doc), members=members)
