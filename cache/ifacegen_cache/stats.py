"""What a store was asked and what came of it, per run and summed over the runs of many days.

Imported by every start, as `entry` is.
"""

from __future__ import annotations

import os
import time

from ifacegen_cache.layout import FORMAT, host_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: In the order in which they are reported.
COUNTERS = (
    "hits_local",
    "hits_behind",
    "misses",
    "corrupt",
    "errors",
    "writes",
    "write_errors",
    "bytes_read",
    "bytes_written",
)


class Stats:
    """Counters of one run, or of many.

    Each reading is a hit or a miss. `corrupt` and `errors` count files on top of that: a damaged local
    entry with a good one behind it is one of `corrupt` and one of `hits_behind`.
    """

    __slots__ = (*COUNTERS, "_flushed", "runs")

    hits_local: int
    """Readings answered by the local directory."""
    hits_behind: int
    """Readings answered by one of the directories behind it."""
    misses: int
    """Readings that nothing answered."""
    corrupt: int
    """Files that were there and not as they were written."""
    errors: int
    """Files that are perhaps there and could not be read."""
    writes: int
    """Entries written."""
    write_errors: int
    """Entries that could not be written; after the first, a store may stop trying."""
    bytes_read: int
    """Payload bytes of the hits."""
    bytes_written: int
    """Bytes of the entries written."""
    runs: int
    """How many runs these are the sum of; 1 while counting."""

    def __init__(self, counters: Mapping[str, int] | None = None, *, runs: int = 1) -> None:
        counters = counters or {}
        for name in COUNTERS:
            setattr(self, name, counters.get(name, 0))
        self.runs = runs
        self._flushed: dict[str, int] = {}

    @property
    def hits(self) -> int:
        """Readings that were answered."""
        return self.hits_local + self.hits_behind

    def as_dict(self) -> dict[str, int]:
        """The counters by name."""
        return {name: getattr(self, name) for name in COUNTERS}

    def add(self, other: Stats) -> None:
        """Count what another counted, too: a worker's readings, say."""
        for name in COUNTERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def flush(self, directory: str | os.PathLike[str]) -> None:
        """Keep what was counted since the last flush in the cache directory, as far as it can be written.

        One line is appended in one write, so runs at the same time don't mix.
        """
        now = self.as_dict()
        new = {name: count - self._flushed.get(name, 0) for name, count in now.items()}
        if not any(new.values()):
            return
        at = time.gmtime()
        fields = "".join(f',"{name}":{count}' for name, count in new.items() if count)
        line = f'{{"at":"{time.strftime("%Y-%m-%dT%H:%M:%SZ", at)}"{fields}}}\n'
        name = f"{time.strftime('%Y-%m-%d', at)}-{host_name()}.jsonl"
        if _append(os.path.join(directory, FORMAT, "stats"), name, line.encode()):
            self._flushed = now

    def __repr__(self) -> str:
        counted = "".join(f", {count} {name}" for name, count in self.as_dict().items() if count)
        return f"<Stats: {self.runs} runs{counted}>"


def read_stats(directory: str | os.PathLike[str]) -> Stats:
    """The sum of what all runs have flushed to a cache directory; lines that cannot be read are left out."""
    counters: dict[str, int] = dict.fromkeys(COUNTERS, 0)
    runs = 0
    for line in _lines(os.path.join(directory, FORMAT, "stats")):
        runs += 1
        for name in COUNTERS:
            counters[name] += line.get(name, 0)
    return Stats(counters, runs=runs)


def _append(folder: str, name: str, line: bytes) -> bool:
    try:
        os.makedirs(folder, exist_ok=True)
        file = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            return os.write(file, line) == len(line)
        finally:
            os.close(file)
    except OSError:
        return False


def _lines(folder: str) -> Iterator[dict[str, int]]:
    """The counters of each run that is on record in ``folder``."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        for line in lines:
            counters = _counters(line)
            if counters is not None:
                yield counters


def _counters(line: bytes) -> dict[str, int] | None:
    import json

    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    return {name: count for name, count in values.items() if isinstance(count, int) and count >= 0}
