r"""File trees from pictures: a test shows what lies where and nothing else.

A picture has a line a path; what follows ``|`` is its content, what follows ``->`` its target::

    repo(
        '''
        packages/a/pyproject.toml   | [project]\\n name = "a"
        packages/a/src/a/
          __init__.py               |
          core.py                   | X = 1
        link.py                     -> packages/a/src/a/core.py
        empty/
        ''',
        tmp_path,
    )

Indented lines lie in the last less indented line that ends in ``/``. ``\\n`` in a content is a new line.
A mapping of path to text or bytes does the same without a picture.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent

from ifacegen.adapter import Blob
from ifacegen.trees import ListedTree

Picture = str | Mapping[str, str | bytes]

#: Everything that git takes from the machine it runs on.
_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def repo(picture: Picture, root: Path) -> Path:
    """Lay a picture out below ``root``, which is made if need be and returned."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in entries(picture):
        place = root / path
        if path.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            place.symlink_to(content)
        else:
            place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git_repo(picture: Picture, root: Path, *, object_format: str = "sha1", commit: bool = True) -> Path:
    """Lay a picture out in a new git repository and commit it."""
    repo(picture, root)
    git(root, "init", "--quiet", "--initial-branch=main", f"--object-format={object_format}")
    if commit:
        commit_all(root)
    return root


def commit_all(root: Path, message: str = "change") -> str:
    """Commit whatever lies there; the commit's id."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(root, "rev-parse", "HEAD")


def git(root: Path, *arguments: str) -> str:
    """Run git in ``root``; what it prints."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, env={**os.environ, **_GIT}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def memory_tree(picture: Picture) -> ListedTree:
    """A tree that lies nowhere, for what only reads trees."""
    contents = {
        path: content.encode() if isinstance(content, str) else content
        for path, content in entries(picture)
        if not path.endswith("/")
    }
    return ListedTree(
        {path: path for path in contents}, lambda path, _: Blob(_blob_id(contents[path]), contents[path])
    )


def _blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Link(str):
    """The content of a symbolic link: its target."""

    __slots__ = ()


def entries(picture: Picture) -> Iterator[tuple[str, str | bytes]]:
    """(path, content) of everything in a picture; directories end in ``/``."""
    if isinstance(picture, Mapping):
        yield from picture.items()
        return
    folders: list[tuple[int, str]] = []
    for line in dedent(picture).splitlines():
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        while folders and folders[-1][0] >= indent:
            folders.pop()
        name, content = _split(line.strip())
        path = (folders[-1][1] if folders else "") + name
        if path.endswith("/"):
            folders.append((indent, path))
        yield path, content


def _split(line: str) -> tuple[str, str]:
    if " -> " in line:
        name, _, target = line.partition(" -> ")
        return name.strip(), Link(target.strip())
    name, _, content = line.partition("|")
    text = content.strip().replace("\\n", "\n")
    return name.strip(), text + "\n" if text else ""
