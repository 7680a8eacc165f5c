"""A cached answer is never different from a fresh one, whatever happens to the repository in between.

A small monorepo is changed step by step, as people, editors and git change one. After every step each package's
view is built afresh, asked for through one shared store, and through the fast path before and after that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen import Workspace
from ifacegen.errors import IfacegenError
from support.trees import Link, commit_all, git
from support.truth import Lab, printed, run

PROJECT = '[project]\nname = "{}"\nversion = "1"\n'

#: `shop` takes names from everywhere: another package's module and private base, a namespace that two packages
#: share, a plain folder, what is not there yet; links lead out of it and inside it.
FILES: Mapping[str, str] = {
    "ifacegen.yaml": "version: 1\npackages:\n  - path: plain/kit\n    hidden: [kit.secret]\n",
    ".gitignore": "*.log\n",
    "libs/core/pyproject.toml": PROJECT.format("core"),
    "libs/core/src/core/__init__.py": '"""Core."""\nfrom .shapes import *\n',
    "libs/core/src/core/shapes.py": "from ._base import _Base\n\nclass Shape(_Base): ...\n\nEDGES = 4\n",
    "libs/core/src/core/_base.py": (
        'class _Base:\n    """Base."""\n\n    def area(self) -> float:\n        return 1.0\n'
    ),
    "libs/draw/pyproject.toml": PROJECT.format("acme-draw"),
    "libs/draw/src/acme/draw/__init__.py": "from core import *\nfrom acme.paint import *\n",
    "libs/paint/pyproject.toml": PROJECT.format("acme-paint"),
    "libs/paint/src/acme/paint/__init__.py": "from acme.late import *\nCOLOUR = 'red'\n",
    "apps/shop/pyproject.toml": PROJECT.format("shop"),
    "apps/shop/shop/__init__.py": (
        "from core.shapes import *\nfrom newcomer import *\nfrom acme.draw import EDGES as EDGES\n"
        "from kit import *\nfrom .table import *\n"
    ),
    "apps/shop/shop/square.py": "from core._base import _Base\n\nclass Square(_Base):\n    side: int = 1\n",
    "apps/shop/shop/linked.py": Link("../../../libs/core/src/core/shapes.py"),
    "apps/shop/shop/dangling.py": Link("../../../libs/core/src/core/late.py"),
    "apps/shop/shop/inside.py": Link("square.py"),
    "apps/shop/shop/through.py": Link("../../../tools/current.py"),
    "plain/kit/__init__.py": "def open_kit(size): ...\n\ndef secret(): ...\n",
    "tools/readme.txt": "Tools.\n",
    "tools/current.py": Link("one.py"),
    "tools/one.py": "ONE = 1\n",
    "tools/two.py": "TWO = 'two'\n",
}
#: Where nothing is at first and something may come: what is consulted, what goes before it, new packages.
ABSENT = (
    "libs/core/src/core/late.py", "libs/core/src/core/shapes.pyi", "libs/core/src/core/extra/__init__.py",
    "libs/core/src/core-stubs/__init__.pyi", "libs/core/src/newcomer.py", "libs/core/core.py",
    "libs/draw/src/acme/late.py", "libs/draw/src/acme/__init__.py", "libs/paint/src/acme/late/__init__.py",
    "libs/newcomer/pyproject.toml", "libs/newcomer/newcomer.py", "tools/newcomer/pyproject.toml",
    "tools/newcomer/src/newcomer/__init__.py", "tools/pyproject.toml", "apps/shop/shop/table.py",
    "apps/shop/shop/build/made.py", "apps/shop/shop/build/__init__.py", "apps/shop/shop/noise.log",
    "apps/shop/shop/vendor/pyproject.toml", "apps/shop/shop/é ü\"'.py", "apps/shop/shop/tests/test_shop.py",
    "plain/kit-stubs/__init__.pyi", "plain/kit.pyi", "plain/__init__.py", "plain/kit/more.py",
    "apps/shop/.gitignore", "apps/shop/shop/__pycache__/kept.py", ".gitattributes", "pyproject.toml",
)  # fmt: skip
PATHS = (*FILES, *ABSENT)
FOLDERS = (
    "libs/core", "libs/core/src/core", "libs/draw/src/acme", "libs/newcomer", "tools", "tools/newcomer",
    "apps/shop/shop", "apps/shop/shop/build", "plain/kit",
)  # fmt: skip
MODULES = (
    "EDGES = 5\n",
    "from core import *\nLATE: int = 1\n",
    "__all__ = ['table', 'Shape']\n\ndef table(rows: int) -> list[int]:\n    '''Rows.'''\n    return [rows]\n",
    "class _Base:\n    def area(self) -> int:\n        return 2\n\nclass Shape(_Base):\n    kept = 1\n",
    "def broken(:\n",
    "def crlf(x: int) -> str:\r\n    '''Doc.\r\n\r\n\r\n    More.\r\n    '''\r\n    return 'x'\r\n",
    "",
)
CONFIGS = (
    "version: 1\n",
    "version: 1  # a comment\npackages:\n  - path: plain/kit\n    hidden: [kit.secret]\n    name: kit\n    role: test\n",
    "version: 1\ncache:\n  max_age: 3d\npackages:\n  - path: plain/kit\n    hidden: [kit.secret]\n",
    "version: 1\npackages:\n  - path: plain/kit\n    public: [kit.secret]\n",
    "version: 1\nview:\n  docs: none\n",
    "version: 1\nexclude: [late.py, /libs/core/src/core/shapes.py]\n",
    "version: 1\npackages: ['libs/*', 'tools/*', 'plain/*']\n",
    "version: 2\n",
)
IGNORED = ("*.log\n", "late.py\n", "newcomer/\n", "square.py\n/plain/kit-stubs/\n", "!*.log\nkit.pyi\n")
ATTRIBUTES = ("* text=auto\n", "*.py text eol=crlf\n", "*.py ident\n")
PROJECTS = (
    *(PROJECT.format(name) for name in ("newcomer", "core", "other")),
    PROJECT.format("layout") + '[tool.setuptools]\npackages = ["core", "newcomer"]\n',
)


class Step:
    """One thing that happens to a repository."""

    def do(self, root: Path) -> None:
        """Let it happen."""
        raise NotImplementedError


@dataclass(frozen=True)
class Write(Step):
    path: str
    content: str

    def do(self, root: Path) -> None:
        place = root / self.path
        for above in reversed(place.parents):
            if above.is_symlink() or above.is_file():
                above.unlink()
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(self.content.encode())


@dataclass(frozen=True)
class Edit(Step):
    """As editors that write in place do it, time and size kept if asked: the worst case for who compares them."""

    path: str
    old: str
    new: str
    keeps_time: bool

    def do(self, root: Path) -> None:
        place = root / self.path
        if place.is_file():
            before = place.stat()
            place.write_bytes(place.read_bytes().replace(self.old.encode(), self.new.encode()))
            if self.keeps_time:
                os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


@dataclass(frozen=True)
class Turn(Step):
    """A symbolic link is made, or turned to another target."""

    path: str
    target: str

    def do(self, root: Path) -> None:
        place = root / self.path
        if place.is_dir() and not place.is_symlink():
            return
        place.unlink(missing_ok=True)
        if place.parent.is_dir():
            place.symlink_to(self.target)


@dataclass(frozen=True)
class Remove(Step):
    path: str

    def do(self, root: Path) -> None:
        place = root / self.path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)


@dataclass(frozen=True)
class Rename(Step):
    path: str
    to: str

    def do(self, root: Path) -> None:
        place, to = root / self.path, root / self.to
        if os.path.lexists(place) and not os.path.lexists(to) and place not in to.parents:
            to.parent.mkdir(parents=True, exist_ok=True)
            place.rename(to)


@dataclass(frozen=True)
class Touch(Step):
    path: str
    mode: int

    def do(self, root: Path) -> None:
        place = root / self.path
        if place.is_file() and not place.is_symlink():
            place.touch()
            place.chmod(self.mode)


@dataclass(frozen=True)
class Git(Step):
    """A git command; one that git refuses changes nothing."""

    arguments: tuple[str, ...]

    def do(self, root: Path) -> None:
        with suppress(subprocess.CalledProcessError):
            git(root, *self.arguments)


@dataclass(frozen=True)
class Commit(Step):
    def do(self, root: Path) -> None:
        with suppress(subprocess.CalledProcessError):  # an island without commits cannot be added
            commit_all(root)


@dataclass(frozen=True)
class Island(Step):
    """A repository of its own inside."""

    path: str

    def do(self, root: Path) -> None:
        if (root / self.path).is_dir():
            git(root / self.path, "init", "--quiet")


@dataclass(frozen=True)
class Hold(Step):
    """A workspace is opened, and asked for everything after each later step: a library's user who goes on."""

    def do(self, root: Path) -> None:
        """Nothing happens to the repository."""


