"""``warm`` and ``show`` in real trouble: killed, interrupted, without disk, home or temporary directory.

What needs a file system of its own gets it in a mount namespace, which goes with the process.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ifacegen_cache import LocalStore
from support.fire import (
    IFACEGEN,
    Kills,
    Truth,
    command,
    finished,
    forget,
    generated,
    namespace,
    reading,
    run,
    small_corpus,
    start,
)
from support.trees import git

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="looks for processes in /proc"
)


# --- Signals ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_killed_at_any_moment_it_leaves_nothing_damaged(tmp_path: Path) -> None:
    rng = random.Random(20261130)
    root, cache = small_corpus(tmp_path / "corpus"), tmp_path / "cache"
    commits = git(root, "rev-list", "HEAD").split()
    truth = Truth.of(root, commits, tmp_path / "fresh")
    kills = Kills(root, cache, rng)
    with reading(root, cache, truth.save(tmp_path / "truth"), 1) as seen:
        for _ in range(20):
            kills.round()
            forget(cache, rng, 0.3)
    assert kills.wrong == []
    assert kills.struck.keys() >= {"group", "parent"}
    assert seen.bad == []
    assert seen.views > 50
    assert seen.shown > 5
    assert finished(root, cache, truth) == []


def built_so_far(cache: Path) -> int:
    """How many views can be found."""
    return sum(kind == "index" for kind, *_ in LocalStore(cache, read_only=True).iter_entries())


@needs_proc
@pytest.mark.parametrize(
    ("how", "number", "code"),
    [
        ("group", signal.SIGINT, 130),
        pytest.param("parent", signal.SIGINT, 130, marks=pytest.mark.slow),
        pytest.param("parent", signal.SIGTERM, -signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("parent", signal.SIGKILL, -signal.SIGKILL, marks=pytest.mark.slow),
    ],
)
def test_interrupted_it_loses_what_was_in_flight(tmp_path: Path, how: str, number: int, code: int) -> None:
    root = generated(tmp_path / "repo", 8)
    cache = tmp_path / "cache"
    started = start(root, cache, "warm", "--jobs", "2")
    while built_so_far(cache) < 2:
        assert started.process.poll() is None
        time.sleep(0.01)
    assert started.strike(how, number)
    done = started.ended()
    assert done.returncode == code
    assert started.left() == []
    assert re.fullmatch(r"ifacegen: 8 views to build\n(ifacegen: interrupted\n)?", done.stderr)
    assert done.stdout == ""
    kept = built_so_far(cache)
    assert LocalStore(cache).verify().damaged == ()
    again = run(root, cache, "warm")
    assert again.returncode == 0
    assert again.stdout.startswith(f"1 commit: {8 - kept} built, {kept} hit; ")


@needs_proc
def test_interrupted_while_it_builds_show_says_so_in_a_word(tmp_path: Path) -> None:
    root = generated(tmp_path / "repo", 1)
    started = start(root, tmp_path / "cache", "show", "p0")
    while not started.workers():
        assert started.process.poll() is None
    assert started.strike("group", signal.SIGINT)
    done = started.ended()
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "ifacegen: interrupted\n")
    assert started.left() == []


# --- Directories that cannot be written to ------------------------------------------------------------

#: Runs `warm`, then `show`, and keeps what each has said and how it ended.
BOTH = """
say=$1; shift
"$@" warm --jobs 1 >"$say/warm.out" 2>"$say/warm.err" && code=0 || code=$?; echo $code >"$say/warm.code"
"$@" show p0 >"$say/show.out" 2>"$say/show.err" && code=0 || code=$?; echo $code >"$say/show.code"
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of one package; tests leave it as it is."""
    return generated(tmp_path_factory.mktemp("repo") / "r", 1)


def answered(setup: str, say: Path, words: list[str], **environment: str) -> dict[str, str]:
    """Run both commands where ``setup`` has been run before, in a mount namespace where it mounts anything."""
    say.mkdir()
    apart = namespace() if "mount" in setup else []
    done = subprocess.run(
        [*apart, "sh", "-euc", f"{setup}\n{BOTH}", "sh", str(say), *words],
        # Under a limit, Python would leave half a file of bytecode beside the sources, for everybody to stumble over.
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **_import_path(), **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return {each.name: each.read_text(encoding="utf-8").strip() for each in say.iterdir()}


def _import_path() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}


def check(said: dict[str, str], why: str) -> None:
    """``warm`` names what could not be written, in one line, and ``show`` shows."""
    assert said["warm.code"] == "3"
    assert said["warm.out"].startswith("1 commit: 1 built, 0 hit; ")
    (line,) = [
        each for each in said["warm.err"].splitlines() if not re.search("1 view to build|1 of 1", each)
    ]
    assert line.startswith("ifacegen: ")
    assert line.endswith(why)
    assert (said["show.code"], said["show.err"]) == ("0", "")
    assert "def f0(n: int = 0) -> str: ..." in said["show.out"]


def test_on_a_full_disk(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    setup = f"mount -t tmpfs -o size=24k none '{cache}'"
    check(
        answered(setup, tmp_path / "say", command(root, cache)),
        f"cannot write to the cache {cache}: No space left on device",
    )


def test_on_a_read_only_file_system(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    setup = f"mount --bind '{cache}' '{cache}'; mount -o remount,bind,ro '{cache}'"
    check(
        answered(setup, tmp_path / "say", command(root, cache)),
        f"cannot write to the cache {cache}: Read-only file system",
    )


def test_below_a_file(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = tmp_path / "file/cache"
    check(
        answered("", tmp_path / "say", command(root, cache)),
        f"cannot write to the cache {cache}: Not a directory",
    )


@pytest.mark.slow
def test_where_files_may_not_be_long(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    limited = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    words = [sys.executable, "-c", limited, *command(root, cache)]
    # What the shell writes for the limited command is not limited; what it says is short.
    said = answered("", tmp_path / "say", words)
    check(said, f"cannot write to the cache {cache}: File too large")
    assert not list((cache / "v1/tmp").iterdir())


def test_without_a_home(root: Path, tmp_path: Path) -> None:
    """As in a container that runs under any id: no `HOME`, and nobody knows who this is."""
    (tmp_path / "nsswitch").write_text("passwd: files\n")
    (tmp_path / "here").mkdir()
    setup = f"""
    mount --bind /dev/null /etc/passwd
    [ ! -e /etc/nsswitch.conf ] || mount --bind '{tmp_path}/nsswitch' /etc/nsswitch.conf
    cd '{tmp_path}/here'
    """
    said = answered(setup, tmp_path / "say", command(root, None))
    check(said, "")
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.slow
def test_with_a_home_that_cannot_be_made(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = answered("", tmp_path / "say", command(root, None), HOME=f"{tmp_path}/file/home")
    check(said, f"cannot write to the cache {tmp_path}/file/home/.cache/ifacegen: Not a directory")


def test_without_a_temporary_directory(tmp_path: Path) -> None:
    """A dirty work tree has an id by a temporary index; where that has no place, the view is shown and not kept."""
    root = generated(tmp_path / "repo", 1)
    with (root / "p0/p0/__init__.py").open("a", encoding="utf-8") as file:
        file.write("def dirty() -> None: ...\n")
    before = sorted(root.rglob("*"))
    for name in ("say", "cache", "none"):
        (tmp_path / name).mkdir()
    (tmp_path / "say").rmdir()
    setup = f"""
    mount -t tmpfs -o ro none '{tmp_path}/none'
    mount --bind '{tmp_path}' /mnt
    for each in /tmp /var/tmp /usr/tmp /dev/shm; do [ ! -d $each ] || mount --bind /mnt/none $each; done
    cd /mnt/repo
    set -- /mnt/say "$2" -C /mnt/repo --cache-dir /mnt/cache
    """
    said = answered(setup, tmp_path / "say", [str(IFACEGEN)])
    assert (said["warm.code"], said["show.code"], said["show.err"]) == ("0", "0", "")
    assert said["warm.out"].startswith("1 commit: 1 built, 0 hit; ")
    assert "def dirty() -> None: ..." in said["show.out"]
    assert sorted(root.rglob("*")) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_with_streams_on_a_full_disk(root: Path, tmp_path: Path) -> None:
    """What is said about the work may be lost, the work not; a result that is lost is no success."""
    cache = tmp_path / "cache"
    with Path("/dev/full").open("wb") as full:
        logged = subprocess.run(
            command(root, cache, "warm"), stderr=full, stdout=subprocess.PIPE, check=False
        )
        assert logged.returncode == 0
        assert logged.stdout.startswith(b"1 commit: 1 built, 0 hit; ")
        for words in (
            ["warm"],
            ["show", "p0"],
            ["show", "p0", "--commit", "HEAD"],
            ["show", "p0", "--commit", "HEAD"],
        ):
            done = subprocess.run(
                command(root, cache, *words), stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
            assert done.returncode == 3
            assert re.fullmatch(r"ifacegen: .*No space left on device\n", done.stderr)
