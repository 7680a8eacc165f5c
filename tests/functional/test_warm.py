"""``ifacegen warm``: which commits, which packages, each tree once, and what it says about that."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from ifacegen import Workspace
from ifacegen.cli import main
from ifacegen.cli.output import Output
from ifacegen.cli.progress import progress_on
from ifacegen.cli.warm import sentence
from ifacegen.warm import Outcome, Result, WarmEvent, WarmReport
from ifacegen_cache import LocalStore
from support.fire import ROOT, command, damage, entries, generated, grow, run, start
from support.trees import commit_all, git, git_repo

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "schemas" / "warm-1.json").read_text(encoding="utf-8"))
#: What the packages ``p0`` … of a generated repository are.
MODULE = "p{0}/p{0}/__init__.py"


def summary(root: Path, cache: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    """What ``warm --json`` prints, which the schema allows."""
    done = run(root, cache, "warm", *arguments, "--json")
    assert done.returncode == code, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    return value


def counted(report: WarmReport) -> dict[str, int]:
    """The outcomes that came up."""
    return dict(Counter(each.outcome for each in report.results))


def warmed(root: Path, cache: Path, commits: Sequence[str] = ("HEAD",), **options: Any) -> dict[str, int]:
    """Warm through the library; how often which outcome came up."""
    return counted(Workspace.open(root, cache_dir=cache).warm(commits=commits, **options))


def trees(root: Path, *commits: str) -> set[tuple[str, str]]:
    """The distinct trees that the packages of a generated repository have at some commits, as git says."""
    packages = sorted(each.parent.name for each in root.glob("p*/pyproject.toml"))
    return {(name, git(root, "rev-parse", f"{commit}:{name}")) for commit in commits for name in packages}


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Four packages and four commits, the newest first; the last one but one takes a change back."""
    root = generated(tmp_path_factory.mktemp("history") / "repo", 4)
    first = git(root, "rev-parse", "HEAD")
    second = grow(root, MODULE.format(0), MODULE.format(1))
    git(root, "revert", "--no-edit", "HEAD")
    third = git(root, "rev-parse", "HEAD")
    return root, [grow(root, MODULE.format(3)), third, second, first]


