"""Running an external program in a child with limits: for every adapter that has one.

No shell, nothing of the environment, no more time and memory than it was given. A program that dies or hangs
ends with its whole process group, and what it had written until then is there.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

#: Wall time a program gets for each CPU second: the machine may be busy with others.
_PATIENCE = 4
#: Bytes that a program may write into one file, its outputs among them.
_LARGEST_FILE = 1 << 30
#: How much is kept of what it says on standard error.
_LONGEST_COMPLAINT = 4_000

# Sets the limits of the process that it then becomes. A function run between fork and exec would have to be safe
# in a process with threads; this is. Address space is not limited: node and programs in Go reserve far more of it
# than they use, and whoever starts them may have a limit of its own. What they may write to is (Linux counts that).
_BECOME = """
import os, resource, sys
def limit(kind, wanted):
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        wanted = hard if wanted == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(kind, (wanted, hard if kind == resource.RLIMIT_AS else wanted))
    except (ValueError, OSError):
        pass  # not every system has every limit
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG: whoever waits for it may be killed, and it ends, too
except (ImportError, OSError, AttributeError, TypeError):
    pass  # Linux alone has it
seconds, memory, size = map(int, sys.argv[1:4])
limit(resource.RLIMIT_AS, resource.RLIM_INFINITY)
limit(resource.RLIMIT_DATA, memory)
limit(resource.RLIMIT_CPU, seconds)
limit(resource.RLIMIT_FSIZE, size)
limit(resource.RLIMIT_CORE, 0)
try:
    os.execv(sys.argv[4], sys.argv[4:])
except OSError as error:
    sys.exit(f"{sys.argv[4]}: {error.strerror}")
"""


@dataclass(frozen=True, slots=True)
class Result:
    """How a program ended."""

    stdout: bytes
    #: The beginning of what it said on standard error.
    stderr: str
    #: Why it did not end well, for people; empty where it did.
    problem: str = ""


@contextmanager
def scratch_directory(place: str | None = None, *, prefix: str = "ifacegen-") -> Iterator[str]:
    """A directory for one run of a program, below ``place``; removed even if this process is killed meanwhile."""
    directory = os.path.realpath(tempfile.mkdtemp(prefix=prefix, dir=place))
    try:
        with _removed_after_us(directory):
            yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def _removed_after_us(directory: str) -> Iterator[None]:
    """By a shell that waits for the end of its input, which is our end at the latest."""
    try:
        waiting = subprocess.Popen(
            ["/bin/sh", "-c", 'cat > /dev/null; rm -rf -- "$0"', directory],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what ends our group must not end it
        )
    except OSError:  # no such shell: then it stays if we are killed
        yield
        return
    with waiting:
        yield


def run(
    command: Sequence[str],
    *,
    directory: str,
    seconds: float,
    memory: int,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> Result:
    """Run a program to its end, or to that of its time.

    Args:
        command: The absolute path of the program, and its arguments.
        directory: Where it runs: a scratch directory, which is its home, too.
        seconds: CPU seconds that it may use; it is waited for a few times longer.
        memory: Bytes that it may write to.
        stdin: What it reads.
        environment: Variables that it sees beside the few that every program needs.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        try:
            process = subprocess.Popen(
                _limited(command, seconds, memory),
                stdin=given,
                stdout=out,
                stderr=err,
                cwd=directory,
                env={**_environment(directory), **(environment or {})},
                start_new_session=True,
            )
        except OSError as error:
            return Result(b"", "", f"cannot be started: {error.strerror or error}")
        problem = _ended(process, seconds)
        return Result(_written(out), _written(err, _LONGEST_COMPLAINT).decode("utf-8", "replace"), problem)


def _limited(command: Sequence[str], seconds: float, memory: int) -> list[str]:
    if os.name != "posix":  # Windows has no such limits
        return list(command)
    limits = (str(max(1, round(seconds))), str(memory), str(_LARGEST_FILE))
    return [sys.executable, "-I", "-S", "-c", _BECOME, *limits, *command]


def _environment(directory: str) -> dict[str, str]:
    """What a program may know of the machine: nothing that leads it to files of somebody's choice."""
    own = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {
        **own,
        "PATH": os.defpath,
        "HOME": directory,
        "TMPDIR": directory,
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
    }


def _ended(process: subprocess.Popen[bytes], seconds: float) -> str:
    try:
        code = process.wait(seconds * _PATIENCE)
    except subprocess.TimeoutExpired:
        return f"took longer than {seconds:.3g} s"
    finally:
        if process.poll() is None:
            _kill(process)
    if code == 0:
        return ""
    if code < 0 and -code in (_signal("SIGKILL"), _signal("SIGXCPU")):
        return f"took longer than {seconds:.3g} s, or more memory than it may have"
    return f"ended with exit code {code}" if code > 0 else f"died of {_name(-code)}"


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _signal(name: str) -> int:
    return int(getattr(signal, name, 0))


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _written(file: IO[bytes], most: int = -1) -> bytes:
    file.seek(0)
    return file.read(most)
