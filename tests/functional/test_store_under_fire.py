"""The store in real trouble: killed writers, full disks, damaged files, several prunings at once.

What needs a file system of its own gets it in a mount namespace, which goes with the process.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import gettempdir
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen_cache import Entry, LocalStore, encode_entry, prune

KEY = "ab" * 32

#: What the programs below share. The payload under a key follows from the key, so that anybody can tell
#: whether what was read is what was written.
PRELUDE = """\
import os, random, sys, time
from ifacegen_cache import LocalStore, TieredStore, prune
store = LocalStore(sys.argv[1])
KEYS = [f"{number:064x}" for number in range(2000)]
def payload(key):
    return key.encode() * (1 + int(key, 16) * 7 % 300)
"""

#: Writes and removes for ever, in batches and outside.
WRITER = """\
rng = random.Random(int(sys.argv[2]))
store.put("views", KEYS[0], payload(KEYS[0]))
print("writing", flush=True)
while True:
    for _ in range(20):
        key = rng.choice(KEYS)
        store.put("views", key, payload(key), {"key": key}, replace=rng.random() < 0.5)
    with store.batch():
        for _ in range(rng.choice([5, 300])):
            key = rng.choice(KEYS)
            store.put("facts", key, payload(key), replace=rng.random() < 0.5)
    assert store.problem is None, store.problem
"""

#: Reads until it is told that it is enough; prints how many it read and how many of those were bad.
READER = """\
import select
rng = random.Random(0)
read = bad = 0
while not read or not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(100):
        key = rng.choice(KEYS)
        entry = store.get(rng.choice(["views", "facts"]), key)
        if entry is not None:
            read += 1
            bad += entry.payload != payload(key)
