"""Programs in children with limits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ifacegen_adapters._tool import Result, run, scratch_directory


def python(script: str, directory: Path, *, stdin: bytes = b"", seconds: float = 20) -> Result:
    command = [sys.executable, "-I", "-S", "-c", script]
    return run(command, directory=os.fspath(directory), seconds=seconds, memory=300_000_000, stdin=stdin)


def test_gives_what_a_program_writes(tmp_path: Path) -> None:
    script = "import sys; sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('done')"
    assert python(script, tmp_path, stdin=b"abc") == Result(b"ABC", "done")


def test_environment_has_nothing_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_OPTIONS", "--require /evil.js")
    monkeypatch.setenv("npm_config_prefix", "/evil")
    found = python("import os, json; print(json.dumps(dict(os.environ)))", tmp_path).stdout.decode()
    assert "evil" not in found
    assert f'"HOME": "{tmp_path}"' in found


def test_more_variables_can_be_given(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", "-c", "import os; print(os.environ['A'])"]
    found = run(
        command, directory=os.fspath(tmp_path), seconds=20, memory=300_000_000, environment={"A": "b"}
    )
    assert found.stdout == b"b\n"


def test_runs_in_the_scratch_directory(tmp_path: Path) -> None:
    found = python("import os; print(os.getcwd())", tmp_path).stdout.decode().strip()
    assert Path(found).samefile(tmp_path)


def test_exit_code_is_told_and_output_is_kept(tmp_path: Path) -> None:
    found = python("print('half', flush=True); raise SystemExit(3)", tmp_path)
    assert found == Result(b"half\n", "", "ended with exit code 3")


def test_signal_is_told(tmp_path: Path) -> None:
    found = python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", tmp_path)
    assert found.problem == "died of SIGSEGV"


@pytest.mark.slow
def test_endless_loop_ends(tmp_path: Path) -> None:
    assert python("while True: pass", tmp_path, seconds=1).problem.startswith("took longer than 1 s")


@pytest.mark.slow
def test_whoever_sleeps_is_ended_with_its_children(tmp_path: Path) -> None:
    script = (
        "import os, time\nchild = os.fork()\nif child: open('child', 'w').write(str(child))\ntime.sleep(600)"
    )
    assert python(script, tmp_path, seconds=1).problem == "took longer than 1 s"
    assert ends(int((tmp_path / "child").read_text()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't tell children of a death")
def test_ends_with_whoever_waits_for_it_and_leaves_nothing(tmp_path: Path) -> None:
    sleeper = "import os, time; open('child', 'w').write(str(os.getpid())); time.sleep(600)"
    waiter = (
        "import sys, tempfile; from ifacegen_adapters._tool import run, scratch_directory; "
        "tempfile.tempdir = sys.argv[2]\n"
        "with scratch_directory() as place: "
        "run([sys.executable, '-c', sys.argv[1]], directory=place, seconds=60, memory=10**9)"
    )
    with subprocess.Popen([sys.executable, "-c", waiter, sleeper, os.fspath(tmp_path)]) as process:
        while (
            not (written := [each.read_text("utf-8") for each in tmp_path.glob("*/child")]) or not written[0]
        ):
            assert process.poll() is None
            time.sleep(0.1)
        process.kill()
    assert ends(int(written[0]))
    assert comes_true(lambda: list(tmp_path.iterdir()) == [])


def test_scratch_directory_is_removed(tmp_path: Path) -> None:
    with scratch_directory(os.fspath(tmp_path)) as place:
        Path(place, "deep", "er").mkdir(parents=True)
        assert Path(place).parent.samefile(tmp_path)
    assert list(tmp_path.iterdir()) == []


def ends(process: int) -> bool:
    """Whether a process that was killed is gone soon."""

    def is_gone() -> bool:
        try:
            return Path(f"/proc/{process}/stat").read_text("utf-8").split()[2] in "ZX"
        except OSError:
            return True

    return comes_true(is_gone)


def comes_true(condition: Callable[[], bool]) -> bool:
    """Whether it does, within a minute."""
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't count what a process writes to")
def test_memory_is_limited(tmp_path: Path) -> None:
    assert "MemoryError" in python("x = bytearray(400_000_000)", tmp_path).stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't limit address space")
def test_limit_of_the_starting_process_is_none_of_the_program(tmp_path: Path) -> None:
    """A worker may have 3 GiB of address space; node and programs in Go reserve more than that."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**36, hard))
    try:
        script = "import resource; print(*resource.getrlimit(resource.RLIMIT_AS))"
        assert python(script, tmp_path).stdout.split() == [str(hard).encode()] * 2
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_program_that_is_not_there(tmp_path: Path) -> None:
    found = run([os.fspath(tmp_path / "no")], directory=os.fspath(tmp_path), seconds=5, memory=10**9)
    assert found.problem
    assert "no: No such file" in found.stderr + found.problem