@pytest.fixture(scope="module")
def full(
    history: tuple[Path, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[WarmEvent]]:
    """A cache of all of these commits, warmed by one child, and what was said meanwhile; tests leave it as it is."""
    root, commits = history
    cache = tmp_path_factory.mktemp("full")
    events: list[WarmEvent] = []
    Workspace.open(root, cache_dir=cache).warm(commits=commits, jobs=1, progress=events.append)
    return cache, events


@pytest.fixture
def own(full: tuple[Path, list[WarmEvent]], tmp_path: Path) -> Path:
    """A copy of that cache, to change."""
    return shutil.copytree(full[0], tmp_path / "own")


# --- Each distinct tree once --------------------------------------------------------------------------


def test_each_distinct_tree_is_built_once(
    history: tuple[Path, list[str]], full: tuple[Path, list[WarmEvent]]
) -> None:
    root, commits = history
    results = [event.result for event in full[1] if event.result is not None]
    built = [(each.package, git(root, "rev-parse", f"{each.commit}:{each.package}")) for each in results]
    assert sorted(built) == sorted(trees(root, *commits))
    assert {each.outcome for each in results} == {"built"}
    assert [event.done for event in full[1]] == list(range(len(results) + 1))
    assert {event.total for event in full[1]} == {len(results)}


def test_again_everything_is_found(
    history: tuple[Path, list[str]], full: tuple[Path, list[WarmEvent]]
) -> None:
    root, commits = history
    assert warmed(root, full[0], commits) == {"hit": len(trees(root, *commits))}


def test_after_a_commit_only_what_it_changes_is_built(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    root, commits = history
    assert warmed(root, tmp_path, commits[3:]) == {"built": 4}
    assert warmed(root, tmp_path, commits[2:3]) == {"hit": 2, "built": 2}


def test_a_branch_never_warmed_hits_where_its_trees_are_known(
    history: tuple[Path, list[str]], own: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(history[0], "clone", "--quiet", str(history[0]), str(clone))
    git(clone, "switch", "--quiet", "--create", "branch", history[1][3])
    (clone / "README.md").write_text("Of no package.\n", encoding="utf-8")
    commit_all(clone, "beside the packages")
    assert warmed(clone, own) == {"hit": 4}
    (clone / "p2/p2/__init__.py").write_text("def other() -> None: ...\n", encoding="utf-8")
    commit_all(clone, "in a package")
    assert warmed(clone, own) == {"hit": 3, "built": 1}


def test_however_many_children_build_the_cache_is_the_same(
    history: tuple[Path, list[str]], full: tuple[Path, list[WarmEvent]], tmp_path: Path
) -> None:
    root, commits = history
    assert summary(root, tmp_path, "--commits", f"{commits[3]}..HEAD", "--jobs", "2")["built"] == 7
    assert summary(root, tmp_path, "--commit", commits[3], "--jobs", "2")["hit"] == 4
    assert entries(tmp_path) == entries(full[0])


def test_one_tree_with_other_inputs_is_another_view(tmp_path: Path) -> None:
    """A star import from a package that changes: as many views of one tree, all in one run."""
    root = generated(tmp_path / "repo", 2, star="from p1 import *\n")
    commits = [git(root, "rev-parse", "HEAD"), grow(root, MODULE.format(1)), grow(root, MODULE.format(1))]
    assert warmed(root, tmp_path / "cache", commits) == {"built": 6}
    assert warmed(root, tmp_path / "cache", commits) == {"hit": 6}
    for commit in commits:
        lookup = Workspace.open(root, cache_dir=tmp_path / "cache").look_up("p0", commit)
        assert (lookup.status, lookup.reason) == ("hit", "")


# --- Shards -------------------------------------------------------------------------------------------


def test_shards_build_everything_once_without_knowing_of_each_other(
    history: tuple[Path, list[str]], full: tuple[Path, list[WarmEvent]], tmp_path: Path
) -> None:
    root, commits = history
    built: list[tuple[str, str]] = []
    together: dict[str, str] = {}
    for number in (1, 2, 3):
        cache = tmp_path / str(number)
        report = Workspace.open(root, cache_dir=cache).warm(commits=commits, shard=(number, 3), jobs=1)
        mine = [each for each in report.results if each.outcome == "built"]
        assert report.count("other shard") == len(trees(root, *commits)) - len(mine)
        built += [(each.package, git(root, "rev-parse", f"{each.commit}:{each.package}")) for each in mine]
        together |= entries(cache)
    assert sorted(built) == sorted(trees(root, *commits))
    assert together == entries(full[0])


@pytest.mark.slow
def test_shards_one_after_the_other_fill_one_cache(history: tuple[Path, list[str]], tmp_path: Path) -> None:
    root, commits = history
    arguments = ("--commit", commits[0], "--shard")
    summaries = [summary(root, tmp_path, *arguments, f"{number}/2") for number in (1, 2)]
    assert sum(each["built"] for each in summaries) == 4
    assert summaries[0]["other_shard"] == summaries[1]["built"] > 0
    assert summaries[1]["hit"] == summaries[0]["built"] > 0
    assert summaries[1]["other_shard"] == 0


def test_what_is_left_to_others_is_said() -> None:
    report = WarmReport(
        [Result("p0", "0" * 40, "other shard"), Result("p1", "0" * 40, "built", 7)], commits=2
    )
    assert sentence(report) == "2 commits: 1 built, 0 hit, 1 left to other shards; 7 tokens; 0.0 s"


# --- Which commits, which packages --------------------------------------------------------------------


def test_a_range_is_without_its_beginning(
    history: tuple[Path, list[str]], full: tuple[Path, list[WarmEvent]]
) -> None:
    root, commits = history
    found = summary(root, full[0], "--commits", f"{commits[3]}..{commits[1]}")
    assert (found["commits"], found["hit"], found["built"]) == (2, 6, 0)
    assert summary(root, full[0], "--commits", f"{commits[3]}..")["commits"] == 3
    assert summary(root, full[0], "--commit", "HEAD~1")["commits"] == 1


def test_since_takes_the_young_commits_of_the_history(tmp_path: Path) -> None:
    root = generated(tmp_path / "repo", 1)
    cache = tmp_path / "cache"
    assert summary(root, cache, "--since", "7d")["commits"] == 1  # all are old: HEAD
    for hours in (72, 48, 1):
        _commit_aged(root, hours)
    assert summary(root, cache, "--since", "60h")["commits"] == 2
    found = summary(root, cache, "--since", "1w")
    assert (found["commits"], found["hit"]) == (3, 1)


def _commit_aged(root: Path, hours: int) -> None:
    when = f"@{int(time.time()) - hours * 3600}"
    tree, parent = git(root, "rev-parse", "HEAD^{tree}"), git(root, "rev-parse", "HEAD")
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit-tree", tree, "-p", parent, "-m", when],
        cwd=root,
        env={**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when},
        check=True,
        capture_output=True,
        text=True,
    )
    git(root, "reset", "--quiet", "--hard", done.stdout.strip())


def test_packages_answer_to_all_their_names(history: tuple[Path, list[str]], tmp_path: Path) -> None:
    root, _ = history
    assert {each["package"] for each in summary(root, tmp_path, "acme-p1", "p0")["results"]} == {"p0", "p1"}
    assert {each["package"] for each in summary(root / "p2", tmp_path, ".", "p1")["results"]} == {"p2"}


def test_a_package_need_not_be_at_every_commit(tmp_path: Path) -> None:
    root = generated(tmp_path / "repo", 2)
    first = git(root, "rev-parse", "HEAD")
    shutil.rmtree(root / "p1")
    last = commit_all(root, "gone")
    assert warmed(root, tmp_path / "cache", [last, first], packages=["p1"]) == {"built": 1}


@pytest.mark.parametrize(
    ("arguments", "said", "candidates"),
    [
        (["p00"], "p00: no such package; did you mean p0", "p0\n"),
        (["p1", "nothing-like-it"], "nothing-like-it: no such package", ""),
        (["--commit", "no-such"], "no-such: no such commit", ""),
        (["--commits", "HEAD"], "--commits: 'HEAD' is not A..B", ""),
        (["--commits", "..HEAD"], "--commits: '..HEAD' is not A..B", ""),
        (["--commits", "HEAD~1...HEAD"], "--commits: 'HEAD~1...HEAD' is not A..B", ""),
        (["--commits", "HEAD..HEAD"], "--commits: there is no commit in HEAD..HEAD", ""),
        (["--commits", "no-such..HEAD"], "no-such: no such commit", ""),
        (["--since", "yesterday"], "--since: 'yesterday' is not an age like 12h, 7d or 2w", ""),
        (["--since", "7d", "--commit", "HEAD"], "not allowed with argument", ""),
        (["--shard", "0/3"], "--shard: '0/3' is not I/N, with I from 1 to N", ""),
        (["--shard", "4/3"], "--shard: '4/3' is not I/N, with I from 1 to N", ""),
        (["--jobs", "0"], "--jobs: from 1 to 256", ""),
    ],
)
def test_what_is_not_understood_is_refused(
    history: tuple[Path, list[str]],
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    said: str,
    candidates: str,
) -> None:
    words = command(history[0], tmp_path / "cache", "warm", *arguments)[1:]
    try:
        code: object = main(words)
    except SystemExit as end:  # argparse has explained it
        code = end.code
    out, err = capfd.readouterr()
    assert code == 2
    assert said in err
    assert out[: len(candidates)] == candidates
    assert [key for key in entries(tmp_path / "cache") if key.startswith("views")] == []


@pytest.mark.parametrize("kind", ["plain folder", "no commit", "bare"])
def test_what_has_no_commit_cannot_be_warmed(
    tmp_path: Path, kind: str, history: tuple[Path, list[str]]
) -> None:
    root = tmp_path / "repo"
    if kind == "bare":
        git(tmp_path, "clone", "--quiet", "--bare", str(history[0]), str(root))
        assert summary(root, tmp_path / "cache", "p0")["built"] == 1
        return
    root.mkdir()
    (root / "m.py").write_text("X = 1\n", encoding="utf-8")
    if kind == "no commit":
        git_repo({}, root, commit=False)
    done = run(root, tmp_path / "cache", "warm")
    assert done.returncode == 2
    assert done.stderr.startswith("ifacegen: HEAD: no such commit: ")
    assert done.stderr.count("\n") == 1


# --- What it says -------------------------------------------------------------------------------------


def test_without_a_terminal_progress_is_lines(tmp_path: Path) -> None:
    root = generated(tmp_path / "repo", 1)
    done = run(root, tmp_path / "cache", "warm")
    assert done.stderr == "ifacegen: 1 view to build\nifacegen: 1 of 1: p0\n"
    assert done.stdout.startswith("1 commit: 1 built, 0 hit; ")
    again = run(root, tmp_path / "cache", "warm")
    assert again.stderr == ""
    assert again.stdout.startswith("1 commit: 0 built, 1 hit; 0 tokens; ")


def test_of_many_views_not_every_one_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_on(Output()) as progress:
        progress(WarmEvent(0, 60))
        for number in range(1, 61):
            progress(WarmEvent(number, 60, Result(f"p{number}", "0" * 40, "built")))
    lines = ["60 views to build", "25 of 60: p25", "50 of 60: p50", "60 of 60: p60"]
    assert capsys.readouterr().err == "".join(f"ifacegen: {line}\n" for line in lines)


def test_on_a_terminal_progress_is_a_bar(tmp_path: Path) -> None:
    """Drawn on stderr, and gone in the end; stdout has the summary."""
    root = generated(tmp_path / "repo [bold]", 1)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(root, tmp_path / "cache", "warm"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    ) as process:
        os.close(theirs)
        drawn = b""
        while data := _from_terminal(ours):
            drawn += data
        assert process.stdout is not None
        said = process.stdout.read().decode()
    os.close(ours)
    assert process.returncode == 0
    assert said.startswith("1 commit: 1 built, 0 hit; ")
    assert b"warming" in drawn
    assert b"1/1" in drawn
    assert b"views to build" not in drawn
    assert b"\x1b[2K" in drawn  # taken back


def _from_terminal(file: int) -> bytes:
    try:
        return os.read(file, 4096)
    except OSError:  # Linux's word for the end
        return b""


def test_json_has_every_result_but_hits(history: tuple[Path, list[str]], own: Path) -> None:
    root, commits = history
    for key in [key for key in entries(own) if key.startswith("index/")]:
        if git(root, "rev-parse", f"{commits[0]}:p3") in key:
            Path(LocalStore(own).path("index", key.removeprefix("index/"))).unlink()
    found = summary(root, own)
    assert (found["commits"], found["hit"], found["built"]) == (1, 3, 1)
    (result,) = found["results"]
    assert (result["package"], result["commit"], result["outcome"]) == ("p3", commits[0], "built")
    assert result["tokens"] == found["tokens"] == Workspace.open(root, cache_dir=own).view("p3").tokens.view
    assert 0 < result["seconds"] <= found["seconds"]


def test_what_is_wrong_with_a_view_is_said_and_no_failure(tmp_path: Path) -> None:
    root = generated(tmp_path / "repo", 1, broken="def f(:\n")
    done = run(root, tmp_path / "cache", "warm")
    assert done.returncode == 0
    assert "ifacegen: degraded: p0 at " in done.stderr
    assert "broken.py" in done.stderr
    assert done.stdout.startswith("1 commit: 0 built, 0 hit, 1 degraded; ")


def test_a_package_without_a_module_is_empty(tmp_path: Path) -> None:
    picture = {"p0/pyproject.toml": '[project]\nname = "p0"\nversion = "1"\n', "p0/README": ""}
    root = git_repo(picture, tmp_path / "repo")
    found = summary(root, tmp_path / "cache")
    assert (found["empty"], found["built"], found["failed"]) == (1, 0, 0)
    assert summary(root, tmp_path / "cache")["hit"] == 1


# --- The schema ---------------------------------------------------------------------------------------


def test_schema_is_valid_and_as_the_code_has_it() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["format"]["const"] == SCHEMA["title"] == "ifacegen/warm/1"
    outcomes = list(get_args(Outcome))
    counts = [each.replace(" ", "_") for each in outcomes]
    assert list(SCHEMA["properties"]) == [
        *("format", "commits"),
        *counts,
        *("seconds", "tokens", "problem", "results"),
    ]
    result = SCHEMA["$defs"]["result"]
    assert list(result["properties"]) == [each.name for each in fields(Result)]
    assert result["properties"]["outcome"]["enum"] == [each for each in outcomes if each != "hit"]
    for closed in (SCHEMA, result):
        assert closed["additionalProperties"] is False
        assert closed["required"] == list(closed["properties"])
        assert all(each.get("description") for each in closed["properties"].values())


# --- Other caches, other processes --------------------------------------------------------------------


def test_read_only_directories_answer_and_are_copied_forward(
    history: tuple[Path, list[str]], own: Path, tmp_path: Path
) -> None:
    root, commits = history
    before = entries(own)
    workspace = Workspace.open(root, cache_dir=tmp_path / "local", read_only_dirs=[own])
    assert counted(workspace.warm(commits=commits)) == {"hit": 7}
    assert workspace.store.problem is None
    text = workspace.view("p0").text
    assert workspace.view("p0").modules
    assert entries(own) == before
    # What was copied answers alone, when what was behind is gone.
    alone = Workspace.open(root, cache_dir=tmp_path / "local")
    assert alone.look_up("p0").reason == ""
    assert alone.view("p0").text == text
    assert entries(tmp_path / "local").items() <= before.items()


def test_two_at_once_on_one_cache(
    history: tuple[Path, list[str]], full: tuple[Path, list[WarmEvent]], tmp_path: Path
) -> None:
    root, commits = history
    arguments = ("warm", "--commits", f"{commits[3]}..HEAD", "--json")
    both = [start(root, tmp_path, *arguments), start(root, tmp_path, *arguments)]
    for each in both:
        done = each.ended()
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["built"] + found["hit"] == 7
        assert found["failed"] == 0
    assert warmed(root, tmp_path, commits) == {"hit": 7}
    assert entries(tmp_path) == entries(full[0])


# --- Damage -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [("index", {"built": 7}), ("views", {"built": 7}), ("trees", {"hit": 7})],
)
def test_damaged_entries_are_misses_and_are_repaired(
    history: tuple[Path, list[str]], own: Path, kind: str, outcome: dict[str, int]
) -> None:
    root, commits = history
    before = entries(own)
    assert damage(own, kind)
    assert warmed(root, own, commits, jobs=2) == outcome
    for commit in commits:  # JSON is looked at when somebody reads it
        workspace = Workspace.open(root, cache_dir=own)
        assert all(workspace.view(each, commit).modules for each in workspace.packages(commit))
    assert entries(own) == before
    assert LocalStore(own).verify().damaged == ()


def test_damaged_facts_are_made_again(history: tuple[Path, list[str]], own: Path) -> None:
    root, commits = history
    before = entries(own)
    assert damage(own, "facts")
    assert warmed(root, own, commits) == {"hit": 7}  # nobody needs them
    shutil.rmtree(own / "v1/views")
    assert warmed(root, own, commits, jobs=2) == {"built": 7}
    assert entries(own) == before


def test_damaged_json_is_made_again_when_it_is_read(history: tuple[Path, list[str]], own: Path) -> None:
    root, _ = history
    before = entries(own)
    lookup = Workspace.open(root, cache_dir=own).look_up("p0")
    assert lookup.candidate is not None
    path = Path(LocalStore(own).path("views", lookup.candidate.json_key))
    data = path.read_bytes()
    path.write_bytes(data[:-2] + b"  ")
    done = run(root, own, "show", "p0", "--format", "json")
    assert done.returncode == 0
    assert [each["name"] for each in json.loads(done.stdout)["modules"]] == ["p0"]
    assert path.read_bytes() == data
    assert entries(own) == before


def test_a_view_made_without_a_file_that_git_could_not_read_is_not_kept(tmp_path: Path) -> None:
    """A blob that a partial clone lacks, or a git that was killed: the next time it may be there."""
    root = generated(tmp_path / "repo", 1, more="def more() -> None: ...\n")
    blob = git(root, "rev-parse", "HEAD:p0/p0/more.py")
    path = root / ".git/objects" / blob[:2] / blob[2:]
    path.rename(tmp_path / "away")
    found = summary(root, tmp_path / "cache")
    assert (found["degraded"], found["built"]) == (1, 0)
    assert "git cannot read object" in found["results"][0]["problems"][0]
    (tmp_path / "away").rename(path)
    assert "def more" in run(root, tmp_path / "cache", "show", "p0", "--commit", "HEAD").stdout
    assert warmed(root, tmp_path / "cache") == {"hit": 1}