print(read, bad + store.stats.corrupt + store.stats.errors)
"""


def payload(key: str) -> bytes:
    return key.encode() * (1 + int(key, 16) * 7 % 300)


def command(program: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", PRELUDE + dedent(program), *map(str, arguments)]


@contextmanager
def reading(directory: Path) -> Iterator[list[int]]:
    """Have another process read meanwhile; in the end, what it read and how much of that was bad."""
    counts: list[int] = []
    with subprocess.Popen(
        command(READER, directory), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        try:
            yield counts
            output, _ = reader.communicate("enough\n", timeout=60)
        finally:
            reader.kill()
    counts += map(int, output.split())


@contextmanager
def writing(directory: Path, *seeds: int) -> Iterator[None]:
    """Have processes write meanwhile, and kill them in the end."""
    with ExitStack() as stack:
        writers = [
            stack.enter_context(subprocess.Popen(command(WRITER, directory, seed), stdout=subprocess.PIPE))
            for seed in seeds
        ]
        for writer in writers:
            stack.callback(writer.kill)
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"writing\n"
        yield
        assert [writer.poll() for writer in writers] == [None] * len(writers)


def check_every_entry(store: LocalStore) -> int:
    """Read all that is there and compare it with what was written; how many entries that is."""
    assert store.verify().damaged == ()
    number = 0
    for kind, key, _, _ in store.iter_entries():
        entry = store.get(kind, key)
        assert entry is not None
        assert entry.payload == payload(key)
        number += 1
    return number


@pytest.mark.slow
def test_killed_writers_leave_nothing_damaged(tmp_path: Path) -> None:
    rng = random.Random(3)
    store = LocalStore(tmp_path)
    with reading(tmp_path) as counts:
        for number in range(6):
            with writing(tmp_path, number, number + 100):
                time.sleep(rng.random() * 0.6)
            check_every_entry(store)
    read, bad = counts
    assert (bad, read > 0) == (0, True)
    assert check_every_entry(store) > 0


@pytest.mark.slow
def test_pruning_under_writers_and_readers_does_no_harm(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    removed = 0
    with reading(tmp_path) as counts, writing(tmp_path, 1, 2):
        until = time.monotonic() + 5
        while time.monotonic() < until:
            removed += prune(store, max_bytes=1_000_000, max_age=None, min_age=0).removed
    read, bad = counts
    assert (bad, read > 0) == (0, True)
    assert removed > 0
    check_every_entry(store)


def test_what_is_read_all_the_time_survives_pruning(tmp_path: Path) -> None:
    """Old entries, some of them in use: pruning races with readers, and takes the others."""
    store = LocalStore(tmp_path)
    keys = [f"{number:064x}" for number in range(2000)]
    for key in keys:
        store.put("views", key, payload(key))
        os.utime(store.path("views", key), (0, 0))
    total = sum(size for _, _, size, _ in store.iter_entries())
    hot = f"""
    bad = 0
    for key in KEYS[::10]:
        bad += store.get("views", key) is None
    print("ready", flush=True)
    while not os.path.exists({str(tmp_path / "done")!r}):
        for key in KEYS[::10]:
            bad += store.get("views", key) is None
    print(bad)
    """
    with subprocess.Popen(command(hot, tmp_path), stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        done = prune(store, max_bytes=total // 2, max_age=None)
        assert prune(store, max_bytes=0, max_age=None).removed > 0
        (tmp_path / "done").touch()
        bad = int(reader.stdout.readline())
    assert done.removed > 800
    assert bad == 0
    assert {key for _, key, _, _ in store.iter_entries()} == set(keys[::10])


def test_two_prunings_at_once_remove_each_entry_once(tmp_path: Path) -> None:
    """Whether the lock keeps one of them out, or there are no locks and both are at work."""
    program = """
    import fcntl
    if sys.argv[2] == "unlocked":
        def flock(*_): raise OSError("no locks here")
        fcntl.flock = flock
    while not os.path.exists(sys.argv[1] + "/go"):
        pass
    done = prune(store, max_bytes=0, max_age=None, min_age=0)
    assert done.problem in (None, "another pruning is at work"), done
    print(done.removed)
    """
    store = LocalStore(tmp_path)
    for mode in ("locked", "unlocked"):
        for number in range(1000):
            store.put("views", f"{number:064x}", b"payload")
        prunings = [
            subprocess.Popen(command(program, tmp_path, mode), stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        (tmp_path / "go").touch()
        outputs = [int(pruning.communicate()[0]) for pruning in prunings]
        assert [pruning.returncode for pruning in prunings] == [0, 0]
        assert sum(outputs) == 1000
        assert not list(store.iter_entries())
        (tmp_path / "go").unlink()


@settings(max_examples=200)
@given(data=st.data(), content=st.binary(max_size=300), header=st.text(max_size=20))
def test_a_flipped_bit_or_a_cut_is_a_miss_and_is_repaired(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, content: bytes, header: str
) -> None:
    store = LocalStore(tmp_path_factory.getbasetemp() / "flipped")
    store.put("views", KEY, content, {"header": header}, replace=True)
    path = Path(store.path("views", KEY))
    whole = path.read_bytes()
    broken = bytearray(whole)
    if data.draw(st.booleans(), label="flip"):
        bit = data.draw(st.integers(0, len(whole) * 8 - 1), label="bit")
        broken[bit // 8] ^= 1 << bit % 8
    else:
        del broken[data.draw(st.integers(0, len(whole) - 1), label="end") :]
    path.write_bytes(broken)
    corrupt = store.stats.corrupt
    assert store.get("views", KEY) is None
    assert store.stats.corrupt == corrupt + 1
    assert store.put("views", KEY, content, {"header": header})
    assert store.get("views", KEY) == Entry(content, whole.split(b" ", 3)[3].split(b"\n")[0].decode())


# --- Directories that cannot be written to ------------------------------------------------------------

#: Makes root somebody who may not do everything. What is imported later must be there before: the
#: interpreter may be where only root may read.
AS_NOBODY = """\
if os.geteuid() == 0:
    import ctypes, hashlib, pathlib, ifacegen_cache.batch, ifacegen_cache.upkeep, ifacegen_cache.write
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""

#: Tries everything on a cache that holds one entry and cannot take another; says why not.
CANNOT_WRITE = f"""
assert store.get("views", {KEY!r}).payload == b"payload"
assert not store.put("views", "cd" * 32, b"x" * 500_000)
with store.batch():
    assert not store.put("views", "cd" * 32, b"x" * 500_000)
assert store.get("views", "cd" * 32) is None
assert store.get("views", {KEY!r}).payload == b"payload"
assert store.stats.write_errors == 1 and store.stats.errors == 0 and store.stats.corrupt == 0
store.stats.flush(store.directory)
print(store.problem)
"""


