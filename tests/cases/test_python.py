"""Golden cases: ``python/CASE/input`` is what was written, ``view.txt`` what a caller is shown of it.

``notes.txt`` lies beside it where there are notes; ``input/ifacegen.yaml`` where options matter; ``stubs.txt``
where type checkers are shown something else than readers.
Write them anew, then read the difference::

    IFACEGEN_UPDATE_CASES=1 pytest tests/cases
"""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path

import pytest

from ifacegen import Workspace

CASES = Path(__file__).parent / "python"
UPDATE = bool(os.environ.get("IFACEGEN_UPDATE_CASES"))
NAMES = sorted(each.name for each in CASES.iterdir() if (each / "input").is_dir())


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_view_is_as_reviewed(case: Path, tmp_path: Path) -> None:
    found = results(case, tmp_path)
    if UPDATE:
        write(case, found)
    assert found == expected(case)


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_reviewed_view_parses_as_a_stub(case: Path) -> None:
    # What Python 3.11 cannot parse itself is checked by the parser that reads every version's syntax.
    for text in (each.read_text("utf-8") for each in case.glob("view*.txt")):
        if newer_than_311(text):
            from ifacegen_adapters.python.reader import read_facts

            assert read_facts(text.encode()).problems == ()
        else:
            ast.parse(text)


def results(case: Path, tmp_path: Path) -> dict[str, str]:
    """File name → content: the view of each package of a case, and its notes if there are any."""
    place = tmp_path / "repo"
    shutil.copytree(case / "input", place, symlinks=True)
    workspace = Workspace.open(place)
    packages = workspace.packages()
    found: dict[str, str] = {}
    for package in packages:
        view = workspace.view(package)
        suffix = "" if len(packages) == 1 else "." + package.path.rpartition("/")[2]
        found[f"view{suffix}.txt"] = view.body
        if (case / f"stubs{suffix}.txt").is_file():
            stubs = workspace.stubs(view)
            found[f"stubs{suffix}.txt"] = "\n\n".join(f"# {path}\n{text}" for path, text in stubs.items())
        if view.notes:
            found[f"notes{suffix}.txt"] = "".join(f"{note.severity}: {note}\n" for note in view.notes)
    return found


def expected(case: Path) -> dict[str, str]:
    """What was reviewed."""
    return {each.name: each.read_text("utf-8") for each in sorted(case.glob("*.txt"))}


def write(case: Path, found: dict[str, str]) -> None:
    """Make the files of a case what was found."""
    for old in case.glob("*.txt"):
        old.unlink()
    for name, text in found.items():
        (case / name).write_text(text, "utf-8")


def newer_than_311(text: str) -> bool:
    """Whether Python 3.11 refuses it."""
    try:
        ast.parse(text)
    except SyntaxError:
        return True
    return False
