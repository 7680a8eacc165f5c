"""The example's views at several sizes: ``sizes/NAME.txt`` (or ``.md``) is what a reader gets.

Write them anew, then read the difference::

    IFACEGEN_UPDATE_CASES=1 pytest tests/cases
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ifacegen.tokens import count_tokens
from support.truth import slow

EXAMPLE = Path(__file__).parents[2] / "examples/monorepo"
CASES = Path(__file__).parent / "sizes"
AUTH = "packages/shared-auth"
SHOWN = {
    "outline.txt": (AUTH, "--outline"),
    "outline-1000.txt": (AUTH, "--outline", "--budget", "1000"),
    "budget-4000.txt": (AUTH, "--budget", "4000"),
    "budget-1500.txt": (AUTH, "--budget", "1500"),
    "budget-300.txt": (AUTH, "--budget", "300"),
    "least.txt": (AUTH, "--budget", "40"),
    "two-addresses.txt": (AUTH, f"{AUTH}::KeySet.find", "--budget", "200"),
    "markdown.md": (f"{AUTH}/src/shared_auth/errors.py", "--format", "markdown"),
    "budget-600.md": (AUTH, "--budget", "600", "--format", "markdown"),
}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_size_is_as_reviewed(name: str, tmp_path: Path) -> None:
    code, out, err = slow("-C", str(EXAMPLE), "--cache-dir", str(tmp_path), "show", *SHOWN[name])
    assert (code, err) == (0, b"")
    text = out.decode("utf-8").replace("examples/monorepo/packages", "packages")
    if os.environ.get("IFACEGEN_UPDATE_CASES"):
        (CASES / name).write_text(text, "utf-8")
    assert text == (CASES / name).read_text("utf-8")
    if "--budget" in SHOWN[name]:
        budget = int(SHOWN[name][SHOWN[name].index("--budget") + 1])
        assert count_tokens(out.decode("utf-8")) <= budget
