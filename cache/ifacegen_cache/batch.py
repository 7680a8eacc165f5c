"""Entries that are written and not yet in place, made durable together.

A rename without a flush of the data before it is not safe on common file systems: after a power cut
the names are there and the files empty. A flush per file is several times slower than one per thousand.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ifacegen_cache.write import remove

#: So many at most are lost when the process dies, and so much work is there between two flushes.
_MOST = 1000
#: So many are flushed one by one. A file system is flushed at once in less time, but with all that others
#: have written to it: after a `git clone`, say, that is seconds.
_FEW = 16


class Batch:
    """The context that :meth:`LocalStore.batch` gives."""

    def __init__(self, place: Callable[[str, str], bool], failed: Callable[[OSError], None]) -> None:
        """Make a batch that is not open yet.

        Args:
            place: Gives a finished file (first argument) its name (second).
            failed: Told of what keeps entries from being written.
        """
        self._place = place
        self._failed = failed
        self._depth = 0
        self._waiting: dict[str, str] = {}
        self._process = os.getpid()
        self._lock = threading.RLock()

    @property
    def is_open(self) -> bool:
        """Whether there is somebody within the context."""
        return self._depth > 0

    def find(self, path: str) -> str | None:
        """Where the entry that will be at ``path`` is meanwhile; None if there is none."""
        return self._waiting.get(path)

    def add(self, path: str, temporary: str) -> None:
        """Take a finished file that will be at ``path``."""
        with self._lock:
            self._own()
            former = self._waiting.get(path)
            self._waiting[path] = temporary
            if former is not None:
                remove(former)
            if len(self._waiting) >= _MOST:
                self._commit()

    def __enter__(self) -> None:
        with self._lock:
            self._own()
            self._depth += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._own()
                self._commit()

    def _own(self) -> None:
        """Forget, in a forked child, what its parent will put in place."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._waiting = {}

    def _commit(self) -> None:
        waiting = self._waiting
        try:
            _flush(list(waiting.values()))
            for path, temporary in list(waiting.items()):
                self._place(temporary, path)
                del waiting[path]  # not before: it can be read at any moment
        except OSError as error:
            self._failed(error)
        finally:
            # Nothing, unless the flush failed or the process was interrupted.
            self._waiting = {}
            for temporary in waiting.values():
                remove(temporary)


def _flush(paths: list[str]) -> None:
    """Wait until these files' bytes are on the disk.

    Raises:
        OSError: They did not get there.
    """
    if len(paths) <= _FEW or not _sync_file_system(os.path.dirname(paths[0])):
        for path in paths:
            _sync_file(path)


def _sync_file_system(directory: str) -> bool:
    """Flush all that was written to a directory's file system; False where that cannot be asked for."""
    import ctypes

    try:
        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (AttributeError, OSError):
        return False  # macOS, and C libraries that have none
    file = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return bool(syncfs(file) == 0)
    finally:
        os.close(file)


def _sync_file(path: str) -> None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # cleared away meanwhile
    try:
        os.fsync(file)
    finally:
        os.close(file)
