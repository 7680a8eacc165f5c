"""What the directories on a path say of a ``.proto`` file: vendored, for tests, below a conventional root."""

from __future__ import annotations

import re
from collections.abc import Sequence

SUFFIX = ".proto"

_VENDORED = re.compile(r"_?vendor(ed)?|third[-_]?party|_?external")
_NEVER = re.compile(r"\..*|node_modules|site-packages|__pycache__")
_TESTS = re.compile(r"tests?|test[-_]?data|_*fixtures?_*")
_DOCS = re.compile(r"docs?")
#: Folders that are on the import path by convention.
_ROOTS = ("proto", "protos")


def vendored_part(path: str) -> int | None:
    """Where among a path's directories the vendored one is; None if there is none."""
    parts = path.split("/")
    return next((at for at, part in enumerate(parts) if _VENDORED.fullmatch(part)), None)


def is_ignored(path: str) -> bool:
    """Whether a file lies where nobody keeps sources of a repository (hidden, installed)."""
    return any(_NEVER.fullmatch(part) for part in path.split("/")[:-1])


def is_aside(relative: str) -> bool:
    """Whether a file is for tests or documentation by its directories; deeper down, ``docs`` is a name like others."""
    *folders, _ = relative.split("/")
    return any(map(_TESTS.fullmatch, folders)) or bool(folders and _DOCS.fullmatch(folders[0]))


def folder_of(path: str) -> str:
    """The directory of a file; empty for the top."""
    return path.rpartition("/")[0]


def joined(folder: str, name: str) -> str:
    """A path below a directory, which may be the top."""
    return f"{folder}/{name}" if folder else name


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a directory or lies below it."""
    return not folder or path == folder or path.startswith(folder + "/")


def relative_to(path: str, folder: str) -> str:
    """The part of a path below a directory that it lies below."""
    return path[len(folder) + 1 :] if folder else path


def conventional_root(folder: str) -> str | None:
    """The innermost directory on a path that is an import root by its name."""
    parts = folder.split("/")
    for at in range(len(parts), 0, -1):
        if parts[at - 1] in _ROOTS:
            return "/".join(parts[:at])
    return None


def root_by_package(folder: str, package: str) -> str | None:
    """``a/google/api`` with ``package google.api`` → ``a``; None if the package is not the end of the path."""
    stated = package.replace(".", "/")
    if not stated or not f"/{folder}".endswith(f"/{stated}"):
        return None
    return folder[: -len(stated)].rstrip("/")


def source_root(folder: str) -> str | None:
    """The innermost ``src`` on a path."""
    parts = folder.split("/")
    return next(("/".join(parts[:at]) for at in range(len(parts), 0, -1) if parts[at - 1] == "src"), None)


def common_folder(folders: Sequence[str]) -> str:
    """The directory that all of some lie below; empty for the top."""
    first, last = (each.split("/") for each in (min(folders), max(folders)))
    count = 0
    for one, other in zip(first, last, strict=False):
        if one != other:
            break
        count += 1
    return "/".join(first[:count])


def is_import_name(name: str) -> bool:
    """Whether a name can be a file below an import root, and nowhere else."""
    parts = name.split("/")
    return len(name) < 1024 and not any(part in ("", ".", "..") for part in parts) and not _ODD.search(name)


_ODD = re.compile(r"[\\\x00-\x1f\x7f:]")
