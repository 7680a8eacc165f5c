"""Stubs are OpenAPI documents whose view is the view that they were made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_documents_that_differ_in_their_suffix_alone_are_kept_apart() -> None:
    files = {
        f"a.{suffix}": f"openapi: 3.0.0\ninfo: {{title: {suffix}}}\npaths: {{}}\n"
        for suffix in ("yaml", "yml")
    }
    surface = ADAPTER.build(openapi_context(files))
    assert [module.name for module in surface.modules] == ["a.yaml/api", "a.yml/api"]
    assert [*ADAPTER.render_stubs(surface.modules)] == ["a.yaml.json", "a.yml.json"]


def test_what_another_document_has_is_in_the_stub_under_a_name_of_its_own() -> None:
    head = "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n"
    files = {
        "a.yaml": f"{head}    Error: {{type: string}}\n    Uses: {{type: array, items: {{$ref: 'b.yaml#/components/schemas/B'}}}}\n",
        "b.yaml": f"{head}    Error: {{type: integer}}\n    B: {{type: array, items: {{$ref: '#/components/schemas/Error'}}}}\n",
    }
    surface = ADAPTER.build(openapi_context(files))
    assert "schema Uses = b/components:B[]" in ADAPTER.render(surface.modules)
    made = json.loads(ADAPTER.render_stubs(surface.modules)["a.json"])["components"]["schemas"]
    assert made == {
        "Error": {"type": "string"},
        "Uses": {"type": "array", "items": {"$ref": "#/components/schemas/B"}},
        "B": {"type": "array", "items": {"$ref": "#/components/schemas/Error_2"}},
        "Error_2": {"type": "integer"},
    }


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
        ('{a?: string = "xx…" (4,000 characters), b?: integer}', {
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


NAMES = st.sampled_from(
    ["a", "b-c", "x.y", "+1", "with space", "é", "$ref_", "(odd)", 'q"uote', "key", "readonly", "#"]
)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-9, 10**12)
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2)
)
LEAVES = st.sampled_from(
    [
        {},
        True,
        False,
        {"type": "string"},
        {"type": "string", "format": "date-time"},
        {"type": "integer", "format": "int64"},
        {"type": ["string", "null"]},
        {"type": "object"},
        {"type": "array"},
        {"$ref": "#/components/schemas/Other"},
        {"$ref": "https://example.org/a.json"},
    ]
) | st.builds(
    lambda values: {"enum": values},
    st.lists(VALUES.filter(lambda each: not isinstance(each, list)), min_size=1, max_size=4),
)


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    flagged = st.builds(
        lambda schema, flags: (
            {**schema, **dict.fromkeys(flags, True)} if isinstance(schema, dict) else schema
        ),
        inner,
        st.sets(st.sampled_from(["readOnly", "writeOnly", "deprecated", "nullable"]), max_size=2),
    )
    fields = st.dictionaries(NAMES, flagged, max_size=3)
    return st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda items, rest: {"type": "array", "prefixItems": items, "items": rest}, several, inner),
        st.builds(
            lambda fields, required, more: {
                "type": "object",
                "properties": fields,
                "required": sorted(required),
                **more,
            },
            fields,
            st.sets(NAMES, max_size=3),
            st.sampled_from(
                [{}, {"additionalProperties": True}, {"additionalProperties": {"type": "integer"}}]
            ),
        ),
        st.builds(lambda parts: {"allOf": parts}, several),
        st.builds(lambda parts: {"oneOf": parts}, several),
        st.builds(
            lambda parts, name: {"anyOf": parts, "discriminator": {"propertyName": name}},
            several,
            st.just("kind"),
        ),
        st.builds(lambda schema: {"not": schema}, inner),
        st.builds(
            lambda schema, value: {**schema, "default": value} if isinstance(schema, dict) else schema,
            inner,
            VALUES,
        ),
    )


@given(st.recursive(LEAVES, composed, max_leaves=12))
def test_any_schema_has_a_stub_with_its_view(schema: Any) -> None:
    def shown(content: Any) -> str:
        return openapi_text(openapi_surface(content), docs="none")

    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"get": {"parameters": [{"name": "p", "in": "query", "schema": schema}]}}},
        "components": {"schemas": {"Schema": schema, "Other": {"type": "string"}}},
    }
    (stub,) = ADAPTER.render_stubs(openapi_surface(document).modules).values()
    assert shown(stub) == shown(document)
