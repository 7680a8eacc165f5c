"""The fast path: where it answers it answers as the slow path does, and what is unusual it leaves alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import platformdirs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ifacegen import Workspace, fastpath, location
from ifacegen_cache import LocalStore
from support.fire import namespace
from support.shown import FILES, PACKAGES, show_all
from support.trees import repo
from support.truth import IFACEGEN, Lab, fresh, printed, slow


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A repository whose views have been shown, the work tree's and the commit's; not to be changed."""
    lab = Lab.of(FILES, tmp_path_factory.mktemp("warmed"))
    show_all(lab)
    return lab


@pytest.fixture
def lab(warmed: Lab, tmp_path: Path) -> Lab:
    """A repository of a test's own, whose views have been shown."""
    shutil.copytree(warmed.cache, tmp_path / "cache")  # so that nothing needs to be built
    lab = Lab.of(FILES, tmp_path)
    show_all(lab)
    return lab


def argv(lab: Lab, *arguments: str) -> list[str]:
    return ["-C", str(lab.root), "--cache-dir", str(lab.cache), *arguments]


# --- Where it answers ---------------------------------------------------------------------------------

#: Working directory, arguments; ROOT and CACHE stand for the paths.
USED = {
    "-C": (".", "-C ROOT --cache-dir CACHE show libs/core"),
    "the other way round": (".", "--cache-dir CACHE -C ROOT show libs/core"),
    "in the repository": ("ROOT", "--cache-dir CACHE show libs/core"),
    "dot slash": ("ROOT", "--cache-dir CACHE show ./libs/core/"),
    "from a subdirectory": ("ROOT/libs", "--cache-dir CACHE show core"),
    "from within": ("ROOT/libs/core/src", "--cache-dir CACHE show .."),
    "the same from elsewhere": ("ROOT/apps", "--cache-dir CACHE show core"),
    "up and down": ("ROOT/apps/shop", "--cache-dir CACHE show ../../libs/core"),
    "a relative -C": ("ROOT/apps", "-C ../libs --cache-dir CACHE show core"),
    "a relative cache": ("ROOT", "--cache-dir ../cache show other"),
    "with a star import": ("ROOT", "--cache-dir CACHE show apps/shop"),
    "with rules of its own": ("ROOT", "--cache-dir CACHE show other"),
    "at a commit": ("ROOT", "--cache-dir CACHE show other --commit HEAD"),
    "the commit first": ("ROOT", "--cache-dir CACHE show --commit HEAD libs/core"),
    "at a branch": ("ROOT/libs", "--cache-dir CACHE show core --commit main"),
    "at a commit with inputs": (".", "-C ROOT --cache-dir CACHE show apps/shop --commit HEAD^0"),
}


def resolved(lab: Lab, words: str) -> str:
    return words.replace("ROOT", str(lab.root)).replace("CACHE", str(lab.cache))


@pytest.mark.parametrize("case", USED)
def test_it_answers_as_the_slow_path_does(
    warmed: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: str
) -> None:
    directory, words = USED[case]
    monkeypatch.chdir(tmp_path / resolved(warmed, directory))
    arguments = resolved(warmed, words).split(" ")
    found = fastpath.attempt(arguments)
    assert found is not None
    assert (0, found, b"") == slow(*arguments)


