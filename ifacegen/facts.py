"""Where facts about single files are kept: in the store, or for as long as a process lives."""

from __future__ import annotations

from ifacegen_cache import Store, action_key


class MemoryFacts:
    """Facts for as long as the process lives: an :class:`ifacegen.adapter.Facts`."""

    def __init__(self) -> None:
        self._entries: dict[frozenset[tuple[str, str]], bytes] = {}

    def get(self, **fields: str) -> bytes | None:
        """What was put under these fields; None where nothing was."""
        return self._entries.get(frozenset(fields.items()))

    def put(self, data: bytes, **fields: str) -> None:
        """Keep bytes under these fields."""
        self._entries[frozenset(fields.items())] = data


class StoredFacts:
    """Facts as entries of a store: an :class:`ifacegen.adapter.Facts`."""

    def __init__(self, store: Store, generator: str) -> None:
        """``generator`` is the identity of what makes facts here; another one's are not taken."""
        self._store = store
        self._generator = generator

    def get(self, **fields: str) -> bytes | None:
        """What was put under these fields; None where nothing was, or it is damaged."""
        entry = self._store.get("facts", action_key({**fields, "generator": self._generator}))
        return entry.payload if entry is not None else None

    def put(self, data: bytes, **fields: str) -> None:
        """Keep bytes under these fields."""
        self._store.put("facts", action_key({**fields, "generator": self._generator}), data)
