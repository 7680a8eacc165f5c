"""States and kinds of repositories: what is kept is of what was read, and is found wherever it is the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ifacegen import Workspace, building
from ifacegen.errors import IfacegenError
from ifacegen.render.json import to_json, view_value
from support.trees import Link, commit_all, git, git_repo, repo
from support.truth import Lab, fresh

PROJECT = '[project]\nname = "{}"\nversion = "1"\n'
FILES = {
    "libs/core/pyproject.toml": PROJECT.format("core"),
    "libs/core/src/core/__init__.py": "from .shapes import *\n",
    "libs/core/src/core/shapes.py": "class Shape:\n    def area(self) -> float:\n        return 1.0\n",
    "libs/core/src/core/private.py": "def helper() -> int:\n    return 1\n",
    "libs/core/src/core/sub/__init__.py": "SUB = 1\n",
    "apps/shop/pyproject.toml": PROJECT.format("shop"),
    "apps/shop/shop/__init__.py": "from core import *\nfrom newcomer import *\n",
    "other/pyproject.toml": PROJECT.format("other"),
    "other/other.py": 'def other() -> None:\n    """Doc."""\n',
}
CASES = sorted((Path(__file__).parents[1] / "cases/python").iterdir())
PACKAGES = {"apps/shop", "libs/core", "other"}


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A repository, and a cache with the views of its work tree."""
    lab = Lab.of(FILES, tmp_path)
    for package in PACKAGES:
        lab.view(package)
    return lab


def hits(lab: Lab, commit: str | None = None) -> set[str]:
    """The packages whose views are in the store, each of them what a fresh build gives."""
    workspace = lab.workspace()
    found = {each for each in PACKAGES if workspace.look_up(each, commit).status == "hit"}
    for package in found:
        assert workspace.view(package, commit).text == fresh(lab.root, package, commit)
    return found


# --- What git does not tell ---------------------------------------------------------------------------


def _skip_worktree(root: Path) -> None:
    git(root, "update-index", "--skip-worktree", "libs/core/src/core/private.py")
    (root / "libs/core/src/core/private.py").unlink()


def _assume_unchanged(root: Path) -> None:
    git(root, "update-index", "--assume-unchanged", "libs/core/src/core/private.py")
    repo({"libs/core/src/core/private.py": "def edited() -> None: ...\n"}, root)


def _sparse(root: Path) -> None:
    git(root, "sparse-checkout", "set", "--no-cone", "/*", "!/libs/core/src/core/private.py")


def _no_longer_tracked(root: Path) -> None:
    git(root, "rm", "--cached", "--quiet", "libs/core/src/core/private.py")
    repo({".gitignore": "private.py\n"}, root)


def _island(root: Path) -> None:
    git(root / "libs/core/src/core/sub", "init", "--quiet")


def _line_ends(root: Path) -> None:
    repo({".gitattributes": "*.py text=auto\n"}, root)
    commit_all(root)
    crlf = b'"""Module.\r\n\r\n\r\n\r\nText.\r\n"""\r\n\r\n\r\n\r\nX = """\r\n\r\n\r\n"""\r\n'
    repo({"libs/core/src/core/private.py": crlf}, root)
    git(root, "add", "--renormalize", ".")
    git(root, "commit", "--quiet", "--message", "line ends")


def _filtered(root: Path) -> None:
    git(root, "config", "filter.up.clean", "sed s/SECRET/PUBLIC/")
    repo({".gitattributes": "private.py filter=up\n", "libs/core/src/core/private.py": "SECRET = 1\n"}, root)
    commit_all(root)


def _expanded(root: Path) -> None:
    repo({".gitattributes": "*.py ident\n", "libs/core/src/core/private.py": "ID = '$Id: 1 $'\n"}, root)
    commit_all(root)


HIDDEN: list[Callable[[Path], None]] = [
    _skip_worktree, _assume_unchanged, _sparse, _no_longer_tracked, _island, _line_ends, _filtered, _expanded,
]  # fmt: skip


@pytest.mark.parametrize("change", HIDDEN)
@pytest.mark.parametrize("first", [None, "HEAD"], ids=["the work tree first", "the commit first"])
def test_a_work_tree_that_git_calls_clean_is_not_taken_for_the_commit(
    tmp_path: Path, change: Callable[[Path], None], first: str | None
) -> None:
    lab = Lab.of(FILES, tmp_path)
    change(lab.root)
    texts = {commit: fresh(lab.root, "libs/core", commit) for commit in (None, "HEAD")}
    for commit in (first, *texts, *texts):
        assert lab.view("libs/core", commit) == texts[commit]


# --- While it is read ---------------------------------------------------------------------------------


