"""Does anything take a view down? The standard library, generated files, damaged files.

    make evaluate NAME=hard_input

1. Every module of the standard library of the running Python, and of those that pyenv has beside it.
2. 500 valid files made by Hypothesis.
3. 300 real files, each damaged in five ways.

Every file is read alone, as a module whose names are all public. Fails on a crash, on a text or stub that is no
Python, on a definition that ``ast`` sees otherwise in the first two, on a file that takes over 5 CPU seconds, and
where less than 90 % of the declarations of damaged files are kept.
"""

from __future__ import annotations

import argparse
import ast
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._agreement import compared, disagreements, top_names
from evaluation._checks import unparsed
from evaluation._damage import KINDS, PEERS, WHOLE, Damaged, Found, damaged, kept, peers_kept
from evaluation._generated import generated, is_python, tree_of
from evaluation.packages import RealPackages, add_arguments, table

from ifacegen.adapter import Surface, ViewOptions
from ifacegen_adapters.python import PythonAdapter
from support.views import surface_of

_GENERATED = 500
_KEPT_AT_LEAST = 0.90
_SECONDS = 5.0
_LIBRARY = Path(sysconfig.get_paths()["stdlib"])
#: Not the library itself, or tests.
_LEFT_OUT = frozenset({"test", "tests", "idle_test", "site-packages", "__pycache__"})
_FAULTS = ("crashes", "not Python", "disagreements", "slow")


@dataclass(slots=True)
class Tally:
    """What became of one set of files."""

    title: str
    files: int = 0
    #: Files that the running Python cannot read, so that there is nothing to compare with.
    unread: int = 0
    compared: int = 0
    #: Kind → what happened, in words.
    faults: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in _FAULTS})

    def cells(self) -> tuple[str, ...]:
        """The figures of its line."""
        counts = (self.files, self.unread, self.compared, *map(len, self.faults.values()))
        return self.title, *(f"{count:,}" for count in counts)


_HEAD = ("files of", "files", "not read by `ast`", "declarations compared", *_FAULTS)


def judged(tally: Tally, name: str, data: bytes, tree: ast.Module | None) -> Surface | None:
    """The surface of one file, whatever is wrong with it entered in the tally."""
    tally.files += 1
    start = time.process_time()
    try:
        surface = surface_of({_file(name): data}, options=_all_public(tree))
        texts = _texts(surface)
    except Exception as error:  # noqa: BLE001  # a crash of any kind is what is looked for
        tally.faults["crashes"].append(f"{name}: {type(error).__name__}: {error}")
        return None
    if (seconds := time.process_time() - start) > _SECONDS:
        tally.faults["slow"].append(f"{name}: {seconds:.0f} CPU seconds")
    reasons = ((label, unparsed(text)) for label, text in texts.items())
    tally.faults["not Python"] += [f"{name}: {label}: {reason}" for label, reason in reasons if reason]
    return surface


def _file(name: str) -> str:
    return "m/__init__.py" if name.endswith("__init__.py") else "m.py"


def _all_public(tree: ast.Module | None) -> ViewOptions:
    return ViewOptions(public=tuple(f"m.{name}" for name in top_names(tree)) if tree else ())


def _texts(surface: Surface) -> Mapping[str, str]:
    adapter = PythonAdapter()
    return {"text": adapter.render(surface.modules), **adapter.render_stubs(surface.modules)}


def library(folder: Path) -> Tally:
    """Every module of one standard library."""
    tally = Tally(f"standard library, {folder.name}")
    for path in sorted(folder.rglob("*.py")):
        inner = path.relative_to(folder)
        if not _LEFT_OUT & set(inner.parts):
            data = path.read_bytes()
            _check(tally, inner.as_posix(), data, data)
    return tally


def hypothetical() -> Tally:
    """Files that Hypothesis makes."""
    tally = Tally("Hypothesis")
    for number, module in enumerate(generated(_GENERATED)):
        _check(tally, f"file {number}", module.data, module.plain)
    return tally


def _check(tally: Tally, name: str, data: bytes, plain: bytes) -> None:
    tree = tree_of(plain)
    tally.unread += tree is None
    surface = judged(tally, name, data, tree)
    if surface and tree:
        tally.compared += compared(surface)
        tally.faults["disagreements"] += [f"{name}: {each}" for each in disagreements(surface, tree)]


@dataclass(frozen=True, slots=True)
class Losses:
    """What is left of damaged files; each counter is by kind of damage."""

    tally: Tally
    intact: Counter[str]
    kept: Counter[str]
    #: Of the files that the peers get: what must be there, what we keep, what each of them keeps.
    some_intact: Counter[str]
    some_kept: Mapping[str, Counter[str]]
    lost: list[str]


