"""Finds adapters by entry point and loads them lazily; ours and theirs register alike."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from ifacegen.adapter import Adapter
from ifacegen.errors import AdapterError

GROUP = "ifacegen.adapters"


class Registry:
    """The adapters that are installed, by name.

    A broken adapter is reported by :attr:`problems` and does not take the program down.

    Raises:
        AdapterError: Two distributions register the same name; both are named.
    """

    def __init__(self, found: Iterable[EntryPoint] | None = None) -> None:
        self._points = _by_name(entry_points(group=GROUP) if found is None else found)
        self._adapters: dict[str, Adapter] = {}
        #: What went wrong with adapters that could not be loaded, one clear line each.
        self.problems: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all registered adapters, sorted."""
        return tuple(sorted(self._points))

    def get(self, name: str) -> Adapter | None:
        """An adapter by name; None if there is none of that name or it cannot be loaded."""
        if name not in self._adapters and name in self._points and name not in self.problems:
            self._load(name)
        return self._adapters.get(name)

    def all(self) -> tuple[Adapter, ...]:
        """Every adapter that can be loaded, by name."""
        return tuple(adapter for name in self.names if (adapter := self.get(name)) is not None)

    def _load(self, name: str) -> None:
        point = self._points[name]
        try:
            self._adapters[name] = point.load()()
        except Exception as error:  # noqa: BLE001  # somebody else's code: whatever it raises, the other adapters go on
            owner = point.dist.name if point.dist is not None else point.value
            self.problems[name] = (
                f"adapter {name} of {owner} cannot be loaded: {type(error).__name__}: {error}"
            )


def _by_name(points: Iterable[EntryPoint]) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in sorted(points, key=lambda each: (each.name, each.value)):
        other = found.get(point.name)
        if other is not None and other.value != point.value:
            message = (
                f"two adapters are named {point.name}: {other.value} and {point.value}; uninstall one of them"
            )
            raise AdapterError(message)
        found[point.name] = point
    return found
