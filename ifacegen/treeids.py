"""git's ids of directories: at commits, and for what lies on disk the id that a commit of it will get.

An id does not hold the directory's own path.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ifacegen import git
from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.trees import ListedTree


def tree_ids(root: str, commit: str, directories: Iterable[str]) -> Mapping[str, str]:
    """Directory → id of its tree at a commit, for those that exist there; one git process for all.

    Raises:
        RepositoryError: git refuses.
    """
    asked = [each for each in directories if "\n" not in each]
    questions = "".join(f"{commit}{_at(each)}\n" for each in asked).encode("utf-8")
    answers = git.output(root, "cat-file", "--batch-check", "--buffer", given=questions).split(b"\n")
    found: dict[str, str] = {}
    for directory, answer in zip(asked, answers, strict=False):
        fields = answer.split(b" ")
        if len(fields) == 3 and fields[1] == b"tree":
            found[directory] = fields[0].decode("ascii")
    return found


def _at(directory: str) -> str:
    return "^{tree}" if directory in ("", ".") else f":{directory}"


def work_tree_id(root: str, directory: str, listed: ListedTree, hash_name: str) -> str | None:
    """The id that a directory would have if just what is listed were committed, byte for byte.

    It is made from the listing and not by git: what `git status` calls clean may differ from HEAD in what a
    reader sees (line ends and other filters, sparse checkouts, files that git was told not to look at).

    Args:
        root: Top of the work tree.
        directory: A directory below it; ``"."`` is ``root``.
        listed: The files that count. Each is read, and cannot change any more for who reads it later.
        hash_name: ``sha1`` or ``sha256``.

    Returns:
        The id, or None where there is nothing, or something that cannot be read.
    """
    prefix = "" if directory == "." else f"{directory}/"
    entries = _unlisted(root, directory)
    for path, link in listed.links.items():
        if path.startswith(prefix):
            entries[os.fsencode(path)] = ("120000", _object_id(hash_name, "blob", os.fsencode(link.target)))
    try:
        for path in listed.below(directory):
            if path not in listed.links:
                entries[os.fsencode(path)] = (_mode(f"{root}/{path}"), bytes.fromhex(listed.id(path)))
    except (OSError, ReadError):
        return None
    start = len(os.fsencode(prefix))
    return _tree_id({path[start:]: each for path, each in entries.items()}, hash_name) if entries else None


_Entry = tuple[str, bytes]


def _unlisted(root: str, directory: str) -> dict[bytes, _Entry]:
    """What git has in a directory and no listing has: submodules, and paths that are no text."""
    given = f":(literal,top){'' if directory == '.' else directory}"
    found: dict[bytes, _Entry] = {}
    for line in git.output(root, "ls-files", "--stage", "-z", "--full-name", "--", given).split(b"\0")[:-1]:
        fields, _, path = line.partition(b"\t")
        mode, object_id, _ = fields.decode("ascii").split(" ")
        if mode == "160000" or not _is_text(path):
            found[path] = (mode, bytes.fromhex(object_id))
    return found


def _is_text(path: bytes) -> bool:
    try:
        path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _mode(path: str) -> str:
    return "100755" if Path(path).lstat().st_mode & 0o100 else "100644"


def _tree_id(entries: Mapping[bytes, _Entry], hash_name: str) -> str:
    """git's id of a tree (``git help hash-object``; a directory sorts as if its name ended in a slash)."""
    folders: dict[bytes, dict[bytes, _Entry]] = {b"": {}}
    for path, entry in entries.items():
        folder, _, name = path.rpartition(b"/")
        folders.setdefault(folder, {})[name] = entry
        while folder and folder.rpartition(b"/")[0] not in folders:
            folder = folder.rpartition(b"/")[0]
            folders[folder] = {}
    made = b""
    # The deepest first, so that each directory is finished before the one above it.
    for folder in sorted(folders, key=lambda each: -(each.count(b"/") + bool(each))):
        rows = sorted(folders[folder].items(), key=lambda row: row[0] + b"/" * (row[1][0] == "40000"))
        body = b"".join(b"%b %b\0%b" % (mode.encode(), name, raw) for name, (mode, raw) in rows)
        made = _object_id(hash_name, "tree", body)
        if folder:
            above, _, name = folder.rpartition(b"/")
            folders[above][name] = ("40000", made)
    return made.hex()


def _object_id(hash_name: str, kind: str, body: bytes) -> bytes:
    return hashlib.new(hash_name, b"%b %d\0%b" % (kind.encode(), len(body), body)).digest()


def folder_id(tree: Tree, directory: str) -> str | None:
    """An id of the files below a directory without git: equal where paths and contents are."""
    digest = hashlib.sha256()
    try:
        for path in tree.below(directory):
            digest.update(f"{path}\0{tree.id(path)}\n".encode("utf-8", "surrogateescape"))
    except ReadError:
        return None
    return digest.hexdigest()
