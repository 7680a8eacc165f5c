"""git's ids of directories: at commits, and for work trees the id that a commit of them will get.

A dirty directory is written as a tree by a temporary index and a temporary object store beside the
user's, which stay untouched. The id does not hold the directory's own path.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ifacegen import git
from ifacegen.adapter import Tree
from ifacegen.errors import ReadError, RepositoryError


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


def work_tree_id(root: str, directory: str, listed: Tree) -> tuple[str | None, bool]:
    """The id of a directory as it lies on disk, and whether it differs from HEAD's.

    Args:
        root: Top of the work tree.
        directory: A directory below it; ``"."`` is ``root``.
        listed: The files that count: what is on disk besides is left out, as it is out of views.

    Returns:
        The id, or None where git cannot make one (an unreadable file, a conflict …).
    """
    changed = _changed(root, directory, listed)
    head = git.run(root, "rev-parse", "--verify", "--quiet", f"HEAD{_at(directory)}")
    base = head.stdout.decode("ascii").strip() if head.returncode == 0 else None
    if not changed:
        return base, False
    try:
        return _written(root, directory, base, changed), True
    except RepositoryError:
        return None, True


def _changed(root: str, directory: str, listed: Tree) -> list[str]:
    """Paths below a directory that differ from HEAD and count."""
    status = git.output(
        root,
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
        "--",
        f":(literal,top){'' if directory == '.' else directory}",
    )
    entries = [os.fsdecode(each) for each in status.split(b"\0") if each]
    return [each[3:] for each in entries if each[:2] != "??" or each[3:] in listed]


def _written(root: str, directory: str, base: str | None, changed: Sequence[str]) -> str:
    """Write the directory's tree where it disturbs nobody."""
    objects = git.output(root, "rev-parse", "--git-path", "objects").decode("utf-8", "surrogateescape")
    prefix = [] if directory == "." else [f"--prefix={directory}/"]
    with tempfile.TemporaryDirectory(prefix="ifacegen-") as folder:
        own = Path(folder, "objects")
        own.mkdir()
        extra = {
            "GIT_INDEX_FILE": f"{folder}/index",
            "GIT_OBJECT_DIRECTORY": str(own),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(Path(root, objects.rstrip("\n"))),
        }
        if base is not None:
            git.output(root, "read-tree", *prefix, base, extra=extra)
        given = b"".join(os.fsencode(each) + b"\0" for each in changed)
        git.output(root, "update-index", "--add", "--remove", "-z", "--stdin", given=given, extra=extra)
        return git.output(root, "write-tree", *prefix, extra=extra).decode("ascii").strip()


def folder_id(tree: Tree, directory: str) -> str | None:
    """An id of the files below a directory without git: equal where paths and contents are."""
    digest = hashlib.sha256()
    try:
        for path in tree.below(directory):
            digest.update(f"{path}\0{tree.id(path)}\n".encode("utf-8", "surrogateescape"))
    except ReadError:
        return None
    return digest.hexdigest()
