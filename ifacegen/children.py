"""Building in children: what kills one is found, named and left out, and the rest of the package is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from ifacegen.building import Builder, build, compile_files
from ifacegen.model import Package
from ifacegen.workers import WorkerDied
from ifacegen_cache import Stats


def built_in_child(
    builder: Builder, package: Package, commit: str | None, executor: Executor, *, inline: bool = False
) -> dict[str, Any]:
    """Have a package built; the answer of :func:`~ifacegen.building.build`.

    Args:
        builder: Knows the repository and the store.
        package: What to build.
        commit: A full id; None is the work tree.
        executor: Runs it, in processes that may die.
        inline: Whether the answer must have the view itself.

    Raises:
        WorkerDied: It dies whatever is left out.
    """
    request = builder.request(package, commit, inline=inline, unreadable=builder.deadly)
    try:
        return _counted(builder, executor.submit(build, request).result())
    except WorkerDied:
        builder.deadly.update(_at_fault(builder, package, commit, executor))
    # Also where no file is at fault: the child may have been killed for the memory that others took.
    try:
        return _counted(builder, executor.submit(build, {**request, "unreadable": builder.deadly}).result())
    except WorkerDied as death:
        raise WorkerDied(f"{package.path}: the process that built it {death}") from None


def _counted(builder: Builder, answer: dict[str, Any]) -> dict[str, Any]:
    builder.store.stats.add(Stats(answer["stats"]))
    return answer


def _at_fault(
    builder: Builder, package: Package, commit: str | None, executor: Executor
) -> Mapping[str, str]:
    """Blob id → how it kills a process. Looked for in the package, then in those that it needs, then in the rest."""
    packages = {each.path: each for each in builder.snapshot(commit).found.packages}
    needed = _needed(packages, package)
    others = [each for path, each in packages.items() if path != package.path and path not in needed]
    for stage in ([package], [packages[path] for path in sorted(needed)], others):
        found = {
            blob: how for each in stage for blob, how in _halved(builder, each, commit, executor).items()
        }
        if found:
            return found
    return {}


def _needed(packages: Mapping[str, Package], package: Package) -> set[str]:
    """Paths of the packages that one depends on, directly or not."""
    needed: set[str] = set()
    pending = [package]
    while pending:
        for edge in pending.pop().edges:
            if edge.target in packages and edge.target not in needed and edge.target != package.path:
                needed.add(edge.target)
                pending.append(packages[edge.target])
    return needed


def _halved(builder: Builder, package: Package, commit: str | None, executor: Executor) -> dict[str, str]:
    """The files of a package that kill a process, by halving. What was compiled on the way is kept."""
    request = builder.request(package, commit)
    sources = builder.sources(package, commit)
    found: dict[str, str] = {}
    pending: list[Sequence[str]] = [sorted(path for path in sources if sources[path] not in builder.deadly)]
    while pending:
        calls = [(paths, executor.submit(compile_files, request, paths)) for paths in pending if paths]
        pending = []
        for paths, call in calls:
            try:
                call.result()
            except WorkerDied as death:
                half = len(paths) // 2
                if half:
                    pending += [paths[:half], paths[half:]]
                else:
                    found[sources[paths[0]]] = f"left out: the process that read it {death}"
    return found
