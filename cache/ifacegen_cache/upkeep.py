"""Walking over all that a cache directory holds: to list, to verify, to clear."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ifacegen_cache.layout import FANNED, KINDS, entry_path

#: Kind, key, bytes of the file, time of the last use.
Found = tuple[str, str, int, float]


@dataclass(frozen=True, slots=True)
class Verified:
    """What reading every entry has shown."""

    entries: int
    """How many are whole."""
    bytes: int
    """How long the files of those are."""
    damaged: tuple[tuple[str, str], ...]
    """Kind and key of those that were not, sorted."""
    unreadable: int
    """How many could not be read."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """What clearing has done."""

    removed: int
    """How many files."""
    freed: int
    """How long they were."""
    problem: str | None
    """Why not all could be removed; None if all were."""


def iter_entries(root: str) -> Iterator[Found]:
    """As :meth:`LocalStore.iter_entries`."""
    for kind in FANNED:
        for folder in scan(f"{root}/{kind}"):
            yield from _entries(kind, folder.path, "")
    for kind in ("trees", "worktrees"):
        yield from _entries(kind, f"{root}/{kind}", "")
    for folder in scan(f"{root}/index"):
        yield from _entries("index", folder.path, f"{folder.name}/")


def verify(root: str, is_whole: Callable[[str, str], bool]) -> Verified:
    """As :meth:`LocalStore.verify`."""
    entries, size, unreadable = 0, 0, 0
    damaged = []
    for kind, key, length, _ in iter_entries(root):
        try:
            if is_whole(kind, key):
                entries += 1
                size += length
            else:
                damaged.append((kind, key))
        except FileNotFoundError:
            continue  # removed since it was listed
        except OSError:
            unreadable += 1
    return Verified(entries, size, tuple(sorted(damaged)), unreadable)


def clear(root: str) -> Cleared:
    """As :meth:`LocalStore.clear`."""
    removed, freed, problem = 0, 0, None
    for path, size in _all_files(root):
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            problem = problem or f"cannot remove {path}: {error.strerror}"
            continue
        removed += 1
        freed += size
    return Cleared(removed, freed, problem)


def _entries(kind: str, folder: str, start: str) -> Iterator[Found]:
    for file in scan(folder):
        key = f"{start}{file.name}"
        try:
            if f"{folder}/{file.name}".endswith(f"/{entry_path(kind, key)}"):
                found = file.stat()
                yield kind, key, found.st_size, found.st_mtime
        except (ValueError, OSError):
            continue  # not one of ours, or gone


def _all_files(root: str) -> Iterator[tuple[str, int]]:
    """All files that hold entries, parts of them, or stats, with their lengths."""
    for name in (*KINDS, "tmp", "stats"):
        for folder, _, files in os.walk(f"{root}/{name}"):
            for file in files:
                path = f"{folder}/{file}"
                try:
                    yield path, os.lstat(path).st_size
                except OSError:
                    continue


def scan(folder: str) -> Iterator[os.DirEntry[str]]:
    """What is in a folder; nothing if it is gone, is not one, or cannot be read."""
    try:
        with os.scandir(folder) as found:
            yield from found
    except OSError:
        return
