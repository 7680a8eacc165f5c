"""Ids of directories: what lies on disk has the id that git gives it once it is committed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen.errors import RepositoryError
from ifacegen.repository import Repository
from ifacegen.treeids import folder_id, tree_ids, work_tree_id
from support.trees import Link, commit_all, git, git_repo, memory_tree, repo
from support.truth import change

FILES = {
    ".gitignore": "*.log\n",
    "p/a.py": "A = 1\n",
    "p/b.py": "B = 1\n",
    "p/sub/c.py": "C = 1\n",
    "p/link.py": Link("b.py"),
    "p/noise.log": "noise\n",
    "q/d.py": "D = 1\n",
}


def id_of(root: Path, directory: str = "p") -> str | None:
    """The id of a directory as it lies on disk."""
    repository = Repository.open(root)
    return work_tree_id(str(root), directory, repository.work_tree(), repository.hash_name)


def committed(root: Path, directory: str = "p") -> str:
    """git's id of it, after everything is committed."""
    commit_all(root)
    return git(root, "rev-parse", f"HEAD:{directory}" if directory != "." else "HEAD^{tree}")


def raw(root: Path, name: bytes, data: bytes = b"") -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(data)


def remove(*paths: str) -> Callable[[Path], None]:
    def do(root: Path) -> None:
        for path in paths:
            (root / path).unlink()

    return do


def rights(modes: Mapping[str, int]) -> Callable[[Path], None]:
    def do(root: Path) -> None:
        for path, mode in modes.items():
            (root / path).chmod(mode)

    return do


def _type_changes(root: Path) -> None:
    (root / "p/a.py").unlink()
    (root / "p/sub/c.py").unlink()
    (root / "p/sub").rmdir()
    repo({"p/a.py/inner.py": "INNER = 1\n", "p/sub": "no directory any more\n"}, root)


def _folder_becomes_link(root: Path) -> None:
    (root / "p/sub/c.py").unlink()
    (root / "p/sub").rmdir()
    (root / "p/sub").symlink_to("../q")


def _staged_and_edited(root: Path) -> None:
    repo({"p/a.py": "STAGED = 1\n", "p/new.py": "STAGED = 1\n"}, root)
    git(root, "add", "--all")
    repo({"p/a.py": "EDITED = 1\n"}, root)
    (root / "p/new.py").unlink()


def _submodule(root: Path) -> None:
    other = git_repo({"s.py": "S = 1\n"}, root.parent / "other")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(other), "p/module")
    repo({"p/a.py": "BESIDE = 1\n"}, root)


def _conflict(root: Path) -> None:
    git(root, "checkout", "--quiet", "-b", "theirs")
    repo({"p/a.py": "THEIRS = 1\n"}, root)
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    repo({"p/a.py": "OURS = 1\n"}, root)
    commit_all(root)
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "theirs")


CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "modified": lambda root: repo({"p/a.py": "CHANGED = 1\n"}, root),
    "new": lambda root: repo({"p/new/deep/er.py": "NEW = 1\n", "p/z.py": ""}, root),
    "empty": lambda root: repo({"p/a.py": ""}, root),
    "deleted": remove("p/a.py", "p/sub/c.py"),
    "renamed": lambda root: (root / "p/a.py").rename(root / "p/renamed.py"),
    "ignored": lambda root: repo({"p/more.log": "noise\n", "p/sub/.gitignore": "c.py\nd.py\n", "p/sub/d.py": ""}, root),
    "a new link": lambda root: repo({"p/to.py": Link("sub/c.py"), "p/out.py": Link("../q/d.py")}, root),
    "links that lead nowhere": lambda root: repo(
        {"p/no.py": Link("nothing"), "p/dir": Link("sub"), "p/abs": Link("/etc/passwd"), "p/up": Link("../../..")}, root
    ),
    "a link is turned": lambda root: change(root, {"p/link.py": Link("a.py")}),
    "a link becomes a file": lambda root: change(root, {"p/link.py": "FILE = 1\n"}),
    "a file becomes a link": lambda root: change(root, {"p/a.py": Link("b.py")}),
    "executable": rights({"p/a.py": 0o755, "p/b.py": 0o700}),
    "other rights": rights({"p/a.py": 0o600, "p/b.py": 0o664}),
    "kinds change": _type_changes,
    "a directory becomes a link": _folder_becomes_link,
    "staged": lambda root: [repo({"p/a.py": "S = 1\n", "p/n.py": ""}, root), git(root, "add", "--all")],
    "staged and edited": _staged_and_edited,
    "a deletion staged": lambda root: git(root, "rm", "--quiet", "p/a.py"),
    "a conflict": _conflict,
    "a submodule": _submodule,
    "outside": lambda root: repo({"q/d.py": "CHANGED = 1\n", "other.py": ""}, root),
    "spaces and quotes": lambda root: repo({"p/a b/'c' \"d\".py": "1\n", "p/ e ": "2\n", "p/*?[x].py": "3\n", "p/:(top)x": ""}, root),
    "line ends and tabs": lambda root: repo({"p/a\nb.py": "1\n", "p/a\tb": "2\n", "p/\\n": "3\n", "p/c\r": ""}, root),
    "not ASCII": lambda root: repo({"p/é/名.py": "1\n", "p/e\u0301": "", "p/\U0001f40d.py": "2\n"}, root),
    "what sorts oddly": lambda root: repo(
        {"p/sub.py": "1\n", "p/sub-x": "2\n", "p/sub0": "3\n", "p/subx/a": "4\n", "p/su": "5\n", "p/A": "6\n"}, root
    ),
    "carriage returns": lambda root: repo({"p/a.py": b"A = 1\r\nB = 2\r\n", "p/binary": b"\0\xff\r\n"}, root),
    "long": lambda root: repo({f"p/{'x' * 200}/{'y' * 200}": "z" * 100_000}, root),
    "a git directory that is no repository": lambda root: repo({"p/sub/git/HEAD": "", "p/.gitkeep": "", "p/sub/.gitmodules": ""}, root),
}  # fmt: skip


@pytest.mark.parametrize("kind", CHANGES)
def test_the_id_is_that_of_the_later_commit(tmp_path: Path, kind: str) -> None:
    root = git_repo(FILES, tmp_path / "r")
    CHANGES[kind](root)
    for directory in ("p", "."):
        before = id_of(root, directory)
        assert before is not None
        assert before == committed(root, directory)
        assert before == id_of(root, directory)
        git(root, "reset", "--quiet", "--soft", "HEAD~1")


@pytest.mark.parametrize("kind", ["modified", "executable", "a new link", "spaces and quotes"])
def test_in_a_sha256_repository_too(tmp_path: Path, kind: str) -> None:
    root = git_repo(FILES, tmp_path / "r", object_format="sha256")
    CHANGES[kind](root)
    before = id_of(root)
    assert before is not None
    assert len(before) == 64
    assert before == committed(root)


