"""Building in children: what kills one is found, named and left out, and the rest of the package is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from ifacegen.building import Builder, build, compile_files
from ifacegen.model import Package
from ifacegen.workers import WorkerDied


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
    request = builder.request(package, commit, inline=inline)
    try:
        return executor.submit(build, request).result()
    except WorkerDied as death:
        unreadable = _at_fault(builder, package, commit, executor)
        if not unreadable:
            raise WorkerDied(f"the build {death}, though every file can be read alone") from None
    return executor.submit(build, {**request, "unreadable": unreadable}).result()


def _at_fault(
    builder: Builder, package: Package, commit: str | None, executor: Executor
) -> Mapping[str, str]:
    """Blob id → how it kills a process; found by halving. What was compiled on the way is kept."""
    request = builder.request(package, commit)
    sources = builder.sources(package, commit)
    found: dict[str, str] = {}
    pending: list[Sequence[str]] = [sorted(sources)]
    while pending:
        calls = [(paths, executor.submit(compile_files, request, paths)) for paths in pending]
        pending = []
        for paths, call in calls:
            try:
                call.result()
            except WorkerDied as death:
                half = len(paths) // 2
                if half:
                    pending += [paths[:half], paths[half:]]
                else:
                    found[sources[paths[0]]] = f"left out: reading it, a process {death}"
    return found
