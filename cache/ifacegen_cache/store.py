"""What every store can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ifacegen_cache.entry import Entry
from ifacegen_cache.stats import Stats


class Store(Protocol):
    """Entries by kind and key: a :class:`LocalStore`, or several as a :class:`TieredStore`."""

    @property
    def stats(self) -> Stats:
        """What was asked and what came of it."""
        ...

    @property
    def problem(self) -> str | None:
        """The first reason why nothing can be written any more, in one line; None while it can."""
        ...

    def get(self, kind: str, key: str) -> Entry | None:
        """The entry under a key; None if there is none, or none that can be relied on.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        ...

    def get_all(self, kind: str, key: str) -> Iterator[Entry]:
        """The entries under a key, one per directory that has one, the local one's first.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        ...

    def contains(self, kind: str, key: str) -> bool:
        """Whether there seems to be an entry under a key, by its length.

        Raises:
            ValueError: There is no such kind, or the key is not one.
        """
        ...

    def put(
        self,
        kind: str,
        key: str,
        payload: bytes,
        meta: Mapping[str, Any] | None = None,
        *,
        replace: bool = False,
    ) -> bool:
        """Keep a payload under a key; whether there is an entry under it now.

        Raises:
            ValueError: There is no such kind, or the key is not one; ``meta`` has NaN or an infinity.
            TypeError: ``meta`` holds what JSON has no word for.
        """
        ...

    def batch(self) -> AbstractContextManager[None]:
        """Within this context, entries are made safe against a power cut, many at a time."""
        ...
