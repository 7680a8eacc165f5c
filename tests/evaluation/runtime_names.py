"""Are the names that callers can import, and the members they can use, in the views? Held against the modules.

    make evaluate NAME=runtime_names

For every real package, its modules are imported by an interpreter of their own, and what they have there is
held against the view, beside the peers:

1. the public names of its top-level modules,
2. those of all its other modules without a private part in their dotted name; tests, `conftest` and vendored
   code are left out, as views do by design, and counted,
3. the members of every public class that the view shows.

Which names are public is said in ``_runtime.py``, which members in ``_members.py``. **Missing** is a public name
that is not shown, or that is shown as for type checkers only. What was **made at run time** (in a loop, by
`globals()`, by a decorator, in a C extension) is missing too, but no reading of the sources could know it: it
is counted apart, and the recall given with and without. **Extra** is a name that is shown and cannot be
imported, or is public by no rule: foreign imports, private names. Not extra is what is shown with a condition
that is not met here, what a source states for type checkers and sets by `globals().update(…)` where the platform
has it, and metadata (`__version__`) that is there.

Every difference is printed with its reason, decided by rules. Fails where, in total, the recall of the top-level
names is below 99.5 %, that of what is written in other modules below 99.5 %, that of members below 99 %, or
where more than 1 % of the names are extra.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation import _members, _names
from evaluation._griffe import GriffeTree
from evaluation._names import AT_RUN_TIME, Comparison, ShownModules
from evaluation._peers import STUB_TOOLS, stub_trees
from evaluation._peers import sources as copy_sources
from evaluation._runtime import Runtime, Sources, imported
from evaluation._stubs import StubTree
from evaluation.packages import RealPackage, RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.model import View

PEERS = (*STUB_TOOLS, "griffe")
#: Measure → least recall, of all that is public or of what is written.
_LEAST = MappingProxyType({"top-level names": 0.995, "names of other modules": 0.995, "members": 0.99})
_MOST_EXTRA = 0.01
_HEAD = (
    *("package", "public", "found", "missing", "made at run time", "recall", "recall of what is written"),
    *("extra", *PEERS),
)


class Peer(Protocol):
    """What another tool made of a package."""

    def names(self, module: str) -> frozenset[str]:
        """Public names of a module."""
        ...

    def members(self, module: str, qualname: str) -> frozenset[str]:
        """What a class has."""
        ...


@dataclass(frozen=True, slots=True)
class PeerCount:
    """How many public names a peer has, and how many that are none."""

    found: int
    #: Out of how many; none where it made nothing of the package.
    expected: int
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Measure:
    """One package, or all of them, by one measure."""

    comparison: Comparison
    peers: Mapping[str, PeerCount]

    def count(self, kind: str) -> int:
        """How many differences are of a kind."""
        return self.comparison.count(kind)

    @property
    def expected(self) -> int:
        """How many names are public."""
        return self.comparison.expected

    @property
    def found(self) -> int:
        """How many of them are shown."""
        return self.expected - self.count("missing") - self.count(AT_RUN_TIME)

    @property
    def recall(self) -> float:
        """Part of what is public that the view shows."""
        return share(self.found, self.expected)

    @property
    def recall_of_written(self) -> float:
        """The same, of what a reading of the sources could know."""
        return share(self.found, self.expected - self.count(AT_RUN_TIME))

    def cells(self) -> tuple[str, ...]:
        """The figures as the table prints them."""
        counts = (self.expected, self.found, self.count("missing"), self.count(AT_RUN_TIME))
        peers = (self.peers.get(name) for name in PEERS)
        recalls = (percent(share(each.found, each.expected)) if each else "none" for each in peers)
        shares = (percent(self.recall), percent(self.recall_of_written))
        return (*(f"{each:,}" for each in counts), *shares, str(self.count("extra")), *recalls)


@dataclass(frozen=True, slots=True)
class Result:
    """One package."""

    package: RealPackage
    measures: Mapping[str, Measure]
    #: Module → why it could not be imported.
    failed: Mapping[str, str]
    #: How many modules views leave out by design, and how many are public.
    left_out: int
    modules: int


def share(part: int, whole: int) -> float:
    """A quotient; nothing out of nothing is all of it."""
    return part / whole if whole else 1.0


def percent(value: float) -> str:
    """A share as the table prints it; never rounded up to all of it."""
    return f"{int(value * 1000) / 10:.1f}%"


def summed(measures: Sequence[Measure]) -> Measure:
    """All packages together; of a peer those that it made something of."""
    comparison = _joined(each.comparison for each in measures)
    return Measure(comparison, {name: _total(each.peers.get(name) for each in measures) for name in PEERS})


def _joined(comparisons: Iterable[Comparison]) -> Comparison:
    parts = list(comparisons)
    differences = (difference for each in parts for difference in each.differences)
    return Comparison(sum(each.expected for each in parts), tuple(differences))


def _total(counts: Iterable[PeerCount | None]) -> PeerCount:
    known = [each for each in counts if each]
    sums = (sum(each.found for each in known), sum(each.expected for each in known))
    return PeerCount(*sums, sum(each.extra for each in known))


def measure(packages: RealPackages) -> Iterator[Result]:
    """One result a package."""
    everything = packages.with_runtime()
    workspace = Workspace.open(packages.monorepo)
    trees = stub_trees(packages)
    for package in everything:
        print(f"{package.name} …", file=sys.stderr)
        peers: dict[str, Peer] = {
            tool: StubTree(roots[package.name]) for tool, roots in trees.items() if package.name in roots
        }
        with tempfile.TemporaryDirectory() as folder:
            copy_sources(package, Path(folder))
            peers["griffe"] = GriffeTree(Path(folder))
            yield _measured(packages, package, workspace.view(package.address), peers)


def _measured(packages: RealPackages, package: RealPackage, view: View, peers: Mapping[str, Peer]) -> Result:
    sources, shown = Sources(package), ShownModules(view)
    public = sources.public
    names = {module: shown.names(module) for module in public | shown.modules.keys()}
    modules = public | {module for module, each in names.items() if each}
    asked = {
        module: frozenset(names[module]).union(*(peer.names(module) for peer in peers.values()))
        for module in modules
    }
    runtime = imported(packages.python, sources, modules, asked)
    top = [name for name in package.modules if name in runtime.modules]
    others = sorted(public & runtime.modules.keys() - set(top))
    measures = {
        "top-level names": _of_names(runtime, shown, top, peers),
        "names of other modules": _of_names(runtime, shown, others, peers),
        "members": _of_members(runtime, view, peers),
    }
    return Result(package, measures, runtime.failed, len(sources.left_out), len(public))


def _of_names(
    runtime: Runtime, shown: ShownModules, modules: Sequence[str], peers: Mapping[str, Peer]
) -> Measure:
    comparison = _joined(_names.compare(runtime, shown, module) for module in modules)
    counts = {}
    for tool, peer in peers.items():
        there = [(runtime.modules[module], peer.names(module)) for module in modules]
        found = sum(len(module.public & names) for module, names in there)
        extra = sum(1 for module, names in there for name in names if not module.may_show(name))
        if found or not modules:
            counts[tool] = PeerCount(found, comparison.expected, extra)
    return Measure(comparison, counts)


def _of_members(runtime: Runtime, view: View, peers: Mapping[str, Peer]) -> Measure:
    classes, shown = _members.ShownClasses(view), list(_members.shown_classes(view, runtime))
    comparison = _joined(_members.compare(runtime, classes, *each) for each in shown)
    expected = [(key, _members.expected(runtime, key)) for _, _, key in shown if key]
    counts = {}
    for tool, peer in peers.items():
        found = sum(_found(runtime, peer, key, names) for key, names in expected)
        if found:
            counts[tool] = PeerCount(found, comparison.expected)
    return Measure(comparison, counts)


def _found(runtime: Runtime, peer: Peer, key: str, names: Mapping[str, str]) -> int:
    """How many members a peer has, in the class or where a private base has them."""
    owners = {owner: runtime.classes[owner] for owner in {key, *names.values()}}
    members = {owner: peer.members(each.home, each.qualname) for owner, each in owners.items()}
    return sum(1 for name, owner in names.items() if name in members[key] or name in members[owner])


def report(results: Sequence[Result]) -> Iterator[str]:
    """A table for each measure, one for the peers, then every difference."""
    totals = {name: summed([each.measures[name] for each in results]) for name in _LEAST}
    for name, total in totals.items():
        rows = [(each.package.name, *each.measures[name].cells()) for each in results]
        yield f"\n### {name.capitalize()}\n"
        yield from table(_HEAD, [*rows, ("total", *total.cells())])
    yield "\n### Extra names\n"
    yield from _extra(totals)
    yield "\n### Modules\n"
    rows = [
        (each.package.name, *map(str, (each.modules, each.left_out, len(each.failed)))) for each in results
    ]
    yield from table(("package", "public modules", "left out by design", "cannot be imported"), rows)
    for each in results:
        yield from (f"\n{module} cannot be imported: {why}" for module, why in sorted(each.failed.items()))
    for name in _LEAST:
        yield f"\n### Differences: {name}"
        for each in results:
            yield from _differences(each.package.name, each.measures[name].comparison)


def _extra(totals: Mapping[str, Measure]) -> Iterator[str]:
    """What callers are shown that is not there, or not theirs; members are not told apart for peers."""
    rows = []
    for name, total in totals.items():
        own = f"{total.count('extra')} ({percent(share(total.count('extra'), total.expected))})"
        peers = (total.peers[tool] for tool in PEERS)
        cells = (f"{each.extra} ({percent(share(each.extra, each.expected))})" for each in peers)
        rows.append((name, own, *(cells if name != "members" else ("",) * len(PEERS))))
    yield from table(("", "views", *PEERS), rows)


def _differences(package: str, comparison: Comparison) -> Iterator[str]:
    found = defaultdict(list)
    for each in comparison.differences:
        found[each.kind, each.reason].append(each.name)
    for (kind, reason), names in sorted(found.items()):
        quoted = ", ".join(f"`{name}`" for name in sorted(names))
        yield f"\n{package}, {kind}: {reason} ({len(names)}): {quoted}"


def failures(results: Sequence[Result]) -> Iterator[str]:
    """Which promises are broken."""
    totals = {name: summed([each.measures[name] for each in results]) for name in _LEAST}
    recalls: Mapping[str, Callable[[Measure], float]] = {
        "top-level names": lambda total: total.recall,
        "names of other modules": lambda total: total.recall_of_written,
        "members": lambda total: total.recall_of_written,
    }
    for name, total in totals.items():
        if (recall := recalls[name](total)) < _LEAST[name]:
            yield f"{name}: recall {percent(recall)}, promised {percent(_LEAST[name])}"
        if (extra := share(total.count("extra"), total.expected)) > _MOST_EXTRA:
            yield f"{name}: extra {percent(extra)}, at most {percent(_MOST_EXTRA)}"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Hold the views' names against those of imported modules.")
    add_arguments(parser)
    options = parser.parse_args()
    results = list(measure(RealPackages(options.cache)))
    print("\n".join(report(results)))
    broken = list(failures(results))
    print("\n".join(["", *(f"broken: {each}" for each in broken)]))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
