"""Protobuf views through the whole program: crashes of protoc, hostile files, caching across packages."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pytest

from ifacegen import Workspace
from ifacegen.model import View
from support.descriptors import descriptors, differences
from support.trees import git_repo, repo

HEAD = 'syntax = "proto3";\n'
GOOD = HEAD + "message Good { string name = 1; }\n"
EXAMPLE = Path(__file__).parents[2] / "examples/monorepo/protos"


def view_of(files: dict[str, str | bytes], place: Path, package: str = "proto") -> View:
    return Workspace.open(repo({"proto/good.proto": GOOD, **files}, place)).view(package)


def told(view: View) -> list[tuple[str, str]]:
    return [(note.path, note.code) for note in view.notes]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("options", 'import "google/protobuf/descriptor.proto";\nmessage R { R r = 1; }\n'
         "extend google.protobuf.MessageOptions { R deep = 50001; }\n"
         "message D { option (deep) = " + "{ r " * 10_000 + "{}" + " }" * 10_000 + "; }\n"),
        ("groups", "message G {" + "".join(f"optional group G{i} = 1 {{" for i in range(10_000)) + "}" * 10_001),
    ],
)  # fmt: skip
def test_a_file_that_kills_protoc_costs_itself_alone(name: str, text: str, tmp_path: Path) -> None:
    syntax = HEAD if name == "options" else 'syntax = "proto2";\n'
    before = set(Path(tempfile.gettempdir()).glob("ifacegen-protoc-*"))
    view = view_of({"proto/deadly.proto": syntax + text}, tmp_path)
    assert told(view) == [("proto/deadly.proto", "crashed")]
    assert [module.name for module in view.modules] == ["good.proto"]
    for _ in range(100):  # whoever removes them does so when the process is gone
        if set(Path(tempfile.gettempdir()).glob("ifacegen-protoc-*")) <= before:
            break
        time.sleep(0.05)
    else:
        pytest.fail("a folder stayed behind")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("".join(f"message M{i} {{" for i in range(10_000)) + "}" * 10_000, "syntax-error"),
        ("message B { string a = 1 " + "[" * 100_000 + "; }", "syntax-error"),
        ("service S { rpc " + "(" * 100_000 + "; }", "syntax-error"),
        ("message " + "A" * 1_000_000 + " {}", "protoc-refused"),
        ("message D { " + ".a" * 100_000 + " x = 1; }", "protoc-refused"),
        ("message U { /* never closed", "syntax-error"),
        ('message U { string a = 1 [json_name = "never closed', "syntax-error"),
        ('"' * 100_001, "syntax-error"),
        ("".join(f'import "x{i}.proto";\n' for i in range(5_000)), "import-missing"),
        ("//" + " a" * 10_000_000, "unreadable"),
    ],
)
def test_a_hostile_file_gives_one_clear_line(text: str, code: str, tmp_path: Path) -> None:
    view = view_of({"proto/hostile.proto": HEAD + text}, tmp_path)
    assert told(view) == [("proto/hostile.proto", code)]
    assert "good.proto" in [module.name for module in view.modules]
    assert all(len(str(note)) < 500 for note in view.notes)


def test_a_message_too_large_for_the_protobuf_library_is_shown(tmp_path: Path) -> None:
    numbers = (number for number in range(1, 30_000) if not 19_000 <= number < 20_000)
    fields = "".join(f"  string f{number} = {number};\n" for number in numbers)
    view = view_of({"proto/wide.proto": f"{HEAD}message Wide {{\n{fields}}}\n"}, tmp_path)
    assert told(view) == []
    assert "string f29999 = 29999;" in view.body


def test_options_that_the_protobuf_library_cannot_know_are_shown_as_written(tmp_path: Path) -> None:
    fields = "".join(f"string f{number} = {number};" for number in range(1, 18_000))
    files: dict[str, str | bytes] = {
        "proto/wide.proto": f'{HEAD}import "google/protobuf/descriptor.proto";\nmessage Wide {{ {fields} }}\n'
        "extend google.protobuf.MessageOptions { Wide wide = 50001; string plain = 50002; }\n",
        "proto/use.proto": f'{HEAD}import "wide.proto";\nmessage Use {{ option (plain) = "seen"; }}\n',
    }
    view = view_of(files, tmp_path)
    assert 'option (plain) = "seen";' in view.body
    assert told(view) == [("proto/use.proto", "protoc-refused")]


def test_names_lead_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "secret.proto"
    outside.write_text(HEAD + "message Secret {}", "utf-8")
    files: dict[str, str | bytes] = {
        "proto/a.proto": f'{HEAD}import "../../secret.proto";\nimport "{outside}";\nmessage A {{}}\n',
        "proto/--cpp_out=..": GOOD,
        f"proto/--descriptor_set_out={tmp_path.name}.proto": HEAD,
        "proto/-I..proto": HEAD,
    }
    before = sorted(each.name for each in tmp_path.iterdir())
    view = view_of(files, tmp_path / "repo")
    assert "Secret" not in view.body
    assert sorted(each.name for each in tmp_path.iterdir()) == [*sorted({*before, "repo"})]
    assert {code for _, code in told(view)} == {"import-missing"}


@pytest.mark.slow
def test_no_folder_stays_behind(tmp_path: Path) -> None:
    before = set(Path(tempfile.gettempdir()).glob("ifacegen-protoc-*"))
    view_of({"proto/bad.proto": HEAD + "message {"}, tmp_path)
    assert set(Path(tempfile.gettempdir()).glob("ifacegen-protoc-*")) <= before


def test_a_view_is_made_anew_when_a_missing_import_arrives(tmp_path: Path) -> None:
    service = HEAD + 'import "common/money.proto";\nmessage Order { common.Money total = 1; }\n'
    files = {
        "a/buf.yaml": "version: v1\n",
        "a/order.proto": service,
        "b/buf.yaml": "version: v1\n",
        "b/x.proto": HEAD,
    }
    place = git_repo(files, tmp_path)
    assert told(Workspace.open(place).view("a")) == [("a/order.proto", "import-missing")]
    repo({"b/common/money.proto": HEAD + "package common;\nmessage Money { int64 cents = 1; }\n"}, place)
    assert told(Workspace.open(place).view("a")) == []


def test_a_view_is_made_anew_when_a_consulted_file_changes(tmp_path: Path) -> None:
    files = {
        "a/buf.yaml": "version: v1\n",
        "a/order.proto": HEAD + 'import "money.proto";\nmessage Order { Money total = 1; }\n',
        "b/buf.yaml": "version: v1\n",
        "b/money.proto": HEAD + "message Money { int64 cents = 1; }\n",
    }
    place = git_repo(files, tmp_path)
    assert told(Workspace.open(place).view("a")) == []
    repo({"b/money.proto": HEAD + "message Cash { int64 cents = 1; }\n"}, place)
    assert told(Workspace.open(place).view("a")) == [("a/order.proto", "protoc-refused")]


def test_the_example_s_contract_says_what_its_sources_say() -> None:
    workspace = Workspace.open(EXAMPLE.parents[2])
    view = workspace.view("examples/monorepo/protos")
    assert view.notes == ()
    sources = {
        path.relative_to(EXAMPLE).as_posix(): path.read_text("utf-8") for path in EXAMPLE.rglob("*.proto")
    }
    stubs = dict(workspace.stubs(view))
    assert sorted(stubs) == sorted(sources)
    assert list(differences(descriptors(sources), descriptors(stubs))) == []


def test_an_option_too_deep_for_the_protobuf_library_costs_its_file_alone(tmp_path: Path) -> None:
    deep = "{ r " * 3_000 + "{}" + " }" * 3_000
    files: dict[str, str | bytes] = {
        "proto/deep.proto": f'{HEAD}import "google/protobuf/descriptor.proto";\nmessage R {{ R r = 1; }}\n'
        f"extend google.protobuf.MessageOptions {{ R ro = 50001; }}\nmessage X {{ option (ro) = {deep}; }}\n"
        "message Y { string seen = 1; }\n",
        "proto/imports.proto": f'{HEAD}import "deep.proto";\nmessage Z {{ Y y = 1; }}\n',
    }
    view = view_of(files, tmp_path)
    assert told(view) == [("proto/deep.proto", "protoc-refused")]
    assert "nested over 100 deep" in view.notes[0].message
    assert "string seen = 1;" in view.body
    assert "Y y = 1;" in view.body


@pytest.mark.parametrize("head", ["", 'import "nowhere.proto";\n'], ids=["compiled", "read alone"])
def test_strings_that_are_no_text_are_shown_as_bytes(head: str, tmp_path: Path) -> None:
    text = (
        'syntax = "proto2";\nimport "google/protobuf/descriptor.proto";\n' + head + "extend "
        "google.protobuf.MessageOptions { optional string said = 50001; }\nmessage M {\n"
        '  option (said) = "o\\377";\n'
        '  optional string r = 1 [default = "q\\x01\\377\\""];\n  optional string s = 2 [json_name = "j\\376"];\n}\n'
    )
    view = view_of({"proto/odd.proto": text}, tmp_path)
    assert [code for _, code in told(view)] == (["import-missing"] if head else [])
    assert r'option (said) = "o\377";' in view.body
    assert r'[default = "q\001\377\""]' in view.body
    assert r'[json_name = "j\376"]' in view.body


def test_a_view_names_the_compiler_and_its_release(tmp_path: Path) -> None:
    (interface,) = view_of({}, tmp_path).interfaces
    assert interface.tool.startswith("protoc (grpcio-tools ")
    assert "facts" not in interface.tool
