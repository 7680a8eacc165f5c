"""Golden cases of Python; see ``support.cases``."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from support.cases import check, names

CASES = Path(__file__).parent / "python"
NAMES = names(CASES)


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_view_is_as_reviewed(case: Path, tmp_path: Path) -> None:
    check(case, tmp_path)


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_reviewed_view_parses_as_a_stub(case: Path) -> None:
    # What Python 3.11 cannot parse itself is checked by the parser that reads every version's syntax.
    for text in (each.read_text("utf-8") for each in case.glob("view*.txt")):
        if newer_than_311(text):
            from ifacegen_adapters.python.reader import read_facts

            assert read_facts(text.encode()).problems == ()
        else:
            ast.parse(text)


def newer_than_311(text: str) -> bool:
    """Whether Python 3.11 refuses it."""
    try:
        ast.parse(text)
    except SyntaxError:
        return True
    return False
