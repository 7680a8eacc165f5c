"""Whatever stands anywhere in a document, it costs what stands there and nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen_adapters.openapi import OpenApiAdapter
from support.contracts import openapi_surface, openapi_text

SCHEMA = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "format": "uuid", "readOnly": True, "description": "Its id."},
        "pets": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
        "state": {"enum": ["open", None], "default": "open", "nullable": True},
        "pair": {"prefixItems": [{"type": ["string", "null"]}], "items": False},
    },
    "additionalProperties": {"type": "integer"},
    "patternProperties": {"^x-": {"const": 1}},
    "allOf": [{"$ref": "#/components/schemas/Pet"}],
    "oneOf": [{"$ref": "#/components/schemas/Pet"}, {"not": {"type": "string"}}],
    "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Pet"}},
    "if": {"type": "object"},
}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1", "description": "All of it. And more."},
    "servers": [{"url": "https://{region}.example.org", "variables": {"region": {"default": "eu", "enum": ["eu"]}}}],
    "security": [{"key": []}],
    "tags": [{"name": "pets", "description": "Pets."}],
    "paths": {
        "/pets/{id}": {
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "get": {
                "operationId": "getPet",
                "tags": ["pets"],
                "summary": "Get a pet",
                "parameters": [
                    {"name": "q", "in": "query", "style": "form", "explode": False, "schema": {"type": "array"}},
                    {"name": "f", "in": "query", "content": {"application/json": {"schema": SCHEMA}}},
                ],
                "requestBody": {"required": True, "content": {"application/xml": {"schema": SCHEMA}}},
                "responses": {
                    "200": {
                        "description": "Here it is.",
                        "headers": {"Link": {"schema": {"type": "string"}}},
                        "content": {"application/json": {"schema": SCHEMA}},
                        "links": {"next": {"operationId": "getPet"}},
                    },
                    "default": {"$ref": "#/components/responses/error"},
                },
                "callbacks": {"done": {"{$url}": {"post": {"responses": {"200": {"description": "ok"}}}}}},
                "security": [{"key": ["a"]}, {}],
                "servers": [{"url": "/v2"}],
            },
        },
        "/kept": {"get": {"operationId": "kept", "responses": {"204": {"description": "ok"}}}},
    },
    "webhooks": {"born": {"post": {"requestBody": {"content": {}}, "responses": {}}}},
    "components": {
        "schemas": {"Pet": SCHEMA, "Kept": {"type": "string"}},
        "parameters": {"id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "responses": {"error": {"description": "Wrong.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
}  # fmt: skip


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a value, but for those that make it an OpenAPI document with the kept operation."""
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in keys:
        path = (*above, key)
        if (
            path not in (("openapi",), ("paths",))
            and "kept" not in path
            and "/kept" not in path
            and "Kept" not in path
        ):
            yield path
        yield from places(each, path)


PLACES = [each for each in places(DOCUMENT) if "/kept" not in each and "Kept" not in each]
NASTY = st.sampled_from(
    ["a\nb", "# c", "\u202e", "\x00", "\ud800", "../../x", "#/", "#/paths", "#", "x" * 5_000, "`|&", "é", ""]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | NASTY,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*SCHEMA, "$ref", "type", "items", "schema", "content", "name", "in"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


def put(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The document with a value somewhere."""
    changed = copy.deepcopy(DOCUMENT)
    node: Any = changed
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return changed


def check(document: dict[str, Any]) -> None:
    surface = openapi_surface(json.dumps(document))
    text = openapi_text(surface)
    assert "GET /kept  # kept" in text.splitlines()
    components = document.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else None
    is_there = isinstance(schemas, dict) and schemas.get("Kept") == {"type": "string"}
    assert ("schema Kept = string" in text.splitlines()) is is_there
    text.encode("utf-8")
    assert not set(text) & {"\r", "\x00", "\x85", "\u2028", "\u202e"}
    adapter = OpenApiAdapter()
    declarations = [each for module in surface.modules for each in module.declarations]
    assert len({each.id for top in declarations for each in top.walk()}) == sum(
        1 for top in declarations for _ in top.walk()
    )
    for each in declarations:
        adapter.render_declaration(each)
        adapter.needed(surface.modules, [each])
    adapter.render_outline(surface.modules)
    adapter.render_stubs(surface.modules)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PLACES), ANYTHING)
def test_any_value_anywhere(path: tuple[Any, ...], value: Any) -> None:
    check(put(path, value))


@pytest.mark.slow
@pytest.mark.parametrize("value", [None, [], {}, "", 0, True, 1.5, [None], {"": None}, "a\n# b", {"$ref": 1}])
def test_the_usual_wrong_values_everywhere(value: Any) -> None:
    for path in PLACES:
        check(put(path, value))


def test_the_document_itself_is_right() -> None:
    assert [note.code for note in openapi_surface(DOCUMENT).notes] == ["conditional-schema"] * 2
