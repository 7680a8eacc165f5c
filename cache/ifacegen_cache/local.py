"""Entries as files below one directory.

Many processes may read, write and prune one directory at the same time, and any of them may be killed
at any moment: an entry is written beside and renamed, readers take no lock, and what is damaged or gone
is a miss. Imported by every start, as `entry` is: what only writers or upkeep need is imported there.
"""

from __future__ import annotations

import errno
import os
import time

from ifacegen_cache.entry import DamagedEntry, Entry, declared_size, decode_entry, make_entry
from ifacegen_cache.layout import FORMAT, entry_path
from ifacegen_cache.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any

    from ifacegen_cache.batch import Batch
    from ifacegen_cache.upkeep import Cleared, Found, Verified

#: A hit makes an entry new again when it is older than this: pruning takes the oldest.
_TOUCH_AFTER = 3600.0
#: Enough for the first line of an entry, unless its facts are many.
_FIRST_LINE = 4096
#: Without O_NONBLOCK a pipe in an entry's place would keep its reader waiting.
_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_ABSENT = {errno.ENOENT, errno.ENOTDIR}


class LocalStore:
    """The entries in one directory.

    Reading and writing never raise for what the file system does: what cannot be read is a miss, and
    what cannot be written is not kept, with the reason in :attr:`problem`. Threads may share a store.
    """

    root: str
    """The format's directory in the cache directory, absolute."""
    read_only: bool
    """Whether nothing is ever changed."""
    stats: Stats
    """What was asked and what came of it."""
    problem: str | None
    """The first reason why something could not be written, in one line; from then on nothing is."""

    def __init__(
        self, directory: str | os.PathLike[str], *, read_only: bool = False, stats: Stats | None = None
    ) -> None:
        """Use a directory, which need not exist: the first entry written makes it.

        Args:
            directory: The cache directory; its format's directory (``v1``) is found or made in it.
            read_only: Never change anything below it, not even the age of what is read.
            stats: Where to count; by default in counters of the store's own.
        """
        self.root = os.path.join(os.path.abspath(os.fspath(directory)), FORMAT)
        self.read_only = read_only
        self.stats = Stats() if stats is None else stats
        self.problem = None
        self._batch: Batch | None = None

    @property
    def directory(self) -> Path:
        """The cache directory, absolute."""
        from pathlib import Path

        return Path(self.root).parent

    def path(self, kind: str, key: str) -> str:
        """Where an entry is, or would be.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        return f"{self.root}/{entry_path(kind, key)}"

    def get(self, kind: str, key: str) -> Entry | None:
        """The entry under a key; None if there is none, or none that can be relied on.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        entry = self.read(kind, key)
        if entry is None:
            self.stats.misses += 1
        else:
            self.stats.hits_local += 1
            self.stats.bytes_read += len(entry.payload)
        return entry

    def get_all(self, kind: str, key: str) -> Iterator[Entry]:
        """The entry under a key, if there is one; see :meth:`TieredStore.get_all`."""
        entry = self.get(kind, key)
        if entry is not None:
            yield entry

    def read(self, kind: str, key: str) -> Entry | None:
        """As :meth:`get`, for who counts hits and misses on their own; damage and errors are counted."""
        path = self.path(kind, key)
        entry = self._load_unplaced(path)
        return self._load(path) if entry is None else entry

    def contains(self, kind: str, key: str) -> bool:
        """Whether there is an entry of the right length under a key; its digest is left to :meth:`get`.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        return self._holds(self.path(kind, key))

    def put(
        self,
        kind: str,
        key: str,
        payload: bytes,
        meta: Mapping[str, Any] | None = None,
        *,
        replace: bool = False,
    ) -> bool:
        """Keep a payload under a key.

        Args:
            kind: One of ``views``, ``facts``, ``index``, ``trees``, ``worktrees``.
            key: 8 to 64 lower-case hexadecimal digits; for ``index``, 64 of them, ``/``, two such keys
                joined by ``-``.
            payload: What to keep.
            meta: Facts about it, as JSON has them.
            replace: Write even if there is an entry, which otherwise stays, unless its length is wrong.

        Returns:
            Whether there is an entry under the key now.

        Raises:
            ValueError: There is no such kind, or the key is not one; ``meta`` has NaN or an infinity.
            TypeError: ``meta`` holds what JSON has no word for.
        """
        path = self.path(kind, key)
        if not replace and self._holds(path):
            return True
        return self._write(path, make_entry(payload, meta))

    def add(self, kind: str, key: str, entry: Entry) -> bool:
        """Keep an entry of another store; as :meth:`put` without ``replace``."""
        path = self.path(kind, key)
        return self._holds(path) or self._write(path, entry)

    def batch(self) -> AbstractContextManager[None]:
        """Within this context, entries are made safe against a power cut, many at a time.

        They can be read from this store at once, by others once they are in place: a thousand at a
        time, the rest at the end, also when that is an exception. Entries written outside of one may be
        empty after a power cut, hence a miss. Contexts may be nested: the outermost counts.
        """
        if self._batch is None:
            from ifacegen_cache.batch import Batch

            self._batch = Batch(self._place, self._failed)
        return self._batch

    def iter_entries(self) -> Iterator[Found]:
        """All entries, as (kind, key, bytes of the file, time of the last use), in no order.

        What appears or vanishes meanwhile may be missing; entries are not read, so any may be damaged.
        """
        from ifacegen_cache.upkeep import iter_entries

        return iter_entries(self.root)

    def verify(self) -> Verified:
        """Read every entry; the damaged ones are reported, and removed unless the store is read-only."""
        from ifacegen_cache.upkeep import verify

        return verify(self.root, self.is_whole)

    def clear(self) -> Cleared:
        """Remove all entries, temporary files and stats; whoever writes meanwhile goes on."""
        from ifacegen_cache.upkeep import Cleared, clear

        return Cleared(0, 0, "read-only") if self.read_only else clear(self.root)

    def is_whole(self, kind: str, key: str) -> bool:
        """Whether an entry is as it was written; if not, it is counted and removed as by :meth:`get`.

        Unlike :meth:`get` this is no use of the entry: it gets no younger.

        Raises:
            OSError: It is not there, or cannot be read.
        """
        return self._decoded(self.path(kind, key)) is not None

    def _load_unplaced(self, path: str) -> Entry | None:
        unplaced = None if self._batch is None else self._batch.find(path)
        while self._batch is not None and unplaced is not None:
            entry = self._load(unplaced)
            former, unplaced = unplaced, self._batch.find(path)
            if entry is not None or unplaced == former:
                return entry
            # Another thread has put it in place, or written another, since it was found.
        return None

    def _load(self, path: str) -> Entry | None:
        try:
            return self._decoded(path, touch=not self.read_only)
        except OSError as error:
            self.stats.errors += error.errno not in _ABSENT
            return None

    def _decoded(self, path: str, *, touch: bool = False) -> Entry | None:
        file = os.open(path, _READING)
        try:
            found = os.fstat(file)
            entry = decode_entry(_read_whole(file, found.st_size))
            if touch:
                _touch(file, found.st_mtime)
            return entry
        except DamagedEntry:
            self.stats.corrupt += 1
            if not self.read_only:
                _remove_damaged(path, file)
            return None
        finally:
            os.close(file)

    def _holds(self, path: str) -> bool:
        """Whether the file of an entry is there in its full length."""
        unplaced = self._batch is not None and self._batch.find(path)
        try:
            file = os.open(unplaced or path, _READING)
        except OSError:
            return False
        try:
            found = os.fstat(file)
            size = found.st_size
            if not self.read_only:
                _touch(file, found.st_mtime)
            start = os.read(file, _FIRST_LINE)
            if b"\n" not in start:
                start += _read_whole(file, size - len(start))
        except OSError:
            return False
        finally:
            os.close(file)
        return declared_size(start) == size

    def _write(self, path: str, entry: Entry) -> bool:
        if self.read_only or self.problem is not None:
            return False
        from ifacegen_cache.write import write_temporary

        try:
            temporary = write_temporary(self.root, entry.encode())
        except OSError as error:
            self._failed(error)
            return False
        if self._batch is not None and self._batch.is_open:
            self._batch.add(path, temporary)
            return True
        return self._place(temporary, path)

    def _place(self, temporary: str, path: str) -> bool:
        """Give a finished file its name."""
        from ifacegen_cache.write import place

        try:
            size = place(temporary, path)
        except FileNotFoundError:
            # Somebody has cleared the cache meanwhile: a loss, but no reason to stop.
            self.stats.write_errors += 1
            return False
        except OSError as error:
            self._failed(error)
            return False
        self.stats.writes += 1
        self.stats.bytes_written += size
        return True

    def _failed(self, error: OSError) -> None:
        self.stats.write_errors += 1
        if self.problem is None:
            self.problem = (
                f"cannot write to the cache {os.path.dirname(self.root)}: {error.strerror or error}"
            )

    def __repr__(self) -> str:
        return f"<LocalStore: {self.root}{', read-only' if self.read_only else ''}>"


def _read_whole(file: int, size: int) -> bytes:
    """The rest of a file whose length is known; one byte more if it has grown."""
    data = os.read(file, size + 1)
    while len(data) < size:
        more = os.read(file, size + 1 - len(data))
        if not more:
            break
        data += more
    return data


def _touch(file: int, used: float) -> None:
    """Note that an entry is of use, unless that was noted lately."""
    if time.time() - used <= _TOUCH_AFTER:
        return
    try:
        os.utime(file)
    except OSError:
        return  # somebody else's file: its owner's readings keep it


def _remove_damaged(path: str, file: int) -> None:
    """Remove an open file, unless another has taken its place since it was opened."""
    try:
        if os.path.samestat(os.stat(path), os.fstat(file)):
            os.unlink(path)
    except OSError:
        return  # gone, or not ours to remove; it stays a miss
