"""Makes pages fit a budget of tokens, and says what it did.

All that may be done is a list of steps, in the order that ``docs/views.md`` states: long documentation to its
first paragraph and the errors it names; members of the largest declarations; a line a declaration; notes to their
number; declarations to their number, module by module. The first so many steps are taken that the result, really
counted, fits. How many is guessed from what each saves, so that a view is printed a few times, not once a step.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Literal

from ifacegen.errors import UsageError
from ifacegen.model import Declaration, Module
from ifacegen.render.page import Page, Press, Section
from ifacegen.render.text import without_notes
from ifacegen.tokens import LineCounter

#: Where a declaration stands: page, section, module and its place there; -1 is the module itself.
_Place = tuple[int, int, int, int]
_Kind = Literal["doc", "members", "line", "notes", "declaration", "module", "page"]
#: Tokens below which a step is not worth its mark, and below which it waits for those that save more.
_LEAST, _LITTLE = 8, 20
#: What stands where the rest of a documentation was.
_MORE = " […]"
#: How often a text is printed at most to use a budget up, and the part of it that may be left.
_MOST_TRIES, _SLACK = 12, 0.01
_LINES = "a line each, without documentation and imports:"


@dataclass(frozen=True, slots=True)
class _Step:
    """One thing that makes a page shorter."""

    kind: _Kind
    place: _Place
    #: Tokens, roughly.
    saves: int
    #: Way to the member whose documentation it is.
    path: tuple[int, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A declaration at the top of its module."""

    place: _Place
    declaration: Declaration
    module: Module
    #: Whether it is shown for the sake of others only.
    is_spare: bool
    #: Tokens as it is, and as a line.
    whole: int
    line: int


@dataclass(slots=True)
class _Plan:
    """What the steps that are taken come to."""

    docs: dict[_Place, dict[tuple[int, ...], str]] = field(default_factory=dict)
    bare: set[_Place] = field(default_factory=set)
    lines: set[_Place] = field(default_factory=set)
    gone: set[_Place] = field(default_factory=set)
    #: Modules, by the place of the module, that have no line of their own among what is counted.
    uncounted: set[_Place] = field(default_factory=set)
    noteless: set[int] = field(default_factory=set)
    bald: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, steps: Iterable[_Step]) -> _Plan:
        plan = cls()
        for step in steps:
            if step.kind == "doc":
                plan.docs.setdefault(step.place, {})[step.path] = step.doc
            elif step.kind in ("notes", "page"):
                (plan.noteless if step.kind == "notes" else plan.bald).add(step.place[0])
            else:
                places = {
                    "members": plan.bare,
                    "line": plan.lines,
                    "declaration": plan.gone,
                    "module": plan.uncounted,
                }
                places[step.kind].add(step.place)
        return plan


def shortened(
    pages: Sequence[Page], press: Press, budget: int, layout: Callable[[Sequence[Page], Press], str]
) -> Sequence[Page]:
    """Pages that have ``budget`` tokens at most when they are laid out; the same ones where they fit.

    Raises:
        UsageError: The budget is too small to say as much as what was left out.
    """
    return _Shortener(pages, press, budget, layout).fitting()


