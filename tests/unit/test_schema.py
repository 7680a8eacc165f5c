"""``docs/schemas/view-1.json`` describes exactly what ``ifacegen show --format json`` prints."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest

from ifacegen import Workspace
from ifacegen.model import Declaration, Interface, Module, Note, Parameter, TokenCounts, View
from ifacegen.render.json import FORMAT, to_json, view_value

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "schemas" / "view-1.json").read_text(encoding="utf-8"))
PROBE = ROOT / "tests" / "cases" / "python" / "probe_pk" / "input"
MODELS = {
    "interface": Interface,
    "module": Module,
    "declaration": Declaration,
    "parameter": Parameter,
    "note": Note,
    "tokens": TokenCounts,
}


def validator() -> jsonschema.Draft202012Validator:
    """One that knows the schema."""
    return jsonschema.Draft202012Validator(SCHEMA)


def printed(place: Path, address: str) -> dict[str, Any]:
    """The JSON of a view, printed and read again."""
    value: dict[str, Any] = json.loads(to_json(view_value(Workspace.open(place).view(address))))
    return value


@pytest.fixture
def value(tmp_path: Path) -> dict[str, Any]:
    """The JSON of the example's view."""
    place = shutil.copytree(ROOT / "examples" / "monorepo", tmp_path / "monorepo")
    return printed(place, "packages/shared-auth")


def objects(part: object) -> Iterator[dict[str, Any]]:
    """Every schema of an object with fixed properties."""
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for each in part.values():
            yield from objects(each)


def names(model: type[Any]) -> list[str]:
    """The fields of a value, in order."""
    return [each.name for each in dataclasses.fields(model)]


def enumerated(model: type[Any], field: str) -> set[object]:
    """The values that a field may have by its type."""
    hint = get_type_hints(model)[field]
    flat = [each for part in get_args(hint) for each in (get_args(part) or (part,))]
    return {None if each is type(None) else each for each in flat}


def test_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["format"]["const"] == SCHEMA["title"] == FORMAT


def test_properties_of_a_view_are_the_fields_of_the_model_but_for_its_text() -> None:
    assert list(SCHEMA["properties"]) == [
        "format",
        *(name for name in names(View) if name not in ("body", "header")),
    ]


@pytest.mark.parametrize("name", MODELS)
def test_properties_are_the_fields_of_the_model(name: str) -> None:
    assert list(SCHEMA["$defs"][name]["properties"]) == names(MODELS[name])


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("interface", "kind"),
        ("declaration", "visibility"),
        ("declaration", "type_origin"),
        ("parameter", "kind"),
        ("note", "severity"),
    ],
)
def test_closed_values_are_those_of_the_model(name: str, field: str) -> None:
    assert set(SCHEMA["$defs"][name]["properties"][field]["enum"]) == enumerated(MODELS[name], field)


def test_objects_are_closed_and_complete() -> None:
    for each in objects(SCHEMA):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_every_field_is_described() -> None:
    for each in objects(SCHEMA):
        for name, field in each["properties"].items():
            target = SCHEMA["$defs"][field["$ref"].rpartition("/")[2]] if "$ref" in field else field
            assert target.get("description"), name


def test_view_of_the_example_validates(value: dict[str, Any]) -> None:
    validator().validate(value)


@pytest.mark.skipif(not PROBE.is_dir(), reason="the case is not there")
def test_view_of_the_probe_validates(tmp_path: Path) -> None:
    place = shutil.copytree(PROBE, tmp_path / "probe")
    for package in Workspace.open(place).packages():
        validator().validate(printed(place, package.path))


@pytest.mark.parametrize("adapter", ["openapi", "protobuf", "typescript"])
def test_views_of_other_ecosystems_validate(adapter: str, tmp_path: Path) -> None:
    for case in sorted((ROOT / "tests" / "cases" / adapter).iterdir()):
        place = shutil.copytree(case / "input", tmp_path / case.name, symlinks=True)
        for package in Workspace.open(place).packages():
            validator().validate(printed(place, package.path))


def test_view_at_a_commit_validates(value: dict[str, Any]) -> None:
    validator().validate({**value, "commit": "0" * 40})


@pytest.mark.parametrize(
    "change",
    [{"format": "ifacegen/view/2"}, {"body": ""}, {"commit": "HEAD"}, {"digest": "x"}],
    ids=lambda change: next(iter(change)),
)
def test_anything_else_is_refused(value: dict[str, Any], change: dict[str, Any]) -> None:
    assert not validator().is_valid({**value, **change})


def test_unknown_kinds_are_refused(value: dict[str, Any]) -> None:
    value["modules"][0]["declarations"][0]["kind"] = "thing"
    assert not validator().is_valid(value)
