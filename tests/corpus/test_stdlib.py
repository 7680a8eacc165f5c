"""The standard library of the running Python as a fuzzer: thirty years of styles, nothing may crash."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest
from corpus.oracle import defined_names, differences, parsed, reads

from ifacegen import Workspace
from ifacegen.model import View
from ifacegen.render.text import view_text
from ifacegen_adapters.python.reader import read_facts
from ifacegen_adapters.python.source import Unreadable, read_source

pytestmark = pytest.mark.slow

STDLIB = Path(sysconfig.get_paths()["stdlib"])
#: Not the library itself, or broken on purpose.
LEFT_OUT = (
    "test",
    "tests",
    "idlelib",
    "idle_test",
    "lib2to3",
    "site-packages",
    "__pycache__",
    "config-*",
    "*.so",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library copied to where nothing else is."""
    root = tmp_path_factory.mktemp("repo")
    shutil.copytree(STDLIB, root / "stdlib", ignore=shutil.ignore_patterns(*LEFT_OUT))
    (root / "ifacegen.yaml").write_text("version: 1\npackages: [stdlib]\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def view(place: Path) -> View:
    """The whole library as one package."""
    return Workspace.open(place).view("stdlib")


def test_facts_know_every_definition(place: Path) -> None:
    """No file crashes the reader, and nothing at the top of one is overlooked."""
    for path in sorted(place.rglob("*.py")):
        tree = parsed(path)
        try:
            facts = read_facts(read_source(path.read_bytes()).text)
        except Unreadable:
            assert tree is None, path
            continue
        if tree is not None:
            assert defined_names(tree) <= {each.name for each in facts.definitions}, path


def test_nothing_fails(view: View) -> None:
    assert len(view.modules) > 150
    assert [note for note in view.notes if note.severity == "error"] == []


def test_text_is_python(view: View) -> None:
    assert reads(view_text(view))


def test_headers_and_documentation_are_those_of_the_source(view: View, place: Path) -> None:
    assert list(differences(view, place)) == []
