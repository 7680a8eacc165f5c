"""Of two documents that say the same one is left out; nothing is that says something else."""

from __future__ import annotations

import json

import pytest

from support.contracts import openapi_surface

HEAD = {"openapi": "3.1.0", "info": {"title": "FastAPI", "version": "0.1.0"}}
REFERS = {"200": {"$ref": "#/components/responses/ok"}}
COPIES = {"200": {"description": "ok"}}


def as_json(responses: object, *operations: str) -> str:
    paths: dict[str, dict[str, object]] = {}
    for each in operations:
        method, path = each.split()
        paths.setdefault(path, {})[method] = {"responses": responses}
    return json.dumps({**HEAD, "paths": paths})


def as_yaml(responses: object, *operations: str) -> str:
    lines = ["openapi: 3.1.0", "info:", "  title: FastAPI", "  version: 0.1.0", "paths:"]
    last = ""
    for each in operations:
        method, path = each.split()
        lines += [f"  {path}:"] if path != last else []
        lines += [
            f"    {method}:",
            f"      responses: {json.dumps(responses)}",
            "      x-get:",
            "        get:",
        ]
        last = path
    return "\n".join([*lines, "components:", "  x-paths:", "    /nowhere:", "      get:"]) + "\n"


def left_out(first: str, other: str) -> list[str]:
    surface = openapi_surface(first, {"other.json" if other[0] == "{" else "other.yaml": other})
    return [note.path for note in surface.notes if note.code == "dereferenced-twin"]


@pytest.mark.parametrize("write", [as_json, as_yaml])
def test_copies_of_what_another_document_refers_to_are_left_out(write: object) -> None:
    operations = ("get /a", "put /a", "get /b/{id}")
    other = as_json(COPIES, *operations) if write is as_json else as_yaml(COPIES, *operations)
    assert left_out(as_json(REFERS, *operations), other) == [
        "other.json" if write is as_json else "other.yaml"
    ]


@pytest.mark.parametrize(
    "operations", [["get /health"], ["get /users", "get /health"], ["post /users"], ["get /users/{id}"]]
)
def test_a_title_that_a_framework_gives_is_no_reason(operations: list[str]) -> None:
    assert left_out(as_json(REFERS, "get /users"), as_json(COPIES, *operations)) == []
    assert left_out(as_json(REFERS, "get /users"), as_yaml(COPIES, *operations)) == []


def test_other_ids_are_other_operations() -> None:
    refers = as_json(REFERS, "get /a").replace('"responses"', '"operationId": "a", "responses"', 1)
    copies = as_json(COPIES, "get /a").replace('"responses"', '"operationId": "b", "responses"', 1)
    assert left_out(refers, copies) == []
    assert left_out(refers, copies.replace('"b"', '"a"')) == ["other.json"]


def test_what_cannot_be_compared_at_a_glance_is_shown() -> None:
    flow = "openapi: 3.1.0\ninfo:\n  title: FastAPI\n  version: 0.1.0\npaths:\n  /a: {get: {responses: {}}}\n  /b:\n    get: {}\n"
    assert left_out(as_json(REFERS, "get /b"), flow) == []
    assert (
        left_out(
            as_json(REFERS, "get /b"),
            '{"openapi": "3.1.0", "info": {"title": "FastAPI", "version": "0.1.0"}, ',
        )
        == []
    )
