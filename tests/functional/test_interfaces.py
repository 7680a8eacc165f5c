"""Packages with several interfaces, and repositories of several ecosystems, through the command and the store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.trees import commit_all, repo
from support.truth import Lab

SERVICE = "services/shop"
MONEY = 'syntax = "proto3";\npackage acme.v1;\nmessage Money { int64 minor_units = 1; }\n'
FILES = {
    f"{SERVICE}/pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    f"{SERVICE}/shop/__init__.py": 'def place() -> int:\n    """Place an order."""\n    return 1\n',
    f"{SERVICE}/api/v1.yaml": (
        "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\npaths:\n  /orders:\n    post:\n"
        "      operationId: placeOrder\n      responses: {'204': {description: Placed.}}\n"
    ),
    f"{SERVICE}/api/v2.yaml": (
        "openapi: 3.1.0\ninfo: {title: Shop, version: '2'}\npaths:\n  /orders:\n    post:\n"
        "      operationId: placeOrder\n      responses:\n"
        "        '201': {description: Placed., content: {application/json: {schema:"
        " {$ref: '../../../apis/order.yaml#/Order'}}}}\n"
    ),
    f"{SERVICE}/proto/acme/shop/v1/events.proto": (
        'syntax = "proto3";\npackage acme.shop.v1;\nimport "acme/v1/money.proto";\n'
        "message Placed { acme.v1.Money total = 1; }\n"
    ),
    "protos/acme/v1/money.proto": MONEY,
    "apis/order.yaml": "Order: {type: object, properties: {id: {type: string}}}\n",
}
INTERFACES = "version: 1\npackages:\n  - path: services/shop\n    interfaces: {}\n"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab.of(FILES, tmp_path)


def sections(text: str) -> list[str]:
    return [line.strip("#/ =") for line in text.splitlines() if " === " in line]


def test_what_is_published_comes_first_and_every_interface_is_a_section(lab: Lab) -> None:
    text = lab.view(SERVICE)
    assert sections(text) == ["openapi", "protobuf", "python"]
    assert text.index("POST /orders") < text.index("message Placed") < text.index("def place() -> int")


@pytest.mark.parametrize(
    ("interfaces", "shown", "absent"),
    [
        ("[python, protobuf]", ["python", "protobuf"], "POST"),
        ("[protobuf]", [], "def place"),
        ('[python, "openapi:api/v2.yaml"]', ["python", "openapi"], "204"),
    ],
)
def test_the_configuration_restricts_and_orders(
    lab: Lab, interfaces: str, shown: list[str], absent: str
) -> None:
    before = lab.view(SERVICE)
    repo({"ifacegen.yaml": INTERFACES.format(interfaces)}, lab.root)
    text = lab.view(SERVICE)
    assert sections(text) == shown
    assert absent in before
    assert absent not in text
    assert "interface-missing" not in text


def test_what_is_asked_for_and_not_there_is_said(lab: Lab) -> None:
    repo({"ifacegen.yaml": INTERFACES.format('["openapi:api/v3.yaml", python]')}, lab.root)
    text = lab.view(SERVICE)
    assert "interface-missing" in text
    assert "def place" in text


def test_one_warm_for_a_mixed_repository(lab: Lab) -> None:
    first, again = (json.loads(lab.run("warm", "--json").stdout) for _ in range(2))
    assert (first["built"], first["failed"]) == (2, 0), first
    assert (again["built"], again["hit"]) == (0, 2), again
    lab.check("HEAD")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("protos/acme/v1/money.proto", MONEY.replace("minor_units", "cents")),
        ("apis/order.yaml", "Order: {type: object, properties: {number: {type: integer}}}\n"),
    ],
)
def test_what_lies_in_another_package_is_looked_at_again(lab: Lab, path: str, text: str) -> None:
    lab.view(SERVICE)
    assert lab.look_up(SERVICE).status == "hit"
    repo({path: text}, lab.root)
    assert lab.look_up(SERVICE).status == "miss"
    lab.check()
    commit_all(lab.root)
    lab.check("HEAD")


def test_an_import_that_appears_in_another_package_is_seen(lab: Lab) -> None:
    (lab.root / "protos/acme/v1/money.proto").unlink()
    assert "import-missing" in lab.view(SERVICE)
    repo({"protos/acme/v1/money.proto": MONEY}, lab.root)
    assert "import-missing" not in lab.view(SERVICE)
    lab.check()


def test_stubs_of_all_interfaces_are_one_tree(lab: Lab, tmp_path: Path) -> None:
    done = lab.run("show", SERVICE, "--format", "stub", "-o", str(tmp_path / "stubs"))
    assert done.returncode == 0, done.stderr
    files = {path.relative_to(tmp_path / "stubs").as_posix() for path in (tmp_path / "stubs").rglob("*.*")}
    assert {"shop/__init__.pyi", "acme/shop/v1/events.proto"} <= files
    assert sum(name.endswith((".yaml", ".json")) for name in files) == 2
