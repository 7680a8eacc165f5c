"""The listing that every kind of tree shares: sorted paths, resolved links, a filter.

Knows neither git nor the file system: those are in ``ifacegen.repository``.
"""

from __future__ import annotations

import copy
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ifacegen.adapter import Blob, Tree
from ifacegen.errors import ReadError
from ifacegen.globs import Globs
from ifacegen.model import Note

#: As the kernel has it; a longer chain of links is a loop to us.
_MOST_HOPS = 40


class Link(NamedTuple):
    """A symbolic link of a listing."""

    #: As written.
    target: str
    #: The file of the listing that it leads to; empty if there is none.
    end: str


class ListedTree:
    """A :class:`~ifacegen.adapter.Tree` over a listing and a function that reads one listed file."""

    def __init__(
        self,
        files: Mapping[str, str],
        read: Callable[[str, str], Blob],
        notes: Iterable[Note] = (),
        *,
        commit: str | None = None,
        by_id: bool = False,
        identify: Callable[[str, str], str] | None = None,
        links: Mapping[str, Link] = MappingProxyType({}),
    ) -> None:
        """Make a listing.

        Args:
            files: Path → what ``read`` needs to find it.
            read: Reads one listed file.
            notes: What was left out.
            commit: Where the listing is from; None is what lies on disk.
            by_id: Whether what ``files`` maps to is git's id of each file.
            identify: Gives that id otherwise; by default the file is read for it.
            links: Every link, also those that lead nowhere.
        """
        self._files = files
        self._read = read
        self._by_id = by_id
        self._identify = identify or (lambda path, where: read(path, where).id)
        self._paths: tuple[str, ...] = tuple(sorted(files))
        self._notes = tuple(sorted(notes, key=lambda note: (note.path, note.code, note.message)))
        self.commit = commit
        self.links = links

    def changed(self, ids: Mapping[str, str], commit: str) -> ListedTree | None:
        """This listing with other contents for some of its files; None where that changes more than contents."""
        if not self._by_id or self.links or not ids.keys() <= self._files.keys():
            return None
        made = copy.copy(self)
        made.__dict__.update(_files={**self._files, **ids}, commit=commit)
        return made

    @property
    def paths(self) -> Sequence[str]:
        """POSIX paths of all files, sorted."""
        return self._paths

    @property
    def notes(self) -> Sequence[Note]:
        """What was left out of ``paths``, and why."""
        return self._notes

    def __contains__(self, path: object) -> bool:
        """Whether ``path`` is one of ``paths``."""
        return path in self._files

    def below(self, directory: str) -> Sequence[str]:
        """The part of ``paths`` below a directory."""
        return paths_below(self._paths, directory)

    def read(self, path: str) -> Blob:
        """Read one of ``paths``; raises :class:`~ifacegen.errors.ReadError`."""
        return self._read(path, self._where(path))

    def id(self, path: str) -> str:
        """Git's id of one of ``paths``; raises :class:`~ifacegen.errors.ReadError`."""
        where = self._where(path)
        return where if self._by_id else self._identify(path, where)

    def _where(self, path: str) -> str:
        where = self._files.get(path)
        if where is None:
            out = path.startswith("/") or ".." in path.split("/")
            raise ReadError(path, "leads out of the repository" if out else "no such file in the repository")
        return where


class FilteredTree:
    """Another tree without the files that ``excluded`` matches."""

    def __init__(self, tree: Tree, excluded: Globs) -> None:
        """``excluded`` decides on whole paths."""
        self._tree = tree
        self._paths: tuple[str, ...] = tuple(path for path in tree.paths if not excluded.match(path))
        self._known = frozenset(self._paths)

    def excluded(self) -> Iterator[str]:
        """The files that are left out."""
        return (path for path in self._tree.paths if path not in self._known)

    @property
    def paths(self) -> Sequence[str]:
        """POSIX paths of the files that are left, sorted."""
        return self._paths

    @property
    def notes(self) -> Sequence[Note]:
        """What the tree below left out; excluded files are not mentioned."""
        return self._tree.notes

    def __contains__(self, path: object) -> bool:
        """Whether ``path`` is one of ``paths``."""
        return path in self._known

    def below(self, directory: str) -> Sequence[str]:
        """The part of ``paths`` below a directory."""
        return paths_below(self._paths, directory)

    def read(self, path: str) -> Blob:
        """Read one of ``paths``; raises :class:`~ifacegen.errors.ReadError`."""
        self._refuse_excluded(path)
        return self._tree.read(path)

    def id(self, path: str) -> str:
        """Git's id of one of ``paths``; raises :class:`~ifacegen.errors.ReadError`."""
        self._refuse_excluded(path)
        return self._tree.id(path)

    def _refuse_excluded(self, path: str) -> None:
        if path not in self._known and path in self._tree:
            raise ReadError(path, "excluded by the configuration")


def paths_below(paths: Sequence[str], directory: str) -> Sequence[str]:
    """The slice of sorted ``paths`` below a directory (``""`` and ``"."`` are all of them)."""
    prefix = directory.strip("/")
    if prefix in ("", "."):
        return paths
    # "0" follows "/", so this is the first text after everything that starts with "prefix/".
    return paths[bisect_left(paths, prefix + "/") : bisect_left(paths, prefix + "0")]


def parents(path: str) -> Iterable[str]:
    """The directories above a path, nearest first, without the top."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def directories(paths: Iterable[str]) -> frozenset[str]:
    """Every directory above any of the paths, without the top."""
    found: set[str] = set()
    for path in paths:
        for parent in parents(path):
            if parent in found:
                break
            found.add(parent)
    return frozenset(found)


def resolve_links(
    files: Mapping[str, str], links: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Link], list[Note]]:
    """Give links to regular files of the listing the entry of their file; note all other links.

    Args:
        files: Path → entry.
        links: Path → target as written in the link.

    Returns:
        ``files`` with the links that resolve, all links with their ends, and a note for each that has none.
    """
    resolved = dict(files)
    known: dict[str, Link] = {}
    notes: list[Note] = []
    if not links:
        return resolved, known, notes
    folders = directories(files)
    for path in sorted(links):
        target, problem = _follow(path, links)
        if target in files:
            resolved[path], known[path] = files[target], Link(links[path], target)
            continue
        known[path] = Link(links[path], "")
        if not problem:
            problem = (
                "leads to a directory"
                if target in folders or not target
                else "leads to no file of the repository"
            )
        notes.append(
            Note("info", "link-skipped", f"symbolic link to {links[path]!r} left out: it {problem}", path)
        )
    return resolved, known, notes


def _follow(path: str, links: Mapping[str, str]) -> tuple[str, str]:
    """Where a link ends, lexically and inside the listing, or why it does not."""
    done: list[str] = []
    pending = path.split("/")[::-1]
    hops = 0
    while pending:
        part = pending.pop()
        if part == ".." and not done:
            return "", "leads out of the repository"
        if part == "..":
            done.pop()
            continue
        if part in ("", "."):
            continue
        done.append(part)
        target = links.get("/".join(done))
        if target is None:
            continue
        hops += 1
        if target.startswith("/"):
            return "", "is absolute"
        if hops > _MOST_HOPS:
            return "", "runs in a circle"
        done.pop()
        pending.extend(reversed(target.split("/")))
    return "/".join(done), ""
