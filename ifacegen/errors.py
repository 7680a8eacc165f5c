"""Everything ifacegen raises on purpose, as one tree.

Each class is one reason with its fields; ``str()`` is the one clear line a user reads:
what, where, what to do. All of them pickle, because they cross process boundaries.

    IfacegenError
    ├── UsageError                a wrong request; the command line answers 2
    │   ├── ConfigError           ifacegen.yaml says something we do not understand
    │   ├── UnknownAddress        no package, file or declaration of that name
    │   ├── AmbiguousAddress      more than one fits
    │   └── UnknownRevision       git knows no such commit
    ├── RepositoryError           git or the file system refused
    ├── ReadError                 one file could not be read; the run goes on
    └── AdapterError              one ecosystem's part broke; the others go on
"""

from __future__ import annotations

from typing import Any


class IfacegenError(Exception):
    """Base of every error that ifacegen raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(cls: type[IfacegenError], args: tuple[Any, ...], state: dict[str, Any]) -> IfacegenError:
    """Unpickle without calling ``__init__``, whose parameters differ from ``args``."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class UsageError(IfacegenError):
    """The request or the configuration is wrong; nothing was done."""


class ConfigError(UsageError):
    """``ifacegen.yaml`` holds something that is not understood."""

    def __init__(self, path: str, message: str, *, line: int | None = None, key: str | None = None) -> None:
        where = f"{path}:{line}" if line else path
        super().__init__(f"{where}: {message}")
        self.path = path
        self.line = line
        self.key = key


class UnknownAddress(UsageError):
    """Nothing answers to an address; ``candidates`` are the nearest names."""

    def __init__(self, address: str, candidates: tuple[str, ...] = (), *, what: str = "package") -> None:
        hint = (
            f"; did you mean {', '.join(candidates)}?"
            if candidates
            else "; `ifacegen packages` lists what there is"
        )
        super().__init__(f"{address}: no such {what}{hint}")
        self.address = address
        self.candidates = candidates


class AmbiguousAddress(UsageError):
    """More than one thing answers to an address; ``candidates`` are complete addresses."""

    def __init__(self, address: str, candidates: tuple[str, ...]) -> None:
        more = f" and {len(candidates) - 5} more" if len(candidates) > 5 else ""
        super().__init__(f"{address}: ambiguous; it may mean {', '.join(candidates[:5])}{more}")
        self.address = address
        self.candidates = candidates


class UnknownRevision(UsageError):
    """git knows no such commit here."""

    def __init__(self, revision: str, reason: str) -> None:
        super().__init__(f"{revision}: no such commit: {reason}")
        self.revision = revision


class RepositoryError(IfacegenError):
    """git or the file system refused something the whole run needs."""


class ReadError(IfacegenError):
    """One file could not be read; whoever reads it names it in the notes and goes on."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class AdapterError(IfacegenError):
    """An adapter is broken, clashes with another or failed on a package."""
