"""How long does a cached view take to come? `ifacegen show` beside `python -c pass`, in one run.

    make evaluate NAME=startup ARGS="--corpus DIR"

Every case is the installed command, git included, on copies of the corpus that share a cache. The cases take
turns, and medians count. The second table is a process that already runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._corpus import (
    Edit,
    Edits,
    Repository,
    add_corpus_arguments,
    by_size,
    copied,
    note,
    work_folder,
)
from benchmarks._packages import Listed, list_packages
from benchmarks._processes import PROGRAMS, Run, Series, environment, rotate, run
from evaluation.packages import table

_PASS = "python -c pass"
_CLEAN = "show, clean tree"
_LARGE = "show, clean tree, the largest package"
_COMMIT = "show --commit HEAD, clean tree"
_DIRTY = "show, the package has a change"
_OTHER = "show, another package has a change"
_MOVED = "first show after a commit to another package"
_CHANGED = "first show after a commit to the package"
_COLD = "show, empty cache"
_HEAD = ("case", "runs", "wall ms", f"times {_PASS}", "CPU ms", f"times {_PASS}")
_LIMIT_HEAD = ("must show", "limit", "measured", "met")
_STATUS = ("status", "--porcelain=v2", "-z")
_READS = 1000
#: Runs in a process of its own: repository, number of reads, another package, packages → JSON.
_LIBRARY = """
import json, statistics, sys, time
from ifacegen import Workspace

def timed(call):
    start = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start) / 1000

def opened(repository, other):
    workspace = Workspace.open(repository)
    workspace.view(other).text
    return workspace

repository, reads, other, *packages = sys.argv[1:]
rows = []
for package in packages:
    Workspace.open(repository).view(package).text
    new = [timed(lambda: Workspace.open(repository).view(package).text) for _ in range(10)]
    first = [timed(lambda w=opened(repository, other): w.view(package).text) for _ in range(10)]
    workspace = opened(repository, other)
    workspace.view(package, commit="HEAD").text
    again = [timed(lambda: workspace.view(package).text) for _ in range(int(reads))]
    commit = [timed(lambda: workspace.view(package, commit="HEAD").text) for _ in range(int(reads))]
    parsed = [timed(lambda w=opened(repository, other): w.view(package).modules) for _ in range(10)]
    rows.append([package, *map(statistics.median, (new, first, again, commit, parsed))])