def _built_while(lab: Lab, monkeypatch: pytest.MonkeyPatch, during: Callable[[bool], None]) -> bool:
    """Build a view in this process, as a child would, with something happening before and after it reads."""
    build_here = building.Builder.build_here

    def patched(builder: building.Builder, *arguments: object) -> object:
        during(False)
        try:
            return build_here(builder, *arguments)  # type: ignore[arg-type]
        finally:
            during(True)

    workspace = lab.workspace()
    request = workspace._builder.request(workspace.address("libs/core").package, None)
    monkeypatch.setattr(building.Builder, "build_here", patched)
    building._builders.clear()
    try:
        return bool(building.build(request)["kept"])
    finally:
        monkeypatch.undo()
        building._builders.clear()


EDITED = "def edited() -> None: ...\n"


@pytest.mark.parametrize("put_back", [False, True], ids=["it stays edited", "it is put back"])
@pytest.mark.parametrize("path", ["libs/core/src/core/private.py", "docs/target.py"], ids=["own", "linked"])
def test_a_file_edited_while_the_build_runs_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, put_back: bool
) -> None:
    link = {"docs/target.py": "T = 1\n", "libs/core/src/core/link.py": Link("../../../../docs/target.py")}
    lab = Lab.of({**FILES, **link}, tmp_path)
    before = (lab.root / path).read_text()

    def during(done: bool) -> None:
        repo({path: before if done and put_back else EDITED}, lab.root)

    _built_while(lab, monkeypatch, during)
    assert lab.view("libs/core") == fresh(lab.root, "libs/core")
    assert lab.view("libs/core", "HEAD") == fresh(lab.root, "libs/core", "HEAD")


def test_a_file_edited_after_it_was_read_is_not_taken_for_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = {"docs/target.py": "T = 1\n", "libs/core/src/core/link.py": Link("../../../../docs/target.py")}
    lab = Lab.of({**FILES, **link}, tmp_path)
    edits = {"docs/target.py": EDITED, "libs/core/src/core/private.py": EDITED}

    def during(done: bool) -> None:
        if done:
            repo(edits, lab.root)

    _built_while(lab, monkeypatch, during)
    assert lab.view("libs/core") == fresh(lab.root, "libs/core")
    assert lab.view("libs/core", "HEAD") == fresh(lab.root, "libs/core", "HEAD")


def test_a_file_committed_while_the_build_runs_is_not_missing_from_the_commits_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = Lab.of(FILES, tmp_path)

    def during(done: bool) -> None:
        if not done:
            repo({"libs/core/src/core/late.py": "LATE = 1\n"}, lab.root)
            commit_all(lab.root)

    _built_while(lab, monkeypatch, during)
    assert lab.view("libs/core", "HEAD") == fresh(lab.root, "libs/core", "HEAD")
    assert lab.view("libs/core") == fresh(lab.root, "libs/core")


def test_what_changes_under_an_open_workspace_spoils_no_commits_view(lab: Lab) -> None:
    workspace = lab.workspace()
    repo(
        {"other/other.py": EDITED}, lab.root
    )  # so that something is built, and the child lists the work tree
    workspace.view("other")
    repo({"libs/core/src/core/late.py": "LATE = 1\n"}, lab.root)
    commit_all(lab.root)
    workspace.view("libs/core")
    assert lab.view("libs/core") == fresh(lab.root, "libs/core")
    assert lab.view("libs/core", "HEAD") == fresh(lab.root, "libs/core", "HEAD")


def test_a_package_that_went_while_a_workspace_was_open_is_told_by_name(lab: Lab) -> None:
    repo({"other/other.py": EDITED}, lab.root)
    workspace = lab.workspace()
    workspace.packages()
    shutil.rmtree(lab.root / "other")
    with pytest.raises(IfacegenError, match="other"):
        workspace.view("other")


# --- Kinds of repositories ----------------------------------------------------------------------------


def check_twice(lab: Lab, commit: str | None = None) -> None:
    """Everything is right, and the second time everything hits."""
    lab.check(commit)
    workspace = lab.workspace()
    assert {workspace.look_up(each, commit).status for each in workspace.packages(commit)} == {"hit"}
    lab.check(commit)


def test_a_sha256_repository(tmp_path: Path) -> None:
    lab = Lab.of(FILES, tmp_path, object_format="sha256")
    check_twice(lab)
    check_twice(lab, "HEAD")
    assert len(lab.look_up("other").tree_id or "") == 64
    repo({"libs/core/src/core/shapes.py": "class Dirty: ...\n"}, lab.root)
    check_twice(lab)


def test_a_repository_without_commits(tmp_path: Path) -> None:
    lab = Lab.of(FILES, tmp_path, commit=False)
    check_twice(lab)
    git(lab.root, "add", "--all")
    check_twice(lab)
    commit_all(lab.root)
    check_twice(lab)


