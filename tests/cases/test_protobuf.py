"""Golden cases of Protocol Buffers; see ``support.cases``."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifacegen import Workspace
from support.cases import check, names
from support.descriptors import descriptors, differences
from support.trees import repo

CASES = Path(__file__).parent / "protobuf"
NAMES = names(CASES)


@pytest.mark.parametrize("case", [CASES / name for name in NAMES], ids=NAMES)
def test_view_is_as_reviewed(case: Path, tmp_path: Path) -> None:
    check(case, tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        *("comments", "custom_options", "editions", "enum_aliases", "http_options", "nested_and_maps", "proto2"),
        *("hidden_options", "proto3_optional", "r18", "reserved", "streaming"),
    ],
)
def test_stubs_say_what_the_sources_say(name: str, tmp_path: Path) -> None:
    case = CASES / name / "input"
    sources: dict[str, str] = {}
    for root in ("proto", "protos", "third_party/googleapis"):
        for path in (case / root).rglob("*.proto"):
            sources[path.relative_to(case / root).as_posix()] = path.read_text("utf-8")
    files = {path.relative_to(case).as_posix(): path.read_text("utf-8") for path in case.rglob("*.proto")}
    workspace = Workspace.open(repo(files, tmp_path))
    (package,) = workspace.packages()
    stubs = dict(workspace.stubs(workspace.view(package)))
    assert list(differences(descriptors(sources), descriptors({**sources, **stubs}))) == []
