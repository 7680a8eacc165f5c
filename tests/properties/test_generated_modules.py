"""No module takes a view down: generated ones, and real ones cut off or damaged anywhere."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen_adapters.python.facts import Definition, FileFacts
from ifacegen_adapters.python.reader import read_facts
from ifacegen_adapters.python.source import Unreadable, read_source
from support.views import surface_of, text_of

REPOSITORY = Path(__file__).parents[2]
#: Real files, with most of what Python has.
REAL = sorted(
    [
        *(REPOSITORY / "examples/monorepo").glob("*/*/src/**/*.py"),
        *(
            path
            for path in (REPOSITORY / "tests/cases/python").glob("*/input/**/*.py")
            if path.stat().st_size > 300
        ),
    ]
)
#: In what is printed there is no other newer syntax than this (Python 3.11 cannot parse it).
NEWER = ("type ", "[T", "[U", "[K", "[**", "[*")

NAMES = st.sampled_from(["a", "b", "_c", "D", "__all__", "__getattr__", "self", "m", "__version__"])
STRINGS = st.sampled_from(['"a"', '"b"', "'_c'", '"D"', '"m.a"', '".m"', '"""doc"""', 'r"\\d"', "f'{a}'"])
EXPRESSIONS = st.recursive(
    st.one_of(
        NAMES,
        STRINGS,
        st.sampled_from(["1", "None", "...", "[]", "{}", "()", "b.__all__", "list[int]", "lambda: 0"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=3).map(lambda items: f"({', '.join(items)})"),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("{}({})".format, NAMES, inner),
        st.builds("{} + {}".format, inner, inner),
        st.builds("{}[{}]".format, NAMES, inner),
        st.builds("{}.{}".format, NAMES, NAMES),
        st.builds("*{}".format, inner),
    ),
    max_leaves=5,
)
SIMPLE = st.one_of(
    st.builds("{} = {}".format, NAMES, EXPRESSIONS),
    st.builds("{} = {} = {}".format, NAMES, NAMES, EXPRESSIONS),
    st.builds("{}: {} = {}".format, NAMES, EXPRESSIONS, EXPRESSIONS),
    st.builds("{}: {}".format, NAMES, EXPRESSIONS),
    st.builds("{}, ({}, *{}) = {}".format, NAMES, NAMES, NAMES, EXPRESSIONS),
    st.builds("{} += {}".format, NAMES, EXPRESSIONS),
    st.builds("{}.{} = {}".format, NAMES, NAMES, EXPRESSIONS),
    st.builds("{}[{}] = {}".format, NAMES, EXPRESSIONS, EXPRESSIONS),
    st.builds("{}.{}({})".format, NAMES, st.sampled_from(["append", "extend", "remove"]), EXPRESSIONS),
    st.builds("type {}[T] = {}".format, NAMES, EXPRESSIONS),
    st.builds("del {}".format, NAMES),
    st.builds("import {}".format, NAMES),
    st.builds("import {}.{} as {}".format, NAMES, NAMES, NAMES),
    st.builds("from {} import {}".format, st.sampled_from([".", "..", "m", ".m", "...a", "a.b"]), NAMES),
    st.builds("from {} import {} as {}".format, st.sampled_from([".", "m", ".m"]), NAMES, NAMES),
    st.builds("from {} import *".format, st.sampled_from([".", "m", ".m", "..", "os"])),
    st.sampled_from(
        [
            "pass",
            "...",
            "return",
            "yield 1",
            "raise a",
            "#: doc",
            "# note",
            "x = 1; y = 2",
            "@a",
            "global a",
            "",
            ")",
            "(",
        ]
    ),
    STRINGS,
    EXPRESSIONS,
)


def block(header: str, body: list[str]) -> str:
    """A compound statement."""
    lines = [line for statement in body for line in statement.split("\n")] or ["pass"]
    return "\n".join([header, *(f"    {line}" for line in lines)])


def headers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lines that a block follows."""
    return st.one_of(
        st.builds(
            "def {}({}):".format,
            NAMES,
            st.sampled_from(["", "self", "a, /, b=1, *c, d: 'D' = 2, **e", "a,", "*"]),
        ),
        st.builds("async def {}(self) -> {}:".format, NAMES, inner),
        st.builds("@{}\ndef {}():".format, inner, NAMES),
        st.builds("class {}({}):".format, NAMES, inner),
        st.builds("class {}[T: {}]:".format, NAMES, inner),
        st.builds("if {}:".format, inner),
        st.sampled_from(
            ["else:", "elif a:", "try:", "except a:", "except (a, b) as D:", "finally:", "if TYPE_CHECKING:"]
        ),
        st.builds("for {} in {}:".format, NAMES, inner),
        st.builds("with {} as {}:".format, inner, NAMES),
        st.sampled_from(["while a:", "match a:", "case a:", "async with a:"]),
    )


