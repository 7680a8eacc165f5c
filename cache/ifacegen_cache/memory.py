"""Values in memory under keys, as many as are allowed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from typing import TypeVar

V = TypeVar("V")


class MemoryStore(MutableMapping[str, V]):
    """A mapping that forgets what was not read or written for longest.

    Only ``store[key]`` (and what is built on it, like ``get``) and ``store[key] = value`` count as
    use; ``key in store``, ``len`` and walking over the keys do not. Not for several threads at once.
    """

    def __init__(self, max_entries: int | None = None) -> None:
        """Make an empty store.

        Args:
            max_entries: How many entries to keep at most; None keeps all.

        Raises:
            ValueError: ``max_entries`` is less than 1.
        """
        if max_entries is not None and max_entries < 1:
            raise ValueError(f"max_entries: must be 1 or more, or None, not {max_entries}")
        self._max_entries = max_entries
        self._entries: OrderedDict[str, V] = OrderedDict()

    @property
    def max_entries(self) -> int | None:
        """How many entries are kept at most; None when all are."""
        return self._max_entries

    def __getitem__(self, key: str) -> V:
        value = self._entries[key]
        self._entries.move_to_end(key)
        return value

    def __setitem__(self, key: str, value: V) -> None:
        self._entries[key] = value
        self._entries.move_to_end(key)
        if self._max_entries is not None and len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)

    def __delitem__(self, key: str) -> None:
        del self._entries[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        """The keys, the one that will be forgotten first at the front."""
        # A copy: `items()` and `values()` read while they walk, and reading moves entries.
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        bound = "" if self._max_entries is None else f" of at most {self._max_entries}"
        return f"<{type(self).__name__}: {len(self)}{bound} entries>"
