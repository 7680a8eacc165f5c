"""``ifacegen doctor``: each thing that can fall short is one line that says so, and nothing is written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ifacegen.doctor import Finding, examine
from support.trees import Link, commit_all, git, git_repo, repo

IFACEGEN = Path(sys.executable).with_name("ifacegen")

FILES = {
    "libs/core/pyproject.toml": '[project]\nname = "core"\nversion = "1"\n',
    "libs/core/src/core/__init__.py": "def f(x: int) -> int: ...\n",
    "services/shop/pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "services/shop/shop.py": "def order() -> None: ...\n",
}


def run(
    root: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command, run in ``root``."""
    return subprocess.run(
        [IFACEGEN, "doctor", *arguments],
        cwd=root,
        env={**os.environ, **(env or {})},
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def found(root: Path, cache: Path | None = None) -> dict[str, list[Finding]]:
    """The findings by topic."""
    by_topic: dict[str, list[Finding]] = {}
    for each in examine(root, cache):
        by_topic.setdefault(each.topic, []).append(each)
    return by_topic


def problems(root: Path) -> dict[str, str]:
    """The problems by topic."""
    return {each.topic: each.message for each in examine(root) if each.level == "problem"}


# -- all is well --------------------------------------------------------------------------------------


def test_a_line_each_and_exit_0(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    done = run(root / "libs", env={"IFACEGEN_CACHE_DIR": str(tmp_path / "cache")})
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert {line[:8] for line in lines} == {"ok      "}
    git_, repository, openapi, protobuf, adapter, typescript, packages, cache, tokens = (
        line[8:] for line in lines
    )
    assert git_.startswith("git: 2.")
    assert repository == f"repository: work tree of git at {root}"
    assert openapi.startswith("adapter openapi: ")
    assert protobuf.startswith("adapter protobuf: ")
    assert adapter.startswith("adapter python: ifacegen facts ")
    assert "mypy" in adapter
    assert typescript.startswith("adapter typescript: ")
    assert packages == "packages: 2: 2 python; by role: 1 app, 1 library"
    assert cache.startswith(f"cache: {tmp_path / 'cache'}: 0 entries, 0.0 MB of at most 5.0 GB; ")
    assert tokens == "tokens: counted as cl100k_base, offline"


def test_the_json_says_the_same(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    env = {"IFACEGEN_CACHE_DIR": str(tmp_path / "cache")}
    done = run(root, "--json", env=env)
    assert done.returncode == 0
    report: dict[str, Any] = json.loads(done.stdout)
    assert (report["format"], report["problems"]) == ("ifacegen/doctor/1", 0)
    lines = [f"{each['level']:<8}{each['topic']}: {each['message']}" for each in report["findings"]]
    assert [line for line in lines if " free" not in line] == [
        line for line in run(root, env=env).stdout.splitlines() if " free" not in line
    ]
    facts = {each["topic"]: each["data"] for each in report["findings"]}
    assert facts["packages"] == {
        "packages": 2,
        "adapters": {"python": 2},
        "roles": {"app": 1, "library": 1},
    }
    assert facts["repository"] == {"kind": "work tree", "root": str(root), "objects": "sha1"}
    assert facts["cache"]["entries"] == 0
    assert facts["cache"]["free"] > 0


def test_nothing_is_written(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    before = sorted(tmp_path.rglob("*"))
    assert run(root, env={"IFACEGEN_CACHE_DIR": str(tmp_path / "cache")}).returncode == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_a_directory_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [IFACEGEN, "-C", tmp_path / "none", "doctor"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "no such directory" in done.stderr


# -- git and its kinds of repository ------------------------------------------------------------------


def test_without_git_a_folder_is_fine_and_a_repository_is_not(tmp_path: Path) -> None:
    plain, own = repo(FILES, tmp_path / "plain"), git_repo(FILES, tmp_path / "own")
    env = {"PATH": str(tmp_path / "nothing")}
    done = run(plain, env=env)
    assert done.returncode == 0
    assert "note    git: git is not installed or not on PATH" in done.stdout
    assert f"ok      repository: plain folder at {plain}: no commits" in done.stdout
    done = run(own, env=env)
    assert done.returncode == 1
    assert f"problem repository: {own}: read as a plain folder: git is not installed" in done.stdout


@pytest.mark.parametrize(
    ("version", "level"),
    [("2.35.8", "problem"), ("1.9", "problem"), ("2.36.0", "ok"), ("2.50.1 (Apple Git-155)", "ok"), ("odd", "ok")],
)  # fmt: skip
def test_an_old_git_is_a_problem(tmp_path: Path, version: str, level: str) -> None:
    real = shutil.which("git")
    wrapper = tmp_path / "bin/git"
    wrapper.parent.mkdir()
    wrapper.write_text(
        f'#!/bin/sh\nfor each; do [ "$each" != version ] || exec echo "git version {version}"; done\n'
        f'exec {real} "$@"\n'
    )
    wrapper.chmod(0o755)
    root = git_repo(FILES, tmp_path / "mono")
    done = run(root, env={"PATH": f"{wrapper.parent}:{os.environ['PATH']}"})
    assert done.stdout.startswith(f"{level:<8}git: {version}")
    assert done.returncode == (level == "problem")


def test_a_repository_that_git_refuses_is_a_problem_and_the_rest_is_told(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    done = run(root, env={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert done.returncode == 1
    assert "problem repository: git: detected dubious ownership" in done.stdout
    assert "safe.directory" in done.stdout
    assert "ok      cache: " in done.stdout
    assert "ok      tokens: " in done.stdout


def test_bare_and_empty_repositories(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    git(root, "clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    bare = found(tmp_path / "bare")
    assert bare["repository"][0].data["kind"] == "bare repository"
    assert bare["packages"][0].data["packages"] == 2

    for name, options in (("empty", ()), ("empty-bare", ("--bare",))):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "--quiet", *options)
        empty = found(tmp_path / name)
        assert [each.message for each in empty["repository"]][1:] == ["nothing is committed yet"]
    assert [each.level for each in found(tmp_path / "empty")["packages"]] == ["problem"]


def test_a_shallow_clone_is_noted_with_the_way_out(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    commit_all(root, "another")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{root}", "shallow")
    (finding,) = found(tmp_path / "shallow")["shallow clone"]
    assert finding.level == "note"
    assert finding.message.startswith("1 commit of HEAD's history; ")
    git(tmp_path / "shallow", *finding.data["command"].split()[1:])
    assert "shallow clone" not in found(tmp_path / "shallow")


def partial(root: Path, to: Path, *options: str) -> Path:
    """A clone of ``root`` that fetches the rest when asked to."""
    for name in ("allowFilter", "allowAnySHA1InWant"):
        git(root, "config", f"uploadpack.{name}", "true")
    git(root, "clone", "--quiet", *options, f"file://{root}", str(to))
    return to


def test_what_a_partial_clone_lacks_is_counted_and_comes_with_one_line(tmp_path: Path) -> None:
    root = git_repo({**FILES, "big.bin": "not needed"}, tmp_path / "mono")
    (root / "services/shop/shop.py").write_text("def order(n: int) -> None: ...\n")
    commit_all(root, "another")
    clone = partial(root, tmp_path / "clone", "--filter=blob:none", "--no-checkout")
    (finding,) = found(clone)["partial clone"]
    assert finding.level == "problem"
    assert {name: finding.data[name] for name in ("needed", "absent", "missing_objects")} == {
        "needed": 4,
        "absent": 4,
        "missing_objects": 5,
    }
    assert finding.data["command"] in finding.message
    assert "\n" not in finding.message
    missing = git(clone, "rev-list", "--objects", "--missing=print", "--all").count("\n?")

    subprocess.run(finding.data["command"], shell=True, cwd=clone, check=True)
    (finding,) = found(clone)["partial clone"]
    assert (finding.level, finding.data["absent"]) == ("ok", 0)
    assert missing == 6
    assert (
        git(clone, "rev-list", "--objects", "--missing=print", "--all").count("\n?") == 1
    )  # only HEAD's came


def test_a_partial_clone_that_checked_everything_out_is_fine(tmp_path: Path) -> None:
    clone = partial(git_repo(FILES, tmp_path / "mono"), tmp_path / "clone", "--filter=blob:none")
    (finding,) = found(clone)["partial clone"]
    assert (finding.level, finding.message) == ("ok", "all 4 files that views of HEAD need are here")


def test_a_clone_without_trees_is_told_how_to_get_them(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    clone = partial(root, tmp_path / "clone", "--filter=tree:0", "--no-checkout")
    (finding,) = found(clone)["partial clone"]
    assert finding.level == "problem"
    assert finding.message.startswith("even trees are missing")
    git(clone, *finding.data["command"].split()[1:])
    (finding,) = found(clone)["partial clone"]
    assert finding.data["absent"] == 4


def test_a_sparse_checkout_is_noted(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    assert "sparse checkout" not in found(root)
    git(root, "sparse-checkout", "set", "libs")
    (finding,) = found(root)["sparse checkout"]
    assert finding.level == "note"
    assert finding.message.startswith("2 of 4 files are not on disk")


# -- what was skipped ---------------------------------------------------------------------------------


def test_what_is_left_out_is_counted_by_reason_with_an_example(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    repo({"a/out": Link("../../etc"), "b/gone": Link("none"), "c/loop": Link("loop")}, root)
    git_repo({"x.py": ""}, root / "other")
    (root / os.fsdecode(b"caf\xe9.py")).write_text("")
    by_topic = found(root)
    (links,) = by_topic["link-skipped"]
    assert links.message == (
        "3, for example a/out: symbolic link to '../../etc' left out: it leads out of the repository"
    )
    assert links.data["count"] == 3
    (islands,) = by_topic["nested-repository"]
    assert islands.message == "other: a repository of its own; not entered"
    (names,) = by_topic["path-not-utf8"]
    assert names.data["path"] == "caf\\xe9.py"
    assert {each.level for topic in by_topic.values() for each in topic} == {"ok", "note"}


def test_excluded_files_and_packages_set_aside_are_named(tmp_path: Path) -> None:
    project = '[project]\nname = "{}"\nversion = "1"\n'
    files = {
        **FILES,
        "third_party/dep/pyproject.toml": project.format("dep"),
        "tests/fixtures/one/pyproject.toml": project.format("one"),
        "attic/old/pyproject.toml": project.format("old"),
        "gen/a.py": "",
        "gen/b.py": "",
        "ifacegen.yaml": "version: 1\nexclude: [gen/]\n",
    }
    root = git_repo(files, tmp_path / "mono")
    by_topic = found(root)
    assert by_topic["excluded"][0].message == (
        "2, for example gen/a.py: left out by `exclude` of ifacegen.yaml"
    )
    (aside,) = by_topic["set aside"]
    assert aside.data == {"count": 2, "example": "tests/fixtures/one"}
    assert "not chosen" not in by_topic
    (root / "ifacegen.yaml").write_text("version: 1\npackages: ['libs/*', 'services/*']\n")
    by_topic = found(root)
    assert by_topic["not chosen"][0].data == {"count": 1, "example": "attic/old"}
    assert by_topic["set aside"][0].data["count"] == 2


def test_notes_of_packages_are_counted_too(tmp_path: Path) -> None:
    root = git_repo(
        {**FILES, "libs/bad/pyproject.toml": "[project", "libs/bad/bad.py": ""}, tmp_path / "mono"
    )
    (finding,) = found(root)["project-unparsed"]
    assert finding.level == "note"
    assert finding.data["path"] == "libs/bad/pyproject.toml"


def test_names_cannot_talk_to_the_terminal(tmp_path: Path) -> None:
    root = git_repo(FILES, tmp_path / "mono")
    repo({"a\x1b[31m\nok      all: fine": Link("none")}, root)
    done = run(root)
    assert "note    link-skipped: a\\x1b[31m\\nok      all: fine: " in done.stdout
    assert "\nok      all" not in done.stdout
    assert "\x1b" not in done.stdout


def test_a_mistake_in_the_configuration_is_a_problem_and_the_rest_is_told(tmp_path: Path) -> None:
    root = git_repo({**FILES, "ifacegen.yaml": "version: 1\nexclud: []\n"}, tmp_path / "mono")
    assert problems(root) == {
        "configuration": "ifacegen.yaml:2: exclud is not a key ifacegen knows; did you mean `exclude`?"
    }
    assert found(root)["adapter python"][0].level == "ok"
    git(root, "clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    assert problems(tmp_path / "bare")["packages"].startswith("cannot be listed: ifacegen.yaml:2: exclud ")
