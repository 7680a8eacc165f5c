"""The nightly job's example, carried out as a runner would: its `run:` steps for real, its actions in small."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from ifacegen import Workspace
from ifacegen.config import CacheRules, parse_config
from support.trees import git_repo, repo

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "examples/ci/nightly.yml"
NIGHTLY = (ROOT / "docs/nightly.md").read_text("utf-8")
BIN = Path(sys.executable).parent

FILES = {
    f"libs/{name}/{path}": text.format(name)
    for name in ("core", "other", "third")
    for path, text in {
        "pyproject.toml": '[project]\nname = "{0}"\nversion = "1"\n',
        "{0}.py": "def of_{0}(x: int) -> int: ...\n",
    }.items()
    for path in [path.format(name)]
}


def commit(root: Path, days_ago: int) -> str:
    """Commit whatever lies there, as of some days ago; the commit's id."""
    who = {
        f"GIT_{each}_{what}": "ada@example.org"
        for each in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        f"git add --all && date=$(($(date +%s) - {days_ago} * 86400)) && export GIT_COMMITTER_DATE=@$date && "
        "git commit --quiet --allow-empty --message=change && git rev-parse HEAD",
        shell=True,
        cwd=root,
        env={**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def commits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, str]]:
    """A repository, and its commits by what they are."""
    root = git_repo(FILES, tmp_path_factory.mktemp("nightly") / "origin", commit=False)
    ids = {"old": commit(root, 30)}
    for number in (1, 2):
        (root / "libs/core/core.py").write_text(f"def of_core(x{number}: int) -> int: ...\n")
        ids[f"core {number}"] = commit(root, 4 - number)
    (root / "libs/other/other.py").write_text("def of_other(y: str) -> int: ...\n")
    ids["other"] = commit(root, 1)
    return root, ids


# -- a runner in small --------------------------------------------------------------------------------


