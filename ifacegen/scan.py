"""A walk over a directory on disk: regular files and links, no link followed, no island entered."""

from __future__ import annotations

import os
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field

from ifacegen.globs import ignore_globs
from ifacegen.model import Note

#: Directories that never hold sources, as ``.gitignore`` patterns.
UNTRACKED_JUNK = (
    ".git", ".hg/", ".svn/", ".DS_Store", ".idea/", "node_modules/", ".gradle/", "/bazel-*/",
    ".venv/", ".tox/", ".nox/", ".eggs/", "*.egg-info/", "__pycache__/",
    ".mypy_cache/", ".ruff_cache/", ".pytest_cache/", ".hypothesis/",
)  # fmt: skip
_JUNK = ignore_globs(UNTRACKED_JUNK)
#: Names that build tools write to, but that packages also have: junk unless they are a Python package, or what an
#: npm package publishes: who unpacks one finds its declarations there.
_DOUBTFUL = frozenset({"build", "dist", "target", "venv", "env"})


@dataclass(slots=True)
class Found:
    """What a walk came across, by path relative to its root."""

    files: set[str] = field(default_factory=set)
    #: Link → target as written.
    links: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    #: Directories with a ``package.json``.
    npm: set[str] = field(default_factory=set)


def is_junk(path: str, known: AbstractSet[str]) -> bool:
    """Whether an untracked file of a listing is the output of a tool rather than a source."""
    if _JUNK.match(path):
        return True
    parts = path.split("/")[:-1]
    return any(
        part in _DOUBTFUL and "/".join([*parts[: index + 1], "__init__.py"]) not in known
        for index, part in enumerate(parts)
    )


def scan(root: str, wanted: AbstractSet[str] | None) -> Found:
    """Walk a directory.

    Args:
        root: The directory.
        wanted: The directories to enter, relative to ``root``; None enters all but junk.
    """
    found = Found()
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                listing = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            found.notes.append(Note("warning", "unreadable", f"left out: {error.strerror}", folder))
            continue
        if any(entry.name == "package.json" for entry in listing):
            found.npm.add(folder)
        pending += _sort_in(found, folder, listing, wanted)
    return found


def _sort_in(
    found: Found, folder: str, listing: list[os.DirEntry[str]], wanted: AbstractSet[str] | None
) -> list[str]:
    """Put the entries of one directory where they belong; the sub-directories to enter are returned."""
    names = {entry.name for entry in listing}
    if folder and ".git" in names:
        found.notes.append(island_note(folder))
        return []
    if wanted is None and folder and _is_output(folder, names, found.npm):
        return []
    enter: list[str] = []
    for entry in listing:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if not _is_utf8(path):
            if wanted is None:
                shown = os.fsencode(path).decode("utf-8", "backslashreplace")
                found.notes.append(
                    Note("warning", "path-not-utf8", "path is not valid UTF-8; left out", shown)
                )
        elif entry.is_symlink():
            _add_link(found, path, entry)
        elif entry.is_dir(follow_symlinks=False):
            if path in wanted if wanted is not None else not _JUNK.match(path + "/x"):
                enter.append(path)
        elif entry.is_file(follow_symlinks=False) and (wanted is not None or not _JUNK.match(path)):
            found.files.add(path)
    return enter


def island_note(path: str) -> Note:
    """What is said of a repository inside the repository."""
    return Note("info", "nested-repository", "a repository of its own; not entered", path)


def _add_link(found: Found, path: str, entry: os.DirEntry[str]) -> None:
    with suppress(OSError):  # it vanished between listing and reading: as if it had never been there
        found.links[path] = os.readlink(entry.path)


def _is_output(folder: str, names: AbstractSet[str], npm: AbstractSet[str]) -> bool:
    above, _, name = folder.rpartition("/")
    return name in _DOUBTFUL and "__init__.py" not in names and not (name == "dist" and above in npm)


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
