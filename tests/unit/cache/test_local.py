from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ifacegen_cache import DamagedEntry, Entry, LocalStore, Stats, encode_entry

KEY = "ab" * 32
OTHER = "cd" * 32
INDEX = f"{KEY}/{'0' * 40}-{'1' * 16}"
KEYS = [("views", KEY), ("facts", OTHER), ("index", INDEX), ("trees", "0" * 40), ("worktrees", KEY)]


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "cache")


def file_of(store: LocalStore, kind: str = "views", key: str = KEY) -> Path:
    return Path(store.path(kind, key))


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_what_was_put_is_got(store: LocalStore, kind: str, key: str) -> None:
    assert store.get(kind, key) is None
    assert not store.contains(kind, key)
    assert store.put(kind, key, b"payload", {"a": 1})
    assert store.contains(kind, key)
    entry = store.get(kind, key)
    assert entry is not None
    assert (entry.payload, entry.meta) == (b"payload", {"a": 1})
    assert list(store.get_all(kind, key)) == [entry]
    assert [found[:2] for found in store.iter_entries()] == [(kind, key)]


def test_the_file_is_the_entry_and_readable_by_all(store: LocalStore) -> None:
    former = os.umask(0o077)
    try:
        store.put("views", KEY, b"payload", {"a": 1})
    finally:
        os.umask(former)
    assert file_of(store).read_bytes() == encode_entry(b"payload", {"a": 1})
    assert file_of(store).stat().st_mode & 0o777 == 0o644
    assert file_of(store) == store.directory / "v1/views/ab" / KEY


def test_the_directory_is_tagged_and_explained(store: LocalStore) -> None:
    store.put("views", KEY, b"")
    root = store.directory / "v1"
    assert (root / "CACHEDIR.TAG").read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55\n")
    assert b"may be deleted" in (root / "README").read_bytes()
    assert not list((root / "tmp").iterdir())


def test_reading_makes_nothing(store: LocalStore) -> None:
    assert store.get("views", KEY) is None
    assert not store.verify().entries
    assert not list(store.iter_entries())
    assert not store.directory.exists()


def test_an_entry_stays_unless_it_is_to_be_replaced(store: LocalStore) -> None:
    store.put("views", KEY, b"first")
    assert store.put("views", KEY, b"second")
    assert store.get("views", KEY) == Entry(b"first")
    assert store.put("views", KEY, b"second", replace=True)
    assert store.get("views", KEY) == Entry(b"second")
    assert store.stats.writes == 2
    assert store.stats.bytes_written == len(encode_entry(b"first") + encode_entry(b"second"))


def test_what_is_counted(store: LocalStore) -> None:
    store.get("views", KEY)
    store.put("views", KEY, b"12345")
    store.get("views", KEY)
    store.contains("views", OTHER)
    file_of(store).write_bytes(b"")
    store.get("views", KEY)
    expected = Stats({"hits_local": 1, "misses": 2, "corrupt": 1, "writes": 1, "bytes_read": 5})
    expected.bytes_written = len(encode_entry(b"12345"))
    assert store.stats.as_dict() == expected.as_dict()


def test_counters_may_be_shared(tmp_path: Path) -> None:
    stats = Stats()
    for name in "ab":
        LocalStore(tmp_path / name, stats=stats).get("views", KEY)
    assert stats.misses == 2


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"ifv1", encode_entry(b"payload")[:-1], encode_entry(b"payload") + b"x", b"x" * 10_000],
    ids=["empty", "newline", "magic", "short", "long", "something else"],
)
def test_an_entry_of_the_wrong_length_is_a_miss_and_is_replaced(store: LocalStore, content: bytes) -> None:
    store.put("views", KEY, b"payload")
    file_of(store).write_bytes(content)
    assert not store.contains("views", KEY)
    assert store.put("views", KEY, b"payload")
    assert store.get("views", KEY) == Entry(b"payload")
    file_of(store).write_bytes(content)
    assert store.get("views", KEY) is None
    assert not file_of(store).exists()


