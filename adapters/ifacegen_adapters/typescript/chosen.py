"""What the owners of a package say of its names, whatever the sources do."""

from __future__ import annotations

from collections.abc import Iterator

from ifacegen.adapter import ViewOptions
from ifacegen.model import Note


class Chosen:
    """``public`` and ``hidden`` of the configuration: ``NAME``, ``MODULE`` or ``MODULE.NAME``."""

    def __init__(self, options: ViewOptions) -> None:
        """Take the names over."""
        self._public = frozenset(options.public)
        self._hidden = frozenset(options.hidden)
        self._options = options
        self._matched: set[str] = set()

    def is_hidden(self, module: str, name: str) -> bool:
        """Whether a declaration, or a member of one (``Class.method``), is not to be shown."""
        return bool(self._hidden) and self._is_listed(self._hidden, module, name)

    def is_public(self, module: str, name: str) -> bool:
        """Whether a declaration is to be shown though it is tagged as internal."""
        return bool(self._public) and self._is_listed(self._public, module, name)

    def _is_listed(self, listed: frozenset[str], module: str, name: str) -> bool:
        found = {each for each in (name, module, f"{module}.{name}") if each in listed}
        self._matched |= found
        return bool(found)

    def notes(self, path: str) -> Iterator[Note]:
        """Of names that nothing answers to."""
        for option in ("public", "hidden"):
            for name in getattr(self._options, option):
                if name not in self._matched:
                    message = f"{option}: {name} names nothing in this package"
                    yield Note("warning", "option-unmatched", message, path)
