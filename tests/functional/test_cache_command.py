"""``ifacegen cache``: what it prints and how it ends, on caches in every condition."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest

from ifacegen import Workspace
from ifacegen.cli import main
from ifacegen_cache import LocalStore, prune
from support.fire import Truth, command, generated, grow, namespace, reading, run
from support.trees import commit_all, git

COMMANDS = ("path", "stats", "verify", "prune", "clear")
KINDS = ("views", "facts", "index", "trees", "worktrees")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two packages; the first imports from the second. Tests leave it as it is."""
    return generated(tmp_path_factory.mktemp("repo") / "r", 2, star="from p1 import *\n")


@pytest.fixture(scope="module")
def full(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warm cache; tests leave it as it is."""
    cache = tmp_path_factory.mktemp("full")
    workspace = Workspace.open(root, cache_dir=cache)
    workspace.warm(jobs=1)
    workspace.view("p0")
    workspace.store.stats.flush(cache)
    return cache


@pytest.fixture
def cache(full: Path, tmp_path: Path) -> Path:
    """A warm cache of a test's own."""
    return shutil.copytree(full, tmp_path / "cache")


@pytest.fixture
def ask(root: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Exit code, stdout and stderr of ``ifacegen cache``, run in this process."""

    def asked(cache: Path, *arguments: str) -> tuple[int, str, str]:
        code = main(["-C", str(root), "--cache-dir", str(cache), "cache", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return asked


Ask = Callable[..., tuple[int, str, str]]


def files(cache: Path) -> dict[str, bytes]:
    """Every file below a directory with its content."""
    return {str(each.relative_to(cache)): each.read_bytes() for each in cache.rglob("*") if each.is_file()}


# --- A full cache -------------------------------------------------------------------------------------


def test_path_is_the_directory(ask: Ask, cache: Path) -> None:
    assert ask(cache, "path") == (0, f"{cache}\n", "")


def test_path_follows_the_option_then_the_environment_then_the_configuration(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ifacegen.yaml").write_text("version: 1\ncache:\n  dir: of-configuration\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IFACEGEN_CACHE_DIR", "of-environment")
    assert main(["--cache-dir", "of-option", "cache", "path"]) == 0
    assert main(["cache", "path"]) == 0
    monkeypatch.delenv("IFACEGEN_CACHE_DIR")
    assert main(["cache", "path"]) == 0
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of-user"))
    (tmp_path / "ifacegen.yaml").unlink()
    assert main(["cache", "path"]) == 0
    places = ["of-option", "of-environment", "of-configuration"]
    if sys.platform.startswith("linux"):
        places.append("of-user/ifacegen")
    assert capfd.readouterr().out.splitlines()[: len(places)] == [str(tmp_path / each) for each in places]


def test_stats_count_entries_and_what_runs_have_found(ask: Ask, cache: Path) -> None:
    code, out, err = ask(cache, "stats")
    lines = out.splitlines()
    assert (code, err, lines[0]) == (0, "", str(cache))
    counts = {kind: len([*(cache / "v1" / kind).rglob("?" * 40 + "*")]) for kind in KINDS}
    counts["index"] = len([*(cache / "v1/index").glob("*/*")])
    for kind, line in zip(KINDS, lines[1:6], strict=True):
        assert re.fullmatch(rf"{kind} +{counts[kind]} entries +0\.0 MB", line)
    assert re.fullmatch(
        r"\d+ runs: \d+ hits local, .*, 0 corrupt, 0 errors, \d+ writes, 0 write errors", lines[6]
    )
    assert len(lines) == 7
    value = json.loads(ask(cache, "stats", "--json")[1])
    assert value["directory"] == str(cache)
    assert {kind: value[kind]["entries"] for kind in KINDS} == counts
    assert value["views"]["bytes"] == sum(
        each.stat().st_size for each in (cache / "v1/views").rglob("*") if each.is_file()
    )
    assert value["runs"] == len(files(cache / "v1/stats").popitem()[1].splitlines())
    assert value["hits_local"] > 0


def test_stats_count_what_commands_have_found(ask: Ask, cache: Path, root: Path) -> None:
    """Whichever of their processes has looked."""

    def counted() -> dict[str, int]:
        value: dict[str, int] = json.loads(ask(cache, "stats", "--json")[1])
        return value

    before = counted()
    assert run(root, cache, "warm").returncode == 0
    warm = counted()
    assert warm["hits_local"] - before["hits_local"] >= 2
    assert (warm["misses"], warm["writes"]) == (before["misses"], before["writes"])
    path = Path(LocalStore(cache).path("views", _text_key(root, cache)))
    path.write_bytes(path.read_bytes()[:-1])
    assert run(root, cache, "show", "p0", "--format", "json").returncode == 0
    shown = counted()
    assert shown["corrupt"] - before["corrupt"] == 1
    assert shown["writes"] > before["writes"]


def _text_key(root: Path, cache: Path) -> str:
    candidate = Workspace.open(root, cache_dir=cache).look_up("p0").candidate
    assert candidate is not None
    return candidate.text_key


def test_verify_finds_all_whole(ask: Ask, cache: Path) -> None:
    before = files(cache)
    code, out, err = ask(cache, "verify")
    number = len([*LocalStore(cache).iter_entries()])
    assert (code, out, err) == (0, f"{number} entries are whole, none damaged\n", "")
    assert files(cache) == before


def test_prune_keeps_what_is_young_or_within_bounds(ask: Ask, cache: Path) -> None:
    number = len([*LocalStore(cache).iter_entries()])
    kept = f"removed 0 entries (0.0 MB), kept {number} (0.0 MB)\n"
    assert ask(cache, "prune") == (0, kept, "")
    assert ask(cache, "prune", "--max-bytes", "1B", "--max-age", "1s") == (0, kept, "")  # all are in use
    _age(cache, days=20)
    assert ask(cache, "prune") == (0, kept, "")
    assert ask(cache, "prune", "--max-age", "3w", "--max-bytes", "1GB") == (0, kept, "")


def test_prune_removes_what_was_not_used_for_long(ask: Ask, cache: Path, root: Path) -> None:
    number = len([*LocalStore(cache).iter_entries()])
    _age(cache, days=20)
    assert Workspace.open(root, cache_dir=cache).view("p1").body  # in use: its record, its text
    code, out, _ = ask(cache, "prune", "--max-age", "10d")
    found = re.fullmatch(r"removed (\d+) entries \(0\.0 MB\), kept (\d+) \(0\.0 MB\)\n", out)
    assert found is not None
    assert code == 0
    assert int(found[1]) + int(found[2]) >= number
    assert int(found[1]) > int(found[2]) > 0
    assert [*(cache / "v1/views").rglob("?" * 64)]


def test_prune_follows_the_configuration(root: Path, cache: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(root, "clone", "--quiet", str(root), str(clone))
    (clone / "ifacegen.yaml").write_text("version: 1\ncache:\n  max_age: 10d\n", encoding="utf-8")
    _age(cache, days=20)
    done = run(clone, cache, "cache", "prune")
    assert done.returncode == 0
    assert "kept 0 (0.0 MB)" in done.stdout


def test_clear_removes_everything(ask: Ask, cache: Path, root: Path) -> None:
    frame = {".gitignore", "README", "CACHEDIR.TAG"}
    number = len(files(cache / "v1").keys() - frame)
    code, out, err = ask(cache, "clear")
    assert (code, err) == (0, "")
    assert re.fullmatch(rf"removed {number} files \(0\.0 MB\)\n", out)
    assert set(files(cache / "v1")) == frame
    assert Workspace.open(root, cache_dir=cache).look_up("p0").status == "miss"


# --- explain ------------------------------------------------------------------------------------------


def field(text: str, name: str) -> list[str]:
    """The lines of one field."""
    lines = text.splitlines()
    (first,) = (number for number, line in enumerate(lines) if re.match(rf"  {re.escape(name)} +\S", line))
    more = list(takewhile(lambda line: line.startswith(" " * 23), lines[first + 1 :]))
    return [lines[first][2 + len(name) :].strip(), *(line[23:] for line in more)]


def test_explain_prints_every_field_of_the_key(ask: Ask, cache: Path, root: Path) -> None:
    before = files(cache / "v1/views")
    code, out, err = ask(cache, "explain", "acme-p0")
    assert (code, err) == (0, "")
    assert out.startswith("p0: hit\n")
    lookup = Workspace.open(root, cache_dir=cache).look_up("p0")
    assert lookup.candidate is not None
    assert field(out, "key of the JSON") == [lookup.candidate.json_key]
    assert field(out, "key of the text") == [lookup.candidate.text_key]
    for name, value in lookup.fields.items():
        assert field(out, name) == (value or "(nothing)").splitlines()
    assert field(out, "tree") == [f"git:{git(root, 'rev-parse', 'HEAD:p0')}"]
    assert any(git(root, "rev-parse", "HEAD:p1/p1/__init__.py") in line for line in field(out, "inputs"))
    assert files(cache / "v1/views") == before
    assert ask(cache, "explain", "p0", "--commit", "HEAD")[1] == out


def test_explain_says_why_it_is_a_miss(ask: Ask, cache: Path, tmp_path: Path, root: Path) -> None:
    clone = tmp_path / "clone"
    git(root, "clone", "--quiet", str(root), str(clone))
    assert run(clone, cache, "cache", "explain", "p0").stdout.startswith("p0: hit\n")
    grow(clone, "p1/p1/__init__.py")
    said = run(clone, cache, "cache", "explain", "p0").stdout
    assert said.splitlines()[0] == "p0: miss: p1/p1/__init__.py has changed"
    assert "key of the text" not in said
    (clone / "p1/p1/other.py").write_text("X = 1\n", encoding="utf-8")  # not looked at by p0
    assert run(clone, cache, "cache", "explain", "p0", "--commit", "HEAD~1").stdout.startswith("p0: hit\n")
    (clone / "p0/p0/__init__.py").write_text("", encoding="utf-8")
    dirty = run(clone, cache, "cache", "explain", "p0").stdout
    assert dirty.startswith("p0: miss: no view was made of this tree with this configuration\n")
    commit_all(clone)
    assert field(dirty, "tree") == [f"git:{git(clone, 'rev-parse', 'HEAD:p0')}"]


def test_explain_of_an_unknown_package_or_commit(ask: Ask, cache: Path) -> None:
    code, out, err = ask(cache, "explain", "p00")
    assert (code, out.splitlines()[0]) == (2, "p0")
    assert err.startswith("ifacegen: p00: no such package; did you mean p0")
    code, out, err = ask(cache, "explain", "p0", "--commit", "no-such")
    assert (code, out) == (2, "")
    assert err.startswith("ifacegen: no-such: no such commit")


# --- Caches in other conditions -----------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["missing", "empty", "below a file", "a file"])
def test_where_there_is_no_cache_there_is_nothing(ask: Ask, tmp_path: Path, condition: str) -> None:
    cache = tmp_path / "cache"
    if condition == "empty":
        cache.mkdir()
    if condition == "a file":
        cache.touch()
    if condition == "below a file":
        cache.touch()
        cache /= "cache"
    before = sorted(tmp_path.rglob("*"))
    assert ask(cache, "path") == (0, f"{cache}\n", "")
    code, out, err = ask(cache, "stats")
    assert (code, err, len(out.splitlines())) == (0, "", 7)
    assert "0 runs: 0 hits local" in out
    assert ask(cache, "verify") == (0, "0 entries are whole, none damaged\n", "")
    code, out, err = ask(cache, "prune")
    assert out == "removed 0 entries (0.0 MB), kept 0 (0.0 MB)\n"
    if "file" in condition:
        assert (code, err) == (3, f"ifacegen: cannot prune {cache}: Not a directory\n")
    else:
        assert (code, err) == (0, "")
    assert ask(cache, "clear") == (0, "removed 0 files (0.0 MB)\n", "")
    code, out, err = ask(cache, "explain", "p0")
    assert (code, err) == (0, "")
    assert out.startswith("p0: miss: no view was made of this tree with this configuration\n")
    assert sorted(tmp_path.rglob("*")) == before or condition in ("missing", "empty")


@pytest.mark.parametrize("kind", KINDS)
def test_verify_names_and_removes_what_is_damaged(ask: Ask, cache: Path, kind: str, root: Path) -> None:
    store = LocalStore(cache)
    keys = sorted(key for each, key, _, _ in store.iter_entries() if each == kind)
    if kind == "worktrees":
        assert run(root, cache, "show", "p0").returncode == 0
        keys = sorted(key for each, key, _, _ in store.iter_entries() if each == kind)
    path = Path(store.path(kind, keys[0]))
    path.write_bytes(path.read_bytes()[:-1])
    number = len([*store.iter_entries()])
    code, out, err = ask(cache, "verify")
    assert (code, err) == (1, "")
    assert out == (f"damaged: {kind}/{keys[0]}\n{number - 1} entries are whole, 1 damaged (removed)\n")
    assert not path.exists()
    assert ask(cache, "verify")[0] == 0
    assert ask(cache, "stats")[0] == 0


def test_an_empty_or_overlong_entry_is_damaged_too(ask: Ask, cache: Path) -> None:
    store = LocalStore(cache)
    keys = sorted(key for kind, key, _, _ in store.iter_entries() if kind == "facts")
    Path(store.path("facts", keys[0])).write_bytes(b"")
    with Path(store.path("facts", keys[1])).open("ab") as file:
        file.write(b" ")
    code, out, _ = ask(cache, "verify")
    assert code == 1
    assert out.startswith(f"damaged: facts/{keys[0]}\ndamaged: facts/{keys[1]}\n")


def test_strange_files_are_left_alone(ask: Ask, cache: Path) -> None:
    """Whoever puts something into the directory keeps it, unless all is cleared where entries are."""
    for place in ("notes.txt", "v1/notes.txt", "v1/views/zz/strange", "v0/someone-elses", "v1/index/x/y"):
        (cache / place).parent.mkdir(parents=True, exist_ok=True)
        (cache / place).write_text("mine")
    number = len([*LocalStore(cache).iter_entries()])
    _age(cache, days=400)
    assert ask(cache, "verify")[1].startswith(f"{number} entries are whole, none damaged")
    assert ask(cache, "prune")[:2] == (0, f"removed {number} entries (0.0 MB), kept 0 (0.0 MB)\n")
    assert (cache / "notes.txt").read_text() == "mine"
    assert (cache / "v1/notes.txt").read_text() == "mine"
    assert (cache / "v1/views/zz/strange").read_text() == "mine"
    assert (cache / "v0/someone-elses").read_text() == "mine"
    ask(cache, "clear")
    assert (cache / "notes.txt").read_text() == "mine"
    assert (cache / "v1/notes.txt").read_text() == "mine"


def test_on_a_read_only_file_system(root: Path, cache: Path) -> None:
    """Everything is told as it is; nothing can be removed, and nobody says that it was."""
    store = LocalStore(cache)
    key = next(key for kind, key, _, _ in store.iter_entries() if kind == "facts")
    Path(store.path("facts", key)).write_bytes(b"")
    number = len([*store.iter_entries()])
    script = """
    mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; shift
    for each in stats verify "prune --max-age 1s --max-bytes 1" clear "explain p0"; do
        "$@" cache $each && code=0 || code=$?; echo "exit $code"
    done
    """
    _age(cache, days=20)
    done = subprocess.run(
        [*namespace(), "sh", "-euc", script, "sh", str(cache), *command(root, cache)],
        check=False,
        capture_output=True,
        text=True,
    )
    stats, verified, pruned, cleared, explained, _ = re.split(r"exit (?=\d)", done.stdout)
    assert stats.startswith(f"{cache}\n")
    assert verified.startswith("0\n")
    assert f"damaged: facts/{key}\n{number - 1} entries are whole, 1 damaged " in verified
    assert "1 damaged (1 of them cannot be removed)" in verified
    assert pruned.startswith("1\nremoved 0 entries (0.0 MB), kept ")
    assert cleared == "3\nremoved 0 files (0.0 MB)\n"
    assert explained.startswith("3\np0: hit\n")
    assert done.stdout.endswith("exit 0\n")
    assert "Traceback" not in done.stderr
    assert all("Read-only file system" in line for line in done.stderr.splitlines()), done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["prune", "--max-bytes", "5 apples"], "--max-bytes: "),
        (["prune", "--max-age=-1d"], "--max-age: "),
        (["prune", "--max-age", "10x"], "--max-age: "),
    ],
)
def test_amounts_that_are_none_are_refused(ask: Ask, cache: Path, arguments: list[str], said: str) -> None:
    before = files(cache)
    code, out, err = ask(cache, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"ifacegen: {said}")
    assert files(cache) == before


def test_a_subcommand_is_needed(root: Path, cache: Path) -> None:
    done = run(root, cache, "cache")
    assert done.returncode == 2
    assert "usage: ifacegen cache" in done.stderr


# --- Races --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pruning_and_clearing_race_with_readers_and_a_writer(root: Path, tmp_path: Path) -> None:
    """What was pruned is built again; nobody ever reads anything else than what is right."""
    commits = git(root, "rev-list", "HEAD").split()
    truth = Truth.of(root, commits, tmp_path / "fresh")
    cache = tmp_path / "cache"
    rng = random.Random(1)
    store = LocalStore(cache)
    removed = 0
    with reading(root, cache, truth.save(tmp_path / "truth"), 1) as seen:
        until = time.monotonic() + 8
        while time.monotonic() < until:
            Workspace.open(root, cache_dir=cache).warm(jobs=1)
            for _ in range(5):
                time.sleep(rng.random() / 4)
                total = sum(size for _, _, size, _ in store.iter_entries())
                removed += prune(store, max_bytes=total * 2 // 3, max_age=None, min_age=0).removed
            removed += store.clear().removed
    assert seen.bad == []
    assert seen.views > 5
    assert removed > 20
    assert Workspace.open(root, cache_dir=cache).warm(jobs=1).failed == ()
    found = Truth.of(root, commits, cache)
    assert (found.views, found.entries) == (truth.views, truth.entries)


def _age(cache: Path, *, days: int) -> None:
    """Make it look as if nobody had used any of it for so long."""
    then = time.time() - days * 86_400
    for each in cache.rglob("*"):
        if each.is_file():
            os.utime(each, (then, then))
