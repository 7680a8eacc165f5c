"""What declarations hold, for those who read them as data."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ifacegen.adapter import ViewOptions
from ifacegen_adapters.openapi import OpenApiAdapter
from support.contracts import openapi_context, openapi_declared, openapi_surface, openapi_text

ADAPTER = OpenApiAdapter()


def document(**parts: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}, **parts}


def operation(**parts: Any) -> dict[str, Any]:
    return {"operationId": "o", "responses": {"200": {"description": "ok"}}, **parts}


REF = {"$ref": "#/components/schemas/A"}
SCHEMAS = {
    "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}},
    "B": {"type": "array", "items": REF},
    "C": {"type": "string"},
}


def test_an_operation_as_data() -> None:
    surface = openapi_surface(
        document(
            paths={
                "/a/{id}": {
                    "post": operation(
                        tags=["things"],
                        summary="Do it",
                        deprecated=True,
                        parameters=[
                            {"name": "q", "in": "query", "schema": {"type": "integer", "default": 3}, "description": "How many. Or so."},
                            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                        ],
                        requestBody={"required": True, "content": {"application/json": {"schema": REF}}},
                        responses={"201": {"description": "Made", "content": {"application/json": {"schema": REF}}}},
                    )
                }
            },
            components={"schemas": SCHEMAS},
        )
    )  # fmt: skip
    found = openapi_declared(surface, "o")
    assert (found.id, found.kind, found.signature) == ("things:o", "operation", "POST /a/{id}")
    assert [(each.name, each.kind, each.annotation, each.default) for each in found.parameters] == [
        ("id", "path", "string", None),
        ("q", "query", "integer", "3"),
        ("application/json", "body", "A", None),
    ]
    assert (found.returns, found.deprecated, found.doc) == ("A", "deprecated", "Do it\n\nq: How many.")
    assert found.extra == {
        "method": "POST",
        "path": "/a/{id}",
        "required": ("path:id", "body:application/json"),
        "mentions": ("components:A",),
    }
    (answer,) = found.members
    assert (answer.id, answer.kind, answer.type, answer.doc) == ("things:o.201", "response", "A", "Made")
    assert openapi_declared(surface, "A").extra == {"mentions": ("components:B",)}


def test_what_is_needed_is_what_is_mentioned_directly_or_not() -> None:
    body = {"content": {"application/json": {"schema": REF}}}
    surface = openapi_surface(
        document(
            servers=[{"url": "https://x.org"}],
            security=[{"key": []}],
            paths={
                "/a": {"post": operation(tags=["x"], requestBody=body)},
                "/c": {"get": operation(tags=["y"])},
            },
            components={
                "schemas": SCHEMAS,
                "securitySchemes": {
                    "key": {"type": "apiKey", "in": "query", "name": "k"},
                    "other": {"type": "mutualTLS"},
                },
            },
        )
    )
    wanted = [each for module in surface.modules for each in module.declarations if each.id == "x:o"]
    needed = ADAPTER.needed(surface.modules, wanted)
    assert {module.name: [each.name for each in module.declarations] for module in needed} == {
        "api": ["api"],
        "components": ["key", "A", "B"],
    }
    assert ADAPTER.needed(surface.modules, []) == ()


def test_schemas_of_shared_parameters_belong_to_each_operation() -> None:
    shared = [{"name": "q", "in": "query", "schema": REF}]
    item = {"parameters": shared, "get": operation(operationId="g"), "put": operation(operationId="p")}
    surface = openapi_surface(document(paths={"/a": item}, components={"schemas": SCHEMAS}))
    for name in ("g", "p"):
        assert openapi_declared(surface, name).extra["mentions"] == ("components:A",)


def test_ids_are_unique_and_duplicates_are_noted() -> None:
    paths = {"/a": {"get": operation()}, "/b": {"get": operation(), "put": operation(tags=["other"])}}
    surface = openapi_surface(document(paths=paths))
    ids = [each.id for module in surface.modules for top in module.declarations for each in top.walk()]
    assert ids == [
        "api:api",
        "default:o",
        "default:o.200",
        "default:o#2",
        "default:o.200#2",
        "other:o",
        "other:o.200",
    ]
    assert [note.code for note in surface.notes] == ["duplicate-id"] * 2


def test_names_of_modules_hold_no_colon() -> None:
    surface = openapi_surface(document(paths={"/a": {"get": operation(tags=["Users: admin"])}}))
    assert [module.name for module in surface.modules] == ["api", "Users/admin"]


def test_a_tag_called_components_shares_the_module() -> None:
    paths = {"/a": {"get": operation(tags=["components"])}}
    surface = openapi_surface(document(paths=paths, components={"schemas": SCHEMAS}))
    _, module = surface.modules
    assert [each.name for each in module.declarations] == ["o", "A", "B", "C"]


def test_the_line_on_the_service_has_a_module_that_a_tag_may_share() -> None:
    paths = {"/a": {"get": operation(tags=["api"])}, "/b": {"get": operation(operationId="b")}}
    surface = openapi_surface(document(paths=paths))
    assert {module.name: [each.name for each in module.declarations] for module in surface.modules} == {
        "api": ["api", "o"],
        "default": ["b"],
    }


def test_elided_members_are_told() -> None:
    from dataclasses import replace

    found = openapi_declared(openapi_surface(document(paths={"/a": {"get": operation()}})), "o")
    short = replace(found, members=(), extra={**found.extra, "members_elided": 4})
    assert ADAPTER.render_declaration(short).splitlines()[-1] == "  … 4 responses and callbacks not shown"


def test_documentation_is_left_out_in_steps() -> None:
    parameter = {"name": "q", "in": "query", "schema": {}, "description": "The query."}
    surface = openapi_surface(
        document(paths={"/a": {"get": operation(summary="Search it", parameters=[parameter])}})
    )
    found = openapi_declared(surface, "o")
    full, first, none = (
        ADAPTER.render_declaration(found, docs=docs) for docs in ("full", "first_paragraph", "none")
    )
    assert full == "GET /a  # o: Search it\n  query: q?: any\n  # q: The query.\n  200\n"
    assert first == "GET /a  # o: Search it\n  query: q?: any\n  200\n"
    assert none == "GET /a  # o\n  query: q?: any\n  200\n"
    assert ADAPTER.shorten_doc(found.doc or "") == "Search it"


def test_what_is_said_of_one_parameter_is_said_once_a_module() -> None:
    parameter = {"name": "q", "in": "query", "schema": {}, "description": "The query."}
    paths = {
        f"/{name}": {"get": operation(operationId=name, parameters=[parameter])} for name in ("a", "b")
    } | {"/c": {"get": operation(operationId="c", tags=["x"], parameters=[parameter])}}
    assert openapi_text(openapi_surface(document(paths=paths))).count("# q: The query.") == 2


@pytest.mark.parametrize(
    ("summary", "shown"),
    [
        ("Get one pet", False),
        ("Gets pets by id", False),
        ("Find a pet", False),
        ("Adopt a pet", True),
        ("", False),
    ],
)
def test_an_outline_leaves_out_what_the_id_says(summary: str, shown: bool) -> None:
    paths = {"/pets/{id}": {"get": {"operationId": "getPet", "summary": summary}}}
    surface = openapi_surface(document(paths=paths, components={"schemas": {"A": {}}}))
    line = f"GET /pets/{{id}} getPet{f' # {summary}' if shown else ''}"
    assert ADAPTER.render_outline(surface.modules).splitlines() == [
        "# module api", "api t 1", "# module default", line, "# module components", "schema A",
    ]  # fmt: skip


def test_an_outline_says_once_what_follows_one_another() -> None:
    webhooks = {
        f"run-{name}": {"post": {"summary": "Something was done to a check", "responses": {}}}
        for name in ("created", "deleted", "edited")
    }
    outline = ADAPTER.render_outline(openapi_surface(document(webhooks=webhooks)).modules)
    assert outline.splitlines()[-3:] == [
        "webhook run-created POST # Something was done to a check",
        "webhook run-deleted POST",
        "webhook run-edited POST",
    ]


def test_an_abbreviation_says_what_the_word_does() -> None:
    paths = {
        "/orgs/{org}/repos": {
            "get": {"operationId": "repos/list-for-org", "summary": "List organization repositories"}
        }
    }
    outline = ADAPTER.render_outline(openapi_surface(document(paths=paths)).modules)
    assert outline.splitlines()[-1] == "GET /orgs/{org}/repos repos/list-for-org"


def test_what_the_owners_hide_is_not_shown() -> None:
    paths = {
        "/a": {"get": operation(tags=["admin"])},
        "/b": {"get": operation(operationId="b", tags=["shop"])},
    }
    text = json.dumps(document(paths=paths, components={"schemas": SCHEMAS}))
    options = ViewOptions(hidden=("admin", "components.C"))
    surface = ADAPTER.build(openapi_context({"openapi.json": text}, options))
    assert {module.name: [each.name for each in module.declarations] for module in surface.modules} == {
        "api": ["api"],
        "shop": ["b"],
        "components": ["A", "B"],
    }


def test_what_might_be_compiled_is_named_without_reading_it() -> None:
    files = {
        "openapi.yaml": "openapi: 3.0.0\npaths: {}\n",
        "schemas/a.yaml": "type: string\n",
        "tests/b.yaml": "x: 1\n",
        "c.txt": "",
    }
    context = openapi_context(files)
    assert ADAPTER.sources(context) == ("openapi.yaml", "schemas/a.yaml")
    ADAPTER.compile(context, ADAPTER.sources(context))


def test_a_long_enumeration_says_how_much_more_there_is() -> None:
    values = [f"value-{number:04}" for number in range(1_000)]
    surface = openapi_surface(document(components={"schemas": {"A": {"enum": values}}}))
    text = openapi_declared(surface, "A").type or ""
    assert len(text) < 6_000
    assert text.endswith(" more)")


def test_a_view_depends_on_nothing_but_the_document() -> None:
    made = document(paths={"/a": {"get": operation()}}, components={"schemas": SCHEMAS})
    assert openapi_surface(made) == openapi_surface(json.loads(json.dumps(made)))


def test_types_that_multiply_are_left_out() -> None:
    lines = ["openapi: 3.0.0", "info: {title: t, version: '1'}", "paths: {}", "x-a0: &a0 {type: object}"]
    for number in range(1, 30):
        fields = ", ".join(f"p{n}: *a{number - 1}" for n in range(9))
        lines.append(f"x-a{number}: &a{number} {{type: object, properties: {{{fields}}}}}")
    lines.append("components: {schemas: {A: {properties: {bomb: *a29}}, B: {type: string}}}")
    surface = openapi_surface("\n".join(lines))
    assert openapi_declared(surface, "B").type == "string"
    assert len(openapi_text(surface)) < 1_000_000
    assert {note.code for note in surface.notes} == {"too-long"}


@pytest.mark.parametrize("depth", [300, 900])
def test_what_nests_too_deep_costs_itself_alone(depth: int) -> None:
    nested = '{"type": "object", "properties": {"a": ' * depth + "{}" + "}}" * depth
    parameter = '{"name": "p", "in": "query", "schema": DEEP}'
    surface = openapi_surface(
        '{"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "a", "parameters": [PARAMETER]}}, '
        '"/b": {"get": {"operationId": "b"}}}, "components": {"schemas": {"A": DEEP, "B": {"type": "string"}}}}'
        .replace("PARAMETER", parameter)
        .replace("DEEP", nested)
    )  # fmt: skip
    assert openapi_declared(surface, "B").type == "string"
    assert openapi_declared(surface, "b").signature == "GET /b"
    assert openapi_declared(surface, "a").signature == "GET /a"


def test_a_path_is_a_name_however_long() -> None:
    path = "/drives/{id}" + "/items/column(name='x')" * 30
    paths: dict[str, Any] = {
        f"{path}/clear": {"post": {"responses": {}}},
        f"{path}/fill": {"post": {"responses": {}}},
    }
    surface = openapi_surface(document(paths=paths))
    found = [each for module in surface.modules for each in module.declarations if each.kind == "operation"]
    assert [each.extra["path"] for each in found] == list(paths)
    assert [each.signature for each in found] == [f"POST {each}" for each in paths]
    assert [f"POST {each}" in openapi_text(surface).split("\n") for each in paths] == [True, True]


def test_that_a_parameter_is_deprecated_is_no_part_of_its_type() -> None:
    parameters = [
        {"name": "sort", "in": "query", "deprecated": True, "schema": {"enum": ["indexed"]}},
        {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}},
    ]
    surface = openapi_surface(document(paths={"/a": {"get": operation(parameters=parameters)}}))
    found = openapi_declared(surface, "o")
    assert [each.annotation for each in found.parameters] == ['"indexed"', "string"]
    assert found.extra["deprecated_parameters"] == ("query:sort",)
    assert '  query: deprecated sort?: "indexed", q: string\n' in openapi_text(surface)
    (stub,) = ADAPTER.render_stubs(surface.modules).values()
    sort, q = json.loads(stub)["paths"]["/a"]["get"]["parameters"]
    assert (sort["deprecated"], sort["schema"]) == (True, {"const": "indexed"})
    assert "deprecated" not in q


def test_what_is_said_of_a_response_does_not_depend_on_where_it_stands() -> None:
    said = {
        "description": "Response from the GET /v1/usage endpoint.",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {f"property_{number}": {"type": "string"} for number in range(9)},
                }
            }
        },
    }
    shown: list[str] = []
    for reference, more in (
        ("#/components/responses/Usage", {}),
        ("responses/Usage.json", {"responses/Usage.json": json.dumps(said)}),
        ("responses.json#/Usage", {"responses.json": json.dumps({"Usage": said})}),
    ):
        paths = {"/v1/usage": {"get": operation(operationId="usage", responses={"200": {"$ref": reference}})}}
        components = {"components": {"responses": {"Usage": said}}} if not more else {}
        shown.append(openapi_text(openapi_surface(document(paths=paths, **components), more)))
    assert "  200: Usage  # Response from the GET /v1/usage endpoint.\n" in shown[0]
    assert shown[1:] == [shown[0], shown[0]]


def test_names_are_as_they_are_and_in_quotes_where_their_end_would_be_unclear() -> None:
    parameters = [
        {"name": "group ", "in": "query", "schema": {}, "description": "Which team asks."},
        {"name": "a\tb", "in": "query", "schema": {}},
    ]
    schemas = {
        "A ": {"properties": {"updated_at ": {"type": "string", "description": "When it was seen last."}}}
    }
    ids = ("Get Card ", "By group, name and version", "teams/list")
    paths = {
        f"/{number}": {
            "get": operation(operationId=each, summary="Whatever that means.", parameters=parameters)
        }
        for number, each in enumerate(ids)
    }
    surface = openapi_surface(document(paths=paths, components={"schemas": schemas}))
    found = [openapi_declared(surface, each) for each in ids]
    assert [each.name for each in found[0].parameters] == ["group ", "a b"]
    text = openapi_text(surface)
    for line in (
        'GET /0  # "Get Card ": Whatever that means.',
        'GET /1  # "By group, name and version": Whatever that means.',
        "GET /2  # teams/list: Whatever that means.",
        '  query: "group "?: any, "a b"?: any',
        '  # "group ": Which team asks.',
        'schema `A ` = {"updated_at "?: string}',
        '  # "updated_at ": When it was seen last.',
    ):
        assert line in text.split("\n")
    assert 'GET /0 "Get Card "' in ADAPTER.render_outline(surface.modules)


def test_keys_that_need_each_other_are_a_condition() -> None:
    card = {
        "type": "object",
        "properties": {"card": {"type": "string"}},
        "dependentRequired": {"card": ["address"]},
    }
    surface = openapi_surface(document(components={"schemas": {"Card": card}}))
    assert "schema Card = {card?: string} & …(conditions)\n" in openapi_text(surface)
    assert [note.code for note in surface.notes] == ["conditional-schema"]


def test_a_response_that_refers_to_a_schema_has_its_name_however_long() -> None:
    name = ".".join(["api.v2010.account.incoming_phone_number"] * 4)
    reference = {"$ref": f"#/components/schemas/{name}"}
    for schema, text in ((reference, name), ({"type": "array", "items": reference}, f"{name}[]")):
        responses = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
        paths = {"/a": {"get": operation(responses=responses)}}
        surface = openapi_surface(document(paths=paths, components={"schemas": {name: {"type": "string"}}}))
        assert openapi_declared(surface, "o.200").type == text
        assert "o-200" not in openapi_text(surface)


def test_a_doc_without_a_sentence_is_shortened_to_nothing() -> None:
    assert ADAPTER.shorten_doc("…\n\nname: What it is called.") == ""
    assert ADAPTER.shorten_doc("A pet.\n\nname: What it is called.") == "A pet."


@pytest.mark.parametrize(("count", "text"), [(1, "1 response or callback"), (2, "2 responses and callbacks")])
def test_what_is_not_shown_is_counted(count: int, text: str) -> None:
    found = openapi_declared(openapi_surface(document(paths={"/a": {"get": operation()}})), "o")
    cut = replace(found, members=(), extra={**found.extra, "members_elided": count})
    assert ADAPTER.render_declaration(cut).endswith(f"  … {text} not shown\n")