def test_a_plain_folder(tmp_path: Path) -> None:
    lab = Lab(repo(FILES, tmp_path / "folder"), tmp_path / "cache")
    check_twice(lab)
    repo({"libs/core/src/core/shapes.py": "class Changed: ...\n"}, lab.root)
    assert lab.look_up("apps/shop").status == "miss"
    check_twice(lab)


def test_a_plain_folder_is_not_taken_for_a_repository(lab: Lab) -> None:
    shutil.rmtree(lab.root / ".git")
    assert hits(lab) == set()
    check_twice(lab)


def test_a_folder_that_becomes_a_repository(tmp_path: Path) -> None:
    """While this process and its child live."""
    lab = Lab(repo({**FILES, ".gitignore": "private.py\n"}, tmp_path / "folder"), tmp_path / "cache")
    check_twice(lab)
    git(lab.root, "init", "--quiet", "--object-format=sha256")
    check_twice(lab)
    commit_all(lab.root)
    check_twice(lab, "HEAD")


def test_a_bare_repository(lab: Lab, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(lab.root), "bare.git")
    bare = Lab(tmp_path / "bare.git", lab.cache)
    assert {bare.look_up(each, "main").status for each in PACKAGES} == {"hit"}
    check_twice(bare, "main")


def test_a_shallow_clone(lab: Lab, tmp_path: Path) -> None:
    commit_all(lab.root)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{lab.root}", "shallow")
    shallow = Lab(tmp_path / "shallow", lab.cache)
    assert hits(shallow) == hits(shallow, "HEAD") == PACKAGES
    repo({"libs/core/src/core/shapes.py": "class Dirty: ...\n"}, shallow.root)
    check_twice(shallow)


def test_a_sparse_checkout_in_cone_mode(lab: Lab) -> None:
    git(lab.root, "sparse-checkout", "set", "--cone", "apps/shop", "other")
    lab.check()
    assert hits(lab, "HEAD") == PACKAGES
    git(lab.root, "sparse-checkout", "disable")
    assert hits(lab) == PACKAGES


def test_a_second_work_tree_hits_what_the_first_made(lab: Lab, tmp_path: Path) -> None:
    git(lab.root, "worktree", "add", "--quiet", "-b", "second", str(tmp_path / "second"))
    second = Lab(tmp_path / "second", lab.cache)
    assert hits(second) == PACKAGES
    repo({"libs/core/src/core/shapes.py": "class Dirty: ...\n"}, second.root)
    check_twice(second)
    assert hits(lab) == PACKAGES


def test_the_repository_itself_as_a_package(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": PROJECT.format("top"),
        "src/top/__init__.py": "from inner import *\nTOP = 1\n",
        "inner/pyproject.toml": PROJECT.format("inner"),
        "inner/inner.py": "INNER = 1\n",
    }
    lab = Lab(git_repo(files, tmp_path / "top"), tmp_path / "cache")
    check_twice(lab)
    check_twice(lab, "HEAD")
    repo({"inner/inner.py": "CHANGED = 1\n"}, lab.root)
    assert lab.look_up(".").status == "miss"
    check_twice(lab)


def test_two_repositories_share_a_cache(lab: Lab, tmp_path: Path) -> None:
    files = {**FILES, "libs/core/src/core/shapes.py": "class Another: ...\n"}
    second = Lab(git_repo(files, tmp_path / "second"), lab.cache)
    assert hits(second) == {"other"}
    check_twice(second)
    assert hits(lab) == PACKAGES


# --- All that a view has ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """The golden cases as packages of one repository, their views in the cache."""
    home = tmp_path_factory.mktemp("cases")
    for case in CASES:
        shutil.copytree(case / "input", home / "repository" / case.name, symlinks=True)
    lab = Lab(
        git_repo({"ifacegen.yaml": "version: 1\npackages: ['*']\n"}, home / "repository"), home / "cache"
    )
    assert lab.workspace().warm(jobs=2).failed == ()
    return lab


@pytest.mark.slow
def test_everything_comes_back_as_it_was_made(cases: Lab) -> None:
    workspace = cases.workspace()
    made = Workspace.open(cases.root, cache=False)
    commit = workspace.repository.resolve("HEAD")
    for package in workspace.packages("HEAD"):
        assert workspace.look_up(package, "HEAD").status == "hit"
        kept = workspace.view(package, "HEAD")
        built = replace(made._builder.build_here(package, commit, {}).view, commit=commit)
        assert kept.text == built.text
        assert to_json(view_value(kept)) == to_json(view_value(built))
        assert workspace.stubs(kept) == made.stubs(built)
        assert workspace.render(kept.modules) == made.render(built.modules)
        assert (tuple(kept.modules), tuple(kept.interfaces)) == (built.modules, built.interfaces)
        assert (tuple(kept.notes), kept.tokens, kept.digest) == (built.notes, built.tokens, built.digest)
