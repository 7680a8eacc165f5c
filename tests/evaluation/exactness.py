"""Is what views and stubs say exactly what the sources say? Held against an oracle on Python's own ``ast``.

    make evaluate NAME=exactness                        the eight packages that the promise is about
    make evaluate NAME=exactness ARGS='--all'           all of the pinned packages
    make evaluate NAME=exactness ARGS='--corpus DIR'    the Python packages of another repository, too

For every declaration of a view: its signature, decorators, documentation, value, type and conditions against the
place in the source that it names; the same for the stubs that are printed; and every public definition of the
sources must be shown, or a rule says why not. Expressions must have the same tree and every literal its spelling.
Fails if anything differs, is lost or is made up.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._oracle import Thing
from evaluation._oracle_compare import KINDS, Limits, differences, facets, kind_of, same_doc
from evaluation._oracle_lost import is_private, missing
from evaluation._oracle_stubs import (
    Peer,
    Sources,
    confused,
    invented,
    listed,
    measured,
    module_docs,
    printed,
    strayed,
    stubbed,
)
from evaluation._oracle_view import PackageView, stub_of
from evaluation._peers import stub_trees
from evaluation.packages import RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.render.json import view_value

Trees = Mapping[str, Mapping[str, Path]]

_PROMISED = ("requests", "httpx", "rich", "pydantic", "click", "flask", "trio", "sqlalchemy")
#: ``view.long_value`` where the configuration says nothing.
_LONG_VALUE = 200


@dataclass(slots=True)
class Tally:
    """What was counted and what is wrong, by kind."""

    counted: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    words: list[str] = field(default_factory=list)

    def count(self, stated: Thing, where: str, found: Iterable[tuple[str, str]]) -> None:
        """Add one declaration and what differs in it."""
        self.counted.update(facets(stated))
        kinds: Counter[str] = Counter()
        for kind, words in found:
            kinds[kind] = kinds[kind] + 1 if kind == "decorators" else 1
            self.words.append(f"{kind}: {where}: {words}")
        self.wrong.update(kinds)

    def doc(self, path: str, stated: str | None, shown: str | None) -> None:
        """Add one module's documentation."""
        self.counted["module docs"] += bool(stated)
        if not same_doc(stated, shown):
            self.wrong["module docs"] += 1
            self.words.append(f"module docs: {path}: {(stated or '')[:80]!r} shown as {(shown or '')[:80]!r}")

    def lost(self, stated: Thing, where: str) -> None:
        """Add a declaration that isn't there at all, with all that it has."""
        found = Counter(facets(stated)) or Counter({kind_of(stated): 1})
        self.counted.update(found)
        self.wrong.update(found)
        self.words.append(f"{kind_of(stated)}: {where}: lost")

    def add(self, other: Tally) -> None:
        """Add all of another."""
        self.counted.update(other.counted)
        self.wrong.update(other.wrong)


@dataclass(frozen=True, slots=True)
class Result:
    """One package: its JSON and its stubs against its sources."""

    package: str
    view: Tally
    stubs: Tally
    text: Tally
    #: Tool → its stubs of the same declarations, our own among them.
    tools: Mapping[str, Tally]
    #: What contradicts itself, or shows what no source states.
    odd: tuple[str, ...]
    #: How many definitions each rule takes out.
    reasons: Mapping[str, int]
    unread: tuple[str, ...]


def measure(root: Path, packages: Sequence[str] | None, trees: Trees) -> Iterator[Result]:
    """One result a package; all Python packages if none is named."""
    workspace = Workspace.open(root)
    every = [each.path for each in workspace.packages() if "python" in each.kinds]
    for package in every if packages is None else packages:
        view = workspace.view(package)
        mine = [module for module in view.modules if module.adapter == "python"]
        text = {f"{module.name.replace('.', '/')}.pyi": workspace.render([module]) for module in mine}
        read = PackageView(view_value(view), workspace.stubs(view, mine), root)
        yield judged(read, text, trees)


def judged(view: PackageView, text: Mapping[str, str], trees: Trees) -> Result:
    """One package's view, stubs and text held against its sources."""
    limits = Limits(long_value=_LONG_VALUE)
    shown = Tally()
    for pair in view.pairs:
        shown.count(pair.stated, pair.where, differences(pair.stated, pair.shown, limits, pair.same))
    for module in view.value["modules"]:
        if source := view.sources.get(module["path"]):
            beside = view.sources.get(module["path"].removesuffix("i"))
            shown.doc(module["path"], source.doc or (beside.doc if beside else None), module["doc"])
    reasons: Counter[str] = Counter()
    for each in missing(view):
        if each.reason is None:
            shown.lost(each.thing, each.where)
        else:
            reasons[each.reason] += 1
    stubs = _printed(view, view.stubs, replace(limits, is_stub=True))
    for path, stated, doc in module_docs(view):
        stubs.doc(path, stated, doc)
    texts = {each["name"]: stub_of(each["name"], text) for each in view.value["modules"]}
    odd = [f"{where}: {words}" for where, words in view.odd]
    odd.extend(f"made up in a stub: {each}" for each in invented(view))
    odd.extend(f"in a stub: {each}" for each in listed(view))
    return Result(
        *(view.value["package"], shown, stubs, _printed(view, texts, limits)),
        dict(_compared(view, trees)),
        *(tuple(odd), reasons, tuple(view.unread)),
    )


