"""Facts of files are taken from memory, else from where they are stored, else from the file."""

from __future__ import annotations

from collections.abc import Mapping

from ifacegen.adapter import Blob, BuildContext, Tree, ViewOptions
from ifacegen.errors import ReadError
from ifacegen.facts import MemoryFacts
from ifacegen.model import Package
from ifacegen.tokens import count_tokens
from ifacegen.trees import ListedTree
from ifacegen_adapters.typescript.files import facts_of, facts_of_text
from support.trees import memory_tree

PACKAGE = Package(".", "m", "library", ())
SOURCE = "export const a = <T,>(x: T): T => x;\n"


class Counting:
    """A tree that counts what is read of it."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.reads: list[str] = []
        self._inner = memory_tree(files)
        self.tree = ListedTree(
            {path: self._inner.id(path) for path in files}, lambda path, _: self._read(path), by_id=True
        )

    def _read(self, path: str) -> Blob:
        self.reads.append(path)
        return self._inner.read(path)


class Damaged(MemoryFacts):
    """A store of which nothing that comes back is what was put."""

    def get(self, **fields: str) -> bytes | None:
        found = super().get(**fields)
        return found[:-3] if found is not None else None


def context_of(
    tree: Tree, facts: MemoryFacts | None = None, unreadable: Mapping[str, str] | None = None
) -> BuildContext:
    stored = facts if facts is not None else MemoryFacts()
    return BuildContext(
        tree, PACKAGE, (PACKAGE,), ViewOptions(), stored, {}, count_tokens, {}, unreadable or {}
    )


def test_of_a_file_with_stored_facts_nothing_is_read_but_its_id() -> None:
    facts = MemoryFacts()
    first, second = Counting({"a.ts": SOURCE}), Counting({"a.ts": SOURCE})
    assert facts_of(context_of(first.tree, facts), "a.ts") == facts_of(context_of(second.tree, facts), "a.ts")
    assert (first.reads, second.reads) == (["a.ts"], [])


def test_facts_in_memory_are_not_decoded_again() -> None:
    context = context_of(memory_tree({"a.ts": SOURCE}))
    assert facts_of(context, "a.ts") is facts_of(context, "a.ts")


def test_damaged_facts_are_made_anew() -> None:
    facts = Damaged()
    tree = memory_tree({"a.ts": SOURCE})
    assert facts_of(context_of(tree, facts), "a.ts") == facts_of(context_of(tree, facts), "a.ts")


def test_the_same_text_under_another_suffix_is_another_file() -> None:
    tree = memory_tree({"a.ts": "export let a = 1;", "a.d.ts": "export let a: 1;"})
    context = context_of(tree)
    assert facts_of(context, "a.ts").declarations[0].header == ("let a: number",)
    assert facts_of(context, "a.d.ts").declarations[0].header == ("let a: 1",)


def test_emitted_text_is_read_as_declarations() -> None:
    context = context_of(memory_tree({}))
    found = facts_of_text(context, "src/a.tsx", "export declare const a: 1;\n")
    assert found.declarations[0].header == ("const a: 1",)
    assert facts_of_text(context, "src/b.ts", "export declare const a: 1;\n") is found


def test_what_killed_a_process_is_not_read_again() -> None:
    tree = memory_tree({"a.ts": SOURCE})
    context = context_of(tree, unreadable={tree.id("a.ts"): "out of memory"})
    (trouble,) = facts_of(context, "a.ts").troubles
    assert (trouble.code, trouble.message) == ("crashed", "out of memory")


def test_a_file_that_vanished_is_told() -> None:
    def gone(path: str, _: object) -> Blob:
        raise ReadError(path, "it vanished")

    context = context_of(ListedTree({"a.ts": ""}, gone))
    (trouble,) = facts_of(context, "a.ts").troubles
    assert trouble.code == "read-failed"
