"""Are OpenAPI documents shown whole, and how small? Real documents, each held against its view.

    make evaluate NAME=openapi_views

Fifteen documents that npm and PyPI packages ship, one of Swagger 2, three that `redocly split` takes apart into
hundreds of files, and 119 that each show one thing of the language. A reader of our own (``_openapi_document.py``)
lists the operations, parameters, responses and schemas of each, with what they say; all of it is looked up in the
view's JSON and once more in its text, and nothing else may be there. ``--guru`` does the same with every document of
APIs.guru, some 2,600. Every difference is printed. Fails where there is one, or where GitHub's outline is above
40,000 tokens.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Self

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._contracts import DOCUMENTS, EXAMPLES, SPLIT, SWAGGER, Contracts, Source, contracts
from evaluation._openapi_compare import CHECKS, Comparison, compare
from evaluation._openapi_document import Document
from evaluation._openapi_shown import from_json, from_text
from evaluation._published import Made, Maker, values
from evaluation.packages import add_arguments, table

from ifacegen.adapter import CompletesSelections
from ifacegen.model import Module
from ifacegen.tokens import LineCounter, count_tokens

_GITHUB, _MOST_OUTLINE = "github", 40_000
#: Of differences of one kind in one document, at most so many are printed.
_PRINTED = 5
#: Larger documents of APIs.guru are left out with ``--guru``: two, of 20 and of 47 MB.
_LARGE = 16_000_000
_SIZES_HEAD = (
    *(
        "document",
        "shipped in",
        "version",
        "operations",
        "schemas",
        "as shipped",
        "minified",
        "outline",
        "of minified",
    ),
    *("without docs", "of minified", "with first sentences", "of minified"),
)


@dataclass(slots=True)
class Result:
    """One document, or several, in both forms of its view."""

    name: str
    json: Comparison = field(default_factory=Comparison)
    text: Comparison = field(default_factory=Comparison)
    outlined: Comparison = field(default_factory=Comparison)
    notes: Counter[str] = field(default_factory=Counter)

    def hold(self, document: Document, made: Made) -> None:
        """One document against all that is shown of its package."""
        self.notes.update(each.code for each in made.surface.notes)
        self.add(document, made, made.surface.modules)

    def add(self, document: Document, made: Made, modules: Sequence[Module]) -> None:
        """One document against what is shown of it."""
        self.json += compare(document, from_json(values(modules)))
        self.text += compare(document, from_text(made.adapter.render(modules)))

    def outline(self, document: Document, made: Made) -> None:
        """Names of operations and schemas against the outline."""
        lines = made.adapter.render_outline(made.surface.modules).splitlines()
        words = {word for line in lines for word in (*line.split(), *line.replace(",", " ").split())}
        for each in document.operations:
            name = each.path if each.group in {"paths", "webhooks"} else each.group.split(" ")[1]
            self.outlined.check("outline", name in words or f'"{name}"' in words, name)
        for name in document.schemas:
            self.outlined.check("outline", name in words, name)

    def __iadd__(self, other: Result) -> Self:
        self.json += other.json
        self.text += other.text
        self.outlined += other.outlined
        self.notes += other.notes
        return self

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return not any(each.differences for each in (self.json, self.text, self.outlined))


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tokens of one document and of its views."""

    name: str
    shipped_in: str
    version: str
    operations: int
    schemas: int
    shipped: int
    minified: int
    outline: int
    bare: int
    full: int

    def cells(self) -> tuple[str, ...]:
        """As the table has them."""
        plain = (self.operations, self.schemas, self.shipped, self.minified)
        sizes = (self.outline, self.bare, self.full)
        parts = (cell for size in sizes for cell in (f"{size:,}", f"{size / self.minified:.1%}"))
        return self.name, self.shipped_in, self.version, *(f"{each:,}" for each in plain), *parts