@pytest.mark.parametrize("case", ["in the repository", "at a commit"])
def test_the_command_answers_by_it(warmed: Lab, case: str) -> None:
    arguments = resolved(warmed, USED[case][1]).split(" ")
    program = (
        "import sys; from ifacegen.__main__ import entry; code = entry();"
        "assert 'ifacegen.cli' not in sys.modules and 'ifacegen.workspace' not in sys.modules; sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, *arguments],
        cwd=warmed.root, check=False, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == slow("-C", str(warmed.root), *arguments)
    installed = warmed.run(*arguments[2:])
    assert (installed.returncode, installed.stdout, installed.stderr) == (0, done.stdout, b"")


HEAVY = (
    "argparse", "asyncio", "concurrent", "dataclasses", "difflib", "griffe", "grpc_tools", "importlib.metadata",
    "inspect", "json", "libcst", "logging", "mypy", "pathlib", "platformdirs", "re", "rich", "shutil",
    "subprocess", "tempfile", "threading", "tiktoken", "tree_sitter", "typing", "yaml",
)  # fmt: skip


@pytest.mark.parametrize("commit", [(), ("--commit", "HEAD")], ids=["work tree", "commit"])
def test_nothing_heavy_is_imported(warmed: Lab, commit: Sequence[str]) -> None:
    """In an interpreter that starts as bare as one can: what `site` brings in is not ours."""
    program = f"""
import sys
sys.prefix = {sys.prefix!r}  # memos are kept by it
sys.path += {[each for each in sys.path if each]!r}
from ifacegen import fastpath
assert fastpath.attempt(sys.argv[1:]) is not None
print(*sorted(set({HEAVY!r}) & set(sys.modules)), sep=",")
"""
    command = [sys.executable, "-I", "-S", "-c", program, *argv(warmed, "show", "apps/shop", *commit)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_it_counts_as_a_hit(lab: Lab) -> None:
    def hits() -> int:
        workspace = lab.workspace()
        from ifacegen_cache import read_stats

        return read_stats(workspace.store.local.directory).hits

    before = hits()
    assert lab.quick("other") is not None
    assert hits() > before


# --- What it leaves to the slow path ------------------------------------------------------------------

#: Arguments, and what the slow path's exit code is.
LEFT = {
    "nothing": ("", 2),
    "help": ("--help", 0),
    "the version": ("--version", 0),
    "another command": ("packages", 0),
    "no address": ("show", 2),
    "two addresses": ("show other libs/core", 0),
    "a published name": ("show core-lib", 0),
    "an import name": ("show core_app", 0),
    "an unknown name": ("show nothing", 2),
    "a file": ("show other/other.py", 0),
    "a declaration": ("show other::other", 0),
    "a module": ("show other --module other", 0),
    "a directory inside a package": ("show libs/core/src", 2),
    "the top": ("show .", 2),
    "an empty address": ("show ''", 2),
    "an empty view": ("show libs/empty", 3),
    "out of the repository": ("show ../repository/other", 2),
    "json": ("show other --format json", 0),
    "text by name": ("show other --format text", 0),
    "an output file": ("show other -o OUT", 0),
    "an unknown option": ("show other --nothing", 2),
    "an option's short form": ("show other --com HEAD", 0),
    "an option with =": ("show other --commit=HEAD", 0),
    "two dashes": ("show -- other", 0),
    "a commit twice": ("show other --commit HEAD --commit main", 0),
    "a commit before the command": ("--commit HEAD show other", 2),
    "-C behind the command": ("show -C . other", 2),
    "--cache-dir behind the command": ("show --cache-dir CACHE other", 2),
    "an option without its value": ("show other --commit", 2),
    "an option for a value": ("show other --commit -x", 2),
    "an empty commit": ("show other --commit ''", 2),
    "an unknown commit": ("show other --commit nothing", 2),
    "a range": ("show other --commit HEAD~0..HEAD", 2),
    "an excluded commit": ("show other --commit ^HEAD", 2),
    "an absolute path": ("show ROOT/other", 2),
    "a tree": ("show other --commit HEAD^{tree}", 2),
    "a file of a commit": ("show other --commit HEAD:other", 2),
    "a null character": ("show other --commit a\0b", 2),
    "a backslash": ("show other\\", 2),
}


@pytest.mark.parametrize("case", LEFT)
def test_what_is_unusual_is_left_to_the_slow_path(warmed: Lab, tmp_path: Path, case: str) -> None:
    words, code = LEFT[case]
    arguments = [
        resolved(warmed, each).replace("OUT", str(tmp_path / "out")).replace("''", "")
        for each in words.split(" ")
        if each
    ]
    given = argv(warmed, *arguments)
    assert fastpath.attempt(given) is None
    assert slow(*given)[0] == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("-C ROOT/nothing --cache-dir CACHE show ../other", 2),
        ("-C ROOT/ifacegen.yaml --cache-dir CACHE show ../other", 0),
        ("-C ROOT --cache-dir -cache show other", 2),
        ("-C -root --cache-dir CACHE show other", 2),
        ("-C ROOT -C ROOT --cache-dir CACHE show other", 0),
        ("-C", 2),
    ],
)
def test_odd_directories_are_left_to_the_slow_path(
    warmed: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, code: int
) -> None:
    (tmp_path / "-root").symlink_to(warmed.root)
    (tmp_path / "-cache").symlink_to(warmed.cache)
    monkeypatch.chdir(tmp_path)
    arguments = resolved(warmed, words).split(" ")
    assert fastpath.attempt(arguments) is None
    assert slow(*arguments)[0] == code


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"])
def test_gits_own_variables_are_left_to_the_slow_path(
    warmed: Lab, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, str(warmed.root / ".git"))
    assert warmed.quick("other") is None
    assert slow(*argv(warmed, "show", "other"))[0] == 0


WORDS = (
    "-C", "ROOT", "ROOT/libs", "--cache-dir", "CACHE", "show", "show", "show", "other", "libs/core", "core", "./other/",
    "../other", "other/other.py", "--commit", "HEAD", "main", "", ".", "..", "-", "--", "-x", "--module", "other::other",
    "packages", "ROOT/other", "/", "OTHER", "HEAD~1", "--commit=HEAD", "-C.", "~", "core_app",
)  # fmt: skip


