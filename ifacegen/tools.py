"""Programs of the machine that adapters may run: what the user named or put on PATH, nothing of the repository.

What was looked at is remembered, so that a later ``show`` can tell in microseconds whether the same would be found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from ifacegen.fastpath import file_state


class Toolbox:
    """An :class:`ifacegen.adapter.Tools`: looks on disk each time, and keeps a list of what it looked at."""

    def __init__(self, configured: Mapping[str, str], root: str) -> None:
        """``configured`` is the section ``tools`` of the configuration, ``root`` the repository's directory."""
        self._configured = configured
        self._root = os.path.realpath(root)
        self._looked_at: dict[str, None] = {}
        self._confirmed: dict[str, None] = {}

    @property
    def confirmed(self) -> tuple[str, ...]:
        """Identities of toolchains that were found to be those of this machine."""
        return tuple(self._confirmed)

    def confirm(self, identities: Mapping[str, bool]) -> None:
        """Note which toolchains are those of this machine, and which are not."""
        for name, is_here in identities.items():
            if is_here:
                self._confirmed[name] = None
            else:
                self._confirmed.pop(name, None)

    def configured(self, name: str) -> str | None:
        """The absolute path that the configuration has for a name."""
        path = self._configured.get(name)
        return os.path.expanduser(path) if path is not None else None

    def program(self, name: str) -> str | None:
        """Absolute path of a program: as configured, else the first on PATH; links are resolved."""
        path = self.configured(name)
        if path is not None:
            return os.path.realpath(path) if self._is_program(path) else None
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            # An empty or relative entry is wherever somebody happens to be: perhaps in the repository.
            if os.path.isabs(folder) and self._is_program(found := os.path.join(folder, name)):
                return os.path.realpath(found)
        return None

    def _is_program(self, path: str) -> bool:
        return self.admits(path) and os.path.isfile(path) and os.access(path, os.X_OK)

    def admits(self, path: str) -> bool:
        """Whether a file or directory exists and lies outside the repository, links resolved."""
        self._looked_at[path] = None
        real = os.path.realpath(path)
        inside = any(f"{each}/".startswith(f"{self._root}/") for each in (real, os.path.normpath(path)))
        return os.path.isabs(path) and os.path.exists(real) and not inside

    def states(self) -> list[str]:
        """A line for each path that was looked at: what changes when something else comes to lie there, and the path."""
        return [f"{file_state(path)} {path}" for path in self._looked_at]