def test_an_entry_with_other_bytes_is_removed_when_read(store: LocalStore) -> None:
    store.put("views", KEY, b"payload")
    file_of(store).write_bytes(encode_entry(b"payload").replace(b"payload", b"Payload"))
    assert store.contains("views", KEY)
    assert store.get("views", KEY) is None
    assert store.stats.corrupt == 1
    assert not store.contains("views", KEY)


def test_a_whole_entry_that_took_a_damaged_ones_place_is_not_removed(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("views", KEY, b"payload")
    file_of(store).write_bytes(b"damaged")

    def overtaken(_: bytes) -> Entry:
        assert LocalStore(store.directory).put("views", KEY, b"new")
        raise DamagedEntry("as read")

    with monkeypatch.context() as patch:
        patch.setattr("ifacegen_cache.local.decode_entry", overtaken)
        assert store.get("views", KEY) is None
    assert store.get("views", KEY) == Entry(b"new")


def test_facts_longer_than_one_reading_are_no_damage(store: LocalStore) -> None:
    meta = {"lines": ["x" * 50] * 1000}
    store.put("views", KEY, b"payload", meta)
    assert store.contains("views", KEY)
    written = store.stats.writes
    store.put("views", KEY, b"payload", meta)
    assert store.stats.writes == written


def test_what_is_no_file_is_no_entry(store: LocalStore) -> None:
    store.put("views", KEY, b"")
    file_of(store).unlink()
    file_of(store).mkdir()
    assert store.get("views", KEY) is None
    assert store.stats.errors == 1
    assert not store.contains("views", KEY)
    assert store.verify().unreadable == 1


def test_a_pipe_keeps_nobody_waiting(store: LocalStore) -> None:
    store.put("views", KEY, b"")
    file_of(store).unlink()
    os.mkfifo(file_of(store))
    assert not store.contains("views", KEY)
    assert store.get("views", KEY) is None


@pytest.mark.parametrize("number", [errno.ESTALE, errno.EACCES, errno.EIO])
def test_what_cannot_be_read_is_an_error_and_a_miss(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    store.put("views", KEY, b"payload")

    def failing(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", failing)
        assert store.get("views", KEY) is None
        assert not store.contains("views", KEY)
    assert (store.stats.errors, store.stats.misses, store.stats.corrupt) == (1, 1, 0)
    assert store.get("views", KEY) == Entry(b"payload")


def test_a_hit_makes_an_old_entry_new_again(store: LocalStore) -> None:
    store.put("views", KEY, b"payload")
    age(file_of(store), 3000)
    store.get("views", KEY)
    assert time.time() - file_of(store).stat().st_mtime > 2900
    age(file_of(store), 4000)
    store.verify()
    assert time.time() - file_of(store).stat().st_mtime > 3900
    store.get("views", KEY)
    assert time.time() - file_of(store).stat().st_mtime < 100


def test_whoever_only_asks_whether_an_entry_is_there_means_to_use_it(store: LocalStore) -> None:
    store.put("views", KEY, b"payload")
    age(file_of(store), 4000)
    assert store.contains("views", KEY)
    assert time.time() - file_of(store).stat().st_mtime < 100


def test_an_age_that_cannot_be_changed_is_no_failure(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("views", KEY, b"payload")
    age(file_of(store), 4000)

    def failing(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", failing)
    assert store.get("views", KEY) == Entry(b"payload")


def snapshot(directory: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that can be seen of the files below a directory, but the time of the last reading."""
    return {
        str(path): (
            path.stat().st_mtime_ns,
            path.stat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in directory.rglob("*")
    }


def test_read_only_means_that_nothing_changes(store: LocalStore) -> None:
    store.put("views", KEY, b"payload")
    store.put("views", OTHER, b"payload")
    age(file_of(store), 9999)
    file_of(store, key=OTHER).write_bytes(b"damaged")
    before = snapshot(store.directory)
    reader = LocalStore(store.directory, read_only=True)
    assert reader.get("views", KEY) == Entry(b"payload")
    assert reader.get("views", OTHER) is None
    assert reader.put("views", KEY, b"is there")
    assert not reader.put("views", KEY, b"new", replace=True)
    assert not reader.put("facts", KEY, b"new")
    assert reader.verify().damaged == (("views", OTHER),)
    assert reader.clear().problem == "read-only"
    with reader.batch():
        assert not reader.put("facts", KEY, b"new")
    assert reader.problem is None
    assert snapshot(store.directory) == before


def test_a_directory_that_cannot_be_is_told_once_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = LocalStore(tmp_path / "file/cache")
    assert not store.put("views", KEY, b"")
    assert store.problem == f"cannot write to the cache {tmp_path}/file/cache: Not a directory"
    assert not store.put("views", OTHER, b"")
    with store.batch():
        assert not store.put("views", OTHER, b"")
    assert store.get("views", KEY) is None
    assert not store.contains("views", KEY)
    assert (store.stats.write_errors, store.stats.errors, store.stats.misses) == (1, 0, 1)
    assert store.clear() == LocalStore(tmp_path / "absent").clear()


def test_what_is_there_is_read_after_writing_failed(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("views", KEY, b"payload")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        assert not store.put("views", OTHER, b"")
    assert store.problem is not None
    assert store.problem.endswith(": No space left on device")
    assert not list((store.directory / "v1/tmp").iterdir())
    assert store.get("views", KEY) == Entry(b"payload")
    assert store.put("views", KEY, b"payload")
    assert not store.put("views", OTHER, b"")


def test_what_is_written_in_pieces_is_whole(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, data: write(file, data[:7]))
        assert store.put("views", KEY, b"payload" * 20)
    assert store.get("views", KEY) == Entry(b"payload" * 20)


def test_what_is_read_in_pieces_is_whole(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("views", KEY, b"payload" * 20)
    read = os.read
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", lambda file, size: read(file, min(size, 7)))
        assert store.get("views", KEY) == Entry(b"payload" * 20)
        assert store.contains("views", KEY)


def test_a_file_system_without_rights_will_do(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchmod", failing)
    assert store.put("views", KEY, b"payload")


@pytest.mark.parametrize("lost", ["v1", "v1/views", "v1/views/ab", "v1/tmp", "v1/index"])
def test_directories_that_were_lost_are_made_again(store: LocalStore, lost: str) -> None:
    """Archives may leave out empty ones; people remove caches while they are used."""
    for kind, key in KEYS:
        store.put(kind, key, b"")
    shutil.rmtree(store.directory / lost)
    assert store.put("views", KEY, b"payload", replace=True)
    assert store.put("index", INDEX, b"payload", replace=True)
    assert store.get("views", KEY) == store.get("index", INDEX) == Entry(b"payload")
    assert store.problem is None


def test_a_temporary_file_of_a_killed_process_is_not_in_the_way(store: LocalStore) -> None:
    """Process ids come again, and so do the names that are made of them."""
    program = f"""
import os, sys
from ifacegen_cache.local import LocalStore
from ifacegen_cache.layout import host_name
store = LocalStore({str(store.directory)!r})
store.put("facts", {KEY!r}, b"")
for number in range(100):
    open(f"{{store.root}}/tmp/{{host_name()}}-{{os.getpid()}}-{{number}}", "w").close()
assert store.put("views", {KEY!r}, b"payload")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    assert store.get("views", KEY) == Entry(b"payload")


def test_verify_reports_and_removes_what_is_damaged(store: LocalStore) -> None:
    for kind, key in KEYS:
        store.put(kind, key, b"payload")
    file_of(store).write_bytes(b"")
    file_of(store, "index", INDEX).write_bytes(b"x")
    done = store.verify()
    assert done.damaged == (("index", INDEX), ("views", KEY))
    assert (done.entries, done.unreadable) == (3, 0)
    assert done.bytes == sum(size for _, _, size, _ in store.iter_entries())
    assert store.verify().damaged == ()


def test_what_vanishes_while_it_is_listed_is_nothing(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("views", KEY, b"payload")

    def vanished(_: str) -> Iterator[tuple[str, str, int, float]]:
        yield "views", OTHER, 10, 0.0
        yield "views", KEY, 10, 0.0

    monkeypatch.setattr("ifacegen_cache.upkeep.iter_entries", vanished)
    done = store.verify()
    assert (done.entries, done.damaged, done.unreadable) == (1, (), 0)


def test_only_entries_are_listed(store: LocalStore) -> None:
    store.put("views", KEY, b"payload")
    for name in ("views/ab/README", f"views/cd/{KEY}", f"views/{OTHER}", "trees/.nfs0001", "index/abc"):
        odd = store.directory / "v1" / name
        odd.parent.mkdir(parents=True, exist_ok=True)
        odd.write_text("")
    (kind, key, size, used), *others = store.iter_entries()
    assert (kind, key, size) == ("views", KEY, len(encode_entry(b"payload")))
    assert abs(used - time.time()) < 100
    assert not others


def test_clear_leaves_nothing_and_the_store_goes_on(store: LocalStore) -> None:
    for kind, key in KEYS:
        store.put(kind, key, b"payload")
    store.stats.flush(store.directory)
    (store.directory / "v1/tmp/left-over").write_text("")
    done = store.clear()
    assert (done.removed, done.problem) == (len(KEYS) + 2, None)
    assert done.freed > 0
    assert not list(store.iter_entries())
    assert store.put("views", KEY, b"payload")
    assert store.clear().removed == 1


def test_clear_says_what_it_could_not_remove(store: LocalStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, key in KEYS[:2]:
        store.put(kind, key, b"payload")
    unlink = os.unlink

    def sticky(path: str) -> None:
        if path.endswith(KEY):
            raise PermissionError(errno.EPERM, "Operation not permitted")
        unlink(path)

    monkeypatch.setattr(os, "unlink", sticky)
    done = store.clear()
    assert done.removed == 1
    assert done.problem == f"cannot remove {file_of(store)}: Operation not permitted"


def test_a_relative_directory_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = LocalStore("cache")
    monkeypatch.chdir("/")
    assert store.put("views", KEY, b"")
    assert store.directory == tmp_path / "cache"
    assert repr(store) == f"<LocalStore: {tmp_path}/cache/v1>"
    assert repr(LocalStore(tmp_path, read_only=True)) == f"<LocalStore: {tmp_path}/v1, read-only>"


def test_what_is_no_key_is_refused(store: LocalStore) -> None:
    for call in (store.get, store.contains, store.path):
        with pytest.raises(ValueError, match="key of views"):
            call("views", "../../etc/passwd")
    with pytest.raises(ValueError, match="kind"):
        store.put("tmp", KEY, b"")


def test_reading_loads_little() -> None:
    """A cached answer is given by a new interpreter each time: what it imports is what it takes."""
    program = f"""
import sys
before = set(sys.modules)
from ifacegen_cache.local import LocalStore
from ifacegen_cache.tiered import TieredStore
TieredStore(LocalStore("/absent"), [LocalStore("/absent/too", read_only=True)]).get("views", {KEY!r})
print(*set(sys.modules) - before)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    ours = {f"ifacegen_cache{name}" for name in ("", ".entry", ".layout", ".local", ".stats", ".tiered")}
    assert set(done.stdout.split()) <= ours | {"__future__", "errno"}


class AgainstAModel(RuleBasedStateMachine):
    """The store does what a dictionary does, whatever is damaged on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = LocalStore(self.folder.name)
        self.model: dict[tuple[str, str], bytes] = {}

    @rule(where=st.sampled_from(KEYS), payload=st.binary(max_size=20), replace=st.booleans())
    def put(self, where: tuple[str, str], payload: bytes, replace: bool) -> None:
        assert self.store.put(*where, payload, replace=replace)
        if replace or where not in self.model:
            self.model[where] = payload

    @rule(where=st.sampled_from(KEYS), data=st.data())
    def damage(self, where: tuple[str, str], data: st.DataObject) -> None:
        if where in self.model:
            path = Path(self.store.path(*where))
            whole = path.read_bytes()
            path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
            del self.model[where]

    @rule(where=st.sampled_from(KEYS))
    def get(self, where: tuple[str, str]) -> None:
        entry = self.store.get(*where)
        assert (entry and entry.payload) == self.model.get(where)

    @rule()
    def open_again(self) -> None:
        self.store = LocalStore(self.folder.name)

    def teardown(self) -> None:
        self.folder.cleanup()

    @invariant()
    def contains_the_same(self) -> None:
        assert {where for where in KEYS if self.store.contains(*where)} == set(self.model)


TestAgainstAModel = AgainstAModel.TestCase
