"""Views that programs of the machine have a part in: which one made them is known, and asked for each time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ifacegen import Workspace
from support.toolchain import toolchain
from support.trees import commit_all, git_repo

IFACEGEN = str(Path(sys.executable).with_name("ifacegen"))
UI = {
    "package.json": '{"private": true, "workspaces": ["ui", "forms", "plain"]}',
    "ui/package.json": '{"name": "@acme/ui", "exports": "./src/index.ts"}',
    "ui/src/index.ts": "export const size = () => ({ width: 1, height: two() });\nfunction two() { return 2; }\n",
    "forms/package.json": '{"name": "@acme/forms", "exports": "./index.ts", "dependencies": {"@acme/ui": "*"}}',
    "forms/index.ts": 'import { size } from "@acme/ui";\nexport const area = () => size().width;\n',
    "plain/package.json": '{"name": "@acme/plain", "types": "index.d.ts"}',
    "plain/index.d.ts": "export declare function plain(): void;\n",
}
WITH = "size: () => { width: number; height: number }"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts these programs on PATH, beside git, and no others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").symlink_to(shutil.which("git") or "git")
    places = {"node": Path(shutil.which("node") or "node"), "tsc": toolchain() / "typescript" / "bin" / "tsc"}
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("IFACEGEN_CACHE_DIR", str(tmp_path / "cache"))

    def choose(*names: str) -> None:
        for name, place in places.items():
            (folder / name).unlink(missing_ok=True)
            if name in names:
                (folder / name).symlink_to(place)

    return choose


def show(root: Path, *arguments: str) -> str:
    """What the command prints."""
    done = subprocess.run(
        [IFACEGEN, "-C", root, "show", *arguments], check=True, capture_output=True, text=True, env=os.environ
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--commit", "HEAD")], ids=["work tree", "commit"])
def test_a_toolchain_makes_another_view_which_those_without_take(
    more: tuple[str, ...], tmp_path: Path, programs: Callable[..., None]
) -> None:
    root = git_repo(UI, tmp_path / "repo")
    programs()
    without = show(root, "ui", *more)
    assert "toolchain-missing" in without
    assert "npm install --global typescript@7 oxc-transform" in without
    assert WITH not in without
    assert [show(root, "ui", *more) for _ in range(3)] == [without] * 3
    programs("node", "tsc")
    made = show(root, "ui", *more)
    assert WITH in made
    assert "toolchain-missing" not in made
    assert [show(root, "ui", *more) for _ in range(3)] == [made] * 3
    programs()
    assert [show(root, "ui", *more) for _ in range(2)] == [made] * 2


@pytest.mark.slow
def test_what_needs_no_toolchain_is_the_same_with_any(tmp_path: Path, programs: Callable[..., None]) -> None:
    root = git_repo(UI, tmp_path / "repo")
    programs()
    before = show(root, "plain")
    assert "function plain(): void;" in before
    programs("node", "tsc")
    assert show(root, "plain") == before
    assert Workspace.open(root).look_up("plain").status == "hit"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_warming_gives_what_single_builds_give(
    jobs: int, tmp_path: Path, programs: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    programs("node", "tsc")
    root = git_repo(UI, tmp_path / "repo")
    report = Workspace.open(root).warm(jobs=jobs)
    assert {each.package: each.outcome for each in report.results} == dict.fromkeys(
        ("forms", "plain", "ui"), "built"
    )
    warmed = [show(root, package) for package in ("forms", "plain", "ui")]
    assert "area: () => number" in warmed[0]  # a type from the other package
    for package, view in zip(("forms", "plain", "ui"), warmed, strict=True):
        monkeypatch.setenv("IFACEGEN_CACHE_DIR", str(tmp_path / f"cache-{package}"))
        assert show(root, package) == view


@pytest.mark.slow
def test_a_change_in_the_other_package_is_seen(tmp_path: Path, programs: Callable[..., None]) -> None:
    programs("node", "tsc")
    root = git_repo(UI, tmp_path / "repo")
    assert "area: () => number" in show(root, "forms")
    (root / "ui/src/index.ts").write_text('export const size = () => ({ width: "1" });\n')
    assert "area: () => string" in show(root, "forms")
    commit_all(root, "wider")
    assert "area: () => string" in show(root, "forms", "--commit", "HEAD")
    assert "area: () => number" in show(root, "forms", "--commit", "HEAD~1")


@pytest.mark.slow
def test_the_doctor_says_what_there_is_and_what_to_install(
    tmp_path: Path, programs: Callable[..., None]
) -> None:
    root = git_repo(UI, tmp_path / "repo")

    def toolchain_line() -> str:
        done = subprocess.run([IFACEGEN, "-C", root, "doctor"], check=False, capture_output=True, text=True)
        (line,) = (line for line in done.stdout.splitlines() if "toolchain typescript" in line)
        return line

    programs()
    assert toolchain_line().startswith("note    toolchain typescript: none; without TypeScript 7 and oxc")
    programs("node", "tsc")
    assert toolchain_line().startswith("ok      toolchain typescript: typescript 7.")
