"""How large is a view, beside its sources and beside the peers' stubs? In tokens, and by what they are spent on.

    make evaluate NAME=size

Every text is counted with the encoding that ifacegen itself uses. The peers' figure without documentation is of
their stubs with the docstrings taken out. Fails where all views together are above 26 % of the sources with
first paragraphs or 22 % without documentation.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._causes import CAUSES, causes, without_docs
from evaluation._peers import STUB_TOOLS, failures, stub_trees
from evaluation.packages import RealPackage, RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.model import Declaration, Module, View
from ifacegen.tokens import LineCounter
from ifacegen_adapters.python import PythonAdapter

_POLICIES = ("full", "first_paragraph", "none")
#: Policy → the most that all views may be of all sources.
_AT_MOST = {"first_paragraph": 0.26, "none": 0.22}
#: Causes named where a view is larger than a peer's stubs.
_NAMED = 4

_OURS_HEAD = (
    *("package", "source", "full", "of source", "first paragraphs", "of source", "none", "of source"),
    *("full, public alone", "of source"),
)
_PEERS_HEAD = (
    *("package", "view, full", *STUB_TOOLS, "view, none", *(f"{each}, none" for each in STUB_TOOLS)),
)


@dataclass(frozen=True, slots=True)
class Stubs:
    """What one tool wrote for one package: all of it, and of the files that the view shows something of."""

    whole: int
    shown: int
    shown_without_docs: int
    #: Of the files that the view shows something of.
    causes: Counter[str]


@dataclass(frozen=True, slots=True)
class Result:
    """One package's sizes."""

    name: str
    source: int
    #: Policy → tokens of the view.
    views: Mapping[str, int]
    #: Without what is carried along because something public mentions it.
    public: int
    causes: Counter[str]
    #: Tool → what it wrote; only tools that wrote something.
    peers: Mapping[str, Stubs]


def measure(packages: RealPackages) -> Iterator[Result]:
    """One result a package."""
    everything = packages.all()
    trees = stub_trees(packages)
    workspace = Workspace.open(packages.monorepo)
    for package in everything:
        view = workspace.view(package.address)
        roots = {tool: tree[package.name] for tool, tree in trees.items() if package.name in tree}
        shown = _shown(view, package)
        peers = {tool: _stubs(root, shown) for tool, root in roots.items()}
        yield _result(package, view, peers)


def _result(package: RealPackage, view: View, peers: Mapping[str, Stubs]) -> Result:
    adapter, count = PythonAdapter(), LineCounter().count
    split: Counter[str] = Counter()
    for module in view.modules:
        # One by one: what the running Python cannot read is then a module, not a package.
        split.update(causes(adapter.render([module])))
    return Result(
        package.name,
        view.tokens.implementation,
        {docs: count(adapter.render(view.modules, docs=docs)) for docs in _POLICIES},
        count(adapter.render([_public(module) for module in view.modules])),
        split,
        peers,
    )


def _public(module: Module) -> Module:
    return replace(module, declarations=tuple(_uncarried(module.declarations)))


def _uncarried(declarations: Sequence[Declaration]) -> Iterator[Declaration]:
    for each in declarations:
        if each.visibility != "carried":
            yield replace(each, members=tuple(_uncarried(each.members)))


def _shown(view: View, package: RealPackage) -> frozenset[str]:
    """Modules, private ones too, whose declarations the view shows: what there is to compare with."""
    paths = {module.path for module in view.modules} | {each.path for _, each in view.declarations()}
    inside = (Path(path) for path in paths if path.startswith(f"{package.address}/"))
    return frozenset(_module(path.relative_to(package.address)) for path in inside)