def _compared(view: PackageView, trees: Trees) -> Iterator[tuple[str, Tally]]:
    """The same declarations as other tools' stubs have them, and as ours do."""
    package = str(view.value["package"])
    pairs = measured(view) if trees else []
    limits = Limits(is_stub=True, may_add=True, comments=frozenset(), answered=frozenset())
    for tool, roots in trees.items():
        tally, peer = Tally(), Peer(package, roots.get(package.rpartition("/")[2]))
        for pair in pairs:
            path = pair.value["path"]
            thing = peer.closest(path, pair.source, limits)
            if thing is not None:
                tally.count(pair.source, pair.where, differences(pair.source, thing, limits))
            elif any(facets(pair.source)):
                tally.lost(pair.source, pair.where)
        for module in view.value["modules"]:
            source, stub = view.sources.get(module["path"]), peer.source(module["path"])
            if source is not None and source.doc and not is_private(module["name"]):
                tally.doc(module["path"], source.doc, stub.doc if stub else None)
        yield tool, tally
    if pairs:
        ours = Limits(long_value=_LONG_VALUE, is_stub=True)
        wanted = {id(pair) for pair in pairs}
        yield "ifacegen", _printed(view, view.stubs, ours, wanted)


def _printed(
    view: PackageView, stubs: Sources, limits: Limits, wanted: Container[int] | None = None
) -> Tally:
    """What is printed, held against the sources; of ``wanted`` alone, by identity, if it is given."""
    tally = Tally()
    everything = [each for each in stubbed(view, stubs, limits) if wanted is None or id(each.pair) in wanted]
    for each in everything:
        pair = each.pair
        if each.thing is None or each.stub is None:
            tally.lost(pair.stated, pair.where)
        else:
            counted = pair.stated if wanted is None else pair.source
            tally.count(counted, pair.where, printed(each, each.thing))
            for words in strayed(each, view):
                tally.words.append(f"names: {pair.where}: {words}")
    for pair, words in confused(everything):
        tally.wrong["conditionals"] += 1
        tally.words.append(f"conditionals: {pair.where}: {words}")
    if wanted is not None:
        for module in view.value["modules"]:
            source, stub = view.sources.get(module["path"]), stubs[module["name"]]
            if source is not None and not is_private(module["name"]):
                tally.doc(module["path"], source.doc, stub.doc if stub else None)
    return tally


def evaluate(title: str, results: Sequence[Result]) -> bool:
    """Print one repository's tables and every difference; whether there is none."""
    print(f"\n## {title}\n\nWhat the JSON shows: counted / wrong\n")
    print("\n".join(_table((each.package, each.view) for each in results)))
    print("\nWhat the stubs show: counted / wrong\n")
    print("\n".join(_table((each.package, each.stubs) for each in results)))
    print("\nWhat the text shows: counted / wrong\n")
    print("\n".join(_table((each.package, each.text) for each in results)))
    tools = dict.fromkeys(tool for each in results for tool in each.tools)
    if tools:
        print("\nThe same public declarations in the stubs of each tool: counted / altered or lost\n")
        rows = [(tool, _summed(each.tools[tool] for each in results)) for tool in tools]
        print("\n".join(table(("tool", *KINDS), [(tool, *_cells(tally)) for tool, tally in rows])))
    reasons = sum((Counter(each.reasons) for each in results), Counter[str]())
    print(
        "\n".join(
            _list("Not shown, and why", [f"{count:,} {each}" for each, count in sorted(reasons.items())])
        )
    )
    print(
        "\n".join(_list("Not read by this Python's ast", [path for each in results for path in each.unread]))
    )
    wrong = [
        f"{each.package}: {part}: {words}"
        for each in results
        for part, found in (
            ("JSON", each.view.words),
            ("stub", each.stubs.words),
            ("text", each.text.words),
            ("odd", each.odd),
        )
        for words in found
    ]
    print("\n".join(_list("Differences", wrong)), flush=True)
    return not wrong


def _table(rows: Iterable[tuple[str, Tally]]) -> Iterator[str]:
    rows = list(rows)
    lines = [(name, *_cells(tally)) for name, tally in rows]
    total = _summed(tally for _, tally in rows)
    return table(("package", *KINDS), [*lines, (f"total of {len(lines)}", *_cells(total))])


def _summed(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for each in tallies:
        total.add(each)
    return total


def _cells(tally: Tally) -> Iterator[str]:
    yield from (f"{tally.counted[kind]:,} / {tally.wrong[kind]:,}" for kind in KINDS)


def _list(title: str, lines: list[str]) -> Iterator[str]:
    yield f"\n{title}: {len(lines)}"
    yield from (f"- {line}" for line in lines)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Hold views and stubs against an oracle on ast.")
    add_arguments(parser)
    parser.add_argument("--all", action="store_true", help="all of the pinned packages")
    parser.add_argument("--no-peers", action="store_true", help="leave the other tools' stubs out")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="a repository whose packages are read too")
    options = parser.parse_args()
    packages = RealPackages(options.cache)
    names = [each.address for each in packages.all() if options.all or each.name in _PROMISED]
    trees = {} if options.no_peers else stub_trees(packages)
    passed = evaluate("The pinned packages", list(measure(packages.monorepo, names, trees)))
    if options.corpus is not None:
        passed = evaluate("The corpus", list(measure(options.corpus, None, {}))) and passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
