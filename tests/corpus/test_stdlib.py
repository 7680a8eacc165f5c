"""The standard library of the running Python as a fuzzer: thirty years of styles, nothing may crash."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest
from corpus.oracle import Subject, defined_names, differences, parsed

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

#: Functions that say how a module works, not what it offers.
MACHINERY = frozenset({"__getattr__", "__dir__"})


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """The whole library as one package, copied to where nothing else is."""
    root = tmp_path_factory.mktemp("repo")
    shutil.copytree(STDLIB, root / "stdlib", ignore=shutil.ignore_patterns(*LEFT_OUT))
    (root / "ifacegen.yaml").write_text("version: 1\npackages: [stdlib]\n", encoding="utf-8")
    return Subject(root, "stdlib")


def test_facts_know_every_definition(subject: Subject) -> None:
    """No file crashes the reader, and nothing at the top of one is overlooked."""
    missing = {
        f"{path.relative_to(subject.root)}: {name}"
        for path in sorted(subject.package.rglob("*.py"))
        for name in overlooked(path)
    }
    assert missing == set()


def overlooked(path: Path) -> frozenset[str]:
    """Definitions at the top of a file that its facts lack."""
    tree = parsed(path)
    written = defined_names(tree) - MACHINERY if tree is not None else frozenset()
    try:
        facts = read_facts(read_source(path.read_bytes()).text)
    except Unreadable:
        return written
    return written - {each.name for each in facts.definitions}


def test_nothing_fails(subject: Subject) -> None:
    assert len(subject.view.modules) > 150
    assert subject.errors() == []


def test_text_and_stubs_are_python(subject: Subject) -> None:
    assert subject.unreadable() == []


def test_headers_and_documentation_are_those_of_the_source(subject: Subject) -> None:
    assert list(differences(subject.view, subject.root)) == []