@settings(max_examples=400)
@example(["-C", "ROOT/libs", "show", "core"])
@example(["show", "other", "--commit", "HEAD"])
@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_whatever_is_written_it_says_nothing_that_the_slow_path_does_not(
    warmed: Lab, words: Sequence[str]
) -> None:
    given = argv(warmed, *(resolved(warmed, word) for word in words))
    bare = ["--cache-dir", str(warmed.cache), *given[4:]]
    before = Path.cwd()
    os.chdir(warmed.root)
    try:
        for each in (given, bare):
            found = fastpath.attempt(each)
            if found is not None:
                assert (0, found, b"") == slow(*each)
    finally:
        os.chdir(before)


def test_without_git_nothing_is_said_of_a_commit(warmed: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert warmed.quick("other", "--commit", "HEAD") is None


def test_a_link_to_a_package_is_left_to_the_slow_path(lab: Lab) -> None:
    (lab.root / "apps/linked").symlink_to("../other")
    assert lab.quick("apps/linked") is None
    assert slow(*argv(lab, "show", "apps/linked"))[0] == 2


def test_through_a_link_to_the_repository_it_is_the_same(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(lab.root)
    found = fastpath.attempt(["-C", str(tmp_path / "link"), "--cache-dir", str(lab.cache), "show", "other"])
    assert found in (None, lab.quick("other"))


def test_a_pipe_that_nobody_reads_ends_quietly(warmed: Lab) -> None:
    command = f"{IFACEGEN} {' '.join(argv(warmed, 'show', 'libs/core'))} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], check=False, capture_output=True)
    assert (done.stdout, done.stderr) == (b"0\n", b"")


def test_closed_streams_are_no_trouble(warmed: Lab) -> None:
    command = f"exec {IFACEGEN} {' '.join(argv(warmed, 'show', 'libs/core'))} >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], check=False).returncode == 0


# --- Damage -------------------------------------------------------------------------------------------

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-1],
    "halved": lambda data: data[: len(data) // 2],
    "empty": lambda _: b"",
    "longer": lambda data: data + b"\n",
    "flipped at the end": lambda data: data[:-2] + bytes([data[-2] ^ 1]) + data[-1:],
    "flipped in the middle": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :],
    "flipped at the start": lambda data: bytes([data[0] ^ 2]) + data[1:],
    "other bytes": lambda data: os.urandom(len(data)),
}  # fmt: skip


@pytest.fixture(params=["worktrees", "index", "views", "trees"])
def entries(request: pytest.FixtureRequest, warmed: Lab) -> Iterator[dict[Path, bytes]]:
    """All entries of a kind, put back when the test is over."""
    paths = (warmed.cache / "v1" / request.param).rglob("*")
    found = {path: path.read_bytes() for path in paths if path.is_file()}
    yield found
    for path, data in found.items():
        path.write_bytes(data)


OPTIONS: tuple[tuple[str, ...], ...] = ((), ("--commit", "HEAD"))


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_never_shown(warmed: Lab, entries: dict[Path, bytes], damage: str) -> None:
    right = [warmed.quick("apps/shop", *options) for options in OPTIONS]
    assert None not in right
    for path, data in entries.items():
        path.write_bytes(DAMAGES[damage](data))
    for whole, options in zip(right, OPTIONS, strict=True):
        assert warmed.quick("apps/shop", *options) in (None, whole)


@pytest.mark.parametrize("damage", ["cut", "flipped at the end"])
def test_damage_is_repaired(warmed: Lab, entries: dict[Path, bytes], damage: str) -> None:
    right = [warmed.quick("apps/shop", *options) for options in OPTIONS]
    for path, data in entries.items():
        path.write_bytes(DAMAGES[damage](data))
    for whole, options in zip(right, OPTIONS, strict=True):
        assert slow(*argv(warmed, "show", "apps/shop", *options)) == (0, whole, b"")
    show_all(warmed)
    workspace = warmed.workspace()
    for package in workspace.packages():
        assert bool(workspace.view(package).modules) == bool(
            package.import_names
        )  # now it is the JSON's turn
    for whole, options in zip(right, OPTIONS, strict=True):
        assert warmed.quick("apps/shop", *options) == whole
    assert warmed.workspace().store.local.verify().damaged == ()