def damage(packages: RealPackages) -> Losses:
    """Damage files, and count what is left of them."""
    everything = list(damaged(packages, _LIBRARY))
    tally = Tally("damaged files")
    ours: Counter[str] = Counter()
    some: Counter[str] = Counter()
    lost: list[str] = []
    for each in everything:
        tally.unread += not is_python(each.data)
        surface = judged(tally, f"{each.name}, {each.kind}", each.data, None)
        found = frozenset(_found(surface)) if surface else frozenset()
        count = kept(each, found)
        ours[each.kind] += count
        some[each.kind] += count if each.is_for_peers else 0
        if count < len(each.intact) and each.kind != WHOLE:
            lost.append(f"{each.name}, {each.kind}: {len(each.intact) - count} of {len(each.intact)}")
    chosen = [each for each in everything if each.is_for_peers]
    peers = peers_kept(packages, everything)
    return Losses(tally, _sizes(everything), ours, _sizes(chosen), {"ifacegen": some, **peers}, lost)


def _sizes(files: Iterable[Damaged]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for each in files:
        counts[each.kind] += len(each.intact)
    return counts


def _found(surface: Surface) -> Iterator[Found]:
    for module in surface.modules:
        for top in module.declarations:
            for each in top.walk():
                if each.kind in ("class", "function", "method", "property"):
                    is_class = each.kind == "class"
                    yield each.qualname, () if is_class else tuple(p.name for p in each.parameters)


def report(tallies: Sequence[Tally], losses: Losses) -> Iterator[str]:
    """Tables, then every fault."""
    yield from table(_HEAD, (each.cells() for each in (*tallies, losses.tally)))
    yield "\nDeclarations of damaged files that are kept: with their name and their parameters. Counted are those"
    yield "whose own header, and those of the classes around it, the damage does not touch; of a file that is cut"
    yield "off, those that end before it. The total is without the line that has no damage.\n"
    yield from table(("damage", "declarations", "kept", "share"), _rows(losses.intact, (losses.kept,)))
    yield "\nThe same beside the peers, who get each fourth file; stubgen only those that Python still reads.\n"
    tools = ("ifacegen", *PEERS)
    head = ("damage", "declarations", *(cell for tool in tools for cell in (tool, "share")))
    yield from table(head, _rows(losses.some_intact, [losses.some_kept[tool] for tool in tools]))
    for each in (*tallies, losses.tally):
        for kind, found in each.faults.items():
            yield from _listed(f"{each.title}: {kind}", found)
    yield from _listed("Lost in damaged files", losses.lost)


def _rows(intact: Counter[str], kept_: Sequence[Counter[str]]) -> Iterator[tuple[str, ...]]:
    """A line for each kind of damage: how many must be there, and for each counter how many are."""
    rows = [(kind, intact[kind], [each[kind] for each in kept_]) for kind in (WHOLE, *KINDS)]
    rows.append(("total", _damaged_total(intact), [_damaged_total(each) for each in kept_]))
    for kind, whole, parts in rows:
        shares = (cell for part in parts for cell in (f"{part:,}", _share(part, whole)))
        yield kind, f"{whole:,}", *shares


def _damaged_total(counts: Counter[str]) -> int:
    return counts.total() - counts[WHOLE]


def _listed(title: str, found: Sequence[str]) -> Iterator[str]:
    if found:
        yield f"\n{title} ({len(found)})\n"
        yield from (f"- {each}" for each in found)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def is_met(tallies: Iterable[Tally], losses: Losses) -> bool:
    """Whether nothing is at fault, and enough is kept."""
    # Of damaged files, a text that no Python can be made of may be said to be none.
    faults = [each for tally in tallies for found in tally.faults.values() for each in found]
    faults += losses.tally.faults["crashes"] + losses.tally.faults["slow"]
    return not faults and _damaged_total(losses.kept) >= _KEPT_AT_LEAST * _damaged_total(losses.intact)


def libraries() -> Iterator[Path]:
    """The running Python's library, and newer ones that pyenv has."""
    yield _LIBRARY
    for version in ("3.12", "3.13"):
        found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/lib/python{version}"))
        yield from (each for each in found[-1:] if each != _LIBRARY)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Try to take views down.")
    add_arguments(parser)
    packages = RealPackages(parser.parse_args().cache)
    tallies = [*map(library, libraries()), hypothetical()]
    losses = damage(packages)
    print("\n".join(report(tallies, losses)))
    return 0 if is_met(tallies, losses) else 1


if __name__ == "__main__":
    sys.exit(main())
