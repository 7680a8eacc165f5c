"""Writing files: beside, whole, then renamed."""

from __future__ import annotations

import itertools
import os
from contextlib import suppress

from ifacegen_cache.layout import host_name

#: Unlike process ids, not used twice in one process, however many stores it has.
_NUMBERS = itertools.count()

#: Makes backup and indexing tools leave the directory out: https://bford.info/cachedir/
CACHEDIR_TAG = b"""\
Signature: 8a477f597d28d172789f06886806bc55
# This directory is a cache of ifacegen: everything in it can be made again, so it may be deleted.
"""
README = b"""\
A cache of ifacegen. Everything here can be made again, so it may be deleted at any time, also while
ifacegen runs; `ifacegen cache prune` removes what was not used for long.

views/ facts/             results, each under the digest of all that it depends on
index/ trees/ worktrees/  which of them belong to which package at which commit
tmp/                      being written, or left over by a run that was killed
stats/                    how often something was found, one line a run

Every file of the first five is an entry: one line `ifv1 SHA256 BYTES META`, then BYTES bytes. SHA256 is
over META, the newline and those bytes; META is JSON. An entry that does not agree is as good as none.
"""


def write_temporary(root: str, data: bytes) -> str:
    """Write a new file into ``tmp/`` and return its path.

    Raises:
        OSError: It could not be written in full; nothing is left of it.
    """
    try:
        path, file = _create(root)
    except FileNotFoundError:
        make_directories(root)
        path, file = _create(root)
    try:
        try:
            _write_all(file, data)
        finally:
            os.close(file)  # may be what reports a full disk (NFS)
    except BaseException:
        remove(path)
        raise
    return path


def place(temporary: str, path: str) -> int:
    """Rename a finished file and return its size.

    Raises:
        FileNotFoundError: The temporary file is gone.
        OSError: It could not be renamed; nothing is left of it.
    """
    try:
        size = os.stat(temporary).st_size
        try:
            os.rename(temporary, path)
        except FileNotFoundError:
            # The first entry in its directory, which nobody removes from now on: not even when it is
            # empty, or it might be gone between the next two lines.
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.rename(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    return size


def make_directories(root: str) -> None:
    """Make the format's directory, ready to write temporary files.

    Raises:
        OSError: It could not be made.
    """
    os.makedirs(root, exist_ok=True)
    # In a work tree, git is to leave it out.
    for name, text in (("README", README), ("CACHEDIR.TAG", CACHEDIR_TAG), (".gitignore", b"*\n")):
        with open(f"{root}/{name}", "wb") as file:
            file.write(text)
    # Last: when it is there, all is.
    os.makedirs(f"{root}/tmp", exist_ok=True)


def remove(path: str) -> bool:
    """Remove a file if it is there and ours to remove; whether it was."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _create(root: str) -> tuple[str, int]:
    start = f"{root}/tmp/{host_name()}-{os.getpid()}-"
    while True:
        path = f"{start}{next(_NUMBERS)}"
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            continue  # left over by a killed process that had our id
        return path, file


def _write_all(file: int, data: bytes) -> None:
    with suppress(OSError):  # a file system without rights
        # Others may share the directory, whatever the umask; its own rights say who.
        os.fchmod(file, 0o644)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]
