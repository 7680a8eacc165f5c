"""Do budgets hold on real views, and is everything that a shortened view leaves out counted?

    make evaluate NAME=budgets                       the pinned packages
    make evaluate NAME=budgets ARGS='--corpus DIR'   six packages of another repository, too

Every view is shortened to five budgets, as text and as Markdown, and made an outline. Each text is counted, and
read by a reader of its own (``tests/support/sizes.py``): every declaration must be there by name or be counted.
Fails where a text has more tokens than its budget, where something is missing, or where a budget is left unused.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation.packages import RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.errors import UsageError
from ifacegen.model import Module
from ifacegen.render.markdown import markdown
from ifacegen.render.page import Page, Press, text
from ifacegen.selection import Selection, select
from ifacegen.shortening import shortened
from ifacegen.tokens import count_tokens
from support.sizes import read, unaccounted

BUDGETS = (100_000, 20_000, 4_000, 1_000, 200)
#: Of another repository: packages of several ecosystems, large and small.
CORPUS = (
    "apis/github",
    "python/anyio",
    "python/cattrs",
    "python/django",
    "python/marshmallow",
    "python/opentelemetry-sdk",
)
#: What may be left of a budget: a share of it, or so many tokens (lines on folders, which go together) if that is more.
_LEFT, _LEFT_TOKENS = 0.1, 200
_REPORT = re.compile(r"^# .*shortened to [\d,]+ tokens: (.*?);", re.MULTILINE)
_KINDS = ("first paragraph", "without members", "to a line each", "only counted")


@dataclass
class Result:
    """What was found out about one view."""

    name: str
    view: int
    outline: int
    #: Budget → tokens, and how far it was shortened.
    sizes: dict[int, tuple[int, str]] = field(default_factory=dict)
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


def measure(workspace: Workspace, address: str) -> Result:
    """Shorten one view in every way."""
    selection = select(workspace, address, None, None)
    press = workspace.press(selection.modules)
    outline = selection.outline(press)
    result = Result(address, selection.view.tokens.view, outline.tokens or 0)
    result.problems += _left_out(text([outline], press), selection.modules)
    for budget in BUDGETS:
        _shorten(result, selection, press, budget)
    return result


def _shorten(result: Result, selection: Selection, press: Press, budget: int) -> None:
    for page in (selection.page(press), selection.outline(press)):
        for layout in (text, markdown):
            start = time.perf_counter()
            try:
                (found,) = shortened([page], press, budget, layout)
            except UsageError as error:
                result.problems.append(str(error))
                continue
            result.seconds = max(result.seconds, time.perf_counter() - start)
            printed = layout([found], press)
            tokens = count_tokens(printed if printed.endswith("\n") else f"{printed}\n")
            if tokens > budget:
                result.problems.append(f"{tokens} tokens of {budget}")
            result.problems += _unused(page, found, tokens, budget)
            as_text = text([found], press)
            result.problems += [f"{budget}: {each}" for each in _left_out(as_text, selection.modules)]
            if layout is text and page.body == selection.view.body:
                result.sizes[budget] = tokens, _how_far(as_text)


def _unused(page: Page, found: Page, tokens: int, budget: int) -> Iterator[str]:
    if found is not page and budget - tokens > max(budget * _LEFT, _LEFT_TOKENS):
        yield f"{tokens} tokens of {budget} used, though something was left out"


def _how_far(printed: str) -> str:
    said = _REPORT.search(printed)
    if not said:
        return "whole" if " not shown; " not in printed.partition("\n")[0] else "counted"
    counts = {
        kind: number for number, _, kind in re.findall(rf"([\d,]+) (\w+) ({'|'.join(_KINDS)})", said[1])
    }
    counts |= {kind: number for number, kind in re.findall(rf"([\d,]+) docs? to the ({_KINDS[0]})", said[1])}
    short = dict(zip(_KINDS, ("docs", "members", "lines", "counted"), strict=True))
    return ", ".join(f"{short[kind]} {counts[kind]}" for kind in _KINDS if kind in counts)


def _left_out(printed: str, modules: Sequence[Module]) -> list[str]:
    """What a text neither shows nor counts."""
    if all(module.adapter == "python" for module in modules):
        return unaccounted(modules, read(printed))
    declared = [each for module in modules for each in module.declarations if each.kind != "import"]
    body = printed.partition("\n\n")[2]
    # Webhooks are called by the words of their headers.
    missing = sum(1 for each in declared if each.name not in body and each.signature not in body)
    counted = sum(
        int(each.replace(",", "")) for each in re.findall(r"([\d,]+) declarations? only counted", printed)
    )
    return [f"{missing} names missing, {counted} counted"] if missing > counted else []


def report(results: Sequence[Result]) -> Iterator[str]:
    """The table, and what is wrong."""
    head = ("view", "tokens", "outline", "of view", *(f"{budget:,}" for budget in BUDGETS), "slowest, s")
    rows = (
        (
            result.name.rpartition("/")[2],
            f"{result.view:,}",
            f"{result.outline:,}",
            f"{result.outline / max(1, result.view):.0%}",
            *(f"{result.sizes[budget][0]:,} ({result.sizes[budget][1]})" for budget in BUDGETS),
            f"{result.seconds:.1f}",
        )
        for result in results
    )
    yield from table(head, rows)
    over = sum(1 for result in results for each in result.problems)
    yield f"\n{len(results)} views, {4 * len(BUDGETS) * len(results)} shortened texts, {over} problems"
    yield from (f"{result.name}: {each}" for result in results for each in result.problems)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(
        description="Shorten real views to budgets, and account for what is gone."
    )
    add_arguments(parser)
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="a repository with six more packages")
    options = parser.parse_args()
    packages = RealPackages(options.cache)
    addresses = [each.address for each in packages.all()]
    results: list[Result] = []
    with Workspace.open(packages.monorepo) as workspace:
        results += (measure(workspace, each) for each in addresses)
    if options.corpus is not None:
        with Workspace.open(options.corpus) as workspace:
            results += (measure(workspace, each) for each in CORPUS)
    print("\n".join(report(results)))
    return 1 if any(result.problems for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
