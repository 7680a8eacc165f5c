"""What does `warm` cost: cold, again, after a commit, over fifty commits? Beside stubgen, in one run.

    make evaluate NAME=warm ARGS="--corpus DIR"

The Python packages of a repository, token counting included. The peer is one start of the stubgen command
per package, with docstrings: with the folders and files that the package installs, as a person would call
it, or with the very files that the view is made from, which leaves out tests. Cold runs are made before it
and after it, and their median counts, since other people's work on the machine comes and goes. The copy that
is measured has the corpus's last two commits and 48 more, each of which changes one file, drawn by lot with
a fixed seed. CPU is user and system seconds of all processes; memory is that of the largest one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._corpus import Edits, Repository, add_corpus_arguments, by_size, copied, note, work_folder
from benchmarks._packages import Listed, list_packages
from benchmarks._peer import COMMAND, Stubs, stubs
from benchmarks._processes import PROGRAMS, Run, Series, run
from evaluation.packages import table

_FURTHER = 48
_MEGABYTE = 1_000_000
#: Exit code of a `warm` that could not do all packages.
_INCOMPLETE = 3
_FOLDERS, _FILES = "folders", "files"
_PEERS = {_FOLDERS: f"{COMMAND} FOLDER…", _FILES: f"{COMMAND} FILE…"}
_HEAD = ("step", "built", "found", "degraded or empty", "CPU seconds", "wall seconds", "largest process, MB")
_LIMIT_HEAD = ("must show", "limit", "measured", "met")


@dataclass(slots=True)
class Bench:
    """The copy, its caches, and what has been measured so far."""

    work: Path
    repository: Repository
    packages: tuple[Listed, ...]
    #: The packages as arguments, where the repository has others that are not Python's.
    named: tuple[str, ...] = ()
    peers: dict[str, list[Stubs]] = field(default_factory=dict)
    steps: dict[str, Series] = field(default_factory=dict)
    #: Wall and CPU seconds after a one-file commit beyond those of a `warm` with nothing to do just before it.
    more: dict[str, tuple[float, float]] = field(default_factory=dict)
    sizes: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    #: The cache that holds all packages of the last commit.
    warmed: str = ""

    def peer(self, how: str) -> None:
        """Stubgen over all packages."""
        note(f"{_PEERS[how]}: {len(self.packages)} packages")
        self.peers[how] = list(stubs(self.repository.root, self.packages, files=how == _FILES))

    def imports(self) -> None:
        """One run that nobody counts: what Python compiles and the system reads once."""
        self._start("nothing", by_size(self.packages)["small"].path)

    def cold(self, turn: int) -> None:
        """Into empty caches, with one worker and with two."""
        for jobs in (1, 2):
            step = f"cold, --jobs {jobs}"
            cache = f"jobs-{jobs}-{turn}"
            self._keep(step, self._start(cache, *self.named, "--jobs", str(jobs)))
            self._expect(step, "hit", "failed")
            self.warmed = cache
        self.sizes["one commit"] = disk_usage(self._cache(self.warmed))

    def again(self, repeat: int) -> None:
        """When nothing is missing."""
        self._keep("again", *(self._start(self.warmed, *self.named) for _ in range(repeat)))
        self._expect("again", "built", "degraded", "failed")

    def after_commits(self, repeat: int) -> None:
        """After commits of one file, each compared with a run just before it."""
        edits, home = Edits(self.repository), self.repository.git("rev-parse", "HEAD")
        for size, package in by_size(self.packages).items():
            before: list[Run] = []
            after: list[Run] = []
            for _ in range(repeat):
                before.append(self._start(self.warmed, *self.named))
                self.repository.commit(edits.of(package))
                after.append(self._start(self.warmed, *self.named))
            pairs = list(zip(before, after, strict=True))
            walls = median(late.wall - early.wall for early, late in pairs)
            self.more[size] = walls, median(late.cpu - early.cpu for early, late in pairs)
            self._keep(f"after a commit, {size}: {package.path.rpartition('/')[2]}", *after)
        self.repository.go(home)

    def history(self, repeat: int) -> None:
        """A range of commits into an empty cache, and again."""
        first = self.repository.history()[0]
        edits = Edits(self.repository).spread(self.packages, _FURTHER)
        last = self.repository.append(edits)[-1]
        self.repository.go(last)
        commits = len(self.repository.history()) - 1
        arguments = (*self.named, "--commits", f"{first}..{last}")
        self._keep(f"{commits} commits, cold", self._start("history", *arguments))
        self._expect(f"{commits} commits, cold", "failed")
        self._keep(f"{commits} commits, again", *(self._start("history", *arguments) for _ in range(repeat)))
        self._expect(f"{commits} commits, again", "built", "degraded", "failed")
        self.sizes[f"{commits} commits"] = disk_usage(self._cache("history"))

    def _cache(self, name: str) -> Path:
        return self.work / "caches" / name

    def _start(self, cache: str, *arguments: str) -> Run:
        command: list[str | Path] = [PROGRAMS / "ifacegen", "-C", self.repository.root]
        command += ["--cache-dir", self._cache(cache), "warm", *arguments, "--json"]
        return run(command).checked(_INCOMPLETE)

    def _keep(self, step: str, *runs: Run) -> None:
        self.steps.setdefault(step, Series()).runs.extend(runs)
        for each in runs:
            note(f"{step}: {each.cpu:.2f} CPU seconds, {each.wall:.2f} s")
            if each.returncode:
                self.problems.append(f"{step}: exit code {each.returncode}: {last_line(each.stderr)}")
            if each.left:
                self.problems.append(f"{step}: {each.left} processes outlived the command")

    def _expect(self, step: str, *nothing: str) -> None:
        for each in nothing:
            if count := said(self.steps[step], each):
                self.problems.append(f"{step}: {count} {each}, expected none")


def said(step: Series, *outcomes: str) -> int:
    """How many views the command counted under these outcomes, in the last run."""
    summary = json.loads(step.runs[-1].stdout)
    return sum(summary[each] for each in outcomes)


def last_line(text: str) -> str:
    """What a command said last."""
    return (text.strip().splitlines() or [""])[-1]


def disk_usage(folder: Path) -> tuple[int, int, int]:
    """Files, their bytes, and the bytes that they and their folders take on disk."""
    everything = [folder, *folder.rglob("*")]
    files = [each.stat() for each in everything if each.is_file()]
    blocks = sum(each.stat().st_blocks for each in everything)
    return len(files), sum(each.st_size for each in files), blocks * 512


def report(bench: Bench) -> Iterator[str]:
    """Tables of times, of ratios, of sizes, and what the issue asks for."""
    total = sum(each.size for each in bench.packages)
    files = sum(len(each.modules) for each in bench.packages)
    yield f"{len(bench.packages)} packages, {files:,} files, {total / _MEGABYTE:.1f} MB of source\n"
    yield from table(_HEAD, [*_peer_rows(bench.peers), *(_row(*each) for each in bench.steps.items())])
    yield ""
    sizes = [
        (name, f"{number:,}", f"{size / _MEGABYTE:.1f}", f"{disk / _MEGABYTE:.1f}")
        for name, (number, size, disk) in bench.sizes.items()
    ]
    yield from table(("cache of", "files", "MB", "MB on disk"), sizes)
    yield ""
    yield from table(_LIMIT_HEAD, _limits(bench))
    yield from _remarks(bench)


def _peer_rows(peers: Mapping[str, Sequence[Stubs]]) -> Iterator[tuple[str, ...]]:
    for how, each in peers.items():
        cpu, wall = sum(one.cpu for one in each), sum(one.wall for one in each)
        done = sum(1 for one in each if one.problem is None)
        peak = max(one.peak for one in each) / _MEGABYTE
        yield _PEERS[how], f"{done} of {len(each)}", "", "", f"{cpu:.1f}", f"{wall:.1f}", f"{peak:.0f}"


def _row(name: str, step: Series) -> tuple[str, ...]:
    counts = (f"{said(step, *each):,}" for each in (("built",), ("hit",), ("degraded", "empty")))
    return name, *counts, f"{step.cpu:.2f}", f"{step.wall:.2f}", f"{step.peak / _MEGABYTE:.0f}"


def _limits(bench: Bench) -> Iterator[tuple[str, ...]]:
    for how, all_stubs in bench.peers.items():
        peer = sum(each.cpu for each in all_stubs)
        for name in ("cold, --jobs 1", "cold, --jobs 2"):
            ratio = peer / bench.steps[name].cpu
            yield (
                f"CPU of {_PEERS[how]}, of `warm` {name}",
                "≥ 4 times",
                f"{ratio:.2f} times",
                _met(ratio >= 4),
            )
    yield _at_most("again, wall", bench.steps["again"].wall, 1)
    for size, (wall, cpu) in bench.more.items():
        what = f"after a one-file commit, {size} package: more than again ({cpu:.2f} s of CPU), wall"
        yield _at_most(what, wall, 1)
    for name, step in bench.steps.items():
        if name.endswith("commits, again"):
            yield _at_most(f"{name}, wall", step.wall, 5)
    peak = max(each.peak for each in bench.steps.values()) / _MEGABYTE
    yield "memory of the largest process", "≤ 500 MB", f"{peak:.0f} MB", _met(peak <= 500)


def _at_most(what: str, seconds: float, limit: float) -> tuple[str, ...]:
    return what, f"≤ {limit:g} s", f"{seconds:.2f} s", _met(seconds <= limit)


def _met(holds: bool) -> str:
    return "yes" if holds else "**no**"


def _remarks(bench: Bench) -> Iterator[str]:
    failures = [
        f"{_PEERS[how]} failed on {each.package}: {each.problem}"
        for how, everything in bench.peers.items()
        for each in everything
        if each.problem is not None
    ]
    remarks = [*bench.problems, *failures]
    if remarks:
        yield ""
    yield from (f"- {each}" for each in remarks)


def measured(options: argparse.Namespace, work: Path) -> Bench:
    """All of it, in the order of the table."""
    note("copying")
    repository = copied(options, work / "repository")
    packages = list_packages(repository.root)
    named = () if packages.complete else tuple(each.path for each in packages.python)
    bench = Bench(work, repository, packages.python, named)
    bench.imports()
    bench.cold(1)
    for how in (_FOLDERS, _FILES):
        if options.peer in (how, "both"):
            bench.peer(how)
    bench.cold(2)
    bench.again(options.repeat)
    bench.after_commits(options.repeat)
    bench.history(options.repeat)
    return bench


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The cost of `ifacegen warm`, beside stubgen.")
    add_corpus_arguments(parser)
    parser.add_argument("--peer", choices=(_FOLDERS, _FILES, "both", "none"), default=_FOLDERS)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each short step (3)")
    options = parser.parse_args()
    with work_folder(options.work) as work:
        print("\n".join(report(measured(options, work))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
