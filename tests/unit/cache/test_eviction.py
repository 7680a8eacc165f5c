from __future__ import annotations

import errno
import fcntl
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_cache import LocalStore, Pruned, encode_entry, prune

HOUR = 3600.0
DAY = 24 * HOUR
SIZE = len(encode_entry(b"payload"))


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "cache")


def key(number: int) -> str:
    return f"{number:064x}"


def fill(store: LocalStore, *ages: float) -> None:
    """Entries 0, 1, 2 … that were last used so many seconds ago."""
    for number, seconds in enumerate(ages):
        store.put("views", key(number), b"payload")
        age(Path(store.path("views", key(number))), seconds)


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def left(store: LocalStore) -> list[int]:
    return sorted(int(found[1], 16) for found in store.iter_entries())


def test_without_bounds_everything_stays(store: LocalStore) -> None:
    fill(store, 1000 * DAY, 0)
    done = prune(store, max_bytes=None, max_age=None)
    assert done == Pruned(removed=0, freed=0, kept=2, bytes=2 * SIZE, swept=0, problem=None)


def test_the_longest_unused_go_until_the_rest_fits(store: LocalStore) -> None:
    fill(store, 3 * DAY, 5 * DAY, 4 * DAY, 2 * DAY)
    done = prune(store, max_bytes=2 * SIZE, max_age=None)
    assert done == Pruned(2, 2 * SIZE, 2, 2 * SIZE, 0, None)
    assert left(store) == [0, 3]


def test_what_was_not_used_for_long_goes(store: LocalStore) -> None:
    fill(store, 3 * DAY, 5 * DAY, 0)
    done = prune(store, max_bytes=None, max_age=4 * DAY)
    assert (done.removed, done.kept) == (1, 2)
    assert left(store) == [0, 2]


def test_what_was_used_lately_stays_whatever_the_bounds(store: LocalStore) -> None:
    fill(store, 2 * HOUR, 0.5 * HOUR, 0, -DAY)
    done = prune(store, max_bytes=0, max_age=0)
    assert (done.removed, done.bytes) == (1, 3 * SIZE)
    assert left(store) == [1, 2, 3]
    assert prune(store, max_bytes=0, max_age=None, min_age=0).kept == 1


def test_reading_keeps_an_entry(store: LocalStore) -> None:
    fill(store, 5 * DAY, 4 * DAY)
    store.get("views", key(0))
    prune(store, max_bytes=SIZE, max_age=None)
    assert left(store) == [0]


def test_all_kinds_are_pruned(store: LocalStore) -> None:
    index = f"{key(0)}/{'0' * 40}-{'1' * 16}"
    for kind, name in [("facts", key(0)), ("index", index), ("trees", key(0)), ("worktrees", key(0))]:
        store.put(kind, name, b"payload")
        age(Path(store.path(kind, name)), DAY)
    assert prune(store, max_bytes=0, max_age=None).removed == 4
    assert store.put("index", index, b"payload")


@given(
    st.lists(st.integers(0, 20), max_size=12),
    st.none() | st.integers(0, 12),
    st.none() | st.integers(0, 20),
    st.integers(0, 20),
)
def test_the_bounds_hold(
    tmp_path_factory: pytest.TempPathFactory,
    ages: list[int],
    most: int | None,
    max_age: int | None,
    min_age: int,
) -> None:
    store = LocalStore(tmp_path_factory.getbasetemp() / "bounds")
    store.clear()
    fill(store, *(age * HOUR + 60 for age in ages))
    done = prune(
        store,
        max_bytes=None if most is None else most * SIZE,
        max_age=None if max_age is None else max_age * HOUR,
        min_age=min_age * HOUR,
    )
    rest = [ages[number] for number in left(store)]
    gone = [age for number, age in enumerate(ages) if number not in left(store)]
    assert all(age >= min_age for age in gone)
    assert max_age is None or all(age < max(max_age, min_age) for age in rest)
    if gone and rest:
        assert min(gone) >= max(age for age in rest)
    if most is not None and len(rest) > most:
        assert all(age < min_age for age in rest)
    if max_age is None and (most is None or len(ages) <= most):
        assert not gone
    assert (done.removed, done.kept, done.bytes) == (len(gone), len(rest), len(rest) * SIZE)


def test_an_entry_used_since_it_was_listed_stays(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 5 * DAY, 4 * DAY, 3 * DAY)
    listed = list(store.iter_entries())

    def and_then_used(_: str) -> list[tuple[str, str, int, float]]:
        store.get("views", key(0))
        Path(store.path("views", key(1))).unlink()
        return listed

    monkeypatch.setattr("ifacegen_cache.eviction.iter_entries", and_then_used)
    done = prune(store, max_bytes=0, max_age=None)
    assert (done.removed, done.kept, done.bytes, done.problem) == (1, 1, SIZE, None)
    assert left(store) == [0]


