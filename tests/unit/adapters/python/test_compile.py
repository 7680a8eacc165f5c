"""Facts are taken from memory, else from where they are stored, else from the source, in this order."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ifacegen.adapter import Blob, BuildContext, Tree, ViewOptions
from ifacegen.errors import ReadError
from ifacegen.facts import MemoryFacts
from ifacegen.model import Package, Project, SourceRoot
from ifacegen.tokens import count_tokens
from ifacegen.trees import ListedTree
from ifacegen_adapters.python import PythonAdapter
from ifacegen_adapters.python.compile import Compiler
from support.trees import memory_tree

SOURCE = "def f():\n    return 1\n\nclass C:\n    x = 1\n"
PACKAGE = Package(
    ".", "m", "library", (Project("python", "", import_names=("m",), roots=(SourceRoot("", ("m",)),)),)
)


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


def context_of(tree: Tree, facts: MemoryFacts) -> BuildContext:
    return BuildContext(tree, PACKAGE, (PACKAGE,), ViewOptions(), facts, {}, count_tokens, {})


def test_of_a_file_with_stored_facts_nothing_is_read_but_its_id() -> None:
    facts = MemoryFacts()
    first, second = Counting({"m.py": SOURCE}), Counting({"m.py": SOURCE})
    built = [PythonAdapter().build(context_of(each.tree, facts)) for each in (first, second)]
    assert built[0] == built[1]
    assert set(first.reads) == {"m.py"}
    assert second.reads == []


def test_the_same_text_elsewhere_has_the_same_facts() -> None:
    facts = MemoryFacts()
    counting = Counting({"m.py": SOURCE, "n.py": SOURCE})
    compiler = Compiler(context_of(counting.tree, facts))
    assert compiler.facts("m.py") == compiler.facts("n.py")
    assert counting.reads == ["m.py"]


def test_facts_in_memory_are_not_decoded_again() -> None:
    context = context_of(memory_tree({"m.py": SOURCE}), MemoryFacts())
    assert Compiler(context).facts("m.py") is Compiler(context).facts("m.py")


def test_damaged_facts_are_made_anew() -> None:
    facts = Damaged()
    expected = Compiler(context_of(memory_tree({"m.py": SOURCE}), MemoryFacts())).facts("m.py")
    for _ in range(2):
        counting = Counting({"m.py": SOURCE})
        assert Compiler(context_of(counting.tree, facts)).facts("m.py") == expected
        assert counting.reads == ["m.py"]


def test_a_file_that_changes_between_its_listing_and_its_reading_is_known_by_what_was_read() -> None:
    files = memory_tree({"old.py": "a = 1\n", "new.py": "b = 1\n"})
    old, new = files.read("old.py"), files.read("new.py")
    facts = MemoryFacts()
    compiler = Compiler(context_of(ListedTree({"m.py": old.id}, lambda *_: new, by_id=True), facts))
    assert [each.name for each in compiler.facts("m.py").definitions] == ["b"]
    assert compiler.blob("m.py") == new.id
    again = Compiler(context_of(memory_tree({"m.py": "a = 1\n"}), facts))
    assert [each.name for each in again.facts("m.py").definitions] == ["a"]


def unreadable(path: str, _: str) -> Blob:
    raise ReadError(path, "gone")


@pytest.mark.parametrize("by_id", [True, False])
def test_a_file_that_cannot_be_read_has_a_problem_no_id_and_no_tokens(*, by_id: bool) -> None:
    facts = MemoryFacts()
    compiler = Compiler(context_of(ListedTree({"m.py": "1" * 40}, unreadable, by_id=by_id), facts))
    found = compiler.facts("m.py")
    assert [problem.code for problem in found.problems] == ["read-failed"]
    assert found.tokens == 0
    assert compiler.blob("m.py") == ""


def test_what_could_not_be_read_is_not_stored() -> None:
    facts = MemoryFacts()
    blob = memory_tree({"m.py": SOURCE}).read("m.py")
    Compiler(context_of(ListedTree({"m.py": blob.id}, unreadable, by_id=True), facts)).facts("m.py")
    later = Compiler(context_of(memory_tree({"m.py": SOURCE}), facts)).facts("m.py")
    assert len(later.definitions) == 2


@pytest.mark.parametrize(
    "data", [SOURCE.encode(), b"x = '\xff\xe4'\n", b"x = 1\0", b"# -*- coding: latin-1 -*-\nx = '\xe4'\n"]
)
def test_tokens_are_those_of_the_whole_file(data: bytes) -> None:
    facts = Compiler(context_of(memory_tree({"m.py": data}), MemoryFacts())).facts("m.py")
    assert facts.tokens == count_tokens(data.decode("utf-8", "replace"))


def test_a_surface_counts_all_sources_and_no_stubs() -> None:
    files = {"m/__init__.py": SOURCE, "m/a.py": "x = 1\n", "m/a.pyi": "x: int\n", "m/tests/test_a.py": SOURCE}
    context = context_of(memory_tree(files), MemoryFacts())
    surface = PythonAdapter().build(context)
    assert surface.sources == ("m/__init__.py", "m/a.py")
    assert surface.source_tokens == count_tokens(SOURCE) + count_tokens("x = 1\n")


def test_a_stub_and_a_source_of_the_same_text_have_facts_of_their_own() -> None:
    compiler = Compiler(context_of(memory_tree({"m.py": SOURCE, "m.pyi": SOURCE}), MemoryFacts()))
    assert compiler.facts("m.py").tokens > 0 == compiler.facts("m.pyi").tokens


def test_types_are_an_entry_of_their_own() -> None:
    facts, source = MemoryFacts(), "class C:\n    def __len__(self):\n        return g()\n"
    first = Compiler(context_of(memory_tree({"m.py": source}), facts))
    types = first.types("m.py", first.facts("m.py"))
    assert types.known == {"C.__len__": "int"}
    counting = Counting({"m.py": source})
    second = Compiler(context_of(counting.tree, facts))
    assert second.types("m.py", second.facts("m.py")) == types
    assert counting.reads == []


def test_stubs_and_files_without_definitions_have_no_types() -> None:
    compiler = Compiler(context_of(memory_tree({"m.pyi": SOURCE, "n.py": "import os\n"}), MemoryFacts()))
    for path in ("m.pyi", "n.py"):
        assert compiler.types(path, compiler.facts(path)).known == {}


def test_facts_of_another_package_are_found_by_their_id() -> None:
    """A module that is only looked for is not compiled."""
    packages = tuple(
        Package(
            name,
            name,
            "library",
            (Project("python", name, import_names=(name,), roots=(SourceRoot(name, (name,)),)),),
        )
        for name in ("a", "b")
    )
    counting = Counting(
        {"a/a.py": "import b\n\ndef f() -> b.C: ...\n", "b/b/__init__.py": SOURCE, "b/b/c.py": ""}
    )
    context = BuildContext(
        counting.tree, packages[0], packages, ViewOptions(), MemoryFacts(), {}, count_tokens, {}
    )
    surface = PythonAdapter().build(context)
    assert surface.consulted["b"] == ("b/b/__init__.py", counting.tree.id("b/b/__init__.py"))
    assert "b/b/c.py" not in counting.reads
