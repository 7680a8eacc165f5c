"""What changed is not answered from before: memos of the fast path hold for one state of the repository."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.shown import FILES, PACKAGES, PROJECT, show_all
from support.trees import Link, commit_all, git, repo
from support.truth import Lab, change, fresh, printed, slow


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which most of what tests need is already."""
    lab = Lab.of(FILES, tmp_path_factory.mktemp("warmed"))
    show_all(lab)
    return lab.cache


@pytest.fixture
def made(cache: Path, tmp_path: Path) -> Callable[[dict[str, str | bytes]], Lab]:
    """Makes a repository of a test's own out of more files, and shows its views."""

    def make(more: dict[str, str | bytes]) -> Lab:
        shutil.copytree(cache, tmp_path / "cache")
        lab = Lab.of({**FILES, **more}, tmp_path)
        show_all(lab)
        return lab

    return make


@pytest.fixture
def lab(made: Callable[[dict[str, str | bytes]], Lab]) -> Lab:
    """A repository of a test's own, whose views have been shown."""
    return made({})


def keep_time(path: Path, old: str, new: str) -> None:
    """Edit a file so that neither its size nor its time tells."""
    before = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def add(files: dict[str, str | bytes]) -> Callable[[Lab], None]:
    return lambda lab: change(lab.root, files)


