"""One look at a repository: which packages there are is found once, and the layout tells when it may matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ifacegen.adapter import Tree
from ifacegen.config import Config
from ifacegen.discovery import Discovery, survey
from ifacegen.errors import ConfigError, ReadError
from ifacegen.facts import MemoryFacts
from ifacegen.model import Package
from ifacegen.repository import Repository
from ifacegen.snapshot import Snapshot, take
from ifacegen_adapters.python import PythonAdapter
from support.trees import Link, commit_all, git, git_repo, memory_tree, repo

PROJECT = '[project]\nname = "{}"\nversion = "1"\n'
FILES = {
    "ifacegen.yaml": "version: 1\n",
    "libs/core/pyproject.toml": PROJECT.format("core"),
    "libs/core/src/core/__init__.py": "CORE = 1\n",
    "libs/core/src/core/more.py": "MORE = 1\n",
    "libs/core/inner/pyproject.toml": PROJECT.format("inner"),
    "libs/core/inner/inner.py": "INNER = 1\n",
    "libs/corelike/pyproject.toml": PROJECT.format("corelike"),
    "libs/corelike/corelike.py": "LIKE = 1\n",
    "docs/readme.txt": "Text.\n",
}


def look_at(files: Mapping[str, str], facts: MemoryFacts | None = None) -> Snapshot:
    """A snapshot of files that lie nowhere."""
    repository = Repository(Path("/nonexistent"), is_git=False)
    return take(repository, memory_tree(files), [PythonAdapter()], facts or MemoryFacts(), None)


def package(snapshot: Snapshot, path: str) -> Package:
    return next(each for each in snapshot.found.packages if each.path == path)


@pytest.fixture
def surveys(monkeypatch: pytest.MonkeyPatch) -> list[Config]:
    """The configuration of each survey that is made."""
    made: list[Config] = []

    def counted(tree: Tree, config: Config, adapters: Any) -> Discovery:
        made.append(config)
        return survey(tree, config, adapters)

    monkeypatch.setattr("ifacegen.snapshot.survey", counted)
    return made


# --- Which packages there are -------------------------------------------------------------------------

REPOSITORIES = {
    "packages": FILES,
    "a plain folder": {"a.py": "A = 1\n", "b/c.py": "C = 1\n"},
    "nothing": {"readme.txt": "Text.\n"},
    "notes": {
        **FILES,
        "ifacegen.yaml": "version: 1\npackages:\n  - path: absent\n",
        "libs/corelike/pyproject.toml": PROJECT.format("core"),
        "broken/pyproject.toml": "[project\n",
    },
    "edges, roles and names": {
        **FILES,
        "ifacegen.yaml": "version: 1\npackages:\n  - path: libs/core\n    name: heart\n    role: app\n",
        "libs/corelike/pyproject.toml": PROJECT.format("corelike") + 'dependencies = ["core", "inner>=1"]\n',
    },
    "a workspace": {
        **FILES,
        "pyproject.toml": '[tool.uv.workspace]\nmembers = ["libs/*"]\n[project]\nname = "top"\nversion = "1"\n',
        "top/__init__.py": "",
    },
    "names that are no ASCII": {"é/pyproject.toml": PROJECT.format("é"), "é/ü.py": "U = 1\n"},
}


@pytest.mark.parametrize("files", REPOSITORIES.values(), ids=REPOSITORIES)
def test_what_was_found_before_is_what_is_found(surveys: list[Config], files: Mapping[str, str]) -> None:
    facts = MemoryFacts()
    first, second = look_at(files, facts), look_at(files, facts)
    assert len(surveys) == 1
    assert (first.found, first.reads, first.layout) == (second.found, second.reads, second.layout)
    assert second.found == survey(memory_tree(files), second.config, [PythonAdapter()])


SAME: dict[str, Mapping[str, str]] = {
    "contents of sources": {"libs/core/src/core/__init__.py": "CHANGED = 1\n"},
    "contents of other files": {"docs/readme.txt": "Changed.\n"},
    "where the cache lies": {"ifacegen.yaml": "version: 1\ncache:\n  max_age: 3d\n"},
}


@pytest.mark.parametrize("change", SAME)
def test_packages_are_looked_for_once_while_only_contents_change(surveys: list[Config], change: str) -> None:
    facts = MemoryFacts()
    before = look_at(FILES, facts)
    after = look_at({**FILES, **SAME[change]}, facts)
    assert len(surveys) == 1
    assert after.found == before.found


OTHER: dict[str, Mapping[str, str]] = {
    "a new file": {"libs/core/new.txt": ""},
    "a project file": {"libs/core/pyproject.toml": PROJECT.format("renamed")},
    "the configuration": {"ifacegen.yaml": "version: 1\npackages: ['libs/*']\n"},
    "a rule": {"ifacegen.yaml": "version: 1\npackages:\n  - path: libs/core\n    name: heart\n"},
    "an adapter that is off": {"ifacegen.yaml": "version: 1\ndiscovery:\n  python: false\n"},
}


@pytest.mark.parametrize("change", OTHER)
def test_they_are_looked_for_again_when_it_may_matter(surveys: list[Config], change: str) -> None:
    facts = MemoryFacts()
    look_at(FILES, facts)
    files = {**FILES, **OTHER[change]}
    assert look_at(files, facts).found == look_at(files).found
    assert len(surveys) == 3


def test_other_adapters_find_for_themselves() -> None:
    facts = MemoryFacts()
    look_at(FILES, facts)
    repository = Repository(Path("/nonexistent"), is_git=False)
    assert take(repository, memory_tree(FILES), [], facts, None).found.packages == ()


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{}", b"[]", b"null", b'{"reads": []}', b"\xff", b'{"reads": 1, "packages": [], "notes": []}',
     b'{"reads": [["a"]], "packages": [], "notes": []}', b'{"reads": [], "packages": [{}], "notes": []}',
     b'{"reads": [], "packages": [1], "notes": []}', b'{"reads": [], "packages": [{"path": 1}], "notes": []}'],
)  # fmt: skip
def test_what_is_not_understood_is_found_again(damaged: bytes) -> None:
    class Damaged(MemoryFacts):
        def get(self, **fields: str) -> bytes | None:
            return damaged

    assert look_at(FILES, Damaged()).found == look_at(FILES).found


def test_a_project_file_that_could_not_be_read_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = MemoryFacts()
    tree = memory_tree(FILES)
    read = type(tree).read

    def unreadable(self: Any, path: str) -> Any:
        if path == "libs/core/pyproject.toml":
            raise ReadError(path, "not now")
        return read(self, path)

    with monkeypatch.context() as patched:
        patched.setattr(type(tree), "read", unreadable)
        patched.setattr(type(tree), "id", lambda self, path: unreadable(self, path).id)
        before = look_at(FILES, facts)
    assert "project-unparsed" in {note.code for each in before.found.packages for note in each.notes}
    assert look_at(FILES, facts).found == look_at(FILES).found != before.found


def test_what_an_adapter_failed_to_find_is_found_another_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("too many open files")

    facts = MemoryFacts()
    with monkeypatch.context() as patched:
        patched.setattr(PythonAdapter, "find_projects", fail)
        assert {note.code for note in look_at(FILES, facts).found.notes} == {"adapter-failed"}
    assert look_at(FILES, facts).found == look_at(FILES).found


def test_a_line_end_in_a_path_is_not_the_end_of_a_path() -> None:
    facts = MemoryFacts()
    one = {"a\nb/c.py": "C = 1\n"}
    two = {"a": "", "b/c.py": "C = 1\n"}
    look_at(one, facts)
    assert look_at(two, facts).found == look_at(two).found


def test_a_mistake_in_the_configuration_is_told_each_time() -> None:
    facts = MemoryFacts()
    look_at(FILES, facts)
    for _ in range(2):
        with pytest.raises(ConfigError, match="version must be 1"):
            look_at({**FILES, "ifacegen.yaml": "version: 2\n"}, facts)


# --- Layouts ------------------------------------------------------------------------------------------

SAME_LAYOUT: dict[str, Mapping[str, str]] = {
    **SAME,
    "a new module": {"libs/core/src/core/new.py": ""},
    "another published name": {"libs/core/pyproject.toml": PROJECT.format("heart")},
    "dependencies": {"libs/core/pyproject.toml": PROJECT.format("core") + 'dependencies = ["inner"]\n'},
    "names and roles": {
        "ifacegen.yaml": "version: 1\npackages:\n  - path: libs/core\n    name: heart\n    role: app\n"
    },
    "what is shown of a package": {
        "ifacegen.yaml": "version: 1\npackages:\n  - path: libs/core\n    public: [core.x]\nview: {docs: none}\n"
    },
}
OTHER_LAYOUT: dict[str, Mapping[str, str]] = {
    "a new package": {"new/pyproject.toml": PROJECT.format("new"), "new/new.py": ""},
    "another source root": {"libs/core/src/second/__init__.py": ""},
    "other modules": {"libs/core/pyproject.toml": PROJECT.format("core") + '[tool.setuptools]\npackages = ["src.core"]\n'},
    "what is excluded": {"ifacegen.yaml": "version: 1\nexclude: [nothing]\n"},
    "fewer packages": {"ifacegen.yaml": "version: 1\npackages: [libs/core]\n"},
}  # fmt: skip


@pytest.mark.parametrize("change", SAME_LAYOUT)
def test_the_layout_stays(change: str) -> None:
    assert look_at({**FILES, **SAME_LAYOUT[change]}).layout == look_at(FILES).layout


@pytest.mark.parametrize("change", OTHER_LAYOUT)
def test_the_layout_changes(change: str) -> None:
    assert look_at({**FILES, **OTHER_LAYOUT[change]}).layout != look_at(FILES).layout


def test_packages_inside_a_package() -> None:
    snapshot = look_at({**FILES, "pyproject.toml": PROJECT.format("top"), "top.py": ""})
    found = {each.path: snapshot.nested(each) for each in snapshot.found.packages}
    assert found == {
        ".": ("libs/core", "libs/core/inner", "libs/corelike"),
        "libs/core": ("libs/core/inner",),
        "libs/core/inner": (),
        "libs/corelike": (),
    }


# --- Files --------------------------------------------------------------------------------------------


def test_a_file_has_its_id_unless_it_is_excluded() -> None:
    files = {**FILES, "ifacegen.yaml": "version: 1\nexclude: [more.py]\n"}
    snapshot = look_at(files)
    tree = memory_tree(files)
    assert snapshot.object_id("docs/readme.txt") == tree.id("docs/readme.txt")
    for path in ("libs/core/src/core/more.py", "absent", "docs", ""):
        assert snapshot.object_id(path) is None


def test_files_and_directories_are_there_or_not() -> None:
    snapshot = look_at({**FILES, "ifacegen.yaml": "version: 1\nexclude: [readme.txt]\n"})
    for path in ("libs", "libs/core", "libs/core/src/core/more.py"):
        assert snapshot.has(path)
    for path in ("lib", "libs/cor", "docs", "docs/readme.txt", "libs/core/src/core/more.py/x"):
        assert not snapshot.has(path)


# --- Commits ------------------------------------------------------------------------------------------


def at(root: Path, revision: str, near: Snapshot | None = None) -> Snapshot:
    """A snapshot of a commit."""
    repository = Repository.open(root)
    everything = repository.commit_tree(revision, near.everything if near is not None else None)
    commit = repository.resolve(revision)
    return take(repository, everything, [PythonAdapter()], MemoryFacts(), commit, near)


def test_ids_of_a_commits_directories(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    snapshot = at(root, "HEAD")
    assert snapshot.root_tree == git(root, "rev-parse", "HEAD^{tree}")
    for each in snapshot.found.packages:
        assert snapshot.tree_id(each) == git(root, "rev-parse", f"HEAD:{each.path}")


def test_what_lies_on_disk_has_no_root_tree(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    repository = Repository.open(root)
    snapshot = take(repository, repository.work_tree(), [PythonAdapter()], MemoryFacts(), None)
    assert snapshot.root_tree is None
    assert snapshot.tree_id(package(snapshot, "libs/core")) == git(root, "rev-parse", "HEAD:libs/core")


def test_a_plain_folder_has_ids_of_its_own(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    head = git(root, "rev-parse", "HEAD:libs/core")
    repository = Repository(root, is_git=False)
    tree = memory_tree(FILES)
    snapshot = take(repository, tree, [PythonAdapter()], MemoryFacts(), None)
    found = snapshot.tree_id(package(snapshot, "libs/core"))
    assert found not in (None, head)


CONTENTS = {"libs/core/src/core/more.py": "CHANGED = 1\n", "docs/readme.txt": "Changed.\n"}


def test_a_commit_near_another_takes_over_what_was_found(surveys: list[Config], tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    before = at(root, "HEAD")
    repo(CONTENTS, root)
    commit_all(root)
    after = at(root, "HEAD", before)
    assert len(surveys) == 1
    assert after.found is before.found
    assert after.layout == before.layout == at(root, "HEAD").layout
    assert after.tree_id(package(after, "libs/core")) == git(root, "rev-parse", "HEAD:libs/core")
    assert after.object_id("docs/readme.txt") == git(root, "rev-parse", "HEAD:docs/readme.txt")
    assert after.tree.read("docs/readme.txt").data == b"Changed.\n"


@pytest.mark.parametrize("change", [*OTHER, *OTHER_LAYOUT, "a file goes", "a link"])
def test_a_commit_that_differs_in_more_is_looked_at_for_itself(tmp_path: Path, change: str) -> None:
    root = git_repo(FILES, tmp_path / "r")
    before = at(root, "HEAD")
    if change == "a file goes":
        (root / "libs/core/inner/pyproject.toml").unlink()
    elif change == "a link":
        repo({"libs/core/src/core/link.py": Link("more.py")}, root)
    else:
        repo({**OTHER, **OTHER_LAYOUT}[change], root)
    commit_all(root)
    after, alone = at(root, "HEAD", before), at(root, "HEAD")
    assert (after.found, after.layout, after.config) == (alone.found, alone.layout, alone.config)
    assert after.everything.paths == alone.everything.paths
    assert after.everything.links == alone.everything.links
    assert at(root, "HEAD~1", after).found == before.found


def test_what_is_excluded_at_a_commit_is_that_commits_affair(tmp_path: Path) -> None:
    root = git_repo({**FILES, "ifacegen.yaml": "version: 1\nexclude: [more.py]\n"}, tmp_path / "r")
    before = at(root, "HEAD")
    repo({"ifacegen.yaml": "version: 1\n"}, root)
    commit_all(root)
    after = at(root, "HEAD", before)
    assert "libs/core/src/core/more.py" in after.tree
    assert "libs/core/src/core/more.py" not in at(root, "HEAD~1", after).tree


# --- Links --------------------------------------------------------------------------------------------

#: Link in `p` → its target, and where it ends if the package's own tree does not tell; None where it does.
LINKS: dict[str, tuple[str, str | None]] = {
    "inside": ("b.py", None),
    "inside, by a directory": ("sub/../b.py", None),
    "out": ("../q/c.py", "q/c.py"),
    "out and back in": ("../p/b.py", None),
    "nowhere": ("absent.py", ""),
    "nowhere outside": ("../q/absent.py", ""),
    "a directory": ("sub", ""),
    "out of the repository": ("../../x.py", ""),
    "absolute": ("/etc/passwd", ""),
    "by a link outside": ("../q/current.py", "q/c.py"),
    "by a link inside": ("hop.py", "p/b.py"),
    "by a linked directory": ("folder/d.py", "p/sub/d.py"),
    "by a linked directory outside": ("../q/folder/d.py", "p/sub/d.py"),
    "a circle": ("a.py", ""),
}


@pytest.mark.parametrize("kind", LINKS)
def test_links_that_the_packages_own_tree_does_not_settle(tmp_path: Path, kind: str) -> None:
    target, end = LINKS[kind]
    files = {
        "p/pyproject.toml": PROJECT.format("p"),
        "p/a.py": Link(target),
        "p/b.py": "B = 1\n",
        "p/sub/d.py": "D = 1\n",
        "p/hop.py": Link("b.py"),
        "p/folder": Link("sub"),
        "q/c.py": "C = 1\n",
        "q/current.py": Link("c.py"),
        "q/folder": Link("../p/sub"),
    }
    root = git_repo(files, tmp_path / "r")
    repository = Repository.open(root)
    on_disk = take(repository, repository.work_tree(), [PythonAdapter()], MemoryFacts(), None)
    for snapshot in (at(root, "HEAD"), on_disk):
        found = {path: (where, known) for path, where, known in snapshot.links(package(snapshot, "p"))}
        assert "p/folder" in found
        if end is None:
            assert "p/a.py" not in found
        else:
            assert found["p/a.py"] == (end, git(root, "rev-parse", f"HEAD:{end}") if end else "")
