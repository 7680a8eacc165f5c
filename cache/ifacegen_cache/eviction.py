"""Removing what was not used for longest, while others read and write.

Readers and writers take no lock and are asked for none: an entry that vanishes is a miss. The lock here
keeps two prunings from doing the same work, nothing more.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ifacegen_cache.layout import FORMAT
from ifacegen_cache.upkeep import iter_entries, scan
from ifacegen_cache.write import CACHEDIR_TAG, remove

if TYPE_CHECKING:
    from ifacegen_cache.local import LocalStore

#: Left over by a process that was killed: nobody writes one file for that long.
_ABANDONED_AFTER = 24 * 3600.0
#: Another version of ifacegen may still use its own format's directory, and makes new what it reads.
_FORMAT_UNUSED_AFTER = 30 * 24 * 3600.0
_STATS_KEPT = 90 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Pruned:
    """What a pruning has done."""

    removed: int
    """How many entries were removed."""
    freed: int
    """How long the files of those were."""
    kept: int
    """How many entries are left."""
    bytes: int
    """How long the files of those are."""
    swept: int
    """How many other files were removed: left over by killed runs, old stats, an unused older format's."""
    problem: str | None
    """Why nothing, or not all, could be done; None if all was."""


def prune(
    store: LocalStore, *, max_bytes: int | None, max_age: float | None, min_age: float = 3600.0
) -> Pruned:
    """Remove entries that were not used for long, the longest unused first; others may use the store.

    Args:
        store: The store; nothing is done to a read-only one.
        max_bytes: How long all files of entries may be together; None for any length. Young entries are
            kept even then.
        max_age: Remove what was not used for so many seconds; None for no such bound.
        min_age: Keep what was used within so many seconds, whatever the bounds say. Entries may look an
            hour older than they are: not every use is written down.
    """
    if store.read_only:
        return _nothing("read-only")
    try:
        with _alone(store.root) as alone:
            if not alone:
                return _nothing("another pruning is at work")
            return _prune(store, _Bounds(max_bytes, max_age, min_age, time.time()))
    except FileNotFoundError:
        return _nothing(None)  # no cache, nothing to prune
    except OSError as error:
        return _nothing(f"cannot prune {os.path.dirname(store.root)}: {error.strerror or error}")


class _Bounds(NamedTuple):
    max_bytes: int | None
    max_age: float | None
    min_age: float
    now: float

    def exceeded(self, size: int, used: float) -> bool:
        """Whether an entry must go that was last used at ``used``, with ``size`` bytes in all entries."""
        age = self.now - used
        if age < self.min_age:
            return False
        too_many = self.max_bytes is not None and size > self.max_bytes
        return too_many or (self.max_age is not None and age > self.max_age)


def _prune(store: LocalStore, bounds: _Bounds) -> Pruned:
    entries = sorted(
        (used, store.path(kind, key), size) for kind, key, size, used in iter_entries(store.root)
    )
    total = sum(size for _, _, size in entries)
    removed, freed, gone, problem = 0, 0, 0, None
    for used, path, size in entries:
        if not bounds.exceeded(total, used):
            break  # and so are all younger ones
        try:
            if os.stat(path).st_mtime != used:
                continue  # used meanwhile
            os.unlink(path)
        except FileNotFoundError:
            gone += 1
            total -= size
            continue
        except OSError as error:
            problem = problem or f"cannot remove {path}: {error.strerror or error}"
            continue
        removed += 1
        freed += size
        total -= size
    swept = _sweep(store.root, bounds.now)
    return Pruned(removed, freed, len(entries) - removed - gone, total, swept, problem)


def _nothing(problem: str | None) -> Pruned:
    return Pruned(0, 0, 0, 0, 0, problem)


@contextmanager
def _alone(root: str) -> Iterator[bool]:
    """Hold the lock of a cache directory; False when another process does.

    Raises:
        OSError: The lock file can't be opened: there is no cache, or it is not ours to change.
    """
    file = os.open(f"{root}/gc.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        except OSError:
            pass  # a file system without locks: work done twice does no harm
        yield True
    finally:
        os.close(file)


def _sweep(root: str, now: float) -> int:
    """Remove what nobody will use any more, besides entries; how many files."""
    old = [*_older(f"{root}/tmp", now - _ABANDONED_AFTER), *_older(f"{root}/stats", now - _STATS_KEPT)]
    return sum(map(remove, old)) + sum(
        _remove_unused(folder, now - _FORMAT_UNUSED_AFTER) for folder in _other_formats(root)
    )


def _older(folder: str, than: float) -> Iterator[str]:
    for file in scan(folder):
        with suppress(OSError):
            if not file.is_dir(follow_symlinks=False) and file.stat(follow_symlinks=False).st_mtime < than:
                yield file.path


def _remove_unused(folder: str, since: float) -> int:
    """Remove a directory if no file in it is younger; how many files."""
    below = [(where, [f"{where}/{name}" for name in names]) for where, _, names in os.walk(folder)]
    files = [file for _, files in below for file in files]
    try:
        if any(os.lstat(file).st_mtime >= since for file in files):
            return 0
    except OSError:
        return 0  # files come and go: it is in use
    removed = sum(map(remove, reversed(files)))  # the tag that says it is ours goes last
    for where, _ in reversed(below):
        with suppress(OSError):  # not empty, or gone
            os.rmdir(where)
    return removed


def _other_formats(root: str) -> Iterator[str]:
    """The directories of other versions of the format: named `v` and a number, and tagged as ours."""
    for folder in scan(os.path.dirname(root)):
        if folder.name != FORMAT and folder.name[0] == "v" and folder.name[1:].isdecimal():
            try:
                with open(f"{folder.path}/CACHEDIR.TAG", "rb") as tag:
                    if tag.read(len(CACHEDIR_TAG)) == CACHEDIR_TAG:
                        yield folder.path
            except OSError:
                continue