class _Shortener:
    def __init__(
        self,
        pages: Sequence[Page],
        press: Press,
        budget: int,
        layout: Callable[[Sequence[Page], Press], str],
    ) -> None:
        self.pages = pages
        self.press = press
        self.budget = budget
        self.layout = layout
        self.counter = LineCounter()

    def fitting(self) -> Sequence[Page]:
        total = self._size(self.pages)
        if total <= self.budget:
            return self.pages
        units = [unit for index, page in enumerate(self.pages) for unit in self._units(index, page)]
        last = [*self._counting_steps(units)]
        lines = [*self._line_steps(units, {})]
        if self._size(self._page_list(_Plan.of(lines))) > self.budget:
            steps = [*lines, *last]  # nothing that comes before a line each would help
        else:
            steps = self._all_steps(units, last)
        found = self._search(steps, total)
        if found is None:
            raise self._too_small(steps)
        return found

    def _size(self, pages: Sequence[Page]) -> int:
        text = self.layout(pages, self.press)
        return self.counter.count(text if text.endswith("\n") else f"{text}\n")

    # -- what there is -------------------------------------------------------------------------------

    def _units(self, index: int, page: Page) -> Iterator[_Unit]:
        for number, section in enumerate(page.sections):
            for position, module in enumerate(section.modules):
                outline = self._line_sizes(module)
                for item, each in enumerate(module.declarations):
                    if each.kind == "import":
                        continue
                    line = next(outline)
                    whole = line if section.lines else each.tokens
                    is_spare = bool(number) or each.visibility == "carried"
                    yield _Unit((index, number, position, item), each, module, is_spare, whole, line)

    def _line_sizes(self, module: Module) -> Iterator[int]:
        """Tokens of each declaration as a line, roughly."""
        printer = self.press.adapters[module.adapter]
        empty = replace(module, declarations=())
        heading = len(printer.render_outline([empty]))
        for each in module.declarations:
            if each.kind != "import":
                line = printer.render_outline([replace(empty, declarations=(_bare(each),))])
                yield max(1, (len(line) - heading) // 4)

    # -- the steps -----------------------------------------------------------------------------------

    def _all_steps(self, units: Sequence[_Unit], last: Sequence[_Step]) -> list[_Step]:
        docs = self._in_order(self._doc_steps(units), {unit.place: unit for unit in units})
        saved: dict[_Place, int] = {}
        for step in docs:
            saved[step.place] = saved.get(step.place, 0) + step.saves
        members = [step for unit in units for step in self._members_step(unit, saved)]
        for step in members:
            saved[step.place] = saved.get(step.place, 0) + step.saves
        by_place = {unit.place: unit for unit in units}
        members = self._in_order(members, by_place)
        return [*docs, *members, *self._line_steps(units, saved), *last]

    def _in_order(self, steps: Iterable[_Step], units: dict[_Place, _Unit]) -> list[_Step]:
        """What is there for others first, and what saves most; what saves little comes last."""

        def key(step: _Step) -> tuple[bool, bool, int, _Place, tuple[int, ...]]:
            unit = units.get(step.place)
            is_spare = unit is not None and unit.is_spare
            return step.saves < _LITTLE, not is_spare, -step.saves, step.place, step.path

        return sorted(steps, key=key)

    def _doc_steps(self, units: Sequence[_Unit]) -> Iterator[_Step]:
        if self.press.docs != "full":
            return
        for index, page in enumerate(self.pages):
            for number, section in enumerate(page.sections):
                for position, module in enumerate(section.modules if not section.lines else ()):
                    yield from self._doc_step((index, number, position, -1), (), module.doc, module)
        for unit in units:
            if not self.pages[unit.place[0]].sections[unit.place[1]].lines:
                for path, each in _members(unit.declaration, ()):
                    yield from self._doc_step(unit.place, path, each.doc, unit.module)

    def _doc_step(
        self, place: _Place, path: tuple[int, ...], doc: str | None, module: Module
    ) -> Iterator[_Step]:
        if doc is None or len(doc) < 2 * _LEAST:
            return
        short = self.press.adapters[module.adapter].shorten_doc(doc)
        saves = self.counter.count(f"{doc}\n") - self.counter.count(f"{short}\n") - 2
        if short != doc and saves >= _LEAST:
            first, gap, errors = short.partition("\n\n")
            yield _Step("doc", place, saves, path, f"{first}{_MORE}{gap}{errors}")

    def _members_step(self, unit: _Unit, saved: dict[_Place, int]) -> Iterator[_Step]:
        declaration = unit.declaration
        if not self.pages[unit.place[0]].sections[unit.place[1]].lines:
            saves = sum(each.tokens for each in declaration.members) - saved.get(unit.place, 0) - _LEAST
            if saves >= _LEAST:
                yield _Step("members", unit.place, saves)

    def _line_steps(self, units: Sequence[_Unit], saved: dict[_Place, int]) -> list[_Step]:
        steps = [
            _Step("line", unit.place, unit.whole - saved.get(unit.place, 0) - unit.line) for unit in units
        ]
        return self._in_order(steps, {unit.place: unit for unit in units})

    def _counting_steps(self, units: Sequence[_Unit]) -> Iterator[_Step]:
        """From a line each to a number: what matters least first, the package's own top level last."""
        for index, page in enumerate(self.pages):
            saves = sum(len(line) for line in page.header if line.startswith("# note: ")) // 4
            if saves > _LITTLE:
                yield _Step("notes", (index, 0, 0, -1), saves)
        sizes: dict[_Place, int] = {}
        for unit in units:
            module = _module_of(unit.place)
            sizes[module] = sizes.get(module, 0) + unit.line

        def key(unit: _Unit) -> tuple[bool, int, int, _Place, int]:
            module = _module_of(unit.place)
            return not unit.is_spare, -unit.module.name.count("."), -sizes[module], module, -unit.place[3]

        ordered = sorted(units, key=key)
        yield from (_Step("declaration", unit.place, unit.line) for unit in ordered)
        for module in dict.fromkeys(_module_of(unit.place) for unit in ordered):
            yield _Step("module", module, 8)
        for index, page in enumerate(self.pages):
            yield _Step("page", (index, 0, 0, -1), sum(map(len, page.header)) // 4)

    # -- how many of them ----------------------------------------------------------------------------

    def _search(self, steps: Sequence[_Step], total: int) -> Sequence[Page] | None:
        """The pages after as few steps as it takes, near enough; None where all are too few."""
        sizes = [total, *(total - saved for saved in accumulate(max(0, step.saves) for step in steps))]
        falling = [-size for size in sizes]
        too_few, enough, error = 0, len(steps) + 1, 0
        best: Sequence[Page] | None = None
        for attempt in range(_MOST_TRIES):
            if enough - too_few <= 1:
                break
            guess = bisect_left(falling, error - self.budget)
            if attempt > _MOST_TRIES // 3:
                guess = (too_few + enough) // 2
            count = max(too_few + 1, min(guess, enough - 1))
            pages = self._page_list(_Plan.of(steps[:count]))
            size = self._size(pages)
            error = size - sizes[count]
            if size > self.budget:
                too_few = count
                continue
            enough, best = count, pages
            if self.budget - size < self.budget * _SLACK:
                break
        return best if best is not None else self._all_taken(steps)

    def _all_taken(self, steps: Sequence[_Step]) -> Sequence[Page] | None:
        pages = self._page_list(_Plan.of(steps))
        return pages if self._size(pages) <= self.budget else None

    def _too_small(self, steps: Sequence[_Step]) -> UsageError:
        asked, least = self.budget, 0
        while least != self.budget or least == 0:
            self.budget = least
            least = self._size(self._page_list(_Plan.of(steps)))
        self.budget = asked
        return UsageError(f"--budget {asked} is too small: {least} tokens are the least that can be said in")

    # -- what comes of them --------------------------------------------------------------------------

    def _page_list(self, plan: _Plan) -> list[Page]:
        return [_Shortened(page, index, plan, self.budget).page() for index, page in enumerate(self.pages)]


class _Shortened:
    """One page as a plan leaves it."""

    def __init__(self, page: Page, index: int, plan: _Plan, budget: int) -> None:
        self.original = page
        self.index = index
        self.plan = plan
        self.budget = budget
        self.docs = self.classes = self.lines = 0
        #: Module name → declarations that are only counted, of how many.
        self.counted: dict[str, tuple[int, int]] = {}
        self.uncounted: list[int] = []

    def page(self) -> Page:
        sections = [
            made for number, each in enumerate(self.original.sections) for made in self._made(number, each)
        ]
        if not self._is_touched():
            return self.original
        if self.index in self.plan.bald:
            return replace(self.original, header=(self._only_line(),), sections=(), body=None)
        return replace(
            self.original,
            header=self._header(),
            sections=tuple(sections),
            counted=tuple(self._counted_lines()),
            body=None,
        )

    def _is_touched(self) -> bool:
        plan = self.plan
        touched = self.docs or self.classes or self.lines or self.counted or self.uncounted
        return bool(touched) or self.index in plan.noteless or self.index in plan.bald

    def _made(self, number: int, section: Section) -> Iterator[Section]:
        whole: list[Module] = []
        lines: list[Module] = []
        for position, module in enumerate(section.modules):
            place = (self.index, number, position, -1)
            kept, short = self._parts(module, place)
            declared = [each for each in module.declarations if each.kind != "import"]
            if section.lines:
                kept, short = [], kept
            is_whole = any(each.kind != "import" for each in kept) or not declared
            if is_whole and not section.lines:
                whole.append(replace(module, doc=self._doc(module.doc, place), declarations=tuple(kept)))
            if short or (section.lines and not declared):
                lines.append(replace(module, declarations=tuple(short)))
        if whole:
            yield replace(section, modules=tuple(whole))
        if lines:
            yield Section(tuple(lines), section.caption if section.lines else _LINES, lines=True)

    def _parts(self, module: Module, place: _Place) -> tuple[list[Declaration], list[Declaration]]:
        """What stays of a module's declarations, and what becomes a line."""
        kept: list[Declaration] = []
        short: list[Declaration] = []
        gone = 0
        for item, each in enumerate(module.declarations):
            here = (*place[:3], item)
            if here in self.plan.gone:
                gone += 1
            elif here in self.plan.lines:
                self.lines += 1
                short.append(_bare(each))
            else:
                kept.append(self._declaration(each, here))
        if gone and place in self.plan.uncounted:
            self.uncounted.append(gone)
        elif gone:
            declared = sum(1 for each in module.declarations if each.kind != "import")
            self.counted[module.name] = (gone, declared)
        return kept, short

    def _declaration(self, declaration: Declaration, place: _Place) -> Declaration:
        docs = self.plan.docs.get(place)
        if place in self.plan.bare:
            self.classes += 1
            declaration = _bare(declaration)
            docs = {path: doc for path, doc in docs.items() if not path} if docs else None
        if docs:
            self.docs += len(docs)
            declaration = _with_docs(declaration, docs, ())
        return declaration

    def _doc(self, doc: str | None, place: _Place) -> str | None:
        short = self.plan.docs.get(place, {}).get(())
        if short is None:
            return doc
        self.docs += 1
        return short

    def _header(self) -> tuple[str, ...]:
        header = self.original.header
        if self.index in self.plan.noteless:
            header = without_notes(header, sum(line.startswith("# note: ") for line in header))
        return (header[0], f"# shortened to {self.budget:,} tokens: {self._report()}", *header[1:])

    def _report(self) -> str:
        gone = sum(count for count, _ in self.counted.values()) + sum(self.uncounted)
        done = [
            f"{_number(self.docs, 'doc')} to the first paragraph and errors" if self.docs else "",
            f"{_number(self.classes, 'declaration')} without members" if self.classes else "",
            f"{_number(self.lines, 'declaration')} to a line each" if self.lines else "",
            f"{_number(gone, 'declaration')} to their number" if gone else "",
        ]
        return f"{', '.join(filter(None, done))}; whole: `ifacegen show {self.original.package}::NAME`"

    def _counted_lines(self) -> Iterator[str]:
        if self.counted or self.uncounted:
            yield "not shown:"
        for name, (gone, declared) in self.counted.items():
            of = f" of {declared}" if gone != declared else ""
            yield f"  {name}: {gone:,}{of} declarations"
        if self.uncounted:
            yield f"  {_number(len(self.uncounted), 'more module')}: {_number(sum(self.uncounted), 'declaration')}"

    def _only_line(self) -> str:
        modules = self.original.modules
        count = sum(1 for module in modules for each in module.declarations if each.kind != "import")
        notes = sum(line.startswith("# note: ") for line in self.original.header)
        also = f" and {_number(notes, 'note')}" if notes else ""
        return (
            f"# {self.original.title} — shortened to {self.budget:,} tokens: {_number(len(modules), 'module')}, "
            f"{_number(count, 'declaration')}{also} not shown; use a larger budget, or --module"
        )


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _module_of(place: _Place) -> _Place:
    return (*place[:3], -1)


def _members(
    declaration: Declaration, path: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], Declaration]]:
    """A declaration and its members, each with the way to it."""
    yield path, declaration
    for index, each in enumerate(declaration.members):
        yield from _members(each, (*path, index))


def _bare(declaration: Declaration) -> Declaration:
    """A declaration with the number of its members in their place."""
    count = sum(1 for each in declaration.walk() if each.kind != "import") - 1
    if not declaration.members:
        return declaration
    return replace(declaration, members=(), extra={**declaration.extra, "members_elided": count})


def _with_docs(
    declaration: Declaration, docs: dict[tuple[int, ...], str], path: tuple[int, ...]
) -> Declaration:
    members = declaration.members
    if any(len(each) > len(path) for each in docs):
        members = tuple(_with_docs(each, docs, (*path, index)) for index, each in enumerate(members))
    return replace(declaration, doc=docs.get(path, declaration.doc), members=members)
