"""Golden cases: ``CASE/input`` is what was written, ``view.txt`` what a caller is shown of it.

``notes.txt`` lies beside it where there are notes; ``input/ifacegen.yaml`` where options matter; ``stubs.txt``
where stubs show something else than readers are shown.
Write them anew, then read the difference::

    IFACEGEN_UPDATE_CASES=1 pytest tests/cases
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from ifacegen import Workspace

UPDATE = bool(os.environ.get("IFACEGEN_UPDATE_CASES"))


def names(cases: Path) -> Sequence[str]:
    """The cases in a folder."""
    return sorted(each.name for each in cases.iterdir() if (each / "input").is_dir())


def check(case: Path, place: Path) -> None:
    """A case's views are as they were reviewed; ``place`` is a folder to lay it out in."""
    found = results(case, place)
    if UPDATE:
        write(case, found)
    assert found == expected(case)


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
