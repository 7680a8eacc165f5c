"""Where contracts are found, and from where their files are imported."""

from __future__ import annotations

from typing import Any

import pytest

from ifacegen.adapter import Blob
from ifacegen.model import Project
from ifacegen_adapters.protobuf import ProtobufAdapter
from support.trees import memory_tree

PROTO = 'syntax = "proto3";\npackage {};\n{}'


def projects(files: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Path of each project → its import roots."""
    return {each.path: tuple(root.path for root in each.roots) for each in found(files)}


def found(files: dict[str, str]) -> list[Project]:
    return list(ProtobufAdapter().find_projects(memory_tree(files)))


def proto(package: str, *imports: str) -> str:
    return PROTO.format(package, "".join(f'import "{name}";\n' for name in imports))


def test_the_package_of_a_file_tells_its_root() -> None:
    assert projects({"a/b/google/api/http.proto": proto("google.api")}) == {"a/b": ("a/b",)}


def test_what_a_file_imports_of_its_own_tree_goes_before_its_package() -> None:
    files = {
        "src/proto/grpc/testing/a.proto": proto("grpc.testing", "src/proto/grpc/testing/b.proto"),
        "src/proto/grpc/testing/b.proto": proto("grpc.testing"),
    }
    assert projects(files) == {"src/proto/grpc/testing": ("",)}


def test_one_file_tells_for_its_whole_tree() -> None:
    files = {"x/shop/v1/a.proto": proto("shop.v1"), "x/shop/v2/b.proto": "unreadable", "x/shop/c.proto": ""}
    assert projects({**files, "x/shop/a.proto": proto("shop")}) == {"x": ("x",)}


def test_folders_named_proto_are_roots_of_files_that_tell_nothing() -> None:
    files = {"a/protos/orders/o.proto": proto("shop"), "b/proto/p.proto": "", "c/other/q.proto": ""}
    assert projects(files) == {"a/protos": ("a/protos",), "b/proto": ("b/proto",), "c/other": ("c/other",)}


class CountingTree:
    """A tree that remembers what was read of it."""

    def __init__(self, files: dict[str, str]) -> None:
        self._tree = memory_tree(files)
        self.read_paths: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tree, name)

    def __contains__(self, path: object) -> bool:
        return path in self._tree

    def read(self, path: str) -> Blob:
        self.read_paths.append(path)
        return self._tree.read(path)


def test_maven_roots_are_known_without_reading() -> None:
    tree: Any = CountingTree({"app/src/main/proto/x/y.proto": ""})
    (project,) = ProtobufAdapter().find_projects(tree)
    assert [root.path for root in project.roots] == ["app/src/main/proto"]
    assert tree.read_paths == []


def test_few_files_are_read_however_many_there_are() -> None:
    files = {f"google/cloud/p{n}/v1/a.proto": proto(f"google.cloud.p{n}.v1") for n in range(200)}
    tree: Any = CountingTree(files)
    assert [each.path for each in ProtobufAdapter().find_projects(tree)] == ["google/cloud"]
    assert len(tree.read_paths) == 1


def test_where_a_file_tells_nothing_some_of_its_directory_are_read_and_no_more() -> None:
    files = {f"protos/steam/m{n:03}.proto": "" for n in range(100)}
    tree: Any = CountingTree(files)
    assert projects(files) == {"protos": ("protos",)}
    list(ProtobufAdapter().find_projects(tree))
    assert len(tree.read_paths) == 8
    telling = {f"protos/steam/m{n:03}.proto": 'import "m000.proto";' for n in range(20, 100)}
    assert projects({**files, **telling}) == {"protos/steam": ("protos/steam",)}


def test_a_file_that_tells_nothing_joins_the_root_around_it() -> None:
    files = {"p/google/api/a.proto": proto("google.api"), "p/gapic/metadata/m.proto": proto("google.gapic")}
    assert projects(files) == {"p": ("p",)}


def test_contracts_belong_to_the_projects_that_they_lie_in() -> None:
    files = {
        "services/a/pyproject.toml": "",
        "services/a/api.proto": proto("services.a"),
        "services/b/package.json": "{}",
        "services/b/api.proto": proto("services.b"),
    }
    assert projects(files) == {"services/a": ("",), "services/b": ("",)}


def test_tests_documentation_and_installed_files_are_no_contracts() -> None:
    files = {
        "tests/a.proto": "",
        "docs/a.proto": "",
        "node_modules/x/a.proto": "",
        ".cache/a.proto": "",
        "pkg/testdata/a.proto": "",
        "services/a/go.mod": "",
        "services/a/docs/a.proto": "",
    }
    assert projects(files) == {}


def test_a_package_may_be_called_docs() -> None:
    assert projects({"p/acme/docs/v1/a.proto": proto("acme.docs.v1")}) == {"p": ("p",)}


def test_what_is_vendored_serves_imports_only() -> None:
    files = {
        "api/shop/v1/a.proto": proto("shop.v1", "google/api/http.proto"),
        "third_party/googleapis/google/api/http.proto": proto("google.api"),
        "other/third_party/x/y/z.proto": proto("x.y"),
    }
    assert projects(files) == {"api": ("api", "third_party/googleapis")}


def test_contracts_attach() -> None:
    assert all(each.attaches for each in found({"proto/a.proto": ""}))


@pytest.mark.parametrize(
    ("buf", "roots"),
    [
        ("version: v1\n", {"": ("",)}),
        ("version: v2\nmodules:\n  - path: a\n  - path: b/c\n", {"a": ("a",), "b/c": ("b/c",)}),
        ("version: v2\n", {"": ("",)}),
        ("version: v1beta1\nbuild:\n  roots: [a, b]\n", {"a": ("a",), "b": ("b",)}),
        ("version: v2\nmodules:\n  - path: ../x\n  - path: /a\n  - {}\n", {"": ("",)}),
        ("- no mapping", {"": ("",)}),
        ("{", {"": ("",)}),
        ("", {"": ("",)}),
    ],
)
def test_buf_modules_are_roots(buf: str, roots: dict[str, tuple[str, ...]]) -> None:
    files = {"buf.yaml": buf, "a/x.proto": "", "b/c/y.proto": ""}
    assert projects(files) == roots


def test_a_broken_buf_file_is_told() -> None:
    (project,) = found({"buf.yaml": "{", "x.proto": ""})
    assert [note.code for note in project.notes] == ["buf-unparsed"]


def test_a_workspace_names_its_modules_and_their_own_files_go_first() -> None:
    files = {
        "buf.work.yaml": "version: v1\ndirectories: [a, b]\n",
        "a/buf.yaml": "version: v1\nname: buf.build/acme/a\n",
        "a/x.proto": "",
        "b/y.proto": "",
    }
    assert {each.path: (each.name, each.project_file) for each in found(files)} == {
        "a": ("buf.build/acme/a", "a/buf.yaml"),
        "b": (None, "buf.work.yaml"),
    }


def test_what_buf_excludes_is_not_provided() -> None:
    files = {
        "buf.yaml": "version: v2\nmodules:\n  - path: p\n    excludes: [p/x/old]\n",
        "p/x/new.proto": "",
        "p/x/older/b.proto": "",
        "p/x/old/a.proto": "",
        "p/y/c.proto": "",
    }
    (project,) = found(files)
    assert project.roots[0].names == ("x/new", "x/older", "y")


def test_a_plain_folder_has_the_roots_of_its_files() -> None:
    tree = memory_tree({"a/shop/v1/x.proto": proto("shop.v1"), "b/readme": ""})
    project = ProtobufAdapter().plain_project(tree, "a/shop")
    assert project is not None
    assert [root.path for root in project.roots] == ["a"]
    assert ProtobufAdapter().plain_project(tree, "b") is None
