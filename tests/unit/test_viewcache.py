"""Views in the store: found again while everything that they depend on is as it was, and whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ifacegen import keys
from ifacegen.adapter import Surface
from ifacegen.facts import MemoryFacts
from ifacegen.index import MOST_CANDIDATES, MOST_LAYOUTS, parse_record
from ifacegen.model import Declaration, Interface, Module, Note, Package, TokenCounts, View
from ifacegen.repository import Repository
from ifacegen.snapshot import Snapshot, take
from ifacegen.viewcache import Lookup, ViewCache
from ifacegen.views import Built
from ifacegen_adapters.python import PythonAdapter
from ifacegen_cache import LocalStore, TieredStore
from support.trees import commit_all, git, git_repo, memory_tree

PROJECT = '[project]\nname = "{}"\nversion = "1"\n'
FILES = {
    "p/pyproject.toml": PROJECT.format("p"),
    "p/p.py": "P = 1\n",
    "q/pyproject.toml": PROJECT.format("q"),
    "q/q.py": "Q = 1\n",
}
NEW_PACKAGE = {"r/pyproject.toml": PROJECT.format("r"), "r/r.py": "R = 1\n"}


def look_at(more: Mapping[str, str] | None = None) -> Snapshot:
    repository = Repository(Path("/nonexistent"), is_git=False)
    return take(repository, memory_tree({**FILES, **(more or {})}), [PythonAdapter()], MemoryFacts(), None)


def package(snapshot: Snapshot, path: str = "p") -> Package:
    return next(each for each in snapshot.found.packages if each.path == path)


def record_name(snapshot: Snapshot) -> str:
    chosen = package(snapshot)
    return keys.record_name(keys.configuration_id(snapshot, chosen), snapshot.tree_id(chosen) or "", "p")


@dataclass
class Meanings:
    """What the adapters say, as a test wants it."""

    now: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    outer: list[tuple[str, str]] = field(default_factory=list)
    free: tuple[str, ...] = ()
    asked: int = 0

    def consult(
        self, snapshot: Snapshot, package: Package, names: Sequence[str]
    ) -> Mapping[str, tuple[str, str] | None]:
        self.asked += 1
        return {name: self.now.get(name) for name in names}

    def outer_sources(self, snapshot: Snapshot, package: Package) -> list[tuple[str, str]]:
        return self.outer

    def absent(self, snapshot: Snapshot, package: Package, names: Sequence[str]) -> tuple[str, ...]:
        return self.free


@pytest.fixture
def meanings() -> Meanings:
    return Meanings()


@pytest.fixture
def store(tmp_path: Path) -> TieredStore:
    return TieredStore(LocalStore(tmp_path / "cache"), [])


@pytest.fixture
def cache(store: TieredStore, meanings: Meanings) -> ViewCache:
    return ViewCache(store, {"ifacegen": "1", "toy": "2"}, meanings)


F = Declaration(
    "p:f", "f", "f", "function", "def f()", doc="né \ud800\0\x85", path="p/p.py", line=1, end_line=1
)


def built(text: str = "def f(): ...\n", **surface: object) -> Built:
    """A view with something in every field, as a build that consulted this and that made it."""
    view = View(
        "p",
        (Interface("python", "generated", "toy 2", ("p/p.py",)),),
        (Module("p", "python", "p/p.py", None, (replace(F, members=(F,), extra={"a": ("b",)}),)),),
        (Note("warning", "odd", "né", "p/p.py", 3),),
        TokenCounts(view=1, view_without_docs=2, implementation=3, encoding="cl100k_base"),
        "0" * 64,
        text,
        ('# p — "né" \\ \ud800', "# second"),
    )
    return Built(view, (Surface((), (), (), (), 0, **surface),), is_complete=True)  # type: ignore[arg-type]


def never() -> View:
    raise AssertionError("made again")


def read(cache: ViewCache, lookup: Lookup) -> View:
    view = cache.view(lookup, never)
    assert view is not None
    return view


def parts(view: View) -> tuple[object, ...]:
    interfaces, modules, notes = tuple(view.interfaces), tuple(view.modules), tuple(view.notes)
    return (
        view.package,
        interfaces,
        modules,
        notes,
        view.tokens,
        view.digest,
        view.body,
        view.header,
        view.text,
    )


# --- Hits ---------------------------------------------------------------------------------------------


def test_what_was_saved_is_found_whole(cache: ViewCache) -> None:
    snapshot, made = look_at(), built()
    assert cache.save(snapshot, package(snapshot), made)
    for again in (snapshot, look_at()):
        lookup = cache.look_up(again, package(again))
        assert (lookup.status, lookup.reason) == ("hit", "")
        assert lookup.tree_id == snapshot.tree_id(package(snapshot))
        assert parts(read(cache, lookup)) == parts(made.view)


@pytest.mark.parametrize(
    "body", ["", "\n", "no line end", "né\u2028\x85\r\n", "# x\n\n\n\n", "\0\n", "\U0001f40d\n" * 5000]
)
def test_any_body_comes_back_as_it_was(cache: ViewCache, body: str) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), built(body))
    assert read(cache, cache.look_up(snapshot, package(snapshot))).body == body


def test_the_json_is_read_by_who_looks_at_the_modules(cache: ViewCache, store: TieredStore) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), built())
    lookup = cache.look_up(snapshot, package(snapshot))
    view = read(cache, lookup)
    before = store.stats.hits
    assert view.text
    assert view.digest
    assert view.tokens.view
    assert store.stats.hits == before
    assert (len(view.modules), len(view.notes), len(view.interfaces)) == (1, 1, 1)
    assert store.stats.hits == before + 1


@pytest.mark.parametrize("damage", ["gone", "flipped", "no JSON"])
def test_a_json_that_is_lost_until_it_is_read_is_made_again(
    cache: ViewCache, store: TieredStore, damage: str
) -> None:
    snapshot, made = look_at(), built()
    cache.save(snapshot, package(snapshot), made)
    lookup = cache.look_up(snapshot, package(snapshot))
    view = cache.view(lookup, lambda: made.view)
    assert view is not None
    assert lookup.candidate is not None
    key = lookup.candidate.json_key
    path = Path(store.local.path("views", key))
    if damage == "flipped":
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    elif damage == "gone":
        path.unlink()
    else:
        store.put("views", key, b"{}", replace=True)
    assert tuple(view.modules) == made.view.modules
    assert tuple(view.notes) == made.view.notes


def test_a_text_whose_facts_are_not_understood_is_no_view(cache: ViewCache, store: TieredStore) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), built())
    candidate = cache.look_up(snapshot, package(snapshot)).candidate
    assert candidate is not None
    for meta in ({}, {"json": "x"}, {"json": 1, "tokens": {}, "digest": "", "header": []}):
        store.put("views", candidate.text_key, b"", meta, replace=True)
        assert cache.view(cache.look_up(snapshot, package(snapshot)), never) is None


# --- Misses, and why ----------------------------------------------------------------------------------


def why(cache: ViewCache, snapshot: Snapshot, path: str = "p") -> str:
    lookup = cache.look_up(snapshot, package(snapshot, path))
    assert (lookup.status, lookup.candidate, lookup.text) == ("miss", None, None)
    assert cache.view(lookup, never) is None
    return lookup.reason


def test_an_empty_store_has_nothing(cache: ViewCache, tmp_path: Path) -> None:
    assert why(cache, look_at()) == "no view was made of this tree with this configuration"
    assert not (tmp_path / "cache").exists()


def test_another_tree_or_configuration_or_package_is_another_view(cache: ViewCache) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), built())
    reason = "no view was made of this tree with this configuration"
    assert why(cache, look_at({"p/p.py": "P = 2\n"})) == reason
    assert why(cache, look_at({"ifacegen.yaml": "version: 1\nview: {docs: none}\n"})) == reason
    assert why(cache, snapshot, "q") == reason


def test_other_versions_views_are_not_taken(cache: ViewCache, store: TieredStore, meanings: Meanings) -> None:
    snapshot = look_at()
    others = [
        ViewCache(store, makers, meanings)
        for makers in (
            {"ifacegen": "1", "toy": "3"},
            {"ifacegen": "1"},
            {"ifacegen": "1", "toy": "2", "new": "1"},
        )
    ]
    for other in others:
        other.save(snapshot, package(snapshot), built("other\n"))
        assert why(cache, snapshot) == "views of this tree were made by other versions only"
    cache.save(snapshot, package(snapshot), built("own\n"))
    assert read(cache, cache.look_up(snapshot, package(snapshot))).body == "own\n"
    for other in others:
        assert read(other, other.look_up(snapshot, package(snapshot))).body == "other\n"


@pytest.mark.parametrize("entry", ["json_key", "text_key"])
@pytest.mark.parametrize("damage", ["gone", "cut", "empty"])
def test_a_lost_entry_is_a_miss_that_saving_repairs(
    cache: ViewCache, store: TieredStore, entry: str, damage: str
) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), built())
    path = Path(
        store.local.path("views", getattr(cache.look_up(snapshot, package(snapshot)).candidate, entry))
    )
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"" if damage == "empty" else path.read_bytes()[:-1])
    assert why(cache, snapshot) == "an entry that the index names is gone or damaged"
    assert cache.save(snapshot, package(snapshot), built())
    assert parts(read(cache, cache.look_up(snapshot, package(snapshot)))) == parts(built().view)


def test_a_damaged_record_is_no_record(cache: ViewCache, store: TieredStore) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), built())
    name = record_name(snapshot)
    for data in (b"", b"view x\n", b"view x\njson y\nweight 3\n", b"\xff\n"):
        store.put("index", name, data, replace=True)
        assert why(cache, snapshot) == "no view was made of this tree with this configuration"


def test_what_cannot_be_read_has_neither_an_id_nor_a_view(
    cache: ViewCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = look_at()
    monkeypatch.setattr(Snapshot, "tree_id", lambda *_: None)
    assert why(cache, snapshot) == "its directory has no id (nothing there, or unreadable)"
    assert not cache.save(snapshot, package(snapshot), built())
    assert cache.known(snapshot, package(snapshot)) is None


def test_a_path_that_no_line_can_hold_is_not_kept(cache: ViewCache) -> None:
    snapshot = look_at()
    assert not cache.save(snapshot, package(snapshot), built(absent=("a\nb",)))
    assert why(cache, snapshot) == "no view was made of this tree with this configuration"


# --- What was looked at outside -----------------------------------------------------------------------


def q_of(snapshot: Snapshot) -> dict[str, tuple[str, str] | None]:
    return {"gone": None, "q": ("q/q.py", snapshot.object_id("q/q.py") or "")}


def consulting(snapshot: Snapshot, meanings: Meanings, text: str = "text\n") -> Built:
    """A view that depends on `q`, and on there being no `gone`."""
    meanings.now = q_of(snapshot)
    meanings.free = ("q/gone.py", "r")
    return built(text, consulted=meanings.now, absent=meanings.free)


def test_nobody_is_asked_while_the_listing_tells(cache: ViewCache, meanings: Meanings) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    for more in ({}, {"q/other.py": "O = 1\n"}, {"readme.txt": ""}):
        assert cache.look_up(look_at(more), package(snapshot)).status == "hit"
    assert meanings.asked == 0


def test_a_consulted_file_that_changed_is_a_miss(cache: ViewCache, meanings: Meanings) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    changed = look_at({"q/q.py": "Q = 2\n"})
    meanings.now = q_of(changed)
    assert why(cache, changed) == "q/q.py has changed"


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        ({"gone": ("q/gone.py", "1")}, "module gone, absent before, is q/gone.py now"),
        ({"q": None}, "module q (q/q.py) is gone"),
        ({"q": ("q/q.pyi", "1")}, "module q was q/q.py and is q/q.pyi now"),
    ],
)
def test_a_name_that_means_something_else_is_a_miss(
    cache: ViewCache, meanings: Meanings, now: dict[str, tuple[str, str] | None], reason: str
) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    meanings.now.update(now)
    assert why(cache, look_at({"q/gone.py": ""})) == reason


def test_what_appeared_and_means_nothing_is_asked_about_and_is_a_hit(
    cache: ViewCache, meanings: Meanings
) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    later = look_at({"q/gone.py": ""})
    meanings.free = ("r",)
    assert cache.look_up(later, package(later)).status == "hit"
    assert meanings.asked == 1
    assert cache.look_up(later, package(later)).status == "hit"
    assert meanings.asked == 1  # it was written down
    assert cache.look_up(snapshot, package(snapshot)).status == "hit"


def test_another_layout_is_asked_about_once(cache: ViewCache, meanings: Meanings) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    meanings.free = ("q/gone.py", "r/gone.py")
    later = look_at(NEW_PACKAGE)
    assert cache.look_up(later, package(later)).status == "hit"
    lookup = cache.look_up(later, package(later))
    assert meanings.asked == 1
    assert lookup.candidate is not None
    assert lookup.candidate.absent == meanings.free
    assert later.layout in lookup.candidate.layouts
    meanings.now["gone"] = ("r/gone.py", "1")
    assert why(cache, look_at({**NEW_PACKAGE, "r/gone.py": ""})).startswith("module gone, absent before")


def test_layouts_are_forgotten_not_refused(cache: ViewCache, meanings: Meanings) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    later = [
        look_at({f"new{number}/pyproject.toml": PROJECT.format(number), f"new{number}/n.py": ""})
        for number in range(MOST_LAYOUTS + 3)
    ]
    for each in later:
        assert cache.look_up(each, package(each)).status == "hit"
    candidate = cache.look_up(later[-1], package(later[-1])).candidate
    assert candidate is not None
    assert len(candidate.layouts) <= MOST_LAYOUTS
    assert cache.look_up(snapshot, package(snapshot)).status == "hit"


def test_each_state_outside_has_its_own_view(cache: ViewCache, meanings: Meanings) -> None:
    states = [look_at({"q/q.py": f"Q = {number}\n"}) for number in range(MOST_CANDIDATES)]
    for number, each in enumerate(states):
        cache.save(each, package(each), consulting(each, meanings, f"{number}\n"))
    for number, each in enumerate(states):
        meanings.now = q_of(each)
        assert read(cache, cache.look_up(each, package(each))).body == f"{number}\n"
    more = look_at({"q/q.py": "Q = 'more'\n"})
    cache.save(more, package(more), consulting(more, meanings, "more\n"))
    assert read(cache, cache.look_up(more, package(more))).body == "more\n"
    meanings.now = q_of(states[0])
    assert why(cache, states[0]) == "q/q.py has changed"  # the oldest is forgotten


def test_a_view_that_is_made_again_replaces_its_candidate(
    cache: ViewCache, store: TieredStore, meanings: Meanings
) -> None:
    snapshot = look_at()
    for _ in range(3):
        cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    entry = store.get("index", record_name(snapshot))
    assert entry is not None
    assert len(parse_record(entry.payload)) == 1


@pytest.mark.parametrize("outer", [[], [("x.pyi", "2")], [("y.pyi", "1")], [("x.pyi", "1"), ("y.pyi", "1")]])
def test_sources_outside_are_part_of_it(
    cache: ViewCache, meanings: Meanings, outer: list[tuple[str, str]]
) -> None:
    snapshot = look_at()
    meanings.outer = [("x.pyi", "1")]
    cache.save(snapshot, package(snapshot), built())
    assert cache.look_up(snapshot, package(snapshot)).status == "hit"
    meanings.outer = outer
    assert why(cache, snapshot) == "links or sources outside its directory have changed"
    assert cache.known(snapshot, package(snapshot)) is None


def test_what_it_depends_on_can_be_read(cache: ViewCache, meanings: Meanings) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    fields = cache.look_up(snapshot, package(snapshot)).fields
    assert fields["made by toy"] == "2"
    assert fields["package"] == "p"
    assert fields["tree"] == f"files:{snapshot.tree_id(package(snapshot))}"
    assert fields["inputs"] == f"gone -\nq {snapshot.object_id('q/q.py')} q/q.py"
    missing = look_at({"q/q.py": "Q = 2\n"})
    meanings.now = q_of(missing)
    assert cache.look_up(missing, package(missing)).fields["inputs"] == fields["inputs"]


# --- For many packages at once ------------------------------------------------------------------------


def test_what_is_known_is_read_once(cache: ViewCache, store: TieredStore, meanings: Meanings) -> None:
    snapshot = look_at()
    assert cache.known(snapshot, package(snapshot)) is None
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    key = cache.known(snapshot, package(snapshot))
    assert key is not None
    assert store.contains("views", key)
    before = store.stats.hits
    assert cache.known(look_at({"q/other.py": ""}), package(snapshot)) == key
    assert store.stats.hits == before
    changed = look_at({"q/q.py": "Q = 2\n"})
    meanings.now = q_of(changed)
    assert cache.known(changed, package(changed)) is None


# --- Stores behind ------------------------------------------------------------------------------------


def test_a_view_behind_is_found_and_copied(cache: ViewCache, meanings: Meanings, tmp_path: Path) -> None:
    snapshot = look_at()
    cache.save(snapshot, package(snapshot), consulting(snapshot, meanings))
    behind = LocalStore(tmp_path / "cache", read_only=True)
    own = TieredStore(LocalStore(tmp_path / "own"), [behind])
    reading = ViewCache(own, {"ifacegen": "1", "toy": "2"}, meanings)
    view = read(reading, reading.look_up(snapshot, package(snapshot)))
    assert parts(view) == parts(built("text\n").view)
    later = look_at(NEW_PACKAGE)
    assert reading.look_up(later, package(later)).status == "hit"
    alone = ViewCache(LocalStore(tmp_path / "own"), {"ifacegen": "1", "toy": "2"}, meanings)
    assert alone.look_up(later, package(later)).status == "hit"


def test_candidates_of_all_stores_count(cache: ViewCache, meanings: Meanings, tmp_path: Path) -> None:
    """A record of the local store does not hide the one behind."""
    first, second = look_at(), look_at({"q/q.py": "Q = 2\n"})
    cache.save(first, package(first), consulting(first, meanings, "first\n"))
    own = TieredStore(LocalStore(tmp_path / "own"), [LocalStore(tmp_path / "cache", read_only=True)])
    reading = ViewCache(own, {"ifacegen": "1", "toy": "2"}, meanings)
    reading.save(second, package(second), consulting(second, meanings, "second\n"))
    for snapshot, text in ((first, "first\n"), (second, "second\n")):
        meanings.now = q_of(snapshot)
        assert read(reading, reading.look_up(snapshot, package(snapshot))).body == text


def test_where_nothing_can_be_written_nothing_is_said_to_be_kept(meanings: Meanings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ViewCache(LocalStore(tmp_path / "file/cache"), {}, meanings)
    snapshot = look_at()
    assert not cache.save(snapshot, package(snapshot), built())
    assert why(cache, snapshot) == "no view was made of this tree with this configuration"


# --- Commits ------------------------------------------------------------------------------------------


def test_a_commits_tree_is_remembered(cache: ViewCache, store: TieredStore, tmp_path: Path) -> None:
    root = git_repo(
        {**FILES, "ifacegen.yaml": "version: 1\npackages:\n  - path: q\n    hidden: [q.Q]\n"}, tmp_path / "r"
    )
    repository = Repository.open(root)
    commit = repository.resolve("HEAD")
    snapshot = take(repository, repository.commit_tree(commit), [PythonAdapter()], MemoryFacts(), commit)
    cache.remember(snapshot)
    entry = store.get("trees", git(root, "rev-parse", "HEAD^{tree}"))
    assert entry is not None
    lines = entry.payload.decode().splitlines()
    assert f"layout {snapshot.layout}" in lines
    assert f"configuration {keys.configuration_id(snapshot, package(snapshot))}" in lines
    assert f"package {keys.configuration_id(snapshot, package(snapshot, 'q'))} q" in lines
    writes = store.stats.writes
    cache.remember(snapshot)
    assert store.stats.writes == writes
    store.put("trees", git(root, "rev-parse", "HEAD^{tree}"), b"layout old\n", replace=True)
    cache.remember(snapshot)
    assert store.get("trees", git(root, "rev-parse", "HEAD^{tree}")) is not None
    again = store.get("trees", git(root, "rev-parse", "HEAD^{tree}"))
    assert again is not None
    assert again.payload == entry.payload


def test_a_work_tree_has_no_commit_to_remember(cache: ViewCache, store: TieredStore) -> None:
    cache.remember(look_at())
    assert store.stats.writes == 0


def test_a_view_of_the_work_tree_is_found_at_the_commit(cache: ViewCache, tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    repository = Repository.open(root)
    on_disk = take(repository, repository.work_tree(), [PythonAdapter()], MemoryFacts(), None)
    cache.save(on_disk, package(on_disk), built())
    commit = commit_all(root)
    snapshot = take(repository, repository.commit_tree(commit), [PythonAdapter()], MemoryFacts(), commit)
    assert cache.look_up(snapshot, package(snapshot)).status == "hit"
