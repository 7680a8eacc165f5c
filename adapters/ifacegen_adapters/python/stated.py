"""What a Python project file states, whoever's dialect it is written in.

Project files come from anywhere and are often wrong: every helper here takes any value and gives
back what is usable of it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ifacegen.model import Dependency, Note

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=$|[\[\](<>=!~;@,#\s])")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a build backend is told to find the modules; all paths relative to the project."""

    #: (root, name below it as a path): packages and modules named one by one.
    explicit: tuple[tuple[str, str], ...] = ()
    #: Names to look for in ``src`` and beside the project file.
    anywhere: tuple[str, ...] = ()
    #: Directories to search.
    where: tuple[str, ...] = ()
    #: Patterns of dotted names, as setuptools' ``find`` has them.
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    #: Whether all packages found are meant, and not only the one named like the distribution.
    everything: bool = False

    def __bool__(self) -> bool:
        """Whether anything is said at all."""
        return bool(
            self.explicit or self.anywhere or self.where or self.include or self.exclude or self.everything
        )


@dataclass(frozen=True, slots=True)
class Stated:
    """The part of a project file that ifacegen needs."""

    name: str | None = None
    dependencies: tuple[Dependency, ...] = ()
    layout: Layout = field(default_factory=Layout)
    members: tuple[str, ...] = ()
    #: Whether it describes a distribution, and is not only there for tools or as a workspace root.
    is_package: bool = True
    #: Whether it says that it is never installed.
    is_virtual: bool = False
    notes: tuple[Note, ...] = ()


def table(value: Any, *keys: str) -> Mapping[str, Any]:
    """The table at a path of keys; empty if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def strings(value: Any) -> tuple[str, ...]:
    """The strings of a list; one string counts as a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()


def text(value: Any) -> str | None:
    """A string with something in it, or None."""
    return value.strip() or None if isinstance(value, str) else None


def requirement_name(requirement: str) -> str | None:
    """The name that a PEP 508 requirement begins with."""
    match = _REQUIREMENT.match(requirement)
    return match.group(1) if match else None


def fold(name: str) -> str:
    """The form in which names are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(values: Any, kind: str, paths: Mapping[str, str] | None = None) -> Iterator[Dependency]:
    """Dependencies of a list of requirements; ``paths`` has the directories of some, by folded name."""
    for each in strings(values):
        name = requirement_name(each)
        if name:
            yield Dependency(name, kind, (paths or {}).get(fold(name)))


def unique(dependencies: Iterable[Dependency]) -> tuple[Dependency, ...]:
    """Without repetitions, in order."""
    return tuple(dict.fromkeys(dependencies))


def inside(directory: str, path: str) -> str | None:
    """``path``, written relative to ``directory``, as a repository path; None if it leads out."""
    if path.startswith(("/", "~")) or "://" in path:
        return None
    joined = posixpath.normpath(posixpath.join(directory or ".", path))
    return None if joined == ".." or joined.startswith("../") else joined


def dotted_to_path(name: str) -> str:
    """``a.b`` → ``a/b``."""
    return name.replace(".", "/").strip("/")


def relative_directory(path: str) -> str:
    """A directory inside the project without ``./`` and trailing slashes; ``""`` is the project."""
    clean = posixpath.normpath(path.strip().strip("/") or ".")
    return "" if clean == "." else clean
