"""Every view of some commits into the store: each distinct tree once, in child processes.

What is missing is found by looking up, built, and looked up again, until nothing is left: so it does not
matter who else writes to the store meanwhile, nor where an earlier run was interrupted.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ifacegen.addresses import resolve_address
from ifacegen.building import Builder, prepare
from ifacegen.children import built_in_child
from ifacegen.errors import IfacegenError, UnknownAddress
from ifacegen.model import Package
from ifacegen.snapshot import Snapshot
from ifacegen.workers import WorkerPool

Outcome: TypeAlias = Literal["hit", "built", "degraded", "empty", "failed", "other shard"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be warm."""

    #: Addresses of packages; none means all.
    packages: tuple[str, ...]
    #: Full ids.
    commits: tuple[str, ...]
    #: Which part of how many.
    shard: tuple[int, int] = (1, 1)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one package's tree."""

    package: str
    commit: str
    outcome: Outcome
    #: Tokens of the view; 0 for hits, which are not read.
    tokens: int = 0
    #: Wall time of the build.
    seconds: float = 0.0
    #: Why it failed, or what is wrong with a degraded view; one line each.
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WarmEvent:
    """Something happened; ``done`` of ``total`` builds are finished."""

    done: int
    total: int
    #: The result that is new; None at the start.
    result: Result | None = None


@dataclass(slots=True)
class WarmReport:
    """All results, in the order in which they were done."""

    results: list[Result] = field(default_factory=list)
    commits: int = 0
    seconds: float = 0.0
    #: Why nothing, or not all, could be kept; None when all was.
    store_problem: str | None = None

    def count(self, outcome: Outcome) -> int:
        """How many results came out so."""
        return sum(each.outcome == outcome for each in self.results)

    @property
    def failed(self) -> tuple[Result, ...]:
        """The packages without a view."""
        return tuple(each for each in self.results if each.outcome == "failed")

    @property
    def tokens(self) -> int:
        """Tokens of the views that were built."""
        return sum(each.tokens for each in self.results)


def warm(
    builder: Builder,
    request: Request,
    jobs: int,
    progress: Callable[[WarmEvent], None] | None = None,
    base: str = ".",
) -> WarmReport:
    """Build what the store lacks; see :meth:`ifacegen.workspace.Workspace.warm`."""
    started = time.monotonic()
    report = WarmReport(commits=len(request.commits))
    pool = WorkerPool(jobs)
    run = _Run(builder, pool, jobs, progress or _nobody, report)
    try:
        run.everything(request, base)
        pool.shutdown()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    report.store_problem = report.store_problem or builder.store.problem
    report.seconds = time.monotonic() - started
    return report


