"""Golden cases of TypeScript and JavaScript; see ``support.cases``."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cases import check, names

CASES = Path(__file__).parent / "typescript"
NAMES = names(CASES)


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_view_is_as_reviewed(case: Path, tmp_path: Path) -> None:
    check(case, tmp_path)
