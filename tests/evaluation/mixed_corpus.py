"""A whole repository of Python, TypeScript and contracts, warmed cold by one command: what it costs and what it notes.

    make evaluate NAME=mixed_corpus ARGS="--corpus DIR"

The corpus is a git repository; it is cloned, and the clone warmed with two workers into an empty cache. Time is wall
and CPU of all processes, memory that of the largest. Fails where a view fails, or where a note has a code that
``docs/views.md`` does not explain.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._corpus import Repository, work_folder
from benchmarks._processes import PROGRAMS, Run, run
from evaluation.packages import table

_DOCS = Path(__file__).resolve().parents[2] / "docs" / "views.md"
_EXPLAINED = re.compile(r"`([a-z0-9]+(?:-[a-z0-9]+)*)`")
_MEGABYTE = 1_000_000
_INCOMPLETE = 3
#: Notes of a code that are shown as examples.
_SHOWN = 3


@dataclass(slots=True)
class Seen:
    """What the views of one kind of package hold."""

    views: int = 0
    tokens: int = 0
    sources: int = 0
    #: Code → what was noted.
    notes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def look(repository: Path, cache: Path) -> tuple[dict[str, Seen], list[str]]:
    """Kind of package → what its views hold; and the notes on the repository itself."""
    from ifacegen import Workspace

    found: dict[str, Seen] = defaultdict(Seen)
    with Workspace.open(repository, cache_dir=cache) as workspace:
        general = [f"{each.code}: {each.message}" for each in workspace.notes()]
        for package in workspace.packages():
            view, seen = workspace.view(package), found["+".join(sorted(package.kinds))]
            seen.views += 1
            seen.tokens += view.tokens.view
            seen.sources += view.tokens.implementation
            for note in view.notes:
                seen.notes[note.code].append(f"{package.path}: {note.message} ({note.path})")
    return found, general


def unexplained(found: Mapping[str, Seen]) -> list[str]:
    """Codes that a reader would look up in vain."""
    known = set(_EXPLAINED.findall(_DOCS.read_text(encoding="utf-8")))
    return sorted({code for each in found.values() for code in each.notes} - known)


def report(runs: Mapping[str, Run], found: Mapping[str, Seen], general: list[str]) -> Iterator[str]:
    """Tables of costs, of views and of notes; and examples of these."""
    load = "load average when it ended: {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg())
    yield f"{os.cpu_count()} cores, {load}\n"
    head = ("step", "built", "found", "failed", "wall seconds", "CPU seconds", "largest process, MB")
    yield from table(head, [_costs(*each) for each in runs.items()])
    yield ""
    sizes = ("packages of", "views", "tokens of source", "of views", "share")
    yield from table(sizes, [_sizes(*each) for each in sorted(found.items())])
    yield ""
    counts = Counter(
        {(kind, code): len(notes) for kind, seen in found.items() for code, notes in seen.notes.items()}
    )
    packages = {
        (kind, code): len({each.partition(":")[0] for each in notes})
        for kind, seen in found.items()
        for code, notes in seen.notes.items()
    }
    rows = [(*key, str(count), str(packages[key])) for key, count in counts.most_common()]
    yield from table(("packages of", "note", "times", "in packages"), rows)
    yield ""
    for kind, seen in sorted(found.items()):
        for code, notes in sorted(seen.notes.items()):
            yield from (f"- {kind} `{code}`: {each}" for each in notes[:_SHOWN])
    yield from (f"- repository: {each}" for each in general)
    yield from (f"- **`{each}` is not explained in docs/views.md**" for each in unexplained(found))


def _costs(step: str, done: Run) -> tuple[str, ...]:
    summary = json.loads(done.stdout)
    counts = (str(summary[each]) for each in ("built", "hit", "failed"))
    return step, *counts, f"{done.wall:.1f}", f"{done.cpu:.1f}", f"{done.peak / _MEGABYTE:.0f}"


def _sizes(kind: str, seen: Seen) -> tuple[str, ...]:
    share = f"{seen.tokens / seen.sources:.1%}" if seen.sources else ""
    return kind or "none", str(seen.views), f"{seen.sources:,}", f"{seen.tokens:,}", share


def main() -> int:
    """Measure, print, and fail where a view does or a note is not explained."""
    parser = argparse.ArgumentParser(description="A whole repository, warmed cold.")
    parser.add_argument(
        "--corpus", type=Path, required=True, metavar="DIR", help="a git repository, which is cloned"
    )
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="a folder for clone and cache, kept afterwards"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="workers (2)")
    options = parser.parse_args()
    with work_folder(options.work) as work:
        repository = Repository(options.corpus.resolve()).clone(work / "repository")
        cache = work / "cache"
        command: list[str | Path] = [PROGRAMS / "python", "-m", "ifacegen", "-C", repository.root]
        command += ["--cache-dir", cache, "warm", "--jobs", str(options.jobs), "--json"]
        runs = {step: run(command).checked(_INCOMPLETE) for step in ("cold", "again")}
        found, general = look(repository.root, cache)
        print("\n".join(report(runs, found, general)))
    failed = json.loads(runs["cold"].stdout)["failed"]
    return 1 if failed or unexplained(found) else 0


if __name__ == "__main__":
    sys.exit(main())
