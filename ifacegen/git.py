"""The git command, as ifacegen runs it: no locks, no fetches, no hooks, one language, one environment."""

from __future__ import annotations

import os
import subprocess
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from ifacegen.errors import ReadError, RepositoryError

#: A hook or a wrapper may have set these for another repository than the one we are asked about.
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE")
_OURS = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A view names blobs by id, so the bytes must be those of that id.
    "GIT_NO_REPLACE_OBJECTS": "1",
    # Partial clones fetch what is missing: the first stops git from 2.44 on, the second all others.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}


class GitMissing(RepositoryError):
    """There is no git on PATH."""


def command(directory: str, *arguments: str) -> list[str]:
    """The command line of a git that runs in ``directory``."""
    return ["git", "-C", directory, "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", *arguments]


def environment(extra: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """The environment git runs in; ``extra`` goes before all else."""
    inherited = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return {**inherited, **_OURS, **extra}


def run(
    directory: str,
    *arguments: str,
    given: bytes | None = None,
    extra: Mapping[str, str] = MappingProxyType({}),
) -> subprocess.CompletedProcess[bytes]:
    """Run git to its end, whatever it answers.

    Args:
        directory: Where it runs.
        *arguments: The subcommand and what it is given.
        given: Its standard input.
        extra: Environment variables.

    Raises:
        GitMissing: There is no git.
    """
    try:
        return subprocess.run(
            command(directory, *arguments),
            env=environment(extra),
            capture_output=True,
            check=False,
            input=given or b"",
        )
    except FileNotFoundError:
        raise GitMissing("git is not installed or not on PATH") from None
    except OSError as error:
        raise RepositoryError(f"git could not be started: {error.strerror}") from None


def output(
    directory: str,
    *arguments: str,
    given: bytes | None = None,
    extra: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """What git prints.

    Raises:
        RepositoryError: git refused; its reason in one line.
    """
    done = run(directory, *arguments, given=given, extra=extra)
    if done.returncode:
        raise RepositoryError(f"git {arguments[0]}: {reason(done.stderr)}")
    return done.stdout


def reason(stderr: bytes) -> str:
    """git's reason in one line, without its prefix."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    for prefix in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(prefix):
                return line.removeprefix(prefix)
    return lines[0] if lines else "git gave no reason"


class BlobReader:
    """Reads blobs by id through one ``git cat-file --batch``, started when first needed.

    Safe to share between threads, and after a fork (the child starts its own).
    """

    def __init__(self, directory: str) -> None:
        """``directory`` is anywhere in the repository."""
        self._directory = directory
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._stop: weakref.finalize[[subprocess.Popen[bytes], int], BlobReader] | None = None

    def read(self, object_id: str, path: str) -> bytes:
        """The bytes of a blob; ``path`` is what an error names.

        Raises:
            ReadError: git has no such blob, or cannot read it.
        """
        with self._lock:
            process = self._started()
            try:
                return _ask(process, object_id)
            except (OSError, ValueError):
                self.close()
        raise ReadError(
            path, f"git cannot read object {object_id[:12]} (shallow or partial clone, or damage)"
        )

    def close(self) -> None:
        """End the process; a later read starts another."""
        if self._stop is not None:
            self._stop()
        self._process = self._stop = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._owner != os.getpid():
            self._process = subprocess.Popen(
                command(self._directory, "cat-file", "--batch"),
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._owner = os.getpid()
            self._stop = weakref.finalize(self, _end, self._process, self._owner)
        return self._process


def _ask(process: subprocess.Popen[bytes], object_id: str) -> bytes:
    """One question and its answer; ``ValueError`` if it is not a whole blob."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("no pipes")
    process.stdin.write(object_id.encode() + b"\n")
    process.stdin.flush()
    header: Sequence[bytes] = process.stdout.readline().split()
    if len(header) != 3 or header[1] != b"blob":
        raise ValueError("not a blob")
    size = int(header[2])
    data = process.stdout.read(size + 1)
    if len(data) != size + 1:
        raise ValueError("cut short")
    return data[:size]


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if owner != os.getpid():  # a forked child has copies of the pipes, but not the process
        return
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # git may be gone already
                pipe.close()
    process.wait()
