"""Makes pages fit a budget of tokens.

All that may be done is a list of steps, in the order that ``docs/views.md`` states: long documentation to its
first paragraph and the errors it names; members of the largest declarations; a line a declaration; notes to their
number; declarations to their number, module by module. As few are taken, from the first on, as it takes for the
result to fit, really counted. How many is guessed from what each saves, so that a view is printed a few times.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from ifacegen.errors import UsageError
from ifacegen.model import Declaration, Module
from ifacegen.render.page import Page, Press, text
from ifacegen.render.plans import MODULE, Path, Place, Plan, apply, bare, declared
from ifacegen.render.text import NOTE
from ifacegen.tokens import LineCounter

_Layout = Callable[[Sequence[Page], Press], str]
_Kind = Literal["doc", "bare", "line", "notes", "gone", "merged", "flat", "bald"]
#: Tokens below which a step is not worth its mark, and below which it waits for those that save more.
_LEAST, _LITTLE = 8, 20
#: What stands where the rest of a documentation was.
_MORE = " […]"
#: How often a text is printed at most to use a budget up, and the part of it that may be left.
_MOST_TRIES, _SLACK = 12, 0.01
#: What is there for the sake of others only; what callers find below the interface's top modules; what these offer;
#: what was asked for by name.
_RANKS = _SPARE, _INNER, _TOP, _NAMED = range(4)
#: Characters a token, where counting is not worth the time.
_CHARACTERS = 4


@dataclass(frozen=True, slots=True)
class _Step:
    """One thing that makes a page shorter."""

    kind: _Kind
    place: Place
    #: Tokens, roughly.
    saves: int
    #: How much what it takes away matters, one of the ``_RANKS``.
    rank: int = 0
    #: Way to the member whose documentation it is.
    path: Path = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A declaration at the top of its module; a module that has none."""

    place: Place
    declaration: Declaration | None
    module: Module
    #: Whether the section shows a line a declaration.
    is_line: bool
    #: Tokens as it is, and as one line.
    whole: int
    line: int
    #: How much it matters, one of the ``_RANKS``.
    rank: int = _SPARE
    #: How far below the interface's top modules it is shown, and callers find it: 0 where one of them offers it.
    depth: int = 0
    level: int = 0

    @property
    def home(self) -> Place:
        """The place of its module."""
        return (*self.place[:3], MODULE)


def shortened(pages: Sequence[Page], press: Press, budget: int, layout: _Layout) -> Sequence[Page]:
    """Pages that have ``budget`` tokens at most when they are laid out; the same ones where they fit.

    Raises:
        UsageError: The budget is too small even to say how much was left out.
    """
    if layout is text and _surely_fit(pages, budget):
        return pages
    fits = _Fit(pages, press, budget, layout)
    total = fits.known_size()
    if total <= 2 * budget:  # else there is no need to print and count what is megabytes perhaps
        total = fits.size(pages)
    if total <= budget:
        return pages
    steps = _Steps(fits)
    last, lines = list(steps.counting()), steps.lines({})
    # Where a line each is too much, nothing that comes before would help.
    too_much = fits.size(fits.after(lines)) > budget
    return fits.found([*lines, *last] if too_much else [*steps.before_counting(), *last], total)


def _surely_fit(pages: Sequence[Page], budget: int) -> bool:
    """Whether what was counted before is enough to know; a text has no more tokens than bytes."""
    headers = sum(len(line.encode()) + 1 for page in pages for line in page.header)
    counted = [each.tokens for each in pages if each.tokens is not None and each.body is not None]
    return len(counted) == len(pages) and sum(counted) + headers + 4 * len(pages) <= budget