@pytest.mark.parametrize(
    "lines", ["", "generator", "store /nonexistent\nlayout x\nconfiguration y\n", "\n\n\n"]
)
def test_a_whole_memo_of_something_else_is_not_understood(lab: Lab, lines: str) -> None:
    """As an older or newer version may have left it."""
    store = LocalStore(lab.cache)
    for package in ("", "other"):
        store.put("worktrees", fastpath.memo_name(str(lab.root), package), lines.encode(), replace=True)
    assert lab.quick("other") is None
    assert lab.quick("other", "--commit", "HEAD") is None


@pytest.mark.parametrize("kind", ["worktrees", "index", "views", "trees", "facts"])
def test_without_some_of_the_entries_it_is_the_same(lab: Lab, kind: str) -> None:
    right = {package: printed(fresh(lab.root, package)).encode() for package in PACKAGES}
    shutil.rmtree(lab.cache / "v1" / kind)
    for package in PACKAGES:
        assert lab.quick(package) in (None, right[package])
        assert slow(*argv(lab, "show", package)) == (0, right[package], b"")


def test_the_json_must_be_there_too(lab: Lab) -> None:
    """Or the next who asks for it would wait: it is made again by the slow path."""
    lookup = lab.look_up("other")
    assert lookup.candidate is not None
    Path(LocalStore(lab.cache).path("views", lookup.candidate.json_key)).unlink()
    assert lab.quick("other") is None
    lab.view("other")
    assert lab.quick("other") is not None


# --- Where the cache lies -----------------------------------------------------------------------------

#: XDG_CACHE_HOME and HOME; None is not set. TMP stands for a directory.
HOMES = [
    (None, "TMP"), ("TMP/xdg", "TMP"), ("", "TMP"), (" ", "TMP"), ("TMP/xdg/", "TMP"), ("TMP//xdg", "TMP"),
    ("relative", "TMP"), ("~/xdg", "TMP"), (None, "TMP/"), (None, None), (None, ""), ("TMP/xdg", None),
    ("./TMP", "TMP"), ("TMP/é", "TMP"), ("TMP/a b", "TMP"),
]  # fmt: skip


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the slow path knows")
@pytest.mark.parametrize(("cache_home", "home"), HOMES)
def test_it_looks_where_platformdirs_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache_home: str | None, home: str | None
) -> None:
    monkeypatch.delenv("IFACEGEN_CACHE_DIR", raising=False)
    for name, value in (("XDG_CACHE_HOME", cache_home), ("HOME", home)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value.replace("TMP", str(tmp_path)))
    try:
        found = fastpath._default_directory()
    except fastpath._NotHere:
        return
    assert Path(found) == Path(platformdirs.user_cache_dir("ifacegen", appauthor=False))
    assert Path(found) == location.default_directory()


@pytest.mark.parametrize("place", ["XDG_CACHE_HOME", "HOME"])
def test_it_answers_out_of_the_users_cache(lab: Lab, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.delenv("IFACEGEN_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv(place, str(lab.root.parent / "user"))
    view = ""
    for _ in range(2):
        time.sleep(0.06)
        view = Workspace.open(lab.root).view("other").text
    assert fastpath.attempt(["-C", str(lab.root), "show", "other"]) == printed(view).encode()


def test_it_answers_out_of_the_configured_cache(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memo lies in the user's cache, and says where the entries are."""
    monkeypatch.delenv("IFACEGEN_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(lab.root.parent / "user"))
    repo({"ifacegen.yaml": FILES["ifacegen.yaml"] + "cache:\n  dir: .cache\n"}, lab.root)
    repo({".gitignore": ".cache/\n"}, lab.root)
    view = ""
    for _ in range(2):
        time.sleep(0.06)
        view = Workspace.open(lab.root).view("other").text
    assert (lab.root / ".cache/v1/views").is_dir()
    assert fastpath.attempt(["-C", str(lab.root), "show", "other"]) == printed(view).encode()
    assert lab.quick("other") is None or lab.quick("other") == printed(view).encode()


def test_it_answers_out_of_a_read_only_cache(lab: Lab, tmp_path: Path) -> None:
    workspace = Workspace.open(lab.root, cache_dir=tmp_path / "own", read_only_dirs=[lab.cache])
    view = workspace.view("apps/shop").text
    shutil.rmtree(tmp_path / "own/v1/views")
    shutil.rmtree(tmp_path / "own/v1/index", ignore_errors=True)
    found = fastpath.attempt(["-C", str(lab.root), "--cache-dir", str(tmp_path / "own"), "show", "apps/shop"])
    assert found == printed(view).encode()


def test_a_store_that_cannot_be_written_answers(lab: Lab) -> None:
    right = lab.quick("other")
    assert right is not None
    script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'
    command = [str(IFACEGEN), *argv(lab, "show", "other")]
    done = subprocess.run(
        [*namespace(), "sh", "-c", script, "sh", str(lab.cache), *command],
        check=False, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, right, b"")
