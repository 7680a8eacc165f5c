"""Trees of a commit, of the work tree and of plain folders; nothing is written, nothing outside is read."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen.errors import ReadError, RepositoryError, UnknownRevision, UsageError
from ifacegen.repository import Repository
from ifacegen.trees import ListedTree, paths_below, resolve_links
from support.trees import commit_all, git, git_repo, repo

Open = Callable[[Path], ListedTree]


def _work(root: Path) -> ListedTree:
    return Repository.open(root).work_tree()


def _head(root: Path) -> ListedTree:
    return Repository.open(root).commit_tree("HEAD")


def _codes(tree: ListedTree) -> dict[str, str]:
    return {note.path: note.code for note in tree.notes}


BOTH = pytest.mark.parametrize("read", [_work, _head])

PLAIN = """
a/
  __init__.py |
  core.py     | X = 1
b.py          | Y = 2
"""


# -- opening ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [".", "a", "a/core.py"])
def test_the_top_of_the_repository_is_found_from_below(tmp_path: Path, start: str) -> None:
    git_repo(PLAIN, tmp_path)
    opened = Repository.open(tmp_path / start)
    assert (opened.root, opened.is_git) == (tmp_path, True)


def test_what_is_in_no_repository_is_a_plain_folder(tmp_path: Path) -> None:
    repo(PLAIN, tmp_path)
    opened = Repository.open(tmp_path / "a")
    assert (opened.root, opened.is_git) == (tmp_path / "a", False)
    assert list(opened.work_tree().paths) == ["__init__.py", "core.py"]
    with pytest.raises(UnknownRevision, match="not a git repository"):
        opened.commit_tree("HEAD")


def test_a_directory_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such directory"):
        Repository.open(tmp_path / "nowhere")


def test_variables_of_another_repository_are_not_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = git_repo("other.py |", tmp_path / "other")
    root = git_repo(PLAIN, tmp_path / "root")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert list(_work(root).paths) == list(_head(root).paths) == ["a/__init__.py", "a/core.py", "b.py"]


def test_without_git_a_repository_is_read_as_a_plain_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git_repo(PLAIN, tmp_path)
    monkeypatch.setenv("PATH", "")
    opened = Repository.open(tmp_path / "a")
    assert (opened.root, opened.is_git) == (tmp_path, False)
    tree = opened.work_tree()
    assert list(tree.paths) == ["a/__init__.py", "a/core.py", "b.py"]
    assert [note.code for note in tree.notes] == ["git-unusable"]
    assert "not installed" in tree.notes[0].message


def test_a_work_tree_whose_repository_is_gone_is_a_plain_folder_with_a_note(tmp_path: Path) -> None:
    repo({"a.py": "", ".git": "gitdir: /nowhere/.git/worktrees/x\n"}, tmp_path)
    tree = _work(tmp_path)
    assert list(tree.paths) == ["a.py"]
    assert [note.code for note in tree.notes] == ["git-unusable"]


def test_an_unsafe_owner_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git_repo(PLAIN, tmp_path)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    with pytest.raises(RepositoryError, match=r"dubious ownership.*safe\.directory") as caught:
        Repository.open(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_bare_repository_has_commits_and_no_work_tree(tmp_path: Path) -> None:
    git_repo(PLAIN, tmp_path / "root")
    git(tmp_path, "clone", "--quiet", "--bare", str(tmp_path / "root"), "bare.git")
    opened = Repository.open(tmp_path / "bare.git")
    assert opened.commit_tree("main").read("b.py").data == b"Y = 2\n"
    with pytest.raises(RepositoryError, match="bare"):
        opened.work_tree()


def test_where_one_stands_is_relative_to_the_root(tmp_path: Path) -> None:
    git_repo(PLAIN, tmp_path / "root")
    opened = Repository.open(tmp_path / "root")
    assert [opened.relative(tmp_path / each) for each in ("root", "root/a", "elsewhere")] == [".", "a", "."]


# -- the work tree ------------------------------------------------------------------------------------


def test_the_work_tree_is_what_lies_there_now(tmp_path: Path) -> None:
    root = git_repo({**_plain(), ".gitignore": "ignored.py\n", "gone.py": ""}, tmp_path)
    (root / "gone.py").unlink()
    repo({"new.py": "N = 3\n", "ignored.py": "", "b.py": "Y = 4\n"}, root)
    tree = _work(root)
    assert list(tree.paths) == [".gitignore", "a/__init__.py", "a/core.py", "b.py", "new.py"]
    assert tree.read("b.py").data == b"Y = 4\n"
    assert "gone.py" not in tree
    assert "new.py" in tree
    assert tree.notes == ()


def _plain() -> dict[str, str]:
    return {"a/__init__.py": "", "a/core.py": "X = 1\n", "b.py": "Y = 2\n"}


JUNK = """
pkg/build/__init__.py          | # a package that is called build
pkg/build/core.py              |
build/lib/pkg/core.py          |
dist/pkg.py                    |
target/x.py                    |
node_modules/left/index.js     |
pkg/node_modules/a.js          |
.venv/lib/x.py                 |
venv/lib/x.py                  |
pkg/__pycache__/x.pyc          |
pkg.egg-info/PKG-INFO          |
.mypy_cache/x.json             |
bazel-out/x.py                 |
src/bazel-rules/x.py           |
.hidden/x.py                   |
"""
NO_JUNK = [".hidden/x.py", "pkg/build/__init__.py", "pkg/build/core.py", "src/bazel-rules/x.py"]


def test_output_of_tools_is_left_out_of_plain_folders(tmp_path: Path) -> None:
    assert list(_work(repo(JUNK, tmp_path)).paths) == NO_JUNK


def test_what_an_npm_package_publishes_is_there_in_plain_folders(tmp_path: Path) -> None:
    picture = {
        "unpacked/package.json": "{}",
        "unpacked/dist/types/index.d.ts": "export {};",
        "unpacked/build/x.js": "",
        "other/dist/x.js": "",
    }
    tree = Repository.open(repo(picture, tmp_path)).work_tree()
    assert list(tree.paths) == ["unpacked/dist/types/index.d.ts", "unpacked/package.json"]


def test_output_of_tools_is_left_out_of_the_work_tree_unless_tracked(tmp_path: Path) -> None:
    root = git_repo({"target/tracked.py": "", "node_modules/tracked.js": ""}, tmp_path)
    repo(JUNK, root)
    assert list(_work(root).paths) == sorted([*NO_JUNK, "node_modules/tracked.js", "target/tracked.py"])


def test_a_file_that_vanishes_after_the_listing_is_a_read_error(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path)
    tree = _work(root)
    (root / "b.py").unlink()
    with pytest.raises(ReadError, match=r"b\.py: No such file") as caught:
        tree.read("b.py")
    assert pickle.loads(pickle.dumps(caught.value)).path == "b.py"


@pytest.mark.parametrize("replacement", ["link", "pipe", "directory"])
def test_what_takes_the_place_of_a_file_is_not_read(tmp_path: Path, replacement: str) -> None:
    outside = repo({"secret": "s"}, tmp_path / "outside")
    root = git_repo(PLAIN, tmp_path / "root")
    tree = _work(root)
    place = root / "b.py"
    place.unlink()
    if replacement == "link":
        place.symlink_to(outside / "secret")
    elif replacement == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    with pytest.raises(ReadError, match=r"b\.py"):
        tree.read("b.py")


def test_a_tracked_directory_that_became_a_link_is_not_entered(tmp_path: Path) -> None:
    outside = repo({"core.py": "SECRET = 1\n"}, tmp_path / "outside")
    root = git_repo(PLAIN, tmp_path / "root")
    shutil.rmtree(root / "a")
    (root / "a").symlink_to(outside)
    tree = _work(root)
    assert list(tree.paths) == ["b.py"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_read_error_and_an_unreadable_folder_a_note(tmp_path: Path) -> None:
    root = repo(PLAIN, tmp_path)
    (root / "b.py").chmod(0)
    (root / "a").chmod(0)
    try:
        tree = _work(root)
        assert _codes(tree) == {"a": "unreadable"}
        with pytest.raises(ReadError, match="Permission denied"):
            tree.read("b.py")
    finally:
        (root / "a").chmod(0o755)


@BOTH
@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "nope.py", "a", "", "b.py/"])
def test_only_listed_paths_are_read(tmp_path: Path, read: Open, path: str) -> None:
    tree = read(git_repo(PLAIN, tmp_path))
    assert path not in tree
    with pytest.raises(
        ReadError, match="out of the repository" if ".." in path or path[:1] == "/" else "no such"
    ):
        tree.read(path)


# -- commits ------------------------------------------------------------------------------------------


def test_a_commit_is_read_from_objects_and_the_work_tree_is_left_alone(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path)
    repo({"b.py": "Y = 5\n", "c.py": "Z = 1\n"}, root)
    second = commit_all(root)
    repo({"b.py": "dirty\n"}, root)
    before = {path: path.stat() for path in root.rglob("*") if ".git" not in path.parts}
    opened = Repository.open(root)
    old, new = opened.commit_tree("HEAD~1"), opened.commit_tree(second[:9])
    assert "c.py" not in old
    assert [old.read("b.py").data, new.read("b.py").data] == [b"Y = 2\n", b"Y = 5\n"]
    assert new.commit == second
    assert {path: path.stat() for path in root.rglob("*") if ".git" not in path.parts} == before


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_ids_are_those_of_git_in_both_trees(tmp_path: Path, object_format: str) -> None:
    root = git_repo({**_plain(), "empty": "", "bytes": b"\0\xff\r\n"}, tmp_path, object_format=object_format)
    work, head = _work(root), _head(root)
    assert work.paths == head.paths
    assert [work.read(path) for path in work.paths] == [head.read(path) for path in head.paths]
    assert work.read("bytes").id == git(root, "rev-parse", "HEAD:bytes")


@pytest.mark.parametrize(
    "revision", ["nope", "-x", "--all", "", "HEAD~9", "HEAD:b.py", "HEAD:a", "a b", "x\0y", "@{9}"]
)
def test_a_revision_that_is_no_commit_is_refused_in_one_line(tmp_path: Path, revision: str) -> None:
    opened = Repository.open(git_repo(PLAIN, tmp_path))
    with pytest.raises(UnknownRevision) as caught:
        opened.commit_tree(revision)
    assert "\n" not in str(caught.value)
    assert "no such commit: " in str(caught.value)


@pytest.mark.parametrize("revision", ["HEAD", "main", "v1", "v1^{}", "refs/heads/main", "--odd"])
def test_revisions_of_all_kinds_are_resolved(tmp_path: Path, revision: str) -> None:
    root = git_repo(PLAIN, tmp_path)
    git(root, "tag", "--annotate", "--message", "one", "v1")
    head = git(root, "rev-parse", "HEAD")
    git(root, "update-ref", "refs/heads/--odd", head)
    opened = Repository.open(root)
    if revision == "--odd":
        revision = "refs/heads/--odd"
    assert opened.resolve(revision) == head


def test_a_repository_without_a_commit_has_a_work_tree(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path, commit=False)
    assert list(_work(root).paths) == ["a/__init__.py", "a/core.py", "b.py"]
    with pytest.raises(UnknownRevision):
        Repository.open(root).commit_tree("HEAD")


def test_a_missing_object_is_a_read_error_of_that_file_alone(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path)
    tree = _head(root)
    blob = git(root, "rev-parse", "HEAD:b.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(ReadError, match=f"b.py: git cannot read object {blob[:12]}"):
        tree.read("b.py")
    assert tree.read("a/core.py").data == b"X = 1\n"


def test_a_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path / "root")
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{root}", "partial")
    tree = Repository.open(tmp_path / "partial").commit_tree("HEAD")
    assert list(tree.paths) == ["a/__init__.py", "a/core.py", "b.py"]
    with pytest.raises(ReadError, match="partial clone"):
        tree.read("b.py")


def test_a_commit_beyond_a_shallow_clone_is_unknown(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path / "root")
    commit_all(root)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{root}", "shallow")
    opened = Repository.open(tmp_path / "shallow")
    assert opened.commit_tree("HEAD").read("b.py").data == b"Y = 2\n"
    with pytest.raises(UnknownRevision):
        opened.commit_tree("HEAD~1")


def test_replaced_objects_are_read_under_their_own_id(tmp_path: Path) -> None:
    root = git_repo({"a.py": "A = 1\n", "b.py": "B = 2\n"}, tmp_path)
    git(root, "replace", git(root, "rev-parse", "HEAD:a.py"), git(root, "rev-parse", "HEAD:b.py"))
    assert _head(root).read("a.py").data == b"A = 1\n"


def test_the_process_that_reads_blobs_ends_with_the_repository(tmp_path: Path) -> None:
    opened = Repository.open(git_repo(PLAIN, tmp_path))
    opened.commit_tree("HEAD").read("b.py")
    process = opened._blobs._process
    assert process is not None
    assert process.poll() is None
    del opened
    gc.collect()
    assert process.returncode is not None


def test_a_closed_repository_starts_again(tmp_path: Path) -> None:
    with Repository.open(git_repo(PLAIN, tmp_path)) as opened:
        tree = opened.commit_tree("HEAD")
        assert tree.read("b.py").data == b"Y = 2\n"
    assert tree.read("b.py").data == b"Y = 2\n"
    opened.close()


# -- links and names ----------------------------------------------------------------------------------

LINKS = """
a/core.py       | X = 1
a/near.py       -> core.py
far.py          -> a/near.py
over.py         -> dir/core.py
dir             -> a
up/down.py      -> ../a/../a/./core.py
out.py          -> ../outside.py
absolute.py     -> /etc/passwd
dangling.py     -> nowhere.py
loop1.py        -> loop2.py
loop2.py        -> loop1.py
self.py         -> self.py
top             -> .
through.py      -> dir/../a/core.py
"""


@BOTH
def test_links_to_files_inside_read_as_those_files_and_others_are_noted(tmp_path: Path, read: Open) -> None:
    repo({"outside.py": "SECRET = 1\n"}, tmp_path)
    tree = read(git_repo(LINKS, tmp_path / "root"))
    inside = ["a/core.py", "a/near.py", "far.py", "over.py", "through.py", "up/down.py"]
    assert list(tree.paths) == inside
    assert {tree.read(path).data for path in inside} == {b"X = 1\n"}
    assert len({tree.read(path).id for path in inside}) == 1
    left_out = ["absolute.py", "dangling.py", "dir", "loop1.py", "loop2.py", "out.py", "self.py", "top"]
    assert _codes(tree) == dict.fromkeys(left_out, "link-skipped")
    messages = {note.path: note.message for note in tree.notes}
    assert "circle" in messages["loop1.py"]
    assert "out of the repository" in messages["out.py"]
    assert "directory" in messages["dir"]


def test_a_plain_folder_treats_links_alike(tmp_path: Path) -> None:
    plain, head = _work(repo(LINKS, tmp_path / "plain")), _head(git_repo(LINKS, tmp_path / "git"))
    assert plain.paths == head.paths
    assert _codes(plain) == _codes(head)


def test_a_link_to_an_ignored_file_is_left_out(tmp_path: Path) -> None:
    root = git_repo({".gitignore": "*.gen\n", "x.gen": ""}, tmp_path)
    (root / "x.py").symlink_to("x.gen")
    assert _codes(_work(root)) == {"x.py": "link-skipped"}


@given(
    st.dictionaries(
        st.sampled_from(["a", "b", "c/d", "c/e", "f"]),
        st.text("abcdef/.", min_size=1, max_size=9),
        max_size=5,
    )
)
def test_links_of_any_kind_resolve_to_listed_files_or_notes(links: dict[str, str]) -> None:
    files = {"x": "x", "c/x": "c/x"}
    resolved, ends, notes = resolve_links(files, links)
    assert set(resolved.values()) <= set(files)
    assert {path: link.end for path, link in ends.items() if link.end} == {
        link: resolved[link] for link in set(resolved) - set(files)
    }
    assert {path: link.target for path, link in ends.items()} == links
    assert set(resolved) - set(files) | {note.path for note in notes} == set(links)


@BOTH
def test_a_path_that_is_not_utf8_is_left_out_with_a_note(tmp_path: Path, read: Open) -> None:
    root = git_repo(PLAIN, tmp_path, commit=False)
    (root / os.fsdecode(b"caf\xe9.py")).touch()
    commit_all(root)
    tree = read(root)
    assert list(tree.paths) == ["a/__init__.py", "a/core.py", "b.py"]
    assert _codes(tree) == {"caf\\xe9.py": "path-not-utf8"}


def test_a_plain_folder_leaves_such_names_out_too(tmp_path: Path) -> None:
    root = repo(PLAIN, tmp_path)
    (root / os.fsdecode(b"caf\xe9")).mkdir()
    assert _codes(_work(root)) == {"caf\\xe9": "path-not-utf8"}


@BOTH
def test_odd_names_are_taken_as_they_are(tmp_path: Path, read: Open) -> None:
    names = [
        "with space.py",
        "tab\there.py",
        "line\nbreak.py",
        'quote".py',
        "-x.py",
        "é.py",
        "e\u0301.py",
        "*.py",
        ":x",
    ]
    tree = read(git_repo(dict.fromkeys(names, "x"), tmp_path))
    assert list(tree.paths) == sorted(names)
    assert all(tree.read(name).data == b"x" for name in names)


@BOTH
def test_submodules_are_not_entered(tmp_path: Path, read: Open) -> None:
    inner = git_repo(PLAIN, tmp_path / "inner")
    root = git_repo({"own.py": ""}, tmp_path / "root")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    commit_all(root)
    tree = read(root)
    assert list(tree.paths) == [".gitmodules", "own.py"]
    assert _codes(tree) == {"sub": "nested-repository"}


@pytest.mark.parametrize("lay", [git_repo, repo])
def test_a_repository_inside_is_an_island(tmp_path: Path, lay: Callable[..., Path]) -> None:
    root = lay({"own.py": ""}, tmp_path)
    git_repo(PLAIN, root / "vendor" / "lib")
    tree = _work(root)
    assert list(tree.paths) == ["own.py"]
    assert _codes(tree) == {"vendor/lib": "nested-repository"}


# -- listings -----------------------------------------------------------------------------------------


@given(st.sets(st.text("ab/.-0", min_size=1, max_size=6)), st.text("ab/.-0", max_size=4))
def test_below_is_what_a_prefix_search_finds(paths: set[str], directory: str) -> None:
    listing = sorted(paths)
    prefix = directory.strip("/")
    expected = listing if prefix in ("", ".") else [path for path in listing if path.startswith(prefix + "/")]
    assert list(paths_below(listing, directory)) == expected


@BOTH
def test_below_takes_directories_as_they_are_written(tmp_path: Path, read: Open) -> None:
    tree = read(git_repo({"a/x": "", "a-b/x": "", "ab/x": "", "a/b/x": ""}, tmp_path))
    assert list(tree.below("a")) == list(tree.below("a/")) == ["a/b/x", "a/x"]
    assert list(tree.below("")) == list(tree.below(".")) == list(tree.paths)


def test_nothing_is_written_to_a_repository(tmp_path: Path) -> None:
    root = git_repo(PLAIN, tmp_path)
    os.utime(root / "b.py", (1, 1))  # makes git want to refresh its index
    index = (root / ".git" / "index").read_bytes()
    _work(root)
    _head(root)
    assert (root / ".git" / "index").read_bytes() == index
    assert (
        subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, check=True).stdout
        == b""
    )


def test_a_link_that_a_partial_clone_lacks_is_noted(tmp_path: Path) -> None:
    root = git_repo(LINKS, tmp_path)
    blob = git(root, "rev-parse", "HEAD:dir")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    tree = _head(root)
    assert "a/near.py" in tree
    assert _codes(tree)["dir"] == "link-skipped"