class _Fit:
    """The search for as few steps as it takes."""

    def __init__(self, pages: Sequence[Page], press: Press, budget: int, layout: _Layout) -> None:
        self.pages = pages
        self.press = press
        self.budget = budget
        self.layout = layout
        self.count = LineCounter().count

    def known_size(self) -> int:
        """Tokens that the pages have at least, as far as that was counted before."""
        return sum(each.tokens or 0 for each in self.pages)

    def size(self, pages: Sequence[Page]) -> int:
        """Tokens of pages as they are printed."""
        printed = self.layout(pages, self.press)
        return self.count(printed if printed.endswith("\n") else f"{printed}\n")

    def after(self, steps: Iterable[_Step]) -> Sequence[Page]:
        """The pages after some steps."""
        return apply(self.pages, _plan(steps), self.budget)

    def found(self, steps: Sequence[_Step], total: int) -> Sequence[Page]:
        """The pages after as few steps as it takes, near enough, of pages that have ``total`` tokens."""
        sizes = [total, *(total - saved for saved in accumulate(max(0, step.saves) for step in steps))]
        falling = [-size for size in sizes]
        too_few, enough, error, used = 0, len(steps) + 1, 0, 0
        best: Sequence[Page] = ()
        for attempt in range(_MOST_TRIES):
            if enough - too_few <= 1 or self.budget - used < self.budget * _SLACK:
                break
            guess = bisect_left(falling, error - self.budget)
            if attempt > _MOST_TRIES // 3:
                guess = (too_few + enough) // 2
            taken = max(too_few + 1, min(guess, enough - 1))
            pages = self.after(steps[:taken])
            size = self.size(pages)
            error = size - sizes[taken]
            if size > self.budget:
                too_few = taken
            else:
                enough, best, used = taken, pages, size
        if not best:
            return self._all_taken(steps)
        return self._filled(steps[:enough], used) or best

    def _filled(self, taken: Sequence[_Step], used: int) -> Sequence[Page] | None:
        """With some of the last kind of steps undone, where a large one has saved more than was needed."""
        room = (self.budget - used) * 9 // 10
        if room < self.budget * _SLACK or taken[-1].kind not in ("doc", "bare", "line"):
            return None
        kept: list[_Step] = []
        for step in taken[:-1]:
            if step.kind == taken[-1].kind and 0 < step.saves <= room:
                room -= step.saves
            else:
                kept.append(step)
        pages = self.after([*kept, taken[-1]])
        return pages if self.size(pages) <= self.budget else None

    def _all_taken(self, steps: Sequence[_Step]) -> Sequence[Page]:
        pages = self.after(steps)
        if self.size(pages) <= self.budget:
            return pages
        asked, least = self.budget, 0
        while least == 0 or least != self.budget:
            self.budget = least
            least = self.size(self.after(steps))
        raise UsageError(f"--budget {asked} is too small: {least} tokens are the least that works here")


def _plan(steps: Iterable[_Step]) -> Plan:
    plan = Plan()
    places = {"bare": plan.bare, "line": plan.lines, "gone": plan.gone, "merged": plan.merged}
    pages = {"notes": plan.noteless, "flat": plan.flat, "bald": plan.bald}
    for step in steps:
        if step.kind == "doc":
            plan.docs.setdefault(step.place, {})[step.path] = step.doc
        elif step.kind in pages:
            pages[step.kind].add(step.place[0])
        else:
            places[step.kind].add(step.place)
    return plan


