"""Leaves behind what the fast path needs to answer the next ``show`` alone; see :mod:`ifacegen.fastpath`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ifacegen import fastpath, git
from ifacegen.building import Builder
from ifacegen.config import CONFIG_FILE, Config
from ifacegen.errors import RepositoryError
from ifacegen.generator import development_sources
from ifacegen.index import quote
from ifacegen.keys import tree_record
from ifacegen.location import cache_directory
from ifacegen.model import Package
from ifacegen.snapshot import Snapshot
from ifacegen.trees import directories
from ifacegen_cache import LocalStore, action_key

#: Nanoseconds by which a file system's clock may be behind.
_MARGIN = 50_000_000


def leave(builder: Builder, snapshot: Snapshot, package: Package) -> None:
    """Write the memos of a work tree and of a package in it, if both can be checked quickly.

    They hold only what has not changed since the work tree was listed: what has, was perhaps read before.
    """
    root = str(builder.repository.root)
    tree_id = snapshot.tree_id(package)
    if not builder.options.enabled or not builder.repository.is_git or tree_id is None:
        return
    try:
        home = cache_directory(builder.repository.root, Config(), builder.options)
        store = LocalStore(home, stats=builder.store.stats)
        state, newest = fastpath.package_state(f"{root}/{package.path}")
        watched = _watched(root, snapshot)
        folders = _folders(snapshot)
        before = store.get("worktrees", fastpath.memo_name(root))
        facts = {
            **dict(_facts(builder, snapshot)),
            **_states(root, watched, folders),
            **_tools(builder, before.payload if before is not None else b""),
        }
        whole = fastpath.memo(facts)
        own = fastpath.memo({"state": [state], "tree": [tree_id]})
    except (OSError, ValueError, RepositoryError):
        return
    changed = [newest, *map(_changed, watched), *(_changed(f"{root}/{each}") for each in folders)]
    if max(changed) >= snapshot.taken_at - _MARGIN:
        return
    for name, payload in ((fastpath.memo_name(root), whole), (fastpath.memo_name(root, package.path), own)):
        known = store.get("worktrees", name)
        if known is None or known.payload != payload:
            store.put("worktrees", name, payload, replace=True)


def _facts(builder: Builder, snapshot: Snapshot) -> Iterator[tuple[str, list[str]]]:
    yield (
        "store",
        [str(each.directory) for each in (builder.store.local, *builder.store.behind, *builder.store.apart)],
    )
    yield "generator", [action_key(builder.makers)]
    yield "installed", fastpath.installed()
    yield "sources", [fastpath.sources_state()] if development_sources() else []
    lines = [line.partition(" ") for line in tree_record(snapshot).splitlines()]
    for word in ("layout", "configuration", "package"):
        yield word, [value for first, _, value in lines if first == word]


def _states(root: str, watched: list[str], folders: list[str]) -> dict[str, list[str]]:
    return {
        "watched": [f"{fastpath.file_state(path)} {path}" for path in watched],
        "directory": [fastpath.directory_line(root, each) for each in folders],
    }


def _tools(builder: Builder, before: bytes) -> dict[str, list[str]]:
    """The toolchains that this process has found, and where; as the memo has it where none was asked for."""
    names = [quote(name) for name in builder.tools.confirmed]
    if names:
        states = builder.tools.states()
        return {"toolchain": names, "search": [fastpath.search_path()], "tool": states}
    lines = [line.partition(" ") for line in before.decode("utf-8", "surrogateescape").split("\n")]
    words = ("toolchain", "search", "tool")
    return {word: [value for first, _, value in lines if first == word] for word in words}


def _folders(snapshot: Snapshot) -> list[str]:
    """Every directory in which a module or a package may come to be: those listed, and those left over in them."""
    listed = {".", *directories(snapshot.everything.paths)}
    found = set(listed)
    for folder in listed:
        with os.scandir(snapshot.repository.root / folder) as entries:
            paths = (os.path.normpath(f"{folder}/{each.name}") for each in entries if each.is_dir())
            found.update(path for path in paths if not path.endswith(("/__pycache__", "/.git", ".git")))
    return sorted(found)


def _watched(root: str, snapshot: Snapshot) -> list[str]:
    """Absolute paths of the files that decide what is listed and which packages there are."""
    projects = [CONFIG_FILE, *(path for path, _ in snapshot.reads)]
    ignores = [path for path in snapshot.everything.paths if path.endswith((".gitignore", ".gitattributes"))]
    names = ("index", "info/exclude", "info/sparse-checkout", "config", "config.worktree")
    asked = [word for name in names for word in ("--git-path", name)]
    answer = git.output(root, "rev-parse", *asked).decode("utf-8", "surrogateescape").splitlines()
    home = Path.home()
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config", "git")
    users = [home / ".gitconfig", settings / "config", settings / "ignore"]
    excludes = git.run(root, "config", "--type=path", "core.excludesFile").stdout.decode().strip()
    paths = [f"{root}/{each}" for each in (*projects, *ignores)]
    paths += [str(Path(root, each)) for each in answer] + [str(each) for each in users]
    return list(dict.fromkeys([*paths, *([excludes] if excludes else [])]))


def _changed(path: str) -> int:
    """When a file, or what it is a link to, was last changed; 0 if nothing is there."""
    try:
        return max(os.lstat(path).st_ctime_ns, os.stat(path).st_ctime_ns)
    except OSError:
        return 0