@dataclass(slots=True)
class Measured:
    """All that is printed."""

    results: list[Result] = field(default_factory=list)
    sizes: list[Sizes] = field(default_factory=list)
    #: Name, lines of the view, lines that only one of both has.
    splits: list[tuple[str, int, list[str]]] = field(default_factory=list)
    swagger: str = ""
    #: Tokens of ``show`` of each of GitHub's operations, and of its tags.
    parts: dict[str, list[int]] = field(default_factory=dict)
    guru: Result | None = None

    def add_split(self, found: Contracts, name: str, whole: Made, split: Made) -> None:
        """The same document in many files."""
        result, text = Result(f"{name}, split"), whole.text
        result.hold(Document(next((found.repository / "apis" / f"{name}-split").glob("openapi.*"))), split)
        self.results.append(result)
        self.splits.append((name, text.count("\n"), _only_in_one(text, split.text)))


def measure(found: Contracts, *, guru: bool) -> Measured:
    """Everything, document by document."""
    maker, measured = Maker.open(found.repository, "openapi"), Measured()
    for source in DOCUMENTS:
        print(f"{source.name} …", file=sys.stderr)
        made, path = maker.made(f"apis/{source.name}"), found.document(source)
        document, result = Document(path), Result(source.name)
        result.hold(document, made)
        result.outline(document, made)
        measured.results.append(result)
        measured.sizes.append(_sizes(source, path, document, made))
        if source.name in SPLIT:
            measured.add_split(found, source.name, made, maker.made(f"apis/{source.name}-split"))
        if source.name == _GITHUB:
            measured.parts = _parts(made)
    measured.results.append(_examples(found, maker.made(f"apis/{EXAMPLES.name}")))
    measured.swagger = "; ".join(map(str, maker.made(f"apis/{SWAGGER.name}").surface.notes))
    if guru:
        measured.guru = _guru(found)
    return measured


def _sizes(source: Source, path: Path, document: Document, made: Made) -> Sizes:
    count, adapter, modules = LineCounter().count, made.adapter, made.surface.modules
    return Sizes(
        source.name,
        source.shipped_in,
        document.version,
        len(document.operations),
        len(document.schemas),
        count(path.read_text(encoding="utf-8-sig")),
        count_tokens(json.dumps(document.root.value, separators=(",", ":"), ensure_ascii=False)),
        count(adapter.render_outline(modules)),
        count(adapter.render(modules, docs="none")),
        count(made.text),
    )


def _only_in_one(one: str, other: str) -> list[str]:
    """Lines that the other view doesn't have; what splits the document sorts its response codes."""
    lines, others = (Counter(map(_sorted_codes, each.splitlines())) for each in (one, other))
    return sorted([*(lines - others).elements(), *(others - lines).elements()])


def _sorted_codes(line: str) -> str:
    codes = re.match(r"  \d\d\d(?:, \d\d\d)+", line)
    return f"  {', '.join(sorted(codes[0].strip().split(', ')))}{line[codes.end() :]}" if codes else line


def _parts(made: Made) -> dict[str, list[int]]:
    adapter, modules, count = made.adapter, made.surface.modules, LineCounter().count
    assert isinstance(adapter, CompletesSelections)
    operations = [
        (replace(module, doc=None, declarations=(each,)), each)
        for module in modules
        for each in module.declarations
        if each.kind == "operation"
    ]
    shown = ([module, *adapter.needed(modules, [each])] for module, each in operations)
    return {
        "an operation alone": [count(adapter.render([module])) for module, _ in operations],
        "an operation with all that it needs": [count(adapter.render(each)) for each in shown],
        "a tag (`--module`)": [count(adapter.render([each])) for each in modules],
    }


def _examples(found: Contracts, made: Made) -> Result:
    """Documents of one package: each has its modules."""
    result, folder = Result(EXAMPLES.name), found.repository / "apis" / EXAMPLES.name
    result.notes.update(each.code for each in made.surface.notes)
    left_out = {each.path for each in made.surface.notes if each.code == "dereferenced-twin"}
    by_path: dict[str, list[Module]] = {}
    for module in made.surface.modules:
        by_path.setdefault(module.path, []).append(module)
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        key = path.relative_to(found.repository).as_posix()
        if key not in left_out:
            result.add(Document(path), made, by_path.get(key, []))
    return result