def _nobody(_: WarmEvent) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A package at a commit."""

    package: Package
    commit: str
    #: Path and tree: what is built once, even if several commits have it.
    tree: tuple[str, str]
    #: Files below it, to begin with the largest.
    size: int


@dataclass(slots=True)
class _Run:
    builder: Builder
    executor: Executor
    jobs: int
    progress: Callable[[WarmEvent], None]
    report: WarmReport
    _hits: set[str] = field(default_factory=set)
    #: Trees that builds were tried of, and at which commits; those of which no view could be kept.
    _tried: set[tuple[str, str]] = field(default_factory=set)
    _tried_at: set[tuple[tuple[str, str], str]] = field(default_factory=set)
    _hopeless: set[tuple[str, str]] = field(default_factory=set)

    def everything(self, request: Request, base: str) -> None:
        """Look all of it up, build what is missing; look up again what another commit's build may have given."""
        wanted = dict.fromkeys(request.commits)
        while wanted:
            missing: dict[tuple[str, str], _Wanted] = {}
            later: dict[str, None] = {}
            for each in self._missing(wanted, request, base):
                if each.tree in missing:
                    later[each.commit] = None  # what is built for the other commit may do for this one
                elif each.tree not in self._hopeless and (each.tree, each.commit) not in self._tried_at:
                    missing[each.tree] = each
            self._build(self._of_shard(missing, request.shard))
            wanted = later

    def _missing(self, commits: Iterable[str], request: Request, base: str) -> Iterator[_Wanted]:
        unknown: dict[str, UnknownAddress] = {}
        known: set[str] = set()
        for commit in commits:
            snapshot = self._snapshot(commit, is_only=len(request.commits) == 1)
            if snapshot is None:
                continue
            self.builder.cache.remember(snapshot)
            for package in _packages(snapshot, request.packages, base, unknown, known):
                if not set(package.kinds) & {each.name for each in self.builder.builders}:
                    continue
                key = self.builder.cache.known(snapshot, package)
                if key is None:
                    tree = (package.path, snapshot.tree_id(package) or commit)
                    yield _Wanted(package, commit, tree, len(snapshot.tree.below(package.path)))
                elif key not in self._hits:
                    self._hits.add(key)
                    if (package.path, snapshot.tree_id(package)) not in self._tried:
                        self.report.results.append(Result(package.path, commit, "hit"))
        for name, error in unknown.items():
            if name not in known:
                raise error

    def _snapshot(self, commit: str, *, is_only: bool) -> Snapshot | None:
        """A commit as it is looked at; one of several that cannot be is a failure, and costs no other one."""
        try:
            return self.builder.snapshot(commit)
        except IfacegenError as error:
            if is_only:
                raise
            self.report.results.append(Result(".", commit, "failed", problems=(str(error),)))
            return None

    def _of_shard(self, missing: Mapping[tuple[str, str], _Wanted], shard: tuple[int, int]) -> list[_Wanted]:
        """What is ours to build, commit by commit, the largest first."""
        mine: list[_Wanted] = []
        for tree, each in missing.items():
            self._tried.add(tree)
            self._tried_at.add((tree, each.commit))
            if _in_shard(tree, shard):
                mine.append(each)
            else:
                self._hopeless.add(tree)
                self.report.results.append(Result(each.package.path, each.commit, "other shard"))
        order = {commit: index for index, commit in enumerate(dict.fromkeys(each.commit for each in mine))}
        waits = self.builder.prepares
        return sorted(mine, key=lambda each: (order[each.commit], waits(each.package), -each.size))

    def _build(self, missing: list[_Wanted]) -> None:
        if not missing:
            return
        self.progress(WarmEvent(0, len(missing)))
        # Threads only wait here: for a child, or for the halving that finds a file at fault.
        prepared = self._prepared(missing)
        with ThreadPoolExecutor(self.jobs) as threads:
            calls = {threads.submit(self._built_one, each, prepared): each for each in missing}
            try:
                for done, call in enumerate(_as_they_end(calls), 1):
                    self.report.results.append(call.result())
                    self.progress(WarmEvent(done, len(missing), call.result()))
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                self.executor.shutdown(wait=False, cancel_futures=True)
                raise

    def _prepared(self, missing: Sequence[_Wanted]) -> Mapping[str, Future[None]]:
        """Commit → what can be done for several of its packages at once, begun."""
        packages: dict[str, list[_Wanted]] = {}
        for each in missing:
            if self.builder.prepares(each.package):
                packages.setdefault(each.commit, []).append(each)
        calls: dict[str, Future[None]] = {}
        for commit, group in packages.items():
            if len(group) > 1:
                request = self.builder.request(group[0].package, commit)
                paths = [each.package.path for each in group]
                calls[commit] = self.executor.submit(prepare, request, paths)
        return calls

    def _built_one(self, each: _Wanted, prepared: Mapping[str, Future[None]]) -> Result:
        if each.commit in prepared and self.builder.prepares(each.package):
            with suppress(IfacegenError):  # what could not be prepared, the build does by itself
                prepared[each.commit].result()
        started = time.monotonic()
        where = each.package.path, each.commit
        try:
            answer = built_in_child(self.builder, each.package, each.commit, self.executor)
        except IfacegenError as error:
            self._hopeless.add(each.tree)
            return Result(*where, "failed", seconds=time.monotonic() - started, problems=(str(error),))
        seconds = time.monotonic() - started
        if not answer["kept"]:
            self._hopeless.add(each.tree)
        problems = tuple(text for severity, _, text in answer["notes"] if severity != "info")
        if answer["problem"] and not self.report.store_problem:
            self.report.store_problem = answer["problem"]
        if answer["failed"] and answer["empty"]:
            return Result(*where, "failed", 0, seconds, problems)
        if answer["empty"]:
            return Result(*where, "empty", 0, seconds, problems)
        return Result(*where, "degraded" if problems else "built", answer["tokens"], seconds, problems)


def _as_they_end(calls: dict[Future[Result], _Wanted]) -> Iterator[Future[Result]]:
    pending = set(calls)
    while pending:
        # A timeout, so that Ctrl-C is noticed while nothing ends.
        done, pending = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
        yield from done


def _in_shard(tree: tuple[str, str], shard: tuple[int, int]) -> bool:
    number, count = shard
    digest = hashlib.sha256("\0".join(tree).encode("utf-8", "surrogateescape")).hexdigest()
    return int(digest[:8], 16) % count == number - 1


def _packages(
    snapshot: Snapshot,
    addresses: Sequence[str],
    base: str,
    unknown: dict[str, UnknownAddress],
    known: set[str],
) -> Iterator[Package]:
    if not addresses:
        yield from snapshot.found.packages
    for address in addresses:
        try:
            yield resolve_address(snapshot.found.packages, address, base, snapshot.tree).package
            known.add(address)
        except UnknownAddress as error:  # it may exist at another commit
            unknown.setdefault(address, error)
