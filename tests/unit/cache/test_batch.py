from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ifacegen_cache import Entry, LocalStore, batch

KEY = "ab" * 32


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "cache")


def key(number: int) -> str:
    return f"{number:064x}"


def unplaced(store: LocalStore) -> int:
    return len(list((store.directory / "v1/tmp").iterdir()))


def placed(store: LocalStore) -> int:
    return len(list(store.iter_entries()))


def test_entries_are_in_place_at_the_end_and_visible_to_the_store_before(store: LocalStore) -> None:
    other = LocalStore(store.directory)
    with store.batch():
        assert store.put("views", KEY, b"payload")
        assert store.contains("views", KEY)
        assert store.get("views", KEY) == Entry(b"payload")
        assert other.get("views", KEY) is None
        assert (unplaced(store), placed(store)) == (1, 0)
    assert other.get("views", KEY) == Entry(b"payload")
    assert (unplaced(store), store.stats.writes) == (0, 1)


def test_a_thousand_are_put_in_place_at_a_time(store: LocalStore) -> None:
    with store.batch():
        for number in range(2100):
            store.put("facts", key(number), b"payload")
        assert (unplaced(store), placed(store)) == (100, 2000)
    assert (unplaced(store), placed(store)) == (0, 2100)
    assert store.verify().damaged == ()


def test_an_exception_does_not_lose_what_was_written(store: LocalStore) -> None:
    def interrupted() -> None:
        with store.batch():
            store.put("views", KEY, b"payload")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.get("views", KEY) == Entry(b"payload")


def test_the_outermost_of_nested_batches_counts(store: LocalStore) -> None:
    with store.batch():
        with store.batch():
            store.put("views", KEY, b"payload")
        assert placed(store) == 0
    assert placed(store) == 1
    store.put("facts", KEY, b"payload")
    assert placed(store) == 2


def test_an_entry_of_the_batch_stays_unless_it_is_to_be_replaced(store: LocalStore) -> None:
    with store.batch():
        store.put("views", KEY, b"first")
        store.put("views", KEY, b"second")
        assert store.get("views", KEY) == Entry(b"first")
        store.put("views", KEY, b"third", replace=True)
        assert store.get("views", KEY) == Entry(b"third")
        assert unplaced(store) == 1
    assert store.get("views", KEY) == Entry(b"third")


@pytest.mark.parametrize("number", [1, 16, 17, 100])
@pytest.mark.parametrize("syncfs", [True, False])
def test_all_is_flushed_before_anything_is_in_place(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch, number: int, syncfs: bool
) -> None:
    """A few one by one; many at once, where the system can."""
    calls: list[str] = []
    functions = os.fsync, os.rename

    def file_system(_: str) -> bool:
        calls.append("all")
        return syncfs

    def fsync(file: int) -> None:
        calls.append("one")
        functions[0](file)

    def rename(source: str, target: str) -> None:
        functions[1](source, target)  # fails when the directory has to be made first
        calls.append("rename")

    with monkeypatch.context() as patch:
        patch.setattr(batch, "_sync_file_system", file_system)
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "rename", rename)
        with store.batch():
            for each in range(number):
                store.put("views", key(each), b"payload")
            assert not calls
    flushed = ["one"] * number if number <= 16 else ["all"] if syncfs else ["all", *["one"] * number]
    assert calls == flushed + ["rename"] * number
    assert placed(store) == number


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has syncfs")
def test_the_file_system_can_be_flushed(tmp_path: Path) -> None:
    assert batch._sync_file_system(str(tmp_path))


def test_systems_without_syncfs_are_recognized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    assert not batch._sync_file_system(str(tmp_path))


def test_what_could_not_be_flushed_is_not_put_in_place(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with store.batch():
        store.put("views", KEY, b"payload")
    assert (unplaced(store), placed(store), store.stats.writes) == (0, 0, 0)
    assert store.problem is not None
    assert store.problem.endswith("Input/output error")


def test_an_interrupted_flush_leaves_nothing_behind(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt), store.batch():
        store.put("views", KEY, b"payload")
    assert (unplaced(store), placed(store)) == (0, 0)
    assert store.get("views", KEY) is None


def test_what_cannot_be_renamed_is_told(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with store.batch():
        store.put("views", KEY, b"payload")
        monkeypatch.setattr(os, "rename", read_only)
    assert store.problem is not None
    assert store.problem.endswith("Read-only file system")
    assert (unplaced(store), store.stats.write_errors) == (0, 1)


def test_a_cache_cleared_meanwhile_loses_what_was_not_in_place_and_goes_on(store: LocalStore) -> None:
    with store.batch():
        store.put("views", KEY, b"payload")
        LocalStore(store.directory).clear()
        assert store.get("views", KEY) is None
        store.put("facts", KEY, b"payload")
    assert (store.problem, store.stats.write_errors, store.stats.writes) == (None, 1, 1)
    assert store.get("facts", KEY) == Entry(b"payload")


def test_a_forked_child_leaves_its_parents_batch_alone(tmp_path: Path) -> None:
    program = f"""
import os, sys
from ifacegen_cache import LocalStore
store = LocalStore({str(tmp_path)!r})
with store.batch():
    store.put("views", {key(1)!r}, b"parent")
    child = os.fork()
    if not child:
        assert store.get("views", {key(1)!r}).payload == b"parent"
        store.put("views", {key(2)!r}, b"child")
    else:
        assert os.waitpid(child, 0)[1] == 0
        assert os.path.exists(store.path("views", {key(2)!r}))
        assert not os.path.exists(store.path("views", {key(1)!r}))
if child:
    assert store.stats.write_errors == 0
    assert os.path.exists(store.path("views", {key(1)!r}))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_entry_another_thread_replaces_while_it_is_read_is_found(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.batch():
        store.put("views", KEY, b"payload")
        assert store._batch is not None
        path = store._batch.find(store.path("views", KEY))
        found = iter(["/absent", "/absent/too", path, path])
        with monkeypatch.context() as patch:
            patch.setattr(store._batch, "find", lambda _: next(found))
            assert store.get("views", KEY) == Entry(b"payload")


def test_threads_may_share_a_store(store: LocalStore) -> None:
    def work(start: int) -> int:
        with store.batch():
            for number in range(start, start + 400):
                assert store.put("views", key(number), b"%d" % number)
                assert store.get("views", key(number)) == Entry(b"%d" % number)
        return start

    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(work, range(0, 1600, 200)))) == 8
    assert (unplaced(store), placed(store)) == (0, 1800)
    assert store.problem is None
    assert all(store.get("views", key(number)) == Entry(b"%d" % number) for number in range(1800))
