from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_cache.layout import KINDS, entry_path

HEX = "0123456789abcdef" * 4
ODD = st.text(st.sampled_from("0af/.-g\\ \n\0A٣"), max_size=90) | st.from_regex(
    r"[0-9a-f]{6,70}", fullmatch=True
)


@pytest.mark.parametrize(
    ("kind", "key", "path"),
    [
        ("views", HEX, f"views/01/{HEX}"),
        ("facts", "abcdef01", "facts/ab/abcdef01"),
        ("trees", HEX[:40], f"trees/{HEX[:40]}"),
        ("worktrees", HEX, f"worktrees/{HEX}"),
        ("index", f"{HEX}/{HEX[:40]}-{HEX[:16]}", f"index/{HEX}/{HEX[:40]}-{HEX[:16]}"),
        ("index", f"{HEX}/{HEX}-{HEX[:16]}", f"index/{HEX}/{HEX}-{HEX[:16]}"),
    ],
)
def test_where_an_entry_is(kind: str, key: str, path: str) -> None:
    assert entry_path(kind, key) == path


@pytest.mark.parametrize(
    "key",
    [
        "",
        "abc",
        HEX + "0",
        HEX.upper(),
        "../" + HEX[3:],
        HEX[:-1] + "/",
        HEX[:-1] + "\n",
        "٣" * 8,
        HEX[:8] + ".",
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_anything_else_is_no_key(kind: str, key: str) -> None:
    with pytest.raises(ValueError, match="not one"):
        entry_path(kind, key)


@pytest.mark.parametrize(
    "key",
    [
        HEX,
        f"{HEX}/{HEX}",
        f"{HEX[:-1]}/{HEX}-{HEX}",
        f"{HEX}/../{HEX}-{HEX}",
        f"{HEX}/{HEX}-{HEX}-{HEX}",
        f"{HEX}//-",
    ],
)
def test_an_index_key_has_three_parts(key: str) -> None:
    with pytest.raises(ValueError, match="not one"):
        entry_path("index", key)


@pytest.mark.parametrize("kind", ["", "tmp", "stats", "views/..", "VIEWS"])
def test_there_are_no_other_kinds(kind: str) -> None:
    with pytest.raises(ValueError, match="kind"):
        entry_path(kind, HEX)


@given(st.sampled_from(KINDS), ODD)
def test_no_key_leads_elsewhere(kind: str, key: str) -> None:
    try:
        path = entry_path(kind, key)
    except ValueError:
        return
    assert re.fullmatch(rf"{kind}/[0-9a-f/-]+", path, re.ASCII)
    assert path.count("/") <= 2