def test_what_killed_runs_left_over_is_swept_a_day_later(store: LocalStore) -> None:
    fill(store, 0)
    for name, seconds in [("old", 25 * HOUR), ("young", 23 * HOUR)]:
        path = store.directory / "v1/tmp" / name
        path.write_text("")
        age(path, seconds)
    assert prune(store, max_bytes=None, max_age=None).swept == 1
    assert [path.name for path in (store.directory / "v1/tmp").iterdir()] == ["young"]


def test_old_stats_are_swept(store: LocalStore) -> None:
    fill(store, 0)
    for name, seconds in [("old", 91 * DAY), ("young", 89 * DAY)]:
        path = store.directory / "v1/stats" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        age(path, seconds)
    assert prune(store, max_bytes=None, max_age=None).swept == 1
    assert [path.name for path in (store.directory / "v1/stats").iterdir()] == ["young"]


def another_format(store: LocalStore, name: str, seconds: float) -> Path:
    """The directory of another version, with one entry last used so many seconds ago."""
    fill(store, 0)
    other = store.directory / name
    (other / "things/ab").mkdir(parents=True)
    (other / "empty").mkdir()
    for below in ("README", "CACHEDIR.TAG"):
        (other / below).write_bytes((store.directory / "v1" / below).read_bytes())
        age(other / below, 100 * DAY)
    (other / "things/ab/abc").write_text("")
    age(other / "things/ab/abc", seconds)
    return other


@pytest.mark.parametrize("name", ["v0", "v2", "v10"])
def test_another_format_nobody_uses_any_more_is_swept(store: LocalStore, name: str) -> None:
    other = another_format(store, name, 31 * DAY)
    assert prune(store, max_bytes=None, max_age=None).swept == 3
    assert not other.exists()
    assert left(store) == [0]


def test_another_format_in_use_stays_whole(store: LocalStore) -> None:
    other = another_format(store, "v0", 29 * DAY)
    assert prune(store, max_bytes=None, max_age=None).swept == 0
    assert (other / "README").exists()
    assert (other / "things/ab/abc").exists()


def test_what_is_not_ours_is_left_alone(store: LocalStore) -> None:
    named_otherwise = another_format(store, "v0-backup", 31 * DAY)
    untagged = another_format(store, "v3", 31 * DAY)
    (untagged / "CACHEDIR.TAG").unlink()
    tagged_by_others = another_format(store, "v4", 31 * DAY)
    (tagged_by_others / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n# of pip\n")
    age(tagged_by_others / "CACHEDIR.TAG", 100 * DAY)
    (store.directory / "v5").write_text("a file")
    assert prune(store, max_bytes=0, max_age=None).swept == 0
    for folder in (named_otherwise, untagged, tagged_by_others):
        assert (folder / "things/ab/abc").exists()


def test_only_one_prunes_at_a_time(store: LocalStore) -> None:
    fill(store, DAY)
    with (store.directory / "v1/gc.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = prune(store, max_bytes=0, max_age=None)
    assert done == Pruned(0, 0, 0, 0, 0, "another pruning is at work")
    assert prune(store, max_bytes=0, max_age=None).removed == 1


def test_a_file_system_without_locks_will_do(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    fill(store, DAY)
    monkeypatch.setattr(fcntl, "flock", failing)
    assert prune(store, max_bytes=0, max_age=None).removed == 1


def test_without_a_cache_there_is_nothing_to_prune(store: LocalStore) -> None:
    assert prune(store, max_bytes=0, max_age=0) == Pruned(0, 0, 0, 0, 0, None)
    assert not store.directory.exists()


def test_a_read_only_store_is_not_pruned(store: LocalStore) -> None:
    fill(store, DAY)
    done = prune(LocalStore(store.directory, read_only=True), max_bytes=0, max_age=None)
    assert (done.removed, done.problem) == (0, "read-only")


def test_a_cache_that_cannot_be_changed_is_told(tmp_path: Path) -> None:
    (tmp_path / "v1").write_text("a file")
    problem = prune(LocalStore(tmp_path), max_bytes=0, max_age=None).problem
    assert problem == f"cannot prune {tmp_path}: Not a directory"


def test_an_entry_that_cannot_be_removed_is_told(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def sticky(_: str) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    fill(store, DAY, DAY)
    monkeypatch.setattr(os, "unlink", sticky)
    done = prune(store, max_bytes=0, max_age=None)
    assert (done.removed, done.kept) == (0, 2)
    assert done.problem is not None
    assert done.problem.startswith(f"cannot remove {store.directory}/v1/views/00/")
