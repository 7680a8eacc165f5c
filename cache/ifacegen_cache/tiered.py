"""One directory to write to, with others behind it. Imported by every start, as `entry` is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from ifacegen_cache.entry import Entry
    from ifacegen_cache.local import LocalStore


class TieredStore:
    """A local store, and read-only ones that are asked when it has no answer.

    What is found behind is whole, and is copied into the local one, which answers from then on.
    """

    def __init__(self, local: LocalStore, behind: Sequence[LocalStore]) -> None:
        """Put stores behind one another.

        Args:
            local: Read first; the only one that is written to.
            behind: Read in this order. They count in the local store's stats from now on.

        Raises:
            ValueError: One of the stores behind is not read-only.
        """
        for store in behind:
            if not store.read_only:
                raise ValueError(f"behind: {store!r} is not read-only")
            store.stats = local.stats
        self.local = local
        self.behind = tuple(behind)
        self.stats = local.stats

    @property
    def problem(self) -> str | None:
        """Why the local store can no longer be written to; None if it can."""
        return self.local.problem

    def get(self, kind: str, key: str) -> Entry | None:
        """The entry under a key, from the first store that has one; see :meth:`LocalStore.get`.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        entry = self.local.read(kind, key)
        if entry is not None:
            self.stats.hits_local += 1
        else:
            entry = self._from_behind(kind, key)
            if entry is None:
                self.stats.misses += 1
                return None
            self.stats.hits_behind += 1
            self.local.add(kind, key, entry)
        self.stats.bytes_read += len(entry.payload)
        return entry

    def get_all(self, kind: str, key: str) -> Iterator[Entry]:
        """What each store has under a key, the local one's first, nothing copied.

        For records that each directory has its own version of: lists of candidates, say. All of it
        counts as one hit, or miss.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        found = False
        for store in (self.local, *self.behind):
            entry = store.read(kind, key)
            if entry is None:
                continue
            if not found:
                self.stats.hits_local += store is self.local
                self.stats.hits_behind += store is not self.local
            found = True
            self.stats.bytes_read += len(entry.payload)
            yield entry
        self.stats.misses += not found

    def contains(self, kind: str, key: str) -> bool:
        """Whether one of the stores has an entry under a key; see :meth:`LocalStore.contains`.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        return any(store.contains(kind, key) for store in (self.local, *self.behind))

    def put(
        self,
        kind: str,
        key: str,
        payload: bytes,
        meta: Mapping[str, Any] | None = None,
        *,
        replace: bool = False,
    ) -> bool:
        """Keep a payload in the local store; see :meth:`LocalStore.put`.

        Raises:
            ValueError: There is no such kind, or the key is not one; ``meta`` has NaN or an infinity.
            TypeError: ``meta`` holds what JSON has no word for.
        """
        return self.local.put(kind, key, payload, meta, replace=replace)

    def batch(self) -> AbstractContextManager[None]:
        """As :meth:`LocalStore.batch`, of the local store."""
        return self.local.batch()

    def _from_behind(self, kind: str, key: str) -> Entry | None:
        for store in self.behind:
            entry = store.read(kind, key)
            if entry is not None:
                return entry
        return None
