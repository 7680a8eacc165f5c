from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ifacegen_cache import MemoryStore

KEYS = st.sampled_from("abcdef")


def test_without_a_bound_everything_is_kept() -> None:
    store: MemoryStore[int] = MemoryStore()
    store.update((str(number), number) for number in range(1000))
    assert len(store) == 1000
    assert store.max_entries is None


def test_what_was_not_used_for_longest_goes_first() -> None:
    store: MemoryStore[int] = MemoryStore(max_entries=2)
    store["old"] = 1
    store["new"] = 2
    store["old"]
    store["newest"] = 3
    assert list(store) == ["old", "newest"]


def test_writing_is_use_and_replaces() -> None:
    store: MemoryStore[int] = MemoryStore(max_entries=2)
    store["a"] = 1
    store["b"] = 2
    store["a"] = 3
    store["c"] = 4
    assert dict(store) == {"a": 3, "c": 4}


def test_asking_whether_a_key_is_there_is_not_use() -> None:
    store: MemoryStore[int] = MemoryStore(max_entries=2)
    store["a"] = 1
    store["b"] = 2
    assert "a" in store
    assert "nothing" not in store
    store["c"] = 3
    assert "a" not in store


def test_walking_over_the_items_reads_them_without_disturbing_the_walk() -> None:
    store: MemoryStore[int] = MemoryStore(max_entries=3)
    store.update(a=1, b=2, c=3)
    assert list(store.items()) == [("a", 1), ("b", 2), ("c", 3)]
    assert list(store.values()) == [1, 2, 3]


def test_a_missing_key_is_a_key_error_and_get_has_a_default() -> None:
    store: MemoryStore[int] = MemoryStore()
    with pytest.raises(KeyError):
        store["absent"]
    with pytest.raises(KeyError):
        del store["absent"]
    assert store.get("absent") is None


@pytest.mark.parametrize("bound", [0, -1])
def test_a_bound_below_one_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="max_entries"):
        MemoryStore(max_entries=bound)


def test_its_repr_says_how_full_it_is() -> None:
    assert repr(MemoryStore(max_entries=2)) == "<MemoryStore: 0 of at most 2 entries>"
    assert repr(MemoryStore()) == "<MemoryStore: 0 entries>"


class AgainstAModel(RuleBasedStateMachine):
    """The store does what a list of pairs, searched from its end, does."""

    bound = 3

    def __init__(self) -> None:
        super().__init__()
        self.store: MemoryStore[int] = MemoryStore(self.bound)
        self.model: list[tuple[str, int]] = []

    @rule(key=KEYS, value=st.integers())
    def write(self, key: str, value: int) -> None:
        self.store[key] = value
        rest = [pair for pair in self.model if pair[0] != key]
        self.model = [*rest, (key, value)][-self.bound :]

    @rule(key=KEYS)
    def read(self, key: str) -> None:
        found = [pair for pair in self.model if pair[0] == key]
        assert self.store.get(key) == (found[0][1] if found else None)
        self.model = [pair for pair in self.model if pair[0] != key] + found

    @precondition(lambda self: self.model)
    @rule()
    def delete(self) -> None:
        key, _ = self.model.pop(0)
        del self.store[key]

    @invariant()
    def has_the_same_keys_in_the_same_order(self) -> None:
        assert list(self.store) == [key for key, _ in self.model]
        assert len(self.store) == len(self.model) <= self.bound


TestAgainstAModel = AgainstAModel.TestCase
