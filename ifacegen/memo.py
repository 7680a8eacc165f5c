"""Leaves behind what the fast path needs to answer the next ``show`` alone; see :mod:`ifacegen.fastpath`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ifacegen import fastpath
from ifacegen.building import Builder
from ifacegen.config import CONFIG_FILE, Config
from ifacegen.generator import development_sources
from ifacegen.keys import tree_record
from ifacegen.location import cache_directory
from ifacegen.model import Package
from ifacegen.snapshot import Snapshot
from ifacegen.trees import directories
from ifacegen_cache import LocalStore, action_key


def leave(builder: Builder, snapshot: Snapshot, package: Package) -> None:
    """Write the memos of a work tree and of a package in it, if both can be checked quickly."""
    root = str(builder.repository.root)
    tree_id = snapshot.tree_id(package)
    if not builder.options.enabled or not builder.repository.is_git or tree_id is None:
        return
    home = cache_directory(builder.repository.root, Config(), builder.options)
    store = LocalStore(home, stats=builder.store.stats)
    try:
        state, newest = fastpath.package_state(f"{root}/{package.path}")
        whole = fastpath.memo(dict(_facts(builder, snapshot)))
        own = fastpath.memo({"state": [state], "tree": [tree_id]})
    except (OSError, ValueError):
        return
    newest = max(newest, *(_time(root, path) for path, _ in snapshot.reads), 0)
    if newest >= builder.started:
        return  # written while it was read, perhaps
    for name, payload in ((fastpath.memo_name(root), whole), (fastpath.memo_name(root, package.path), own)):
        before = store.get("worktrees", name)
        if before is None or before.payload != payload:
            store.put("worktrees", name, payload, replace=True)


def _facts(builder: Builder, snapshot: Snapshot) -> Iterator[tuple[str, list[str]]]:
    root = str(builder.repository.root)
    packages = [package.path for package in snapshot.found.packages]
    # A new package shows as a new name in one of these. (One that is not committed yet, in a directory that
    # never held any, is noticed when it is.)
    outer = sorted({".", *packages, *directories(packages)})
    yield "store", [str(each.directory) for each in (builder.store.local, *builder.store.behind)]
    yield "generator", [action_key(builder.makers)]
    yield "installed", fastpath.installed()
    yield "sources", [fastpath.sources_state()] if development_sources() else []
    yield "project", fastpath.states(root, [CONFIG_FILE, *(path for path, _ in snapshot.reads)])
    yield "outer", outer
    yield "listing", [fastpath.listing(root, outer)]
    for line in tree_record(snapshot).splitlines():
        word, _, value = line.partition(" ")
        if word in ("layout", "configuration"):
            yield word, [value]
    yield (
        "package",
        [
            line.removeprefix("package ")
            for line in tree_record(snapshot).splitlines()
            if line.startswith("package ")
        ],
    )


def _time(root: str, path: str) -> int:
    try:
        return Path(root, path).lstat().st_mtime_ns
    except OSError:
        return 0