def test_without_commits_it_is_the_id_of_the_first(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r", commit=False)
    before = id_of(root), id_of(root, ".")
    assert before == (committed(root), git(root, "rev-parse", "HEAD^{tree}"))


def test_a_directory_that_no_commit_has(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    repo({"new/deep/x.py": "X = 1\n"}, root)
    before = id_of(root, "new"), id_of(root, "new/deep")
    assert before == (committed(root, "new"), git(root, "rev-parse", "HEAD:new/deep"))


def test_paths_that_are_no_text_are_as_they_are_staged(tmp_path: Path) -> None:
    """They are in no view, so nobody needs them read; but the id of a clean directory is the commit's."""
    root = git_repo(FILES, tmp_path / "r")
    raw(root, b"p/\xff.py", b"X = 1\n")
    untracked = id_of(root)
    assert untracked == git(root, "rev-parse", "HEAD:p")
    assert committed(root) == id_of(root) != untracked


def test_a_submodule_is_as_it_is_staged(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    _submodule(root)
    before = committed(root)
    repo({"p/module/s.py": "MOVED = 1\n"}, root)
    git(root / "p/module", "commit", "--quiet", "--all", "--message", "moved")
    assert id_of(root) == before
    git(root, "add", "p/module")
    assert id_of(root) == committed(root) != before


@pytest.mark.parametrize("tracked", [False, True])
def test_a_repository_inside_is_not_there(tmp_path: Path, tracked: bool) -> None:
    """Views do not look into it either."""
    root = git_repo(FILES, tmp_path / "r")
    inner = root / "p/inner"
    repo({"x.py": "X = 1\n"}, inner)
    if tracked:
        commit_all(root)
    without = git(root, "rev-parse", "HEAD~1:p" if tracked else "HEAD:p")
    git(inner, "init", "--quiet")
    assert id_of(root) == without


# --- What the id must tell apart, whatever git calls clean --------------------------------------------


def test_the_bytes_on_disk_count_not_what_git_makes_of_them(tmp_path: Path) -> None:
    root = git_repo({**FILES, ".gitattributes": "*.py text eol=crlf\n"}, tmp_path / "r")
    head = git(root, "rev-parse", "HEAD:p")
    assert id_of(root) == head
    (root / "p/a.py").unlink()
    git(root, "checkout", "--", "p/a.py")
    assert git(root, "status", "--porcelain") == ""
    assert (root / "p/a.py").read_bytes() == b"A = 1\r\n"
    assert id_of(root) != head


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_was_told_not_to_look_at_counts(tmp_path: Path, flag: str) -> None:
    root = git_repo(FILES, tmp_path / "r")
    git(root, "update-index", flag, "p/a.py")
    clean = id_of(root)
    repo({"p/a.py": "EDITED = 1\n"}, root)
    assert git(root, "status", "--porcelain") == ""
    edited = id_of(root)
    (root / "p/a.py").unlink()
    assert len({clean, edited, id_of(root)}) == 3


def test_what_is_listed_counts(tmp_path: Path) -> None:
    """Not what a later look at the disk would list: the view is made of the listing."""
    root = git_repo(FILES, tmp_path / "r")
    head = git(root, "rev-parse", "HEAD:p")
    repository = Repository.open(root)
    listed = repository.work_tree()
    repo({"p/late.py": "LATE = 1\n"}, root)
    commit_all(root)
    assert work_tree_id(str(root), "p", listed, "sha1") == head
    assert id_of(root) == git(root, "rev-parse", "HEAD:p") != head


def test_what_was_read_cannot_change_any_more(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    listed = Repository.open(root).work_tree()
    listed.read("p/a.py")
    repo({"p/a.py": "EDITED = 1\n"}, root)
    assert work_tree_id(str(root), "p", listed, "sha1") == git(root, "rev-parse", "HEAD:p")


def test_what_cannot_be_read_has_no_id(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    listed = Repository.open(root).work_tree()
    (root / "p/a.py").unlink()
    assert work_tree_id(str(root), "p", listed, "sha1") is None
    assert work_tree_id(str(root), "q", listed, "sha1") == git(root, "rev-parse", "HEAD:q")


def test_a_directory_with_nothing_in_it_has_no_id(tmp_path: Path) -> None:
    root = git_repo({**FILES, "empty/": ""}, tmp_path / "r")
    assert id_of(root, "empty") is None
    assert id_of(root, "absent") is None


# --- Nothing is left behind ---------------------------------------------------------------------------


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("kind", ["modified", "new", "deleted", "staged and edited", "a conflict"])
def test_the_users_index_and_objects_stay_as_they_are(tmp_path: Path, kind: str) -> None:
    root = git_repo(FILES, tmp_path / "r")
    CHANGES[kind](root)
    before = state(root)
    assert id_of(root) is not None
    assert state(root) == before


def test_filters_are_not_run(tmp_path: Path) -> None:
    root = git_repo({**FILES, ".gitattributes": "*.py filter=trap\n"}, tmp_path / "r")
    git(root, "config", "filter.trap.clean", f"touch {tmp_path}/trapped; cat")
    git(root, "config", "filter.trap.smudge", f"touch {tmp_path}/trapped; cat")
    repo({"p/a.py": "EDITED = 1\n", "p/new.py": "NEW = 1\n"}, root)
    assert id_of(root) is not None
    assert not (tmp_path / "trapped").exists()


# --- Any names ----------------------------------------------------------------------------------------

NAME = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=4
).filter(lambda name: name not in (".", "..") and name.lower().strip(". ") not in ("git", "git~1"))
SHORT = st.sampled_from(["a", "b", "a.b", "a-b", "a0", "a b", "ab", "A", "é", "-", "~"])


@pytest.fixture(scope="module")
def anything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository without commits, for one tree after the other."""
    return git_repo({}, tmp_path_factory.mktemp("anything"), commit=False)


@settings(max_examples=30)
@given(
    st.dictionaries(
        st.lists(NAME | SHORT, min_size=1, max_size=3).map(tuple), st.binary(max_size=3), min_size=1
    )
)
def test_any_tree_has_gits_id(anything: Path, files: Mapping[tuple[str, ...], bytes]) -> None:
    shutil.rmtree(anything / "p", ignore_errors=True)
    for parts, data in files.items():
        place = anything.joinpath("p", *parts)
        with suppress(OSError):  # a file is where a directory should be, or the other way round
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    listed = Repository.open(anything).work_tree()
    found = work_tree_id(str(anything), "p", listed, "sha1")
    names = b"".join(os.fsencode(each) + b"\0" for each in listed.below("p"))
    git(anything, "read-tree", "--empty")
    command = ["git", "-C", str(anything), "update-index", "--add", "-z", "--stdin"]
    subprocess.run(command, input=names, check=True)
    assert found == (git(anything, "write-tree", "--prefix=p/") if names else None)
    git(anything, "read-tree", "--empty")


# --- Commits ------------------------------------------------------------------------------------------


def test_directories_of_a_commit(tmp_path: Path) -> None:
    root = git_repo({**FILES, "a b/c d/e.py": "", "é/ü.py": ""}, tmp_path / "r")
    found = tree_ids(str(root), git(root, "rev-parse", "HEAD"), ["p", ".", "p/sub", "absent", "a b/c d", "é"])
    wanted = {
        "p": "HEAD:p",
        ".": "HEAD^{tree}",
        "p/sub": "HEAD:p/sub",
        "a b/c d": "HEAD:a b/c d",
        "é": "HEAD:é",
    }
    assert found == {path: git(root, "rev-parse", name) for path, name in wanted.items()}


def test_a_file_has_no_tree(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "r")
    assert tree_ids(str(root), "HEAD", ["p/a.py", "p/link.py", ""]) == {
        "": git(root, "rev-parse", "HEAD^{tree}")
    }


def test_a_directory_with_a_line_end_is_not_asked_for(tmp_path: Path) -> None:
    root = git_repo({**FILES, "x\ny/z.py": ""}, tmp_path / "r")
    assert tree_ids(str(root), "HEAD", ["x\ny", "p"]) == {"p": git(root, "rev-parse", "HEAD:p")}


def test_no_directories_are_no_question(tmp_path: Path) -> None:
    assert tree_ids(str(git_repo(FILES, tmp_path / "r")), "HEAD", []) == {}


def test_outside_of_a_repository_git_refuses(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError):
        tree_ids(str(tmp_path), "HEAD", ["p"])


# --- Plain folders ------------------------------------------------------------------------------------


def test_a_folders_id_is_of_paths_and_contents() -> None:
    files = {"p/a.py": "A = 1\n", "p/sub/b.py": "B = 1\n", "q/c.py": "C = 1\n"}
    known = folder_id(memory_tree(files), "p")
    assert known == folder_id(memory_tree({**files, "q/c.py": "CHANGED = 1\n"}), "p")
    others = [
        {**files, "p/a.py": "A = 2\n"},
        {**files, "p/new.py": ""},
        {"p/a.py": "A = 1\n", "p/b.py": "B = 1\n"},
        {"p/a.py": "B = 1\n", "p/sub/b.py": "A = 1\n"},
        {"p/a.py": "A = 1\n"},
    ]
    assert len({known, *(folder_id(memory_tree(each), "p") for each in others)}) == len(others) + 1


def test_a_folder_with_a_file_that_cannot_be_read_has_no_id(tmp_path: Path) -> None:
    listed = Repository.open(repo({"p/a.py": "A = 1\n"}, tmp_path)).work_tree()
    (tmp_path / "p/a.py").unlink()
    assert folder_id(listed, "p") is None