def command(*arguments: str) -> st.SearchStrategy[Step]:
    return st.just(Git(arguments))


path = st.sampled_from(PATHS)
sources = st.sampled_from([each for each in PATHS if each.endswith((".py", ".pyi"))])
projects = st.sampled_from([each for each in PATHS if each.endswith("pyproject.toml")])
folder = st.sampled_from(FOLDERS)
steps = st.one_of(
    st.builds(Write, sources, st.sampled_from(MODULES)),
    st.builds(Write, st.sampled_from(ABSENT), st.sampled_from(MODULES)),
    st.builds(Write, projects, st.sampled_from(PROJECTS)),
    st.builds(Write, st.just("ifacegen.yaml"), st.sampled_from(CONFIGS)),
    st.builds(Write, st.sampled_from([".gitignore", ".git/info/exclude", "apps/shop/.gitignore"]), st.sampled_from(IGNORED)),
    st.builds(Write, st.just(".gitattributes"), st.sampled_from(ATTRIBUTES)),
    st.builds(Edit, sources, st.sampled_from(["EDGES", "float", "1", "Base"]), st.sampled_from(["SIDES", "bytes", "2"]), st.booleans()),
    st.builds(Turn, sources, st.sampled_from(["one.py", "two.py", "../../../tools/current.py", "square.py", "../nowhere.py"])),
    st.builds(Remove, path | folder),
    st.builds(Rename, path | folder, path | folder),
    st.builds(Touch, sources, st.sampled_from([0o644, 0o755])),
    st.builds(Commit),
    st.builds(Island, folder),
    st.builds(Hold),
    command("add", "--all"),
    command("checkout", "--quiet", "--force", "main"),
    command("checkout", "--quiet", "-B", "other"),
    command("checkout", "--quiet", "HEAD~1"),
    command("checkout", "--quiet", "--", "."),
    command("stash", "--include-untracked"),
    command("stash", "pop"),
    command("reset", "--quiet"),
    command("clean", "--quiet", "--force", "-d"),
    path.map(lambda each: Git(("rm", "--cached", "--quiet", "--", each))),
    path.map(lambda each: Git(("add", "--force", "--", each))),
    sources.map(lambda each: Git(("update-index", "--assume-unchanged", each))),
    sources.map(lambda each: Git(("update-index", "--skip-worktree", each))),
)  # fmt: skip


def happens(story: list[Step], home: Path) -> None:
    """Let the steps happen to a new repository, and ask after each."""
    lab = Lab.of(FILES, home)
    lab.check()
    held: Workspace | None = None
    for step in story:
        step.do(lab.root)
        if held is not None:
            ask(held)
        if isinstance(step, Hold):
            held = lab.workspace()
            ask(held)
        lab.check()
        if isinstance(step, Commit | Git):
            lab.check("HEAD")
    asked = run(lab.root, "--cache-dir", str(lab.cache), "show", "apps/shop")
    if asked.returncode == 0:
        assert asked.stdout.decode() == printed(lab.view("apps/shop"))


def ask(workspace: Workspace) -> None:
    """What it says may be old; what it keeps must not be."""
    with suppress(IfacegenError):
        for package in workspace.packages():
            with suppress(IfacegenError):
                workspace.view(package)


@pytest.mark.slow
@settings(max_examples=int(os.environ.get("TRUTH_EXAMPLES", "12")))
@given(st.lists(steps, min_size=1, max_size=10))
def test_cached_answers_are_what_fresh_ones_are(story: list[Step]) -> None:
    with TemporaryDirectory(prefix="ifacegen-truth-") as home:
        happens(story, Path(home))
