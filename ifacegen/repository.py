"""Trees of files: a commit, the dirty work tree, a plain folder. Never writes, never checks out.

Git is asked through its command (``ifacegen.git``); what all listings share is in ``ifacegen.trees``.
Whatever a path or a link says, nothing outside the repository is read.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Self

from ifacegen import git
from ifacegen.adapter import Blob
from ifacegen.errors import ReadError, RepositoryError, UnknownRevision, UsageError
from ifacegen.model import Note
from ifacegen.scan import UNTRACKED_JUNK, is_junk, island_note, scan
from ifacegen.trees import Link, ListedTree, directories, resolve_links

#: Bytes read at once of a file that only its id is wanted of.
_PIECE = 1024 * 1024
_BAD_NAME = "path is not valid UTF-8; left out"


class Repository:
    """A git repository or a plain folder, opened for reading."""

    def __init__(
        self,
        root: Path,
        *,
        is_git: bool,
        hash_name: str = "sha1",
        is_bare: bool = False,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Use :meth:`open`."""
        self.root = root
        self.is_git = is_git
        self.notes = notes
        self._hash_name = hash_name
        self._is_bare = is_bare
        self._blobs = git.BlobReader(str(root))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Repository:
        """The git repository that ``path`` lies in; without one, ``path`` as a plain folder.

        Raises:
            UsageError: There is no such directory.
            RepositoryError: git refuses the repository (dubious ownership …).
        """
        start = Path(os.path.abspath(path))
        if start.is_file():
            start = start.parent
        if not start.is_dir():
            raise UsageError(f"{os.fspath(path)}: no such directory")
        try:
            done = git.run(
                str(start),
                "rev-parse",
                "--is-bare-repository",
                "--show-object-format",
                "--is-inside-work-tree",
                "--show-toplevel",
            )
        except git.GitMissing as error:
            return _without_git(start, str(error))
        answer = done.stdout.decode("utf-8", "surrogateescape").splitlines()
        if answer[:1] == ["true"]:
            return cls(start, is_git=True, hash_name=answer[1], is_bare=True)
        if done.returncode == 0:
            return cls(Path("\n".join(answer[3:])), is_git=True, hash_name=answer[1])
        reason = git.reason(done.stderr)
        if reason.startswith("not a git repository"):
            return _without_git(start, reason)
        if "dubious ownership" in reason:
            reason += f"; run `git config --global --add safe.directory {start}` if you trust it"
        raise RepositoryError(f"git: {reason}")

    def __enter__(self) -> Self:
        """Nothing to do: what is needed is started when needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    @property
    def hash_name(self) -> str:
        """The hash that git's ids are made with: ``sha1`` or ``sha256``."""
        return self._hash_name

    def close(self) -> None:
        """End the git process that reads blobs; it comes back when needed."""
        self._blobs.close()

    def relative(self, path: str | os.PathLike[str]) -> str:
        """A directory as a path relative to the root (``"."`` for the root and for what is not in it)."""
        real, root = os.path.realpath(path), os.path.realpath(self.root)
        inside = real.startswith(root.rstrip("/") + "/")
        return os.path.relpath(real, root).replace(os.sep, "/") if inside else "."

    def resolve(self, revision: str) -> str:
        """The full id of the commit that a revision names.

        Raises:
            UnknownRevision: git knows no such commit.
        """
        if not self.is_git:
            raise UnknownRevision(revision, "this folder is not a git repository")
        if not revision or "\0" in revision:
            raise UnknownRevision(revision.replace("\0", "\\0"), "not a revision")
        done = git.run(str(self.root), "rev-parse", "--verify", "--end-of-options", revision + "^{commit}")
        found = done.stdout.decode("ascii", "replace").split()
        if done.returncode or not found or found[-1].startswith("^"):
            reason = git.reason(done.stderr)
            raise UnknownRevision(
                revision, "git knows no such revision" if reason == "Needed a single revision" else reason
            )
        return found[-1]

    def commits(self, end: str, *, after: str | None = None, since: str | None = None) -> list[str]:
        """Ids of the commits in the history of ``end``, the newest first.

        Args:
            end: A revision.
            after: Leave out the history of this revision, itself included.
            since: Only commits younger than an age (``7d``).

        Raises:
            UnknownRevision: git knows no such commit.
            RepositoryError: git refuses.
        """
        limits = [self.resolve(end)]
        if after is not None:
            limits.append("^" + self.resolve(after))
        if since is not None:
            units = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
            limits.append(f"--since={since[:-1]} {units[since[-1]]} ago")
        listed = git.output(str(self.root), "rev-list", "--topo-order", *limits, "--")
        return listed.decode("ascii").split()

    def work_tree(self) -> ListedTree:
        """The files as they are on disk now: tracked and new ones, without what git ignores.

        Raises:
            RepositoryError: git refuses, or there is no work tree.
        """
        if self._is_bare:
            raise RepositoryError("a bare repository has no work tree; name a commit with --commit")
        return self._git_work_tree() if self.is_git else self._plain_folder()

    def commit_tree(self, revision: str, near: ListedTree | None = None) -> ListedTree:
        """The files at a commit, from git's objects alone.

        Args:
            revision: Any name of the commit.
            near: The listing of another commit; where only contents differ, it is taken over.

        Raises:
            UnknownRevision: git knows no such commit.
            RepositoryError: git cannot list it.
        """
        commit = self.resolve(revision)
        if near is not None and near.commit is not None and (made := self._changed(near, commit)) is not None:
            return made
        files: dict[str, str] = {}
        link_ids: dict[str, str] = {}
        notes: list[Note] = []
        listing = git.output(str(self.root), "ls-tree", "-r", "-z", "--full-tree", commit)
        for entry in listing.split(b"\0")[:-1]:
            fields, _, raw = entry.partition(b"\t")
            mode, _, object_id = fields.decode("ascii").split(" ")
            path = _decoded(raw, notes)
            if path is None:
                continue
            if mode == "160000":
                notes.append(island_note(path))
            elif mode == "120000":
                link_ids[path] = object_id
            else:
                files[path] = object_id
        links = self._link_targets(link_ids, notes)
        resolved, ends, link_notes = resolve_links(files, links)
        return ListedTree(
            resolved,
            self._read_object,
            [*notes, *link_notes],
            commit=commit,
            by_id=True,
            links=ends,
        )

    def _changed(self, near: ListedTree, commit: str) -> ListedTree | None:
        """A listing made from that of another commit; None where files came, went or changed their kind."""
        ids: dict[str, str] = {}
        between = git.output(
            str(self.root), "diff-tree", "-r", "-z", "--no-renames", str(near.commit), commit, "--"
        )
        fields = between.split(b"\0")[:-1]
        for change, raw in zip(fields[::2], fields[1::2], strict=True):
            before, after, _, object_id, kind = change[1:].decode("ascii").split(" ")
            if kind != "M" or not before.startswith("100") or not after.startswith("100"):
                return None
            ids[raw.decode("utf-8", "surrogateescape")] = object_id
        return near.changed(ids, commit)

    def _plain_folder(self) -> ListedTree:
        found = scan(str(self.root), None)
        files, ends, link_notes = resolve_links({path: path for path in found.files}, found.links)
        return self._on_disk(files, [*self.notes, *found.notes, *link_notes], ends)

    def _git_work_tree(self) -> ListedTree:
        listed, notes = self._listed()
        folders = directories(listed)
        found = scan(str(self.root), folders)
        links = {path: target for path, target in found.links.items() if path in listed}
        files, ends, link_notes = resolve_links({path: path for path in found.files & listed}, links)
        # What git lists and is no file is deleted, or another repository.
        absent = listed - found.files - links.keys() - folders
        islands = [path.rstrip("/") for path in sorted(absent) if _is_folder(os.path.join(self.root, path))]
        known = {note.path for note in found.notes}
        notes += [island_note(path) for path in islands if path not in known]
        return self._on_disk(files, [*notes, *found.notes, *link_notes], ends)

    def _on_disk(self, files: Mapping[str, str], notes: list[Note], links: Mapping[str, Link]) -> ListedTree:
        disk = _Disk(str(self.root), self._hash_name)
        return ListedTree(files, disk.read, notes, identify=disk.identify, links=links)

    def _link_targets(self, link_ids: Mapping[str, str], notes: list[Note]) -> dict[str, str]:
        """Link → target; a link that a partial clone lacks is noted."""
        targets: dict[str, str] = {}
        for path, object_id in link_ids.items():
            try:
                targets[path] = self._blobs.read(object_id, path).decode("utf-8", "backslashreplace")
            except ReadError as error:
                notes.append(Note("warning", "link-skipped", f"symbolic link left out: {error.reason}", path))
        return targets

    def _listed(self) -> tuple[frozenset[str], list[Note]]:
        """What git lists for the work tree, without untracked junk."""
        junk = [f"--exclude={pattern}" for pattern in UNTRACKED_JUNK]
        listing = git.output(
            str(self.root), "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", *junk
        )
        notes: list[Note] = []
        tracked: set[str] = set()
        others: set[str] = set()
        for entry in listing.split(b"\0")[:-1]:
            path = _decoded(entry[2:], notes)
            if path is not None:
                (others if entry[:1] == b"?" else tracked).add(path)
        known = tracked | others
        return frozenset(tracked.union(path for path in others if not is_junk(path, known))), notes

    def _read_object(self, path: str, where: str) -> Blob:
        return Blob(where, self._blobs.read(where, path))


