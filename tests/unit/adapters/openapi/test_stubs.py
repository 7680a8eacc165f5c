"""Stubs are OpenAPI documents whose view is the view that they were made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ifacegen.model import Module
from ifacegen_adapters.openapi import OpenApiAdapter
from ifacegen_adapters.openapi.schemata import schema_of
from support.contracts import openapi_context, openapi_surface, openapi_text

CASES = Path(__file__).parents[3] / "cases/openapi"
ADAPTER = OpenApiAdapter()


def names(name: str) -> str | None:
    return f"#/components/schemas/{name}" if name[:1].isupper() else None


@pytest.mark.parametrize(
    "case", ["r17", "features_30", "features_31", "polymorphism", "callbacks_and_webhooks"]
)
def test_the_view_of_a_stub_is_the_view_itself(case: str) -> None:
    (path,) = [each for each in (CASES / case / "input").rglob("*") if each.is_file()]
    surface = openapi_surface(path.read_bytes())
    (stub,) = ADAPTER.render_stubs(surface.modules).values()
    again = openapi_text(openapi_surface(stub), docs="none").splitlines()
    first = openapi_text(surface, docs="none").splitlines()
    # What stands for something that is not shown, and how a number is written, are not the stub's to keep.
    for line, other in zip(first, again, strict=True):
        kept = line.replace(" & …(conditions)", "").replace("1.50", "1.5").replace('{"b": 2}', "{b: 2}")
        assert other == kept.replace(', "bird": unknown', "")


def test_a_package_of_several_documents_has_a_stub_for_each() -> None:
    root = CASES / "several_documents/input/apis/shop"
    files = {
        each.relative_to(root).as_posix(): each.read_bytes() for each in root.rglob("*") if each.is_file()
    }
    surface = ADAPTER.build(openapi_context(files))
    stubs = ADAPTER.render_stubs(surface.modules)
    assert [*stubs] == ["v1/openapi.json", "v2/openapi.json"]
    second = json.loads(stubs["v2/openapi.json"])
    assert second["components"]["schemas"] == {
        "Order": {"type": "object", "properties": {"id": {"type": "integer"}}},
        "Error": {"type": "string"},
        "Error_2": {"type": "object", "properties": {"code": {"type": "integer"}}},
    }
    answer = second["paths"]["/orders"]["get"]["responses"]["400"]
    assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error_2"}


def test_a_stub_of_a_part_is_a_document_too() -> None:
    surface = openapi_surface((CASES / "features_30/input/apis/shop/openapi.yaml").read_bytes())
    orders: list[Module] = [each for each in surface.modules if each.name == "orders"]
    (stub,) = ADAPTER.render_stubs(orders, docs="none").values()
    made = json.loads(stub)
    assert [*made["paths"]] == ["/orders", "/orders/{id}"]
    assert "summary" not in stub


def test_no_modules_no_stubs() -> None:
    assert ADAPTER.render_stubs([]) == {}


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("string(date-time)", {"type": "string", "format": "date-time"}),
        ("Pet[]", {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}),
        ('"a" | "b" | null', {"enum": ["a", "b", None]}),
        ("(string | null)[]", {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}),
        ("{a: string, b?: integer = 1}", {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer", "default": 1}},
            "required": ["a"],
        }),
        ("{[key]: any}", {"type": "object", "additionalProperties": True}),
        ("not string", {"not": {"type": "string"}}),
        ("never", False),
        ("any", {}),
        ("unknown", {}),
        ("required(a, b)", {"required": ["a", "b"]}),
        ("<https://x.org/a.json>", {"$ref": "https://x.org/a.json"}),
        ('{a?: string = "xx… (4,000 characters), b?: integer}', {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        }),
        ("[string, ...boolean[]]", {
            "type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "boolean"},
        }),
        ('union by kind {"a": Pet}', {
            "oneOf": [{"$ref": "#/components/schemas/Pet"}],
            "discriminator": {"propertyName": "kind", "mapping": {"a": "#/components/schemas/Pet"}},
        }),
        ("{", {"description": "{"}),
        ("(" * 5_000, {"description": "(" * 5_000}),
        ("a b", {"description": "a b"}),
    ],
)  # fmt: skip
def test_types_are_read_back(text: str, schema: Any) -> None:
    assert schema_of(text, names) == schema
