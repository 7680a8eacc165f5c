"""The cache: where it is, whether it can be used, how large it is, and those behind it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ifacegen.config import Config
from ifacegen.doctor.finding import Finding, Level
from ifacegen.errors import ConfigError
from ifacegen.location import BEHIND, CacheOptions, NoPlace, cache_directory
from ifacegen_cache import LocalStore
from ifacegen_cache.layout import FANNED, FORMAT, RECORDS

#: Less free space than this is worth a word.
_LITTLE_SPACE = 500 * 1000**2
#: File systems of other machines: slow to look up, and some show what is renamed late.
_REMOTE = frozenset({"9p", "afs", "ceph", "cifs", "fuse.sshfs", "glusterfs", "lustre", "nfs", "nfs4", "smb3"})
_MOUNTS = Path("/proc/self/mountinfo")


def cache_findings(root: Path, config: Config, options: CacheOptions) -> Iterator[Finding]:
    """The directory that is written to, then those that are only read."""
    try:
        directory = cache_directory(root, config, options)
    except (ConfigError, NoPlace) as error:
        yield Finding("problem", "cache", str(error))
        return
    yield _directory(directory, config.cache.max_bytes)
    yield from _warnings(directory)
    users = [Path(each).absolute() for each in os.environ.get(BEHIND, "").split(os.pathsep) if each]
    named = [root / Path(each).expanduser() for each in config.cache.read_only_dirs]
    for each in dict.fromkeys([*users, *named]):
        yield _read_only(each)


def _directory(directory: Path, max_bytes: int) -> Finding:
    place = _nearest(directory / FORMAT / "tmp")
    facts: dict[str, Any] = {"directory": str(directory), "max_bytes": max_bytes}
    problem = _why_not_writable(directory, place)
    if problem is not None:
        message = f"{directory}: nothing can be kept: {problem}"
        return Finding("problem", "cache", message, {**facts, "problem": problem})
    sizes = [size for _, _, size, _ in LocalStore(directory, read_only=True).iter_entries()]
    free = shutil.disk_usage(place).free
    facts.update(entries=len(sizes), bytes=sum(sizes), free=free)
    message = (
        f"{directory}: {len(sizes):,} entries, {_megabytes(sum(sizes))} of at most {_megabytes(max_bytes)}; "
        f"{_megabytes(free)} free"
    )
    level: Level = "ok"
    if sum(sizes) > max_bytes:
        level, message = "note", f"{message}; `ifacegen cache prune` makes it smaller"
    if free < _LITTLE_SPACE:
        level, message = "note", f"{message}: that is little"
    return Finding(level, "cache", message, facts)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"


def _nearest(place: Path) -> Path:
    """The directory itself, or the nearest one above it that is there."""
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    return place


def _why_not_writable(directory: Path, place: Path) -> str | None:
    """Tried, not guessed from rights: a file without a name comes and goes."""
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"x")
    except OSError as error:
        return f"{place}: {error.strerror}"
    folders = [directory / FORMAT / kind for kind in (*FANNED, *RECORDS)]
    for folder in folders:
        for each in (folder, *_subdirectories(folder)):
            if each.is_dir() and not os.access(each, os.W_OK | os.X_OK):
                return f"{each}: others' directory, which is not ours to write to"
    return None


def _subdirectories(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            yield from (Path(each.path) for each in entries if each.is_dir())
    except OSError:
        return


def _warnings(directory: Path) -> Iterator[Finding]:
    kind = _file_system(directory)
    if kind in _REMOTE:
        yield Finding(
            "note",
            "cache",
            f"it lies on {kind}: a local directory is faster and safer, with this one behind it in {BEHIND}",
            {"file_system": kind},
        )


def _file_system(place: Path) -> str | None:
    """The type of the file system that a path lies on; None where that cannot be told."""
    try:
        lines = _MOUNTS.read_text("utf-8", "surrogateescape").splitlines()
        path = place.resolve()
    except (OSError, RuntimeError):
        return None
    best, kind = -1, None
    for line in lines:
        mount, _, source = line.partition(" - ")
        point = mount.split(" ")[4].encode("ascii", "surrogateescape").decode("unicode_escape")
        if path.is_relative_to(point) and len(point) >= best:
            best, kind = len(point), source.split(" ")[0]
    return kind


def _read_only(directory: Path) -> Finding:
    facts = {"directory": str(directory), "read_only": True}
    if (directory / FORMAT).is_dir():
        return Finding("ok", "read-only cache", str(directory), facts)
    what = "holds no cache" if directory.is_dir() else "is not there"
    return Finding("note", "read-only cache", f"{directory} {what}, so nothing is read from it", facts)