class _Disk:
    """Files on disk as they were first read: one that changes later cannot be read any more.

    So whatever is made of a listing is made of one state of each file, the one that its ids tell.
    """

    def __init__(self, root: str, hash_name: str) -> None:
        self._root = root
        self._hash_name = hash_name
        self._ids: dict[str, str] = {}

    def read(self, path: str, where: str) -> Blob:
        """Read a file; raises :class:`~ifacegen.errors.ReadError`."""
        try:
            with _open_regular(os.path.join(self._root, where)) as file:
                data = file.read()
        except OSError as error:
            raise ReadError(path, error.strerror or "cannot be read") from None
        digest = hashlib.new(self._hash_name, b"blob %d\0" % len(data))
        digest.update(data)
        object_id = digest.hexdigest()
        if self._ids.setdefault(where, object_id) != object_id:
            raise ReadError(path, "was changed while it was read")
        return Blob(object_id, data)

    def identify(self, path: str, where: str) -> str:
        """git's id of a file's bytes, of which few are in memory; raises :class:`~ifacegen.errors.ReadError`."""
        if where not in self._ids:
            try:
                with _open_regular(os.path.join(self._root, where)) as file:
                    size = os.fstat(file.fileno()).st_size
                    digest = hashlib.new(self._hash_name, b"blob %d\0" % size)
                    while piece := file.read(min(size, _PIECE)):
                        digest.update(piece)
                        size -= len(piece)
            except OSError as error:
                raise ReadError(path, error.strerror or "cannot be read") from None
            if size:
                raise ReadError(path, "was changed while it was read")
            self._ids.setdefault(where, digest.hexdigest())
        return self._ids[where]


def _open_regular(path: str) -> BinaryIO:
    """Open a file without following a link or waiting for a pipe that took its place since the listing."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    file = open(descriptor, "rb")  # noqa: SIM115  # whoever asked for it closes it
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(0, "is no regular file any more")
    return file


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _decoded(raw: bytes, notes: list[Note]) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        notes.append(Note("warning", "path-not-utf8", _BAD_NAME, raw.decode("utf-8", "backslashreplace")))
        return None


def _without_git(start: Path, reason: str) -> Repository:
    """A plain folder; at the top of what looks like a repository, with a note, if git cannot serve it."""
    for folder in (start, *start.parents):
        if os.path.lexists(folder / ".git"):
            note = Note("warning", "git-unusable", f"read as a plain folder: {reason.splitlines()[0]}")
            return Repository(folder, is_git=False, notes=(note,))
    return Repository(start, is_git=False)