def _guru(found: Contracts) -> Result:
    """Every document of APIs.guru but the largest, without tokens."""
    maker, total = Maker.open(found.everything, "openapi"), Result("APIs.guru")
    for package in maker.packages:
        path = found.everything / package.path / "openapi.json"
        if path.stat().st_size < _LARGE:
            result = Result(package.path)
            result.hold(Document(path), maker.made(package.path))
            total += result
    return total


def report(measured: Measured) -> Iterator[str]:
    """Tables, then every difference."""
    for title, form in (("The view's JSON", "json"), ("The view's text", "text")):
        yield f"{title} (counted / wrong)\n"
        yield from table(("document", *CHECKS), _rows(measured.results, form))
        yield ""
    if measured.guru is not None:
        yield "Every document of APIs.guru\n"
        yield from table(
            ("form", *CHECKS), [_row(form, getattr(measured.guru, form)) for form in ("json", "text")]
        )
        yield f"\nDocuments with notes: {_counts(measured.guru.notes)}\n"
    names = sum(each.outlined.counted["outline"] for each in measured.results)
    lost = sum(each.outlined.wrong["outline"] for each in measured.results)
    yield f"Outlines: {lost:,} of {names:,} paths and names of schemas are missing.\n"
    yield "Tokens\n"
    yield from table(_SIZES_HEAD, [each.cells() for each in measured.sizes])
    yield "\nTokens of parts of GitHub's view\n"
    yield from table(("", "number", "median", "90 of 100 below", "largest"), _part_rows(measured.parts))
    yield "\nThe same document in many files\n"
    rows = [(name, f"{lines:,}", str(len(only))) for name, lines, only in measured.splits]
    yield from table(("document", "lines of the view", "lines that only one view has"), rows)
    yield ""
    yield from table(("document", "notes"), [(each.name, _counts(each.notes)) for each in measured.results])
    yield f"\n{SWAGGER.shipped_in}: {measured.swagger}"
    yield from _differences(measured)


def _rows(results: Sequence[Result], form: str) -> Iterator[tuple[str, ...]]:
    total = Comparison()
    for each in results:
        found = getattr(each, form)
        yield _row(each.name, found)
        total += found
    yield _row("total", total)


def _row(name: str, found: Comparison) -> tuple[str, ...]:
    cells = (f"{found.counted[each]:,} / {found.wrong[each]:,}" for each in CHECKS[:-1])
    return name, *cells, str(found.wrong["extra"])


def _part_rows(parts: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, ...]]:
    for name, sizes in parts.items():
        figures = median(sizes), quantiles(sizes, n=10)[-1], max(sizes)
        yield name, f"{len(sizes):,}", *(f"{each:,.0f}" for each in figures)


def _counts(counter: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counter.items())) or "none"


def _differences(measured: Measured) -> Iterator[str]:
    for each in (*measured.results, *([measured.guru] if measured.guru else [])):
        for form, found in (("JSON", each.json), ("text", each.text), ("outline", each.outlined)):
            kinds: Counter[str] = Counter()
            for difference in found.differences:
                kind = difference.partition(":")[0]
                kinds[kind] += 1
                if kinds[kind] <= _PRINTED:
                    yield f"\n{each.name}, {form}: {difference[:400]}"
    for name, _, only in measured.splits:
        yield from (f"\n{name}, whole or split: {line[:300]}" for line in only[:_PRINTED])


def is_met(measured: Measured) -> bool:
    """Whether nothing is missing, false or invented, and GitHub's outline is small enough."""
    results = [*measured.results, *([measured.guru] if measured.guru else [])]
    outline = next(each.outline for each in measured.sizes if each.name == _GITHUB)
    return all(each.holds for each in results) and outline <= _MOST_OUTLINE


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Hold the views of OpenAPI documents against the documents.")
    add_arguments(parser)
    parser.add_argument("--guru", action="store_true", help="every document of APIs.guru too: 20 minutes")
    options = parser.parse_args()
    measured = measure(contracts(options.cache), guru=options.guru)
    print("\n".join(report(measured)))
    return 0 if is_met(measured) else 1


if __name__ == "__main__":
    sys.exit(main())
