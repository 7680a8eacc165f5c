"""Real packages that are installed with our own tools, read as their users have them."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from corpus.oracle import Subject, differences, parsed, public_names

from ifacegen.render.json import to_json, view_value

pytestmark = pytest.mark.slow

#: Distributions that the tools of this repository bring with them.
NAMES = ("attrs", "click", "griffelib", "mypy_extensions", "packaging", "pluggy", "pytest", "rich")
SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "schemas" / "view-1.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module", params=NAMES)
def subject(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """The Python files of one installed distribution and nothing else."""
    try:
        files = importlib.metadata.files(str(request.param)) or ()
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("not installed")
    root = tmp_path_factory.mktemp("repo")
    for each in files:
        if each.suffix in (".py", ".pyi") and ".." not in each.parts:
            target = root / "package" / each
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(each.locate()), target)
    (root / "ifacegen.yaml").write_text("version: 1\npackages: [package]\n", encoding="utf-8")
    return Subject(root, "package")


def test_nothing_fails(subject: Subject) -> None:
    assert subject.view.modules
    assert subject.errors() == []


def test_text_and_stubs_are_python(subject: Subject) -> None:
    assert subject.unreadable() == []


def test_json_is_as_the_schema_says(subject: Subject) -> None:
    value = json.loads(to_json(view_value(subject.view)))
    assert [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(value)] == []


def test_public_functions_and_classes_are_shown(subject: Subject) -> None:
    shown = {(module.name, each.name) for module in subject.view.modules for each in module.declarations}
    sources = {name: parsed(path) for name, path in public_modules(subject.package).items()}
    written = {
        (name, each) for name, tree in sources.items() if tree is not None for each in public_names(tree)
    }
    assert sorted(written - shown) == []


def test_headers_and_documentation_are_those_of_the_source(subject: Subject) -> None:
    assert list(differences(subject.view, subject.root)) == []


def public_modules(root: Path) -> dict[str, Path]:
    """Modules that callers import; where a stub describes one, the stub."""
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*.py*")):
        parts = path.relative_to(root).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if parts and not any(part[0] == "_" or part == "conftest" for part in parts):
            found[".".join(parts)] = path
    return found
