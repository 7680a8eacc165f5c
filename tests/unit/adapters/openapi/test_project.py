from __future__ import annotations

from collections.abc import Mapping

import pytest

from ifacegen.adapter import Blob
from ifacegen.trees import ListedTree
from ifacegen_adapters.openapi import OpenApiAdapter
from ifacegen_adapters.openapi.project import home, version
from support.trees import memory_tree

V3 = "openapi: 3.1.0\n"
ADAPTER = OpenApiAdapter()


def found(files: Mapping[str, str | bytes]) -> dict[str, tuple[str, ...]]:
    """Directory → its documents."""
    projects = list(ADAPTER.find_projects(memory_tree(files)))
    assert all(each.attaches and each.name is None for each in projects)
    return {each.path: each.roots[0].names for each in projects}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("openapi: 3.0.3\n", "openapi 3.0.3"),
        ("# comment\n---\ninfo: {}\nopenapi: '3.1.0'\n", "openapi 3.1.0"),
        ('"openapi" : "3.2"\n', "openapi 3.2"),
        ("swagger: '2.0'\n", "swagger 2.0"),
        ("info: {}\nnested:\n  openapi: 3.0.0\n", None),
        ("text: |\n  openapi: 3.0.0\n", None),
        ("openapi: 4.0.0\n", None),
        ("openapi: 4.0.0\ninfo: {}\n", "openapi 4.0.0"),
        ('{"openapi": "4.0.0", "info": {}}', "openapi 4.0.0"),
        ("openapi:\n  enabled: true\n", None),
        ('{"openapi": "3.0.0", "info": {}}', "openapi 3.0.0"),
        ('{"components": {}, "openapi": "3.0.0"}', "openapi 3.0.0"),
        ('{\n "info": {"title": "x"}, "openapi":\n "3.1.0"', "openapi 3.1.0"),
        ('{"dependencies": {"openapi": "^3.0.0"}}', None),
        ('{"dependencies": {"openapi": "3.0.0"}}', None),
        ("", None),
        ("[]", None),
    ],
)
def test_a_document_says_what_it_is(content: str, expected: str | None) -> None:
    assert version(content.encode()) == expected
    assert version(content.encode("utf-16")) == expected
    assert version(b"\xef\xbb\xbf" + content.encode()) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("apis/github/generated/api.github.com.json", "apis/github"),
        ("apis/payments/openapi.yaml", "apis/payments"),
        ("apis/payments/v1/openapi/spec.json", "apis/payments"),
        ("services/checkout/docs/openapi.yaml", "services/checkout"),
        ("openapi/spec.yaml", "openapi"),
        ("specs/v1/spec.yaml", "specs"),
        ("openapi.yaml", ""),
        ("apis/2024-01-01/openapi.yaml", "apis/2024-01-01"),
    ],
)
def test_a_document_speaks_for_a_directory(path: str, expected: str) -> None:
    assert home(path) == expected


def test_documents_of_a_directory_are_one_project() -> None:
    files = {"apis/a/v1/x.yaml": V3, "apis/a/y.json": '{"openapi": "3.0.0", "paths": {}}', "apis/b/z.yml": V3}
    assert found(files) == {"apis/a": ("v1/x.yaml", "y.json"), "apis/b": ("z.yml",)}


@pytest.mark.parametrize(
    "path",
    [
        "tests/openapi.yaml",
        "a/test/x.yaml",
        "a/__tests__/x.yaml",
        "a/fixtures/x.yaml",
        "a/node_modules/b/openapi.yaml",
        "vendor/b/openapi.yaml",
        ".github/openapi.yaml",
        ".hidden.yaml",
        "package.json",
        "a/package-lock.json",
        "tsconfig.base.json",
        "docker-compose.dev.yml",
        "docs/data.yaml",
        "a.txt",
    ],
)
def test_what_a_path_rules_out_is_not_read(path: str) -> None:
    def read(path: str, where: str) -> Blob:
        raise AssertionError((path, where))

    assert list(ADAPTER.find_projects(ListedTree({path: path}, read))) == []


def test_documentation_may_hold_a_document_that_says_so() -> None:
    assert found({"docs/openapi.yaml": V3, "a/docs/pet-api.yaml": V3}) == {
        "docs": ("openapi.yaml",),
        "a": ("docs/pet-api.yaml",),
    }


def test_a_configured_directory_has_the_documents_below() -> None:
    tree = memory_tree({"apis/a/x.yaml": V3, "apis/b/y.yaml": V3, "c.yaml": V3})
    project = ADAPTER.plain_project(tree, "apis")
    assert project is not None
    assert (project.path, project.roots[0].names) == ("apis", ("a/x.yaml", "b/y.yaml"))
    assert ADAPTER.plain_project(tree, "elsewhere") is None