def mounted(script: str, *arguments: object) -> str:
    """Run a shell script in a mount namespace of its own; skips where that is not allowed."""
    unshare = ["unshare", "--mount"]
    if os.geteuid() != 0:
        unshare[1:1] = ["--user", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], check=False).returncode:
        pytest.skip("no mount namespaces here")
    done = subprocess.run(
        [*unshare, "sh", "-euc", script, "sh", *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def run(program: Sequence[str], *, umask: int = -1) -> str:
    done = subprocess.run(program, check=False, capture_output=True, text=True, umask=umask)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_full_disk_costs_only_what_did_not_fit(tmp_path: Path) -> None:
    fill = f'store.put("views", {KEY!r}, b"payload")'
    script = 'mount -t tmpfs -o size=300k none "$1"; "$2" -c "$3" "$1"; "$2" -c "$4" "$1"; ls "$1/v1/tmp"'
    said = mounted(script, tmp_path, sys.executable, PRELUDE + fill, PRELUDE + CANNOT_WRITE)
    assert said == f"cannot write to the cache {tmp_path}: No space left on device"


def test_a_disk_without_free_inodes_is_full_too(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o nr_inodes=4 none "$1"; "$2" -c "$3" "$1"'
    program = 'assert not store.put("views", KEYS[0], b""); print(store.problem)'
    said = mounted(script, tmp_path, sys.executable, PRELUDE + program)
    assert said == f"cannot write to the cache {tmp_path}: No space left on device"


def test_a_limit_on_file_size_costs_only_what_is_longer(tmp_path: Path) -> None:
    LocalStore(tmp_path).put("views", KEY, b"payload")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
    said = run(command(limit + CANNOT_WRITE, tmp_path))
    assert said == f"cannot write to the cache {tmp_path}: File too large"
    assert not list((tmp_path / "v1/tmp").iterdir())


def test_a_read_only_file_system_is_read(tmp_path: Path) -> None:
    LocalStore(tmp_path).put("views", KEY, b"payload")
    script = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; "$2" -c "$3" "$1"'
    said = mounted(script, tmp_path, sys.executable, PRELUDE + CANNOT_WRITE)
    assert said == f"cannot write to the cache {tmp_path}: Read-only file system"


@pytest.fixture
def public_path(tmp_path: Path) -> Iterator[Path]:
    """A directory that everybody may reach: pytest's own are only for one."""
    path = Path(gettempdir(), f"ifacegen-{os.getpid()}-{tmp_path.name}")
    path.mkdir()
    try:
        yield path
    finally:
        for folder in path.rglob("*"):
            if folder.is_dir():
                folder.chmod(0o755)
        path.chmod(0o755)
        shutil.rmtree(path)


def test_somebody_elses_directory_is_read(public_path: Path) -> None:
    LocalStore(public_path).put("views", KEY, b"payload")
    os.utime(LocalStore(public_path).path("views", KEY), (0, 0))
    for folder in [public_path, *public_path.rglob("*")]:
        if folder.is_dir():
            folder.chmod(0o555)
    said = run(command(AS_NOBODY + CANNOT_WRITE, public_path))
    assert said == f"cannot write to the cache {public_path}: Permission denied"


def test_what_may_not_be_read_is_an_error_and_a_miss(public_path: Path) -> None:
    path = Path(LocalStore(public_path).path("views", KEY))
    LocalStore(public_path).put("views", KEY, b"payload")
    path.chmod(0)
    program = f"""
    assert store.get("views", {KEY!r}) is None
    print(store.stats.errors, store.stats.misses, store.verify().unreadable)
    """
    assert run(command(AS_NOBODY + dedent(program), public_path)) == "1 1 1"


def test_no_home_is_no_reason_to_fail(public_path: Path) -> None:
    """A home that is not there and may not be made, as service accounts have it."""
    public_path.chmod(0o555)
    home = public_path / "absent"
    program = f"""
    assert store.get("views", {KEY!r}) is None and not store.put("views", {KEY!r}, b"payload")
    print(store.problem)
    """
    said = run(command(AS_NOBODY + dedent(program), home / ".cache/ifacegen"))
    assert said == f"cannot write to the cache {home}/.cache/ifacegen: Permission denied"


def test_below_a_file_nothing_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program = f"""
    assert store.get("views", {KEY!r}) is None and not store.put("views", {KEY!r}, b"payload")
    store.stats.flush(store.directory)
    assert store.clear().problem is None
    print(store.problem)
    """
    said = run(command(program, tmp_path / "file/cache"))
    assert said == f"cannot write to the cache {tmp_path}/file/cache: Not a directory"


# --- Sharing ------------------------------------------------------------------------------------------


def test_what_is_behind_stays_untouched_by_reading_through(tmp_path: Path) -> None:
    """On a file system that would not let it be touched, with damage in it."""
    writer = LocalStore(tmp_path / "behind")
    writer.put("views", KEY, b"payload")
    writer.put("facts", KEY, b"payload")
    os.utime(writer.path("views", KEY), (0, 0))
    Path(writer.path("facts", KEY)).write_bytes(encode_entry(b"payload")[:-1])
    program = f"""
    behind = LocalStore(sys.argv[1], read_only=True)
    tiered = TieredStore(LocalStore(sys.argv[2]), [behind])
    assert tiered.get("views", {KEY!r}).payload == b"payload" and tiered.get("facts", {KEY!r}) is None
    assert tiered.local.get("views", {KEY!r}).payload == b"payload"
    assert behind.problem is None and tiered.problem is None
    assert os.stat(behind.path("views", {KEY!r})).st_mtime == 0
    assert os.stat(tiered.local.path("views", {KEY!r})).st_mtime > 0
    print(tiered.stats.as_dict())
    """
    script = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; "$3" -c "$4" "$1" "$2"'
    counted = mounted(
        script, tmp_path / "behind", tmp_path / "local", sys.executable, PRELUDE + dedent(program)
    )
    assert "'hits_behind': 1, 'misses': 1, 'corrupt': 1, 'errors': 0, 'writes': 1" in counted


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_rights_of_entries_do_not_follow_the_umask(tmp_path: Path, umask: int) -> None:
    """Nor does what is copied from behind: a directory's rights say who may share it."""
    behind = LocalStore(tmp_path / "behind")
    behind.put("views", KEY, b"payload")
    program = f"""
    TieredStore(store, [LocalStore(sys.argv[2], read_only=True)]).get("views", {KEY!r})
    with store.batch():
        store.put("facts", {KEY!r}, b"payload")
    """
    run(command(program, tmp_path / "local", tmp_path / "behind"), umask=umask)
    store = LocalStore(tmp_path / "local")
    for kind in ("views", "facts"):
        assert Path(store.path(kind, KEY)).stat().st_mode & 0o777 == 0o644
    assert store.directory.joinpath("v1").stat().st_mode & 0o777 == 0o777 & ~umask


def test_many_processes_fill_a_new_cache_together(tmp_path: Path) -> None:
    """The first of them make the directories, at the same time."""
    program = """
    while not os.path.exists(sys.argv[1] + "/go"):
        pass
    for key in KEYS[:200]:
        assert store.put("views", key, payload(key))
    assert store.problem is None and store.stats.write_errors == 0
    """
    writers = [subprocess.Popen(command(program, tmp_path)) for _ in range(4)]
    (tmp_path / "go").touch()
    assert [writer.wait() for writer in writers] == [0] * 4
    assert check_every_entry(LocalStore(tmp_path)) == 200


# --- Power cuts ---------------------------------------------------------------------------------------

POWER_CUT = """\
truncate -s 128M "$1/disk"
mkfs.ext4 -q "$1/disk"
mkdir "$1/mnt"
mount -o loop,commit=1 "$1/disk" "$1/mnt"
"$2" -c "$3" "$1/mnt/cache"
sleep 7
cp --sparse=always "$1/disk" "$1/after"
umount "$1/mnt"
mount -o loop "$1/after" "$1/mnt"
"$2" -c "$4" "$1/mnt/cache"
umount "$1/mnt"
"""


@pytest.mark.slow
def test_a_batch_survives_a_power_cut(tmp_path: Path) -> None:
    """What a disk has received while it was in use, seen after a restart: batches are there and whole.

    What was written outside of a batch may be empty by then, which is a miss.
    """
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        pytest.skip("needs root and mkfs.ext4 for a file system of its own")
    write = """
    with store.batch():
        for key in KEYS:
            store.put("views", key, payload(key))
    for key in KEYS:
        store.put("facts", key, payload(key))
    """
    check = """
    assert all(store.get("views", key).payload == payload(key) for key in KEYS), store.stats
    assert store.stats.corrupt == 0
    left = list(store.iter_entries())
    found = [key for key in KEYS if (entry := store.get("facts", key)) and entry.payload == payload(key)]
    for key in KEYS:
        assert store.put("facts", key, payload(key)) and store.get("facts", key).payload == payload(key)
    print(len(left) - len(KEYS), len(found))
    """
    said = mounted(POWER_CUT, tmp_path, sys.executable, PRELUDE + dedent(write), PRELUDE + dedent(check))
    names, whole = map(int, said.split())
    assert whole <= names <= 2000
