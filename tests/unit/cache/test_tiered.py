from __future__ import annotations

from pathlib import Path

import pytest

from ifacegen_cache import Entry, LocalStore, Stats, Store, TieredStore, encode_entry

KEY = "ab" * 32
OTHER = "cd" * 32


class Tiers:
    """A local directory and two behind it, with ways to fill those."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.local = LocalStore(root / "local")
        self.store = TieredStore(
            self.local, [LocalStore(root / name, read_only=True) for name in ("near", "far")]
        )

    def fill(self, name: str, payload: bytes, key: str = KEY) -> Path:
        writer = LocalStore(self.root / name)
        writer.put("views", key, payload, {"from": name})
        return Path(writer.path("views", key))


@pytest.fixture
def tiers(tmp_path: Path) -> Tiers:
    return Tiers(tmp_path)


def test_what_is_behind_is_found_and_copied(tiers: Tiers) -> None:
    source = tiers.fill("far", b"payload")
    entry = tiers.store.get("views", KEY)
    assert entry is not None
    assert (entry.payload, entry.meta) == (b"payload", {"from": "far"})
    assert Path(tiers.local.path("views", KEY)).read_bytes() == source.read_bytes()
    source.unlink()
    assert tiers.store.get("views", KEY) == entry
    expected = Stats({"hits_behind": 1, "hits_local": 1, "writes": 1, "bytes_read": 14})
    expected.bytes_written = len(entry.encode())
    assert tiers.store.stats.as_dict() == expected.as_dict()


def test_the_first_to_have_it_answers(tiers: Tiers) -> None:
    tiers.fill("far", b"far")
    tiers.fill("near", b"near")
    assert tiers.store.get("views", KEY) == Entry(b"near", '{"from":"near"}')
    assert tiers.store.put("views", KEY, b"own", replace=True)
    assert tiers.store.get("views", KEY) == Entry(b"own")


def test_damage_on_the_way_is_passed_over_and_repaired(tiers: Tiers) -> None:
    tiers.fill("local", b"payload").write_bytes(encode_entry(b"pay") + b"x")
    near = tiers.fill("near", b"payload")
    near.write_bytes(near.read_bytes()[:-1])
    tiers.fill("far", b"payload")
    assert tiers.store.get("views", KEY) == Entry(b"payload", '{"from":"far"}')
    assert tiers.local.get("views", KEY) == Entry(b"payload", '{"from":"far"}')
    assert tiers.store.stats.corrupt == 2
    assert near.exists()


def test_what_nobody_has_is_one_miss(tiers: Tiers) -> None:
    assert tiers.store.get("views", KEY) is None
    assert not tiers.store.contains("views", KEY)
    assert list(tiers.store.get_all("views", KEY)) == []
    assert tiers.store.stats.as_dict() == Stats({"misses": 2}).as_dict()


def test_records_of_all_directories_can_be_had(tiers: Tiers) -> None:
    tiers.fill("near", b"near")
    tiers.fill("far", b"far")
    assert [entry.payload for entry in tiers.store.get_all("views", KEY)] == [b"near", b"far"]
    assert tiers.local.get("views", KEY) is None
    tiers.fill("local", b"local")
    assert [entry.payload for entry in tiers.store.get_all("views", KEY)] == [b"local", b"near", b"far"]
    assert (tiers.store.stats.hits_behind, tiers.store.stats.hits_local) == (1, 1)


def test_a_reader_that_needs_no_more_records_may_stop(tiers: Tiers) -> None:
    tiers.fill("near", b"near")
    tiers.fill("far", b"far")
    assert next(iter(tiers.store.get_all("views", KEY))).payload == b"near"
    assert (tiers.store.stats.hits_behind, tiers.store.stats.misses) == (1, 0)


def test_only_the_local_directory_is_written_to(tiers: Tiers) -> None:
    tiers.fill("near", b"near")
    assert tiers.store.contains("views", KEY)
    with tiers.store.batch():
        tiers.store.put("views", OTHER, b"payload")
        assert not tiers.root.joinpath("local/v1/views/cd", OTHER).exists()
    assert [path.parts[-5] for path in tiers.root.rglob(OTHER)] == ["local"]


def test_without_a_local_directory_those_behind_still_answer(tmp_path: Path) -> None:
    (tmp_path / "local").write_text("a file")
    tiers = Tiers(tmp_path)
    tiers.fill("near", b"near")
    for _ in range(2):
        entry = tiers.store.get("views", KEY)
        assert entry is not None
        assert entry.payload == b"near"
    assert tiers.store.problem == f"cannot write to the cache {tmp_path}/local: Not a directory"
    assert tiers.store.stats.hits_behind == 2


def test_a_store_behind_must_be_read_only(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not read-only"):
        TieredStore(LocalStore(tmp_path / "local"), [LocalStore(tmp_path / "behind")])


def test_both_are_stores(tiers: Tiers) -> None:
    stores: list[Store] = [tiers.local, tiers.store]
    for store in stores:
        assert store.problem is None
        with pytest.raises(ValueError, match="key of views"):
            store.get("views", "..")
        with pytest.raises(ValueError, match="key of views"):
            list(store.get_all("views", ".."))


def test_what_lies_apart_is_shown_and_goes_no_further(tmp_path: Path) -> None:
    apart = LocalStore(tmp_path / "apart")
    for kind in ("views", "facts", "trees"):
        apart.put(kind, "a" * 64, b"theirs")
    index = f"{'b' * 64}/{'c' * 40}-{'d' * 16}"
    apart.put("index", index, b"theirs")
    local = LocalStore(tmp_path / "local")
    store = TieredStore(local, [], [LocalStore(tmp_path / "apart", read_only=True)])
    assert store.contains("views", "a" * 64)
    shown = [store.get(kind, "a" * 64) for kind in ("views", "trees")]
    assert [entry and entry.payload for entry in shown] == [b"theirs", b"theirs"]
    assert store.get("facts", "a" * 64) is None
    assert store.get("index", index) is None  # a record of ours is what is written again
    assert [entry.payload for entry in store.get_all("index", index)] == [b"theirs"]
    assert list(local.iter_entries()) == []


def test_asking_whether_an_entry_is_behind_copies_it(tmp_path: Path) -> None:
    LocalStore(tmp_path / "behind").put("views", "a" * 64, b"ours")
    local = LocalStore(tmp_path / "local")
    assert TieredStore(local, [LocalStore(tmp_path / "behind", read_only=True)]).contains("views", "a" * 64)
    entry = local.get("views", "a" * 64)
    assert entry is not None
    assert entry.payload == b"ours"


def test_git_leaves_a_cache_in_a_work_tree_out(tmp_path: Path) -> None:
    LocalStore(tmp_path).put("views", "a" * 64, b"")
    assert (tmp_path / "v1/.gitignore").read_text() == "*\n"