STATEMENTS = st.recursive(
    SIMPLE, lambda inner: st.builds(block, headers(EXPRESSIONS), st.lists(inner, max_size=4)), max_leaves=10
)
MODULES = st.lists(STATEMENTS, max_size=8).map("\n".join)


def is_python(text: str) -> bool:
    """Whether this Python takes it."""
    try:
        ast.parse(text.encode("utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def check(text: str) -> None:
    """A view parses: by this Python, or where the syntax is newer by the parser that knows it."""
    if not is_python(text):
        assert any(sign in text for sign in NEWER), text
        assert read_facts(text.encode("utf-8")).problems == (), text


@given(sources=st.lists(MODULES, min_size=1, max_size=3))
def test_generated_modules_have_a_view_that_parses(sources: list[str]) -> None:
    files = dict(zip(("m/__init__.py", "m/a.py", "m/_c.py"), sources, strict=False))
    texts = [text_of(surface_of(files), docs) for docs in ("full", "none")]
    if all(is_python(text) for text in sources):  # the grammar takes more than Python does, and shows it
        for text in texts:
            check(text)


@given(text=st.text(max_size=200) | st.text(st.sampled_from("abc()[]{}'\":,.\n \\=+-@#*:\t;"), max_size=200))
def test_any_text_has_a_view_that_parses(text: str) -> None:
    check(text_of(surface_of({"m.py": text.encode("utf-8", "surrogatepass")})))


@given(data=st.binary(max_size=200))
def test_any_bytes_have_a_view_that_parses(data: bytes) -> None:
    check(text_of(surface_of({"m.py": data})))


# --- Damage -----------------------------------------------------------------------------------------


def before(facts: FileFacts, line: int) -> dict[str, Definition]:
    """Definitions that end before a line and have a name to themselves."""
    everything = [each.name for each in facts.definitions]
    return {
        each.name: each
        for each in facts.definitions
        if each.end_line < line and not each.conditions and everything.count(each.name) == 1
    }


def facts_of(data: bytes) -> FileFacts | None:
    """The facts of a file's bytes; None where it is not text."""
    try:
        return read_facts(read_source(data).text)
    except Unreadable:
        return None


@pytest.mark.slow
@settings(max_examples=600)
@given(path=st.sampled_from(REAL), data=st.data())
def test_what_stands_before_the_damage_is_still_there(path: Path, data: st.DataObject) -> None:
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole)))
    tail = data.draw(st.sampled_from(["cut", "byte", "quote", "bracket", "dedent", "junk"]))
    damaged = {
        "cut": whole[:place],
        "byte": whole[:place] + data.draw(st.binary(min_size=1, max_size=3)) + whole[place + 1 :],
        "quote": whole[:place] + b'"""' + whole[place:],
        "bracket": whole[:place] + data.draw(st.sampled_from([b"(", b")", b"[", b"}"])) + whole[place:],
        "dedent": whole[:place] + b"\nx" + whole[place:],
        "junk": whole[:place] + b"\n<<<<<<< HEAD\n=======\n>>>>>>> x\n" + whole[place:],
    }[tail]
    left, original = facts_of(damaged), facts_of(whole)
    if left is None or original is None:
        assert b"\0" in damaged
        return
    found = {each.name: each for each in left.definitions}
    for name, definition in before(original, whole.count(b"\n", 0, place) + 1).items():
        if definition.end_line < whole.count(b"\n", 0, place):  # a doc or comment may follow on the next line
            assert found[name].header == definition.header, name
    check(text_of(surface_of({"m.py": damaged})))
