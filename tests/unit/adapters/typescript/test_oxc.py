"""Declarations of single files."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from ifacegen.adapter import Facts
from ifacegen.facts import MemoryFacts
from ifacegen_adapters.typescript import oxc, toolchain
from ifacegen_adapters.typescript.toolchain_values import Isolated
from support.toolchain import context, tools


@pytest.fixture
def isolated() -> Isolated:
    found = toolchain.toolchain(context({}, using=tools())).isolated
    assert found is not None
    return found


def answers(
    isolated: Isolated, texts: Mapping[str, str | bytes], facts: Facts | None = None
) -> Mapping[str, oxc.Answer]:
    """File name → what came of it."""
    sources = {name: source(name, text) for name, text in texts.items()}
    found = oxc.emitted(isolated, facts or MemoryFacts(), list(sources.values()))
    return {name: found[each.blob, each.suffix] for name, each in sources.items()}


def source(name: str, text: str | bytes) -> oxc.Source:
    data = text.encode("utf-8") if isinstance(text, str) else text
    return oxc.Source(hashlib.sha256(data).hexdigest(), f".{name.rpartition('.')[2]}", lambda: data)


def answer(isolated: Isolated, text: str | bytes, name: str = "a.ts") -> oxc.Answer:
    return answers(isolated, {name: text})[name]


def test_clean_file(isolated: Isolated) -> None:
    text = "/** Twice. */\r\nexport function twice(a = 1): number { return a * 2 }\r\nconst own = [1]\r\n"
    declared = "/** Twice. */\nexport declare function twice(a?: number): number;\nexport {};\n"
    assert answer(isolated, text).text == declared.replace("export {};\n", "")


def test_internal_declarations_stay(isolated: Isolated) -> None:
    assert (
        answer(isolated, "/** @internal */\nexport const a: 1 = 1").text
        == "/** @internal */\nexport declare const a: 1;\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "export const a = make()",
        "export function f() { return 1 }\nexport function g() { return f() }",
        "const a = 1; export const b = { a }",  # what it emits lacks the property
        "export const a = [1]",
        "export default class { a = f() }",
        "export const = ;",
        "export function f(",
    ],
)
def test_file_that_leaves_something_to_inference_has_none(text: str, isolated: Isolated) -> None:
    found = answer(isolated, text)
    assert found.text is None
    assert found.reason


def test_suffix_tells_the_language(isolated: Isolated) -> None:
    text = "export const f = <T,>(a: T): T => a; export const g: number = <number>f(1)"
    found = answers(isolated, {"a.ts": text, "a.tsx": text})
    assert found["a.ts"].text is not None
    assert found["a.tsx"].text is None


def test_byte_order_mark_and_wrong_encoding(isolated: Isolated) -> None:
    found = answers(isolated, {"a.ts": b"\xef\xbb\xbfexport type A = 1", "b.ts": b"export type B = '\xff'"})
    assert found == {"a.ts": oxc.Answer("export type A = 1;\n"), "b.ts": oxc.Answer(None, "not UTF-8")}


def test_what_is_known_starts_nothing(isolated: Isolated) -> None:
    facts = MemoryFacts()
    texts = {"a.ts": "export type A = 1", "b.ts": "export const b = f()"}
    made = answers(isolated, texts, facts)
    nobody = Isolated(isolated.version, "/no/node", "/no/binding")
    assert answers(nobody, texts, facts) == made
    assert answers(Isolated("1.0.0", "/no/node", "/no"), texts, facts) != made


def test_file_that_kills_oxc_costs_itself_only(isolated: Isolated) -> None:
    facts = MemoryFacts()
    texts = {"a.ts": "export type A = 1", "bad.ts": DEEP, "b.ts": "export type B = 2"}
    found = answers(isolated, texts, facts)
    assert found["bad.ts"].reason.startswith("oxc died of")
    assert [found[name].text for name in ("a.ts", "b.ts")] == ["export type A = 1;\n", "export type B = 2;\n"]
    nobody = Isolated(isolated.version, "/no/node", "/no/binding")
    assert answers(nobody, {"bad.ts": DEEP}, facts)["bad.ts"] != found["bad.ts"], (
        "perhaps the machine's doing"
    )


def test_oxc_that_cannot_be_loaded_blames_nobody(isolated: Isolated, tmp_path: Path) -> None:
    binding = tmp_path / "broken.node"
    binding.write_bytes(b"nothing")
    found = answer(Isolated("1.0.0", isolated.node, os.fspath(binding)), "export type A = 1")
    assert found == oxc.Answer(None, "oxc ended with exit code 1")


def test_no_room_for_a_scratch_directory(isolated: Isolated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    found = answer(isolated, "export type A = 1")
    assert found == oxc.Answer(None, "oxc cannot be run: No such file or directory")


def test_too_many_that_kill_it_are_given_up(isolated: Isolated) -> None:
    texts = {f"{number}.ts": f"{DEEP}{number}" for number in range(10)}
    found = answers(isolated, texts)
    assert {each.text for each in found.values()} == {None}
    assert found["9.ts"].reason == "oxc died of too many other files"


#: Nested so deep that it overflows the stack of whoever parses it.
DEEP = "export type D = " + "[" * 200_000
