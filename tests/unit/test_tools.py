"""Programs that adapters may run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ifacegen.config import parse_config
from ifacegen.errors import ConfigError
from ifacegen.tools import Toolbox


def _program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_first_on_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _program(tmp_path / "b/node")
    _program(tmp_path / "c/node")
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / each) for each in "abc"))
    assert Toolbox({}, str(tmp_path / "repo")).program("node") == os.path.realpath(found)
    assert Toolbox({}, str(tmp_path / "repo")).program("deno") is None


def test_what_is_configured_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(tmp_path / "a/node")
    configured = _program(tmp_path / "own/node")
    monkeypatch.setenv("PATH", str(tmp_path / "a"))
    assert Toolbox({"node": configured}, str(tmp_path / "repo")).program("node") == os.path.realpath(
        configured
    )
    missing = str(tmp_path / "nothing/node")
    assert Toolbox({"node": missing}, str(tmp_path / "repo")).program("node") is None


@pytest.mark.parametrize("place", ["node_modules/.bin", "tools"])
def test_nothing_of_the_repository_is_run(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = tmp_path / "repo"
    inside = _program(repo / place / "tsc")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tsc").symlink_to(inside)
    (tmp_path / "link").symlink_to(repo)
    (repo / "out").symlink_to(tmp_path / "bin")
    monkeypatch.chdir(repo)
    folders = [repo / place, tmp_path / "bin", tmp_path / "link" / place, repo / "out", Path(place), Path()]
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    tools = Toolbox({"typescript": inside}, str(repo))
    assert tools.program("tsc") is None
    assert tools.program("typescript") is None
    assert not tools.admits(str(repo))
    assert not tools.admits(inside)


def test_a_program_outside_that_is_linked_from_inside_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = _program(tmp_path / "bin/tsc")
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "tsc").symlink_to(outside)
    monkeypatch.setenv("PATH", str(repo))
    assert Toolbox({}, str(repo)).program("tsc") is None


def test_what_was_looked_at_tells_when_something_else_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    tools = Toolbox({}, str(tmp_path / "repo"))
    assert tools.program("node") is None
    before = tools.states()
    assert tools.states() == before
    _program(tmp_path / "bin/node")
    assert tools.states() != before


def test_home_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    found = _program(tmp_path / "bin/node")
    (name, path), *_ = parse_config("version: 1\ntools:\n  node: ~/bin/node\n").tools
    assert Toolbox({name: path}, str(tmp_path / "repo")).program("node") == os.path.realpath(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("typscript: /opt/ts", "did you mean `typescript`"),
        ("typescript: node_modules/typescript", "absolute path outside the repository"),
        ("node: ./node", "absolute path outside the repository"),
        ("node: [/usr/bin/node]", "must be a string"),
    ],
)
def test_mistakes_in_tools_are_told(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as error:
        parse_config(f"version: 1\ntools:\n  {text}\n")
    assert error.value.line == 3