class _Steps:
    """All that can be done to some pages."""

    def __init__(self, fits: _Fit) -> None:
        self.pages = fits.pages
        self.press = fits.press
        self.count = fits.count
        bald = [_Step("bald", (index, 0, 0, MODULE), _LITTLE) for index in range(len(self.pages))]
        # What is shorter than what would be said of it is left alone.
        said = [fits.size([line]) for line in fits.after(bald)]
        self.bald = [
            step
            for step, page, line in zip(bald, self.pages, said, strict=True)
            if (page.tokens or 0) > line or fits.size([page]) > line
        ]
        self.units = [unit for step in self.bald for unit in self._units(step.place[0])]

    def _units(self, index: int) -> Iterator[_Unit]:
        page = self.pages[index]
        depths = {(each.adapter, each.name): _depth(each.name) for each in page.modules}
        tops = {
            adapter: min(depth for (each, _), depth in depths.items() if each == adapter)
            for adapter in page.adapters
        }
        for number, section in enumerate(page.sections):
            for position, module in enumerate(section.modules):
                place = (index, number, position, MODULE)
                for unit in self._module_units(module, place, section.lines):
                    top = tops[module.adapter]
                    level = _found(unit, depths) - top
                    depth = _depth(module.name) - top
                    yield replace(unit, depth=depth, level=level, rank=_rank(unit, page, level))

    def _module_units(self, module: Module, place: Place, is_line: bool) -> Iterator[_Unit]:
        empty = replace(module, doc=None, declarations=())
        heading = self._outlined(empty)
        own = declared(module)
        if not own:
            doc = 0 if is_line else len(module.doc or "") // _CHARACTERS
            yield _Unit(place, None, module, is_line, heading + doc, heading)
        for position, each in own:
            line = self._outlined(replace(empty, declarations=(bare(each),))) - heading
            whole = each.tokens
            if is_line:
                whole = self._outlined(replace(empty, declarations=(each,))) - heading
            elif each.kind == "alias":  # several of one origin share a statement
                line = whole = len(each.name) // _CHARACTERS + 1
            yield _Unit((*place[:3], position), each, module, is_line, whole, max(1, line))

    def _outlined(self, module: Module) -> int:
        return len(self.press.adapters[module.adapter].render_outline([module])) // _CHARACTERS

    # -- in the order in which they are taken --------------------------------------------------------

    def before_counting(self) -> list[_Step]:
        """All that leaves every declaration with its name."""
        docs = _in_order(self._docs()) if self.press.docs == "full" else []
        saved: dict[Place, int] = {}
        for step in docs:
            saved[step.place] = saved.get(step.place, 0) + step.saves
        members = _in_order(step for unit in self.units for step in _without_members(unit, saved))
        for step in members:
            saved[step.place] = saved.get(step.place, 0) + step.saves
        return [*docs, *members, *self.lines(saved)]

    def _docs(self) -> Iterator[_Step]:
        homes: set[Place] = set()
        for unit in self.units:
            if unit.is_line:
                continue
            if unit.home not in homes:
                homes.add(unit.home)
                yield from self._doc(unit, unit.home, (), unit.module.doc)
            if unit.declaration is not None:
                for path, each in _within(unit.declaration, ()):
                    yield from self._doc(unit, unit.place, path, each.doc)

    def _doc(self, unit: _Unit, place: Place, path: Path, doc: str | None) -> Iterator[_Step]:
        if doc is None or len(doc) < 2 * _LEAST:
            return
        short = self.press.adapters[unit.module.adapter].shorten_doc(doc)
        saves = self.count(f"{doc}\n") - self.count(f"{short}\n") - 2
        if short != doc and saves >= _LEAST:
            first, gap, errors = short.partition("\n\n")
            yield _Step("doc", place, saves, unit.rank, path, f"{first}{_MORE}{gap}{errors}".lstrip())

    def lines(self, saved: dict[Place, int]) -> list[_Step]:
        """Every declaration to a line, of which so much was saved before."""
        return _in_order(
            _Step(
                "bare" if unit.is_line else "line",
                unit.place,
                unit.whole - saved.get(unit.place, 0) - unit.line,
                unit.rank,
            )
            for unit in self.units
            if not unit.is_line or (unit.declaration is not None and unit.declaration.members)
        )

    def counting(self) -> Iterator[_Step]:
        """From a line each to a number: what matters least first, the top level of the packages last."""
        for step in self.bald:
            header = self.pages[step.place[0]].header
            saves = sum(len(line) for line in header if line.startswith(NOTE)) // _CHARACTERS
            if saves > _LITTLE:
                yield replace(step, kind="notes", saves=saves)
        sizes: dict[Place, int] = {}
        for unit in self.units:
            sizes[unit.home] = sizes.get(unit.home, 0) + unit.line
        named = [step for step in self.bald if self.pages[step.place[0]].is_single]
        others = [step for step in self.bald if step not in named]
        for steps in (others, named):
            pages = {step.place[0] for step in steps}
            own = [each for each in self.units if each.place[0] in pages]
            own.sort(key=lambda unit: _importance(unit, sizes[unit.home]))
            yield from _counted(own, steps)
            yield from steps