#: What is there before the memo, and what changes then. Every view is asked for afterwards.
CHANGES: dict[str, tuple[dict[str, str | bytes], Callable[[Lab], object]]] = {
    "an edit": ({}, add({"other/other.py": "NEW = 1\n"})),
    "an edit that keeps size and time": (
        {}, lambda lab: keep_time(lab.root / "other/other.py", "None", "bool")
    ),
    "an edit of a consulted file": ({}, add({"libs/core/src/core/shapes.py": "NEW = 1\n"})),
    "an edit of a consulted file that keeps size and time": (
        {}, lambda lab: keep_time(lab.root / "libs/core/src/core/shapes.py", "Shape", "Forms")
    ),
    "a new file": ({}, add({"libs/core/src/core/new.py": "NEW = 1\n"})),
    "a file goes": ({}, lambda lab: (lab.root / "libs/core/src/core/shapes.py").unlink()),
    "a file gets another name": (
        {}, lambda lab: (lab.root / "apps/core/core_app.py").rename(lab.root / "apps/core/core_ape.py")
    ),
    "a stub appears beside a consulted file": ({}, add({"libs/core/src/core/shapes.pyi": "STUB: int\n"})),
    "what was absent in a new package": (
        {}, add({"libs/newcomer/pyproject.toml": PROJECT.format("newcomer"), "libs/newcomer/newcomer.py": "N = 1\n"})
    ),
    "what was absent in another package": ({}, add({"libs/core/src/newcomer.py": "N = 1\n"})),
    "what was absent, in a folder that held no package": (
        {}, add({"tools/newcomer/pyproject.toml": PROJECT.format("newcomer"), "tools/newcomer/newcomer.py": "N = 1\n"})
    ),
    "a folder with sources becomes a package": (
        {"tools/newcomer/newcomer.py": "N = 1\n"}, add({"tools/newcomer/pyproject.toml": PROJECT.format("newcomer")})
    ),
    "what was absent, in a folder left over": (
        {"libs/core/src/newcomer/ignored.py": ""}, add({"libs/core/src/newcomer/__init__.py": "N = 1\n"})
    ),
    "what was absent, where a link led nowhere": (
        {"libs/core/src/newcomer.py": Link("nowhere.py")},
        add({"libs/core/src/newcomer.py": "N = 1\n"}),
    ),
    "what was absent, where a link is turned": (
        {"libs/core/src/newcomer.py": Link("nowhere.py"), "tools/one.py": "ONE = 1\n"},
        add({"libs/core/src/newcomer.py": Link("../../../tools/one.py")}),
    ),
    "the configuration": ({}, add({"ifacegen.yaml": "version: 1\nview: {docs: none}\n"})),
    "the configuration goes": ({}, lambda lab: (lab.root / "ifacegen.yaml").unlink()),
    "the configuration behind a link": (
        {"tools/conf.yaml": "version: 1\n", "ifacegen.yaml": Link("tools/conf.yaml")},
        add({"tools/conf.yaml": "version: 1\nview: {docs: none}\n"}),
    ),
    "a project file": (
        {}, add({"libs/core/pyproject.toml": PROJECT.format("core") + '[tool.setuptools]\npackages = ["core.sub"]\n'})
    ),
    "a project file goes": ({}, lambda lab: (lab.root / "other/pyproject.toml").unlink()),
    "a package inside": (
        {"libs/core/src/core/deep/inner/inner.py": "I = 1\n"},
        add({"libs/core/src/core/deep/inner/pyproject.toml": PROJECT.format("inner")}),
    ),
    "a new file is ignored": (
        {"libs/core/src/core/more.py": "MORE = 1\n"}, add({".gitignore": "ignored.py\nmore.py\n"})
    ),
    "a new file is ignored in the repository alone": (
        {"libs/core/src/core/more.py": "MORE = 1\n"}, add({".git/info/exclude": "more.py\n"})
    ),
    "a new file is ignored in its folder": (
        {"libs/core/src/core/sub/more.py": "MORE = 1\n"}, add({"libs/core/src/core/sub/.gitignore": "more.py\n"})
    ),
    "an ignored file is added": (
        {"libs/core/src/core/ignored.py": "I = 1\n"},
        lambda lab: git(lab.root, "add", "--force", "libs/core/src/core/ignored.py"),
    ),
    "a repository inside": ({}, lambda lab: git(lab.root / "libs/core/src/core/sub", "init", "--quiet")),
    "a repository inside a consulted package": ({}, lambda lab: git(lab.root / "libs/core/src", "init", "--quiet")),
    "a link is turned": (
        {"libs/core/src/core/link.py": Link("../../../../tools/one.py"), "tools/one.py": "ONE = 1\n", "tools/two.py": "T = 2\n"},
        add({"libs/core/src/core/link.py": Link("../../../../tools/two.py")}),
    ),
    "a link on the way is turned": (
        {
            "libs/core/src/core/link.py": Link("../../../../tools/current.py"), "tools/current.py": Link("one.py"),
            "tools/one.py": "ONE = 1\n", "tools/two.py": "T = 2\n",
        },
        add({"tools/current.py": Link("two.py")}),
    ),
    "a link's target appears": (
        {"libs/core/src/core/link.py": Link("../../../../tools/late.py")}, add({"tools/late.py": "LATE = 1\n"})
    ),
    "a tracked file in __pycache__": (
        {"libs/core/src/core/__pycache__/kept.py": "K = 1\n", "libs/core/src/core/more.py": "from .__pycache__.kept import *\n"},
        add({"libs/core/src/core/__pycache__/kept.py": "def kept(a, b, c): ...\n"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("event", CHANGES)
def test_what_changed_is_not_answered_from_before(
    made: Callable[[dict[str, str | bytes]], Lab], event: str
) -> None:
    files, do = CHANGES[event]
    lab = made(files)
    assert "other" in lab.check_quick(PACKAGES)
    do(lab)
    assert lab.check_quick(PACKAGES) != set(PACKAGES)
    commit_all(lab.root)
    assert lab.check_quick(PACKAGES) != set(PACKAGES)


@pytest.mark.slow
def test_nothing_that_git_does_makes_it_old(lab: Lab) -> None:
    repo({"libs/core/src/core/shapes.py": "class Branch: ...\n", "other/new.py": "NEW = 1\n"}, lab.root)
    git(lab.root, "checkout", "--quiet", "-b", "branch")
    for step in (
        ["add", "--all"],
        ["commit", "--quiet", "--message", "branch"],
        ["checkout", "--quiet", "main"],
        ["checkout", "--quiet", "branch"],
        ["reset", "--quiet", "--soft", "main"],
        ["stash", "--quiet"],
        ["stash", "pop", "--quiet"],
        ["rm", "--cached", "--quiet", "other/new.py"],
        ["clean", "--quiet", "--force", "-d"],
        ["checkout", "--quiet", "--force", "main"],
    ):
        git(lab.root, *step)
        lab.check()


def test_after_a_miss_it_answers_again(lab: Lab) -> None:
    repo({"other/other.py": "DIRTY = 1\n"}, lab.root)
    assert lab.quick("other") is None
    text = fresh(lab.root, "other")
    show_all(lab)
    assert lab.quick("other") == printed(text).encode()


IGNORING = {
    "a variable": {
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.excludesFile", "GIT_CONFIG_VALUE_0": "HOME/ignored"
    },
    "parameters": {"GIT_CONFIG_PARAMETERS": "'core.excludesfile=HOME/ignored'"},
    "another user's file": {"GIT_CONFIG_GLOBAL": "HOME/config"},
    "the system's file": {"GIT_CONFIG_SYSTEM": "HOME/config"},
    "another home": {"HOME": "HOME", "XDG_CONFIG_HOME": "HOME"},
}  # fmt: skip


@pytest.mark.parametrize("place", IGNORING)
def test_what_git_is_told_to_ignore_by_the_environment_is_not_shown(
    made: Callable[[dict[str, str | bytes]], Lab], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    lab = made({})
    repo({"libs/core/src/core/more.py": "MORE = 1\n"}, lab.root)
    home = repo(
        {
            "home/ignored": "more.py\n",
            "home/git/ignore": "more.py\n",
            "home/config": f"[core]\n\texcludesFile = {tmp_path}/home/ignored\n",
        },
        tmp_path,
    ) / "home"  # fmt: skip
    show_all(lab)
    assert lab.quick("other") is not None
    for name, value in IGNORING[place].items():
        monkeypatch.setenv(name, value.replace("HOME", str(home)))
    lab.check_quick(PACKAGES)


#: What happens between the opening of a workspace and the memo that it leaves.
MEANWHILE: dict[str, Callable[[Lab], object]] = {
    "an edit": add({"other/other.py": "NEW = 1\n"}),
    "an edit with an old time": lambda lab: keep_time(lab.root / "other/other.py", "None", "bool"),
    "a file goes": lambda lab: (lab.root / "other/more.py").unlink(),
    "a file gets another name": lambda lab: (lab.root / "other/more.py").rename(lab.root / "other/else.py"),
    "the configuration": add({"ifacegen.yaml": "version: 1\nview: {docs: none}\n"}),
    "the configuration goes": lambda lab: (lab.root / "ifacegen.yaml").unlink(),
    "what was absent appears": add(
        {"libs/newcomer/pyproject.toml": PROJECT.format("newcomer"), "libs/newcomer/newcomer.py": "N = 1\n"}
    ),
    "a commit": lambda lab: [repo({"other/other.py": "NEW = 1\n"}, lab.root), commit_all(lab.root)],
    "a repository inside": lambda lab: git(lab.root / "libs/core/src/core/sub", "init", "--quiet"),
}  # fmt: skip


@pytest.mark.parametrize("event", MEANWHILE)
@pytest.mark.parametrize("looked", [False, True], ids=["listed", "looked up"])
def test_a_memo_holds_nothing_of_two_moments(
    made: Callable[[dict[str, str | bytes]], Lab], event: str, looked: bool
) -> None:
    more = '[tool.setuptools]\npy-modules = ["other", "more", "else"]\n'
    lab = made({"other/pyproject.toml": PROJECT.format("other") + more, "other/more.py": "MORE = 1\n"})
    workspace = lab.workspace()
    for each in workspace.packages():
        if looked:
            workspace.look_up(each)
    MEANWHILE[event](lab)
    for package in PACKAGES:
        workspace.view(package)
    lab.check_quick(PACKAGES)


@pytest.mark.parametrize("options", [(), ("--commit", "HEAD")], ids=["work tree", "commit"])
def test_a_mistake_in_the_configuration_is_told_as_the_slow_path_does(
    lab: Lab, options: tuple[str, ...]
) -> None:
    repo({"ifacegen.yaml": "version: 2\n"}, lab.root)
    found = lab.quick("other", *options)
    code, text, _ = slow("-C", str(lab.root), "--cache-dir", str(lab.cache), "show", "other", *options)
    assert (code, found) == (2, None) or (code, found) == (0, text)
