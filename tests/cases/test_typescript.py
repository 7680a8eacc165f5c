"""Golden cases of TypeScript and JavaScript; see ``support.cases``.

What a machine has installed decides nothing here: there is no toolchain, but for cases with a file ``TOOLCHAIN``, which
have the one that ``make test`` installs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.cases import check, names
from support.toolchain import toolchain

CASES = Path(__file__).parent / "typescript"
NAMES = names(CASES)


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_view_is_as_reviewed(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "git").symlink_to(shutil.which("git") or "git")
    if (case / "TOOLCHAIN").exists():
        (programs / "tsc").symlink_to(toolchain() / "typescript" / "bin" / "tsc")
        (programs / "node").symlink_to(shutil.which("node") or "node")
    monkeypatch.setenv("PATH", str(programs))
    check(case, tmp_path)