def _importance(unit: _Unit, size: int) -> tuple[int, int, int, Place, int, int]:
    """What matters least comes first; of one level the deepest and largest modules."""
    return unit.rank, -unit.depth, -size, unit.home, -unit.line, -unit.place[3]


def _counted(units: Sequence[_Unit], pages: Sequence[_Step]) -> Iterator[_Step]:
    """From a line each to a number, what lies deepest first; of one level in the order given."""
    yield from (_Step("gone", unit.place, unit.line) for unit in units if unit.rank == _SPARE)
    homes: dict[Place, list[_Unit]] = {}
    for unit in units:
        homes.setdefault(unit.home, []).append(unit)
    for level in sorted({each.level for each in units} - {0}, reverse=True):
        yield from _gone(each for each in units if each.level == level)
        yield from (_Step("merged", home, _LEAST) for home in homes if _level(homes[home]) == level)
    yield from (replace(step, kind="flat") for step in pages)
    for home, own in homes.items():
        if own[0].depth > 0 and _level(own) == 0:  # what the top level offers of others
            yield from _gone(each for each in own if each.level == 0)
            yield _Step("merged", home, _LEAST)
    top = [home for home, own in homes.items() if own[0].depth == 0]
    yield from _gone(each for home in top for each in homes[home])
    yield from (_Step("merged", home, _LEAST) for home in top)


def _level(units: Sequence[_Unit]) -> int:
    return min(each.level for each in units)


def _gone(units: Iterable[_Unit]) -> Iterator[_Step]:
    return (_Step("gone", unit.place, unit.line) for unit in units if unit.rank != _SPARE)


def _in_order(steps: Iterable[_Step]) -> list[_Step]:
    """What matters least first, and of that what saves most; what saves little comes last."""
    return sorted(
        steps, key=lambda step: (step.saves < _LITTLE, step.rank, -step.saves, step.place, step.path)
    )


def _without_members(unit: _Unit, saved: dict[Place, int]) -> Iterator[_Step]:
    if unit.declaration is not None and unit.declaration.members and not unit.is_line:
        own = sum(each.tokens for each in unit.declaration.members)
        saves = own - saved.get(unit.place, 0) - _LEAST
        if saves >= _LEAST:
            yield _Step("bare", unit.place, saves, unit.rank)


def _depth(name: str) -> int:
    return name.count(".") + name.count("/")


def _found(unit: _Unit, depths: Mapping[tuple[str, str], int]) -> int:
    """The depth of the outermost module that offers a declaration."""
    module, declaration = unit.module, unit.declaration
    paths = declaration.import_paths if declaration is not None and declaration.kind != "alias" else ()
    names = [path.rpartition(".")[0] for path in paths]
    return min(depths.get((module.adapter, name), _depth(module.name)) for name in (module.name, *names))


def _rank(unit: _Unit, page: Page, level: int) -> int:
    is_first = unit.place[1] == 0
    if page.is_single:
        return _NAMED if is_first else _INNER
    if not is_first or unit.declaration is None or unit.declaration.visibility == "carried":
        return _SPARE
    return _TOP if level == 0 else _INNER


def _within(declaration: Declaration, path: Path) -> Iterator[tuple[Path, Declaration]]:
    """A declaration and its members, each with the way to it."""
    yield path, declaration
    for index, each in enumerate(declaration.members):
        yield from _within(each, (*path, index))
