"""Real packages that are installed with our own tools, read as their users have them."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from corpus.oracle import differences, parsed, public_names, reads

from ifacegen import Workspace
from ifacegen.model import View
from ifacegen.render.json import to_json, view_value
from ifacegen.render.text import view_text

pytestmark = pytest.mark.slow

#: Distributions that the tools of this repository bring with them.
NAMES = ("attrs", "click", "griffelib", "mypy_extensions", "packaging", "pluggy", "pytest", "rich")
SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "schemas" / "view-1.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module", params=NAMES)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the Python files of one installed distribution and nothing else."""
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
    return root


@pytest.fixture(scope="module")
def workspace(place: Path) -> Workspace:
    """The folder, opened."""
    return Workspace.open(place)


@pytest.fixture(scope="module")
def view(workspace: Workspace) -> View:
    """The view of the distribution."""
    return workspace.view("package")


def test_nothing_fails(view: View) -> None:
    assert view.modules
    assert [note for note in view.notes if note.severity == "error"] == []


def test_text_and_stubs_are_python(view: View, workspace: Workspace, place: Path) -> None:
    assert reads(view_text(view))
    for name, text in workspace.stubs(view).items():
        assert reads(text), name


def test_json_is_as_the_schema_says(view: View) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(to_json(view_value(view))))


def test_public_functions_and_classes_are_shown(view: View, place: Path) -> None:
    shown = {(module.name, each.name) for module in view.modules for each in module.declarations}
    sources = {name: parsed(path) for name, path in public_modules(place / "package").items()}
    written = {
        (name, each) for name, tree in sources.items() if tree is not None for each in public_names(tree)
    }
    assert written - shown == set()


def test_headers_and_documentation_are_those_of_the_source(view: View, place: Path) -> None:
    assert list(differences(view, place)) == []


def public_modules(root: Path) -> dict[str, Path]:
    """Modules that callers import; where a stub describes one, the stub."""
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*.py*")):
        parts = path.relative_to(root).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if parts and not any(part[0] == "_" or part == "conftest" for part in parts):
            found[".".join(parts)] = path
    return found
