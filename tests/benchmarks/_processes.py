"""Starts of commands, and what each has cost: wall clock, CPU of all its processes, memory of the largest.

The benchmark's own process stays small: Linux counts a parent's memory at the start of a child as the
child's, so whatever needs ifacegen or mypy is imported in a child.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

#: The commands of the environment that the benchmark runs in.
PROGRAMS = Path(sys.executable).parent
_SUBREAPER = 36
#: Seconds after which processes that outlive their command are killed, and reported.
_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Run:
    """One command that has ended."""

    command: tuple[str, ...]
    returncode: int
    wall: float
    #: User and system seconds of the command and of everything that it started.
    cpu: float
    #: Bytes of the largest of these processes.
    peak: int
    stdout: str
    stderr: str
    #: Processes that still ran when the command had been over for a while, and were killed.
    left: int = 0

    def checked(self, *allowed: int) -> Run:
        """The run itself; the benchmark ends with what the command said if it has failed.

        Args:
            allowed: Exit codes other than 0 that are no failure.
        """
        if self.returncode not in (0, *allowed):
            said = "\n".join(self.stderr.splitlines()[-20:])
            raise SystemExit(f"exit code {self.returncode}: {' '.join(self.command)}\n{said}")
        return self


@dataclass(slots=True)
class _Costs:
    cpu: float = 0.0
    peak: int = 0
    left: int = 0

    def add(self, usage: Any) -> None:
        self.cpu += usage.ru_utime + usage.ru_stime
        self.peak = max(self.peak, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


@dataclass(slots=True)
class Series:
    """The same command, started again and again."""

    runs: list[Run] = field(default_factory=list)

    @property
    def wall(self) -> float:
        """Median wall seconds."""
        return median(each.wall for each in self.runs)

    @property
    def cpu(self) -> float:
        """Median CPU seconds."""
        return median(each.cpu for each in self.runs)

    @property
    def peak(self) -> int:
        """Bytes of the largest process of any of the runs."""
        return max(each.peak for each in self.runs)


def run(command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Run:
    """Start a command, wait for it and for all it has started, and keep what it printed.

    Args:
        command: The program and its arguments.
        cwd: Where it runs.
        env: Its environment; :func:`environment` unless another is given.
    """
    adopt_orphans()
    words = tuple(str(each) for each in command)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            words, cwd=cwd, env=env or environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # it has been waited for: not once more
        costs = _Costs()
        costs.add(usage)
        _reap(costs)
        texts = [_text(each) for each in (out, err)]
    return Run(words, process.returncode, wall, costs.cpu, costs.peak, texts[0], texts[1], costs.left)


def rotate(times: int, commands: Mapping[str, Callable[[], Run]]) -> dict[str, Series]:
    """Every command once, then every one again, so that a busy moment falls on all of them."""
    found = {name: Series() for name in commands}
    for _ in range(times):
        for name, start in commands.items():
            found[name].runs.append(start())
    return found


def environment() -> dict[str, str]:
    """As it is, but no cache directory that somebody has set, and bytecode is kept, as where things are installed."""
    without = {"IFACEGEN_CACHE_DIR", "PYTHONDONTWRITEBYTECODE"}
    return {name: value for name, value in os.environ.items() if name not in without}


def adopt_orphans() -> None:
    """Have processes whose parent ends first become children of this one: they are waited for and counted."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def _reap(costs: _Costs) -> None:
    """Wait for orphans of the command; a pool's helper processes end a moment after it."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid:
            costs.add(usage)
        elif time.monotonic() > end:
            costs.left += _kill_children()
        else:
            time.sleep(0.002)


def _kill_children() -> int:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    for pid in children:
        os.kill(int(pid), signal.SIGKILL)
    return len(children)


def _text(file: Any) -> str:
    file.seek(0)
    return str(file.read(), "utf-8", "replace")
