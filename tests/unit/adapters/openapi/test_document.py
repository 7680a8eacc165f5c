"""Files as they are read: whatever is wrong with one is said, and costs no more than it must."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.openapi.document import Document, parse
from ifacegen_adapters.openapi.rescue import rescue
from ifacegen_adapters.openapi.texts import Numeral
from ifacegen_adapters.openapi.values import MOST_LEVELS


def read(text: str | bytes, path: str = "a.yaml") -> Document:
    return parse(path, "id", text.encode() if isinstance(text, str) else text)


def codes(document: Document) -> list[str]:
    return [problem.code for problem in document.problems]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_json_is_read_alike_by_all_readers(value: Any) -> None:
    text = json.dumps(value)
    assert rescue(text) == (value, -1)
    assert parse("a.json", "", text.encode()).value == value


@given(st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1), st.data())
def test_a_cut_json_is_read_as_far_as_it_goes(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(1, len(text)))]
    document = parse("a.json", "", cut.encode())
    assert isinstance(document.value, dict)
    assert document.value.keys() <= value.keys()
    assert len(document.problems) == (cut != text)
    whole = [*document.value][:-1]
    assert {key: document.value[key] for key in whole} == {key: value[key] for key in whole}


def test_yaml_scalars_are_those_of_the_core_schema() -> None:
    text = "[no, 2024-01-01, 1:30, 0o17, 012, 3.10, 1_0, ~, null, True, .inf, +1, '1', 0x1f, 1e3]"
    value = read(text).value
    expected = ["no", "2024-01-01", "1:30", "0o17", "012", "3.10", "1_0"]
    assert value == [*expected, None, None, True, ".inf", "+1", "1", "0x1f", "1e3"]
    assert [type(each) is Numeral for each in value] == [
        *(False, False, False, True, True, True, False, False, False, False, True, True, False, True, True)
    ]


def test_keys_are_strings() -> None:
    assert read("200: a\nnull: b\ntrue: c\n1.0: d\n").value == {
        "200": "a",
        "null": "b",
        "true": "c",
        "1.0": "d",
    }


def test_what_the_keys_of_a_mapping_say_twice_is_noted_with_its_line() -> None:
    document = read("a: 1\nb: 2\na: 3\n")
    assert (document.value, codes(document), document.problems[0].line) == (
        {"a": "3"} | {"b": 2, "a": 3},
        ["duplicate-key"],
        3,
    )
    assert codes(read('{"a": 1, "b": {"c": 1, "c": 2}}')) == ["duplicate-key"]


def test_merge_keys_give_way_to_others() -> None:
    text = "base: &b {x: 1, y: 2}\nmore: &m {z: 3}\nmade: {y: 5, <<: [*b, *m]}\n"
    assert read(text).value["made"] == {"y": 5, "x": 1, "z": 3}


def test_a_billion_laughs_are_not_expanded() -> None:
    lines = ["a0: &a0 [ha]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    assert len(read("\n".join(lines)).value) == 60


def test_merges_that_multiply_end() -> None:
    lines = ["m0: &m0 {" + ", ".join(f"k{n}: 1" for n in range(1_000)) + "}"]
    lines += [f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}" for n in range(1, 500)]
    assert len(read("\n".join(lines)).value) == 500


@pytest.mark.parametrize("path", ["a.json", "a.yaml"])
@pytest.mark.parametrize(("start", "end"), [('{"a":', "}"), ("[", "]")])
def test_deep_json_is_left_out(path: str, start: str, end: str) -> None:
    deep = f"{start * 20_000}{'1' if ':' in start else ''}{end * 20_000}"
    document = parse(path, "", f'{{"before": 1, "deep": {deep}, "after": 2}}'.encode())
    assert (document.value["before"], document.value["after"]) == (1, 2)
    assert codes(document) == ["too-deep"]


@pytest.mark.parametrize(
    ("depth", "code"), [(MOST_LEVELS + 5, "too-deep"), (900, "too-deep"), (20_000, "parse-error")]
)
def test_deep_yaml_is_left_out(depth: int, code: str) -> None:
    document = read(f"before: 1\ndeep: {'[' * depth}{']' * depth}\nafter: 2\n")
    assert document.value["before"] == 1
    assert codes(document) == [code]


def test_deep_blocks_are_left_out() -> None:
    text = "".join(f"{' ' * n}a:\n" for n in range(400))
    assert codes(read(text)) == ["too-deep"]


def test_numbers_stay_as_they_are_written() -> None:
    value = json.loads('{"a": [1.10, 1e400, 1, -1]}')
    document = parse("a.json", "", b'{"a": [1.10, 1e400, NaN, -0, %s, 7]}' % (b"9" * 10_000))
    assert document.value["a"][:4] == ["1.10", "1e400", "NaN", "-0"]
    assert len(document.value["a"][4]) == 10_000
    assert document.value["a"][5] == 7
    assert value["a"][2] == 1


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"]
)
@pytest.mark.parametrize("text", ["title: Größe\n", '{"title": "Größe"}'])
def test_encodings(encoding: str, text: str) -> None:
    document = read(text.encode(encoding))
    assert document.value == {"title": "Größe"}
    assert codes(document) == ([] if encoding.startswith("utf-8") else ["encoding"])


def test_what_is_cut_within_a_character_is_read() -> None:
    assert read("a: 1\nb: ä".encode()[:-1]).value["a"] == 1


def test_yaml_in_a_file_called_json_and_json_in_one_called_yaml() -> None:
    assert read("a: 1\n", "a.json").value == {"a": 1}
    assert read('{"a": 1}', "a.yaml").value == {"a": 1}
    assert read('{"a": 1, b: [x],}', "a.yaml").value == {"a": 1, "b": ["x"]}


def test_of_several_yaml_documents_the_described_one_counts() -> None:
    document = read("a: 1\n---\nopenapi: 3.0.0\n---\nb: 1\n")
    assert (document.value, codes(document)) == ({"openapi": "3.0.0"}, ["several-documents"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "---\n",
        "# nothing\n",
        "&",
        "*a",
        "%",
        "\t",
        "a: *b",
        "!!python/object:os.system x",
        "{",
        "[",
        '"',
    ],
)
def test_next_to_nothing(text: str) -> None:
    for path in ("a.yaml", "a.json"):
        parse(path, "", text.encode())


@given(st.binary(max_size=80))
def test_any_bytes(data: bytes) -> None:
    for path in ("a.yaml", "a.json"):
        parse(path, "", data)


@given(st.text(alphabet="ab:-[]{},&*!|>'\"#%@\n 1~?<", max_size=60))
def test_any_yaml(text: str) -> None:
    parse("a.yaml", "", text.encode())