json.dump(rows, sys.stdout)
"""
_LIBRARY_HEAD = (
    "`Workspace.view(...).text`, microseconds",
    "a new workspace",
    "an open one, first time",
    "again",
    "again, at HEAD",
    "`.modules`, first time",
)
_AGAIN = _LIBRARY_HEAD.index("again")


@dataclass(slots=True)
class Bench:
    """Copies of the repository in different states, one cache, and what has been measured."""

    work: Path
    clean: Repository
    package: Listed
    other: Listed
    large: Listed
    series: dict[str, Series] = field(default_factory=dict)
    #: Package and microseconds, as in the table's head.
    reads: list[list[Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def commands(self, times: int) -> None:
        """The cases that find a view in the cache, after one turn that puts it in."""
        note("cached")
        edits = Edits(self.clean)
        dirty = self._dirty("dirty", edits.of(self.package))
        other = self._dirty("other-dirty", edits.of(self.other))
        cases = {
            _PASS: lambda: run([sys.executable, "-c", "pass"]).checked(),
            "git rev-parse": lambda: self._git("rev-parse", "HEAD^{tree}", f"HEAD:{self.package.path}"),
            "git status": lambda: self._git(*_STATUS),
            "git status PACKAGE": lambda: self._git(*_STATUS, "--", self.package.path),
            "ifacegen --version": lambda: run([PROGRAMS / "ifacegen", "--version"]).checked(),
            _CLEAN: lambda: self._show(self.clean),
            _LARGE: lambda: self._show(self.clean, self.large),
            _COMMIT: lambda: self._show(self.clean, None, "--commit", "HEAD"),
            _DIRTY: lambda: self._show(dirty),
            _OTHER: lambda: self._show(other),
            _MOVED: self._moving("other-moved", self.other, times + 1),
        }
        first = {name: case() for name, case in cases.items()}
        self.series |= rotate(times, cases)
        self._compare(first)

    def builds(self, times: int) -> None:
        """The cases that have to build."""
        note("built")
        numbers = count()
        cases = {
            _CHANGED: self._moving("moved", self.package, times),
            _COLD: lambda: self._show(self.clean, cache=f"cold-{next(numbers)}"),
        }
        self.series |= rotate(times, cases)

    def library(self) -> None:
        """Reads in a running process."""
        note("in a running process")
        packages = (each.path for each in (self.package, self.large))
        script = [sys.executable, "-c", _LIBRARY]
        env = {**environment(), "IFACEGEN_CACHE_DIR": str(self.work / "cache")}
        done = run(
            [*script, str(self.clean.root), str(_READS), self.other.path, *packages], env=env
        ).checked()
        self.reads = json.loads(done.stdout)

    def _compare(self, first: dict[str, Run]) -> None:
        """What comes out of the cache is what was built in the first turn."""
        for name, series in self.series.items():
            if {each.stdout for each in series.runs} != {first[name].stdout}:
                self.problems.append(f"{name}: not the output of the first run")
        if first[_CLEAN].stdout == first[_DIRTY].stdout:
            self.problems.append(f"{_DIRTY}: the change is not seen")

    def _dirty(self, name: str, edit: Edit) -> Repository:
        repository = self.clean.clone(self.work / name)
        (repository.root / edit.path).write_bytes(edit.text)
        return repository

    def _moving(self, name: str, package: Listed, times: int) -> Callable[[], Run]:
        """A case that goes one commit on, which is not measured, before it shows."""
        repository = self.clean.clone(self.work / name)
        edits = Edits(repository)
        commits = iter(repository.append([edits.of(package) for _ in range(times)]))

        def case() -> Run:
            repository.go(next(commits))
            return self._show(repository)

        return case

    def _show(
        self, repository: Repository, package: Listed | None = None, *arguments: str, cache: str = "cache"
    ) -> Run:
        command: list[str | Path] = [PROGRAMS / "ifacegen", "-C", repository.root]
        command += ["--cache-dir", self.work / cache, "show", (package or self.package).path, *arguments]
        return run(command).checked()

    def _git(self, *arguments: str) -> Run:
        quiet = {**environment(), "GIT_OPTIONAL_LOCKS": "0"}
        return run(["git", "-C", self.clean.root, *arguments], env=quiet).checked()


def report(bench: Bench) -> Iterator[str]:
    """Tables of the cases, of reads in a running process, and what the issue asks for."""
    yield f"{bench.package.path}: {len(bench.package.modules)} files, {bench.package.size / 1000:.0f} kB of source\n"
    yield from table(_HEAD, [_row(bench, name) for name in bench.series])
    yield ""
    rows = [(name, *(f"{each:,.0f}" for each in figures)) for name, *figures in bench.reads]
    yield from table(_LIBRARY_HEAD, rows)
    yield ""
    yield from table(_LIMIT_HEAD, _limits(bench))
    if bench.problems:
        yield ""
    yield from (f"- {each}" for each in bench.problems)


def _row(bench: Bench, name: str) -> tuple[str, ...]:
    base, series = bench.series[_PASS], bench.series[name]
    wall, cpu = series.wall / base.wall, series.cpu / base.cpu
    return (
        name,
        str(len(series.runs)),
        f"{series.wall * 1000:.1f}",
        f"{wall:.1f}",
        f"{series.cpu * 1000:.1f}",
        f"{cpu:.1f}",
    )


def _limits(bench: Bench) -> Iterator[tuple[str, ...]]:
    base, clean = bench.series[_PASS], bench.series[_CLEAN]
    for what, ratio in (("wall", clean.wall / base.wall), ("CPU", clean.cpu / base.cpu)):
        yield f"{_CLEAN}: {what} of {_PASS}", "≤ 3 times", f"{ratio:.2f} times", _met(ratio <= 3)
    for row in bench.reads:
        what = f"`Workspace.view({row[0]!r}).text`, again"
        yield what, "≤ 1 ms", f"{row[_AGAIN] / 1000:.3f} ms", _met(row[_AGAIN] <= 1000)


def _met(holds: bool) -> str:
    return "yes" if holds else "**no**"


def chosen(options: argparse.Namespace, work: Path) -> Bench:
    """The copy, and the packages that the cases are about."""
    note("copying")
    repository = copied(options, work / "repository")
    packages = list_packages(repository.root).python
    sizes = by_size(packages)
    package = next((each for each in packages if each.path == options.package), sizes["median"])
    if options.package not in (None, package.path):
        raise SystemExit(f"{options.package}: no such package")
    other = next(each for each in (sizes["small"], sizes["median"]) if each != package)
    return Bench(work, repository, package, other, sizes["large"])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The time of a cached view, beside `python -c pass`.")
    add_corpus_arguments(parser)
    parser.add_argument("--package", metavar="PATH", help="default: the one of median size")
    parser.add_argument("--repeat", type=int, default=25, metavar="N", help="runs of each cached case (25)")
    parser.add_argument("--few", type=int, default=5, metavar="N", help="runs of each case that builds (5)")
    options = parser.parse_args()
    with work_folder(options.work) as work:
        bench = chosen(options, work)
        bench.commands(options.repeat)
        bench.builds(options.few)
        bench.library()
        print("\n".join(report(bench)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