def _stubs(root: Path, shown: frozenset[str]) -> Stubs:
    count = LineCounter().count
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in sorted(root.rglob("*.pyi"))}
    same = [text for path, text in texts.items() if _module(path.relative_to(root)) in shown]
    split: Counter[str] = Counter()
    for text in same:
        split.update(causes(text))
    bare = sum(count(without_docs(text)) for text in same)
    return Stubs(sum(map(count, texts.values())), sum(map(count, same)), bare, split)


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def report(results: Sequence[Result], failed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Three tables, then where a view is larger than a peer's stubs, and what the peers could not do."""
    yield "Tokens of views and of their sources\n"
    yield from table(_OURS_HEAD, _our_rows(results))
    yield "\nThe same files as the peers' stubs have them: those that the view shows something of\n"
    yield from table(_PEERS_HEAD, _peer_rows(results))
    yield "\nAll that the peers wrote, private modules and files included\n"
    yield from table(("package", *STUB_TOOLS), _whole_rows(results))
    complete = [each for each in results if len(each.peers) == len(STUB_TOOLS)]
    names = ", ".join(each.name for each in complete)
    yield f"\nWhat the tokens are spent on, the same files, in packages that all tools can do: {names}\n"
    yield from table(("", "view", *STUB_TOOLS), _cause_rows(complete))
    yield from _larger(results)
    for tool, found in failed.items():
        yield from (f"\n{tool}, {name}: {failure}" for name, failure in found.items())


def _our_rows(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    rows = [
        (each.name, each.source, *(each.views[docs] for docs in _POLICIES), each.public) for each in results
    ]
    totals = [sum(figures) for figures in zip(*(row[1:] for row in rows), strict=True)]
    for name, source, *sizes in (*rows, ("total", *totals)):
        cells = (cell for size in sizes for cell in (f"{size:,}", f"{size / source:.1%}"))
        yield name, f"{source:,}", *cells


def _peer_rows(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for each in results:
        yield (
            each.name,
            f"{each.views['full']:,}",
            *(_cell(each, tool, "shown") for tool in STUB_TOOLS),
            f"{each.views['none']:,}",
            *(_cell(each, tool, "shown_without_docs") for tool in STUB_TOOLS),
        )


def _whole_rows(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    for each in results:
        yield each.name, *(_cell(each, tool, "whole") for tool in STUB_TOOLS)


def _cell(result: Result, tool: str, field: str) -> str:
    return f"{getattr(result.peers[tool], field):,}" if tool in result.peers else "failed"


def _cause_rows(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    ours = sum((each.causes for each in results), Counter[str]())
    peers = [sum((each.peers[tool].causes for each in results), Counter[str]()) for tool in STUB_TOOLS]
    for cause in CAUSES:
        if any(each[cause] for each in (ours, *peers)):
            yield cause, *(f"{each[cause]:,}" for each in (ours, *peers))
    yield "total", *(f"{each.total():,}" for each in (ours, *peers))


def _larger(results: Sequence[Result]) -> Iterator[str]:
    """Where a view has more tokens than stubs of the same files, and the causes that add most."""
    for result in results:
        for tool, stubs in result.peers.items():
            more = Counter({cause: result.causes[cause] - stubs.causes[cause] for cause in CAUSES})
            excess = result.views["full"] - stubs.shown
            if excess > 0:
                most = ", ".join(f"{cause} {count:+,}" for cause, count in more.most_common(_NAMED))
                least = ", ".join(f"{cause} {count:+,}" for cause, count in more.most_common()[:-3:-1])
                yield f"\n{result.name}: {excess:,} tokens more than {tool} ({most}; {least})"


def is_met(results: Sequence[Result]) -> bool:
    """Whether all views together are as small as promised."""
    source = sum(each.source for each in results)
    return all(sum(each.views[docs] for each in results) <= most * source for docs, most in _AT_MOST.items())


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(
        description="Count the tokens of views, of their sources and of the peers."
    )
    add_arguments(parser)
    packages = RealPackages(parser.parse_args().cache)
    results = list(measure(packages))
    print("\n".join(report(results, failures(packages))))
    return 0 if is_met(results) else 1


if __name__ == "__main__":
    sys.exit(main())
