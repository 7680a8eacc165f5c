"""One directory to write to, with others behind it. Imported by every start, as `entry` is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from ifacegen_cache.entry import Entry
    from ifacegen_cache.local import LocalStore


#: What may be shown from a store that is not trusted with more.
_SHOWN = frozenset({"views", "index", "trees"})


class TieredStore:
    """A local store, and read-only ones that are asked when it has no answer.

    What is found behind is whole, and is copied into the local one, which answers from then on. What is
    found in a store apart is shown and goes no further: nothing is copied, and nothing is made of its facts.
    """

    def __init__(
        self, local: LocalStore, behind: Sequence[LocalStore], apart: Sequence[LocalStore] = ()
    ) -> None:
        """Put stores behind one another.

        Args:
            local: Read first; the only one that is written to.
            behind: Read in this order. They count in the local store's stats from now on.
            apart: Read last, for those who trust them no further than to look at: views and records.

        Raises:
            ValueError: One of the stores behind or apart is not read-only.
        """
        for store in (*behind, *apart):
            if not store.read_only:
                raise ValueError(f"behind: {store!r} is not read-only")
            store.stats = local.stats
        self.local = local
        self.behind = tuple(behind)
        self.apart = tuple(apart)
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
            entry, is_trusted = self._from_behind(kind, key)
            if entry is None:
                self.stats.misses += 1
                return None
            self.stats.hits_behind += 1
            if is_trusted:
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
        for store in self._asked(kind):
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
        """Whether one of the stores has an entry under a key, which is then copied as by :meth:`get`.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        if self.local.contains(kind, key):
            return True
        entry, is_trusted = self._from_behind(kind, key)
        if entry is not None and is_trusted:
            self.local.add(kind, key, entry)
        return entry is not None

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

    def _asked(self, kind: str) -> tuple[LocalStore, ...]:
        return (self.local, *self.behind, *(self.apart if kind in _SHOWN else ()))

    def _from_behind(self, kind: str, key: str) -> tuple[Entry | None, bool]:
        """An entry, and whether it may be copied."""
        for store in self._asked(kind)[1:]:
            # A record from apart is one of several at best (`get_all`): it must never pass for our own.
            if kind == "index" and store in self.apart:
                continue
            entry = store.read(kind, key)
            if entry is not None:
                return entry, store in self.behind
        return None, False
