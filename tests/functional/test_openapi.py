"""OpenAPI documents through the installed command and the store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.trees import commit_all
from support.truth import Lab, change

FILES = {
    "apis/common/errors.yaml": "Problem: {type: object, properties: {title: {type: string}}}\n",
    "apis/shop/openapi.yaml": """\
openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: 'https://shop.example.org'}]
paths:
  /orders:
    get:
      operationId: orders/list
      tags: [orders]
      summary: List orders
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}
        '400': {description: wrong, content: {application/json: {schema: {$ref: '../common/errors.yaml#/Problem'}}}}
  /stock:
    get:
      operationId: stock/get
      tags: [stock]
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '../common/stock.yaml'}}}}}
components:
  schemas:
    Order: {type: object, properties: {lines: {type: array, items: {$ref: '#/components/schemas/Line'}}}}
    Line: {type: object, properties: {sku: {type: string}}}
    Other: {type: string}
""",
    "services/checkout/pyproject.toml": '[project]\nname = "checkout"\nversion = "1"\n',
    "services/checkout/checkout.py": "from core import *\n\ndef pay() -> None: ...\n",
    "services/checkout/openapi.json": json.dumps(
        {
            "openapi": "3.0.0",
            "info": {"title": "Checkout", "version": "1"},
            "paths": {"/pay": {"post": {"operationId": "pay", "responses": {"400": {"$ref": "../../apis/common/answers.yaml#/bad"}}}}},
        }
    ),
    "apis/common/answers.yaml": "bad: {description: Not paid}\n",
    "libs/core/pyproject.toml": '[project]\nname = "core"\nversion = "1"\n',
    "libs/core/core.py": "CORE = 1\n",
    "old/swagger.json": '{"swagger": "2.0", "info": {"title": "Old", "version": "1"}, "paths": {}}',
}  # fmt: skip


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab.of(FILES, tmp_path)


def shown(lab: Lab, *arguments: str) -> str:
    done = lab.run("show", *arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_an_operation_is_shown_with_what_it_needs(lab: Lab) -> None:
    text = shown(lab, "apis/shop::orders/list")
    assert "GET /orders  # orders/list: List orders\n  200: Order[]\n  400: Problem" in text
    assert "schema Order = {lines?: Line[]}\nschema" in text
    assert "schema Line = {sku?: string}" in text
    assert "server: https://shop.example.org" in text
    assert "schema Problem = {title?: string}" in text
    assert "Other" not in text
    assert "stock" not in text


def test_a_module_is_a_tag(lab: Lab) -> None:
    text = shown(lab, "apis/shop", "--module", "stock")
    assert text.partition("\n\n")[2] == "# module stock\nGET /stock  # stock/get\n  200: unknown\n"


def test_a_schema_and_a_response_have_addresses(lab: Lab) -> None:
    assert "schema Order = " in shown(lab, "apis/shop::components:Order")
    assert "400: Problem" in shown(lab, "apis/shop::orders/list.400")


def test_stubs_are_documents(lab: Lab, tmp_path: Path) -> None:
    assert lab.run("show", "apis/shop", "--format", "stub", "-o", str(tmp_path / "out")).returncode == 0
    (path,) = (each for each in (tmp_path / "out").rglob("*") if each.is_file())
    assert path.name == "openapi.json"
    assert json.loads(path.read_text("utf-8"))["paths"].keys() == {"/orders", "/stock"}


def test_swagger_2_is_one_clear_line(lab: Lab) -> None:
    done = lab.run("show", "old")
    assert done.returncode == 3  # there is nothing to show
    (line,) = (each for each in done.stdout.decode().splitlines() if "swagger-2" in each)
    assert line.startswith("# note: old/swagger.json: Swagger 2.0")
    assert b"Swagger 2.0" in done.stderr


def test_views_are_the_same_in_every_way_they_are_asked_for(lab: Lab) -> None:
    lab.check()
    lab.check("HEAD")


def test_what_a_document_refers_to_elsewhere_counts(lab: Lab) -> None:
    packages = ("apis/shop", "services/checkout")
    for package in packages:
        lab.view(package)
        assert lab.look_up(package).status == "hit"
    change(lab.root, {"apis/common/errors.yaml": "Problem: {type: string}\n"})
    assert [lab.look_up(package).status for package in packages] == ["miss", "hit"]
    assert "schema Problem = string" in lab.view("apis/shop")
    change(lab.root, {"apis/common/stock.yaml": "type: integer\n"})
    assert "schema stock = integer" in lab.view("apis/shop")
    change(lab.root, {"libs/core/core.py": "CORE = 1\nMORE = 2\n"})
    assert "MORE" in lab.view("services/checkout")
    commit_all(lab.root)
    lab.check()


def test_another_package_changes_nothing_for_what_it_does_not_concern(lab: Lab) -> None:
    packages = ("apis/shop", "services/checkout")
    for package in packages:
        lab.view(package)
    change(lab.root, {"libs/new/pyproject.toml": '[project]\nname = "new"\n', "libs/new/new.py": "NEW = 1\n"})
    assert [lab.look_up(package).status for package in packages] == ["hit", "hit"]


def test_a_document_that_is_broken_off_is_shown_as_far_as_it_goes(lab: Lab) -> None:
    path = lab.root / "apis/shop/openapi.yaml"
    path.write_bytes(path.read_bytes()[:600])
    text = shown(lab, "apis/shop")
    assert "parse-error" in text
    assert "GET /orders  # orders/list: List orders" in text


@pytest.mark.slow
def test_twenty_megabytes(lab: Lab) -> None:
    example = {"value": "x" * 18_000}
    answer = {
        "description": "ok",
        "content": {"application/json": {"examples": {"a": example}, "schema": {}}},
    }
    paths = {f"/p{n}": {"get": {"operationId": f"o{n}", "responses": {"200": answer}}} for n in range(1_200)}
    large = {"openapi": "3.1.0", "info": {"title": "Large", "version": "1"}, "paths": paths}
    change(lab.root, {"apis/large/openapi.json": json.dumps(large)})
    assert (lab.root / "apis/large/openapi.json").stat().st_size > 20_000_000
    text = shown(lab, "apis/large")
    assert "GET /p1199  # o1199\n  200: any\n" in text


def test_packages_say_what_they_publish(lab: Lab) -> None:
    listed = lab.run("packages").stdout.decode().splitlines()
    kinds = {line.split()[0]: line.split()[2] for line in listed[1:]}
    assert kinds == {
        "apis/shop": "openapi",
        "libs/core": "python",
        "old": "openapi",
        "services/checkout": "python,openapi",
    }


def test_a_schema_of_which_only_properties_are_described_says_that_there_is_more(lab: Lab) -> None:
    properties = {
        f"p{n}": {
            "type": "string",
            "description": f"Whatever {n} of all the things may be called by someone.",
        }
        for n in range(40)
    }
    large = {"openapi": "3.1.0", "info": {"title": "Large", "version": "1"}, "paths": {}}
    components = {"schemas": {"Thing": {"type": "object", "properties": properties}}}
    change(lab.root, {"apis/large/openapi.json": json.dumps({**large, "components": components})})
    text = shown(lab, "apis/large", "--budget", "600")
    (line,) = (each for each in text.splitlines() if each.startswith("schema Thing = "))
    assert line.endswith("p39?: string}  # […]")