@dataclass
class Runner:
    """One machine that carries out one job; what it saves outlives it."""

    folder: Path
    origin: Path
    #: Key → archive of the cache, newest last; and the published files by name.
    saved: dict[str, Path]
    published: dict[str, Path] = field(default_factory=dict)
    ref: str = "refs/heads/main"
    run_id: int = 1
    matrix: Mapping[str, Any] = field(default_factory=dict)
    path: str = f"{BIN}:{os.environ['PATH']}"
    #: Name → how each step ended.
    outcomes: dict[str, bool] = field(default_factory=dict)
    log: str = ""

    @property
    def workspace(self) -> Path:
        return self.folder / "work/repository"

    @property
    def summary(self) -> str:
        return (self.folder / "summary.md").read_text("utf-8")

    def carry_out(self, workflow: Mapping[Any, Any]) -> bool:
        """Do all steps of the one job; whether it is green."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "temp").mkdir(parents=True)
        (self.folder / "work").mkdir()
        (self.folder / "summary.md").touch()
        (job,) = workflow["jobs"].values()
        assert workflow["defaults"]["run"]["shell"] == "bash"
        environment: dict[str, str] = {}
        for name, value in job["env"].items():
            environment[name] = self._filled(str(value), environment)
        is_green = True
        for step in job["steps"]:
            if not self._is_wanted(str(step.get("if", "${{ success() }}")), is_green):
                continue
            is_right = self._step(step, environment)
            self.outcomes[step.get("name") or step["uses"]] = is_right
            is_green &= is_right or step.get("continue-on-error", False)
        return is_green

    def _is_wanted(self, condition: str, is_green: bool) -> bool:
        terms = condition.removeprefix("${{ ").removesuffix(" }}").split(" && ")
        values = {
            "success()": is_green,
            "!cancelled()": True,
            "github.ref == 'refs/heads/main'": "main" in self.ref,
        }
        return all(values[term] for term in terms)

    def _filled(self, text: str, environment: Mapping[str, str]) -> str:
        values = {
            "github.workspace": str(self.workspace),
            "github.run_id": str(self.run_id),
            "github.run_attempt": "1",
            "github.ref": self.ref,
            "runner.temp": str(self.folder / "temp"),
            **{f"env.{name}": value for name, value in environment.items()},
            **{f"matrix.{name}": str(value) for name, value in self.matrix.items()},
        }
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found[1]], text)

    def _step(self, step: Mapping[str, Any], environment: Mapping[str, str]) -> bool:
        if "run" in step:
            return self._run(self._filled(step["run"], environment), environment)
        given = {name: self._filled(str(value), environment) for name, value in step.get("with", {}).items()}
        action = step["uses"].partition("@")[0].replace("/", "_").replace("-", "_")
        getattr(self, f"_{action}")(given)
        return True

    def _run(self, script: str, environment: Mapping[str, str]) -> bool:
        more = {
            "PATH": self.path,
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            # What is installed is what is tested.
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.workspace,
            env={**os.environ, **environment, **more},
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        self.log += done.stdout
        return done.returncode == 0

    def _actions_checkout(self, given: Mapping[str, str]) -> None:
        depth = [] if given["fetch-depth"] == "0" else ["--depth=1"]
        command = ["git", "clone", "--quiet", *depth, f"file://{self.origin}", str(self.workspace)]
        subprocess.run(command, check=True)

    def _actions_setup_python(self, given: Mapping[str, str]) -> None:
        assert re.fullmatch(r"3\.\d+", given["python-version"])

    def _actions_cache_restore(self, given: Mapping[str, str]) -> None:
        assert given["key"] not in self.saved
        for key, archive in reversed(self.saved.items()):
            if key.startswith(given["restore-keys"]):
                with tarfile.open(archive) as tar:
                    tar.extractall(given["path"], filter="data")
                return

    def _actions_cache_save(self, given: Mapping[str, str]) -> None:
        assert given["key"] not in self.saved, "a cache of GitHub's cannot be overwritten"
        archive = self.folder.parent / f"{given['key']}.tar"
        with tarfile.open(archive, "w") as tar:
            tar.add(given["path"], arcname=".")
        self.saved[given["key"]] = archive

    def _actions_upload_artifact(self, given: Mapping[str, str]) -> None:
        copy = self.folder.parent / f"{given['name']}.tar.gz"
        shutil.copy(given["path"], copy)
        self.published[given["name"]] = copy


def workflow(text: str = "") -> dict[Any, Any]:
    parsed: dict[Any, Any] = yaml.safe_load(text or WORKFLOW.read_text("utf-8"))
    return parsed


def sharded() -> dict[Any, Any]:
    """The workflow as its comments say that it is sharded."""
    text = re.sub(r"(?m)^( +)# strategy:", r"\1strategy:", WORKFLOW.read_text("utf-8"))
    return workflow(re.sub(r": \S+ # with shards: (.*)", r": \1", text))


def all_hit(root: Path, views: Path, ids: Mapping[str, str]) -> bool:
    """Whether a reader that has nothing of its own finds each view of some commits in ``views``."""
    workspace = Workspace.open(root, cache_dir=views.with_name("own"), read_only_dirs=[views])
    return all(
        workspace.look_up(package, each).status == "hit"
        for each in ids.values()
        for package in workspace.packages(each)
    )


# -- the workflow -------------------------------------------------------------------------------------


def test_what_others_wrote_is_pinned_by_its_major_version() -> None:
    (job,) = workflow()["jobs"].values()
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert len(used) == 5
    assert [each for each in used if not re.fullmatch(r"actions/[a-z/-]+@v\d+", each)] == []


def test_it_can_read_and_nothing_else_and_runs_nightly_and_on_main() -> None:
    made = workflow()
    assert made["permissions"] == {"contents": "read"}
    triggers = made[True]  # YAML 1.1's `on`
    assert set(triggers) == {"schedule", "push", "workflow_dispatch"}
    assert triggers["push"] == {"branches": ["main"]}


def test_the_sharded_one_differs_in_what_its_comments_say() -> None:
    (job,), (own,) = sharded()["jobs"].values(), workflow()["jobs"].values()
    assert job.pop("strategy") == {"fail-fast": False, "matrix": {"shard": [1, 2, 3, 4]}}
    assert job["env"].pop("SHARD") == "${{ matrix.shard }}/4"
    assert job["env"].pop("NAME") == "interface-views-${{ matrix.shard }}"
    assert (own["env"].pop("SHARD"), own["env"].pop("NAME")) == ("1/1", "interface-views")
    assert job == own


@pytest.mark.slow
def test_the_second_night_only_hits(commits: tuple[Path, Mapping[str, str]], tmp_path: Path) -> None:
    origin, ids = commits
    first = Runner(tmp_path / "machine", origin, saved={})
    assert first.carry_out(workflow()), first.log
    assert "3 commits: 5 built, 0 hit; " in first.summary
    assert list(first.saved) == ["interface-views-1-1"]
    assert all(first.outcomes.values())

    second = Runner(tmp_path / "machine", origin, saved=first.saved, run_id=2)
    assert second.carry_out(workflow()), second.log
    assert "3 commits: 0 built, 5 hit; 0 tokens; " in second.summary
    assert re.search(r"(?m)^views +10 entries ", second.summary)
    assert second.summary.count("```") == 2
    assert list(second.saved) == ["interface-views-1-1", "interface-views-2-1"]

    views = tmp_path / "views"
    views.mkdir()
    with tarfile.open(second.published["interface-views"]) as tar:
        tar.extractall(views, filter="data")
    recent = {name: each for name, each in ids.items() if name != "old"}
    assert all_hit(origin, views, recent)
    assert not all_hit(origin, views, ids)
    readers = {".gitignore", "CACHEDIR.TAG", "README", "gc.lock", "index", "trees", "views"}
    assert {path.name for path in (views / "v1").iterdir()} == readers


@pytest.mark.slow
def test_other_branches_read_and_never_write(commits: tuple[Path, Mapping[str, str]], tmp_path: Path) -> None:
    nobody = Runner(tmp_path / "machine", commits[0], saved={}, ref="refs/heads/feature")
    assert nobody.carry_out(workflow()), nobody.log
    assert "5 built" in nobody.summary
    assert nobody.saved == nobody.published == {}
    assert {"Save the cache", "Pack", "Publish"}.isdisjoint(nobody.outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("status", [3, 1])
def test_what_was_built_is_saved_when_warm_fails(
    commits: tuple[Path, Mapping[str, str]], tmp_path: Path, status: int
) -> None:
    fake = repo(
        {"ifacegen": f'#!/bin/sh\n{BIN}/ifacegen "$@" || exit\n[ "$1" != warm ] || exit {status}\n'},
        tmp_path / "bin",
    )
    (fake / "ifacegen").chmod(0o755)
    runner = Runner(tmp_path / "machine", commits[0], saved={}, path=f"{fake}:{BIN}:{os.environ['PATH']}")
    assert not runner.carry_out(workflow())
    assert [name for name, is_right in runner.outcomes.items() if not is_right] == ["Warm"]
    assert "5 built" in runner.summary
    assert list(runner.saved) == ["interface-views-1-1"]
    assert list(runner.published) == ["interface-views"]


@pytest.mark.slow
def test_the_archives_of_all_shards_are_one_cache(
    commits: tuple[Path, Mapping[str, str]], tmp_path: Path
) -> None:
    origin, ids = commits
    saved: dict[str, Path] = {}
    views = tmp_path / "views"
    views.mkdir()

    def night(run_id: int, shard: int) -> tuple[int, int]:
        machine = Runner(tmp_path / "machine", origin, saved, run_id=run_id, matrix={"shard": shard})
        assert machine.carry_out(sharded()), machine.log
        with tarfile.open(machine.published[f"interface-views-{shard}"]) as tar:
            tar.extractall(views, filter="data")
        ((built, hit),) = re.findall(r"(\d+) built, (\d+) hit", machine.summary)
        return int(built), int(hit)

    first = {shard: night(1, shard) for shard in (1, 2, 3, 4)}
    assert sum(built for built, _ in first.values()) == 5
    busiest = max(first, key=lambda shard: first[shard])
    assert night(2, busiest) == (0, first[busiest][0])
    assert all_hit(origin, views, {name: each for name, each in ids.items() if name != "old"})


# -- the same in shell, and what the page says beside it ----------------------------------------------


def blocks(language: str) -> Iterator[str]:
    yield from re.findall(rf"(?ms)^```{language}\n(.*?)^```", NIGHTLY)


@pytest.mark.slow
def test_the_script_for_cron_does_the_same(commits: tuple[Path, Mapping[str, str]], tmp_path: Path) -> None:
    origin, ids = commits
    (script,) = blocks("sh")
    (tmp_path / "nightly.sh").write_text(script)
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    for said in ("3 commits: 5 built, 0 hit; ", "3 commits: 0 built, 5 hit; "):
        done = subprocess.run(
            ["sh", "nightly.sh", f"file://{origin}", "place"],
            cwd=tmp_path,
            env=env,
            check=True,
            capture_output=True,
            text=True,
        )
        assert said in done.stdout
    views = tmp_path / "views"
    views.mkdir()
    with tarfile.open(tmp_path / "place/views.tar.gz") as tar:
        tar.extractall(views, filter="data")
    assert all_hit(origin, views, {name: each for name, each in ids.items() if name != "old"})


def test_the_ways_to_name_a_directory_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = blocks("console")
    monkeypatch.setenv(*line.removeprefix("$ export ").strip().split("="))
    assert [str(each.directory) for each in Workspace.open(ROOT).store.behind] == ["/srv/views"]
    (text,) = blocks("yaml")
    assert parse_config(text).cache == CacheRules(read_only_dirs=("/srv/views",))


def test_the_program_that_it_shows_reads_views(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = blocks("python")
    files = {
        "pyproject.toml": '[project]\nname = "shared-auth"\nversion = "1"\n',
        "shared_auth.py": "A: int\n",
    }
    git_repo({f"packages/shared-auth/{path}": text for path, text in files.items()}, tmp_path / "repository")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "nightly.md", "exec"), {})  # our own page
    assert "\nA: int\n" in capsys.readouterr().out
