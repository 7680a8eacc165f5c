"""No module takes a view down: generated ones, and real ones cut off or damaged anywhere."""

from __future__ import annotations

import ast
import itertools
import tokenize
from io import BytesIO
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


def statements(text: str) -> list[str]:
    """What a text says, however it is spaced; a view that this Python cannot parse as it stands."""
    return sorted(ast.dump(each) for each in ast.parse(text).body) if is_python(text) else [text]


def is_plain(path: Path) -> bool:
    """Whether the file is UTF-8 that this Python takes, with a name to break a line before."""
    try:
        return is_python(path.read_text(encoding="utf-8")) and b"\r" not in path.read_bytes()
    except UnicodeDecodeError:
        return False


def check(text: str) -> None:
    """A view parses: by this Python, or where the syntax is newer by the parser that knows it."""
    if not is_python(text):
        assert any(sign in text for sign in NEWER), text
        assert read_facts(text.encode("utf-8")).problems == (), text


@given(sources=st.lists(MODULES, min_size=1, max_size=3))
def test_generated_modules_have_a_view_that_parses(sources: list[str]) -> None:
    files: dict[str, str | bytes] = dict(zip(("m/__init__.py", "m/a.py", "m/_c.py"), sources, strict=False))
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


@st.composite
def damages(draw: st.DrawFn) -> tuple[bytes, int, bytes]:
    """A real file, a place in it, and what an accident there leaves."""
    whole = draw(st.sampled_from(REAL)).read_bytes()
    place = draw(st.integers(0, len(whole)))
    cut = draw(st.sampled_from([0, 0, 0, 1, len(whole)]))
    put = draw(st.sampled_from(ACCIDENTS) | st.binary(min_size=1, max_size=3))
    return whole, place, whole[:place] + put + whole[place + cut :]


ACCIDENTS = [
    b"",
    b'"""',
    b"(",
    b")",
    b"[",
    b"}",
    b":",
    b"\\",
    b"\nx",
    b"\n<<<<<<< HEAD\n=======\n>>>>>>> x\n",
    b"\xff",
    b"\x01",
]


@pytest.mark.slow
@settings(max_examples=500)
@given(damage=damages())
def test_what_stands_before_the_damage_is_still_there(damage: tuple[bytes, int, bytes]) -> None:
    whole, place, damaged = damage
    original, left = facts_of(whole), facts_of(damaged)
    if left is None or original is None:
        assert b"\0" in damaged
        return
    found = {each.name: each for each in left.definitions}
    for name, definition in before(original, whole.count(b"\n", 0, place)).items():
        if name.isascii():  # a stray byte may change the encoding that all the file is read in
            assert found[name].header == definition.header, name


@pytest.mark.slow
@settings(max_examples=300)
@given(damage=damages())
def test_what_is_printed_of_damaged_files_parses_or_the_file_is_named(
    damage: tuple[bytes, int, bytes],
) -> None:
    """The grammar takes some text that Python does not (``f(a=1, b)``); such a file is at least named."""
    surface = surface_of({"m.py": damage[2]})
    if not {note.code for note in surface.notes} & {"parse-error", "stubgen-failed", "encoding"}:
        check(text_of(surface))


def continued(source: bytes) -> list[int]:
    """Where a line of ``source`` may be broken by a backslash: the byte offsets between two tokens of a line."""
    lines = source.decode("utf-8").splitlines(keepends=True)
    starts = [sum(len(line.encode("utf-8")) for line in lines[:row]) for row in range(len(lines))]
    tokens = [
        each
        for each in tokenize.tokenize(BytesIO(source).readline)
        if each.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)
    ]
    return [
        starts[token.start[0] - 1] + len(token.line[: token.start[1]].encode("utf-8"))
        for before, token in itertools.pairwise(tokens)
        if before.end[0] == token.start[0]
        and before.string != ";"
        and token.string != ";"
        and "\n" not in token.line[:-1]
    ]


@pytest.mark.slow
@settings(max_examples=300)
@given(data=st.data())
def test_a_backslash_between_two_tokens_changes_nothing(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([path.read_bytes() for path in REAL if is_plain(path)]))
    place = data.draw(st.sampled_from(continued(whole)))
    surface = surface_of({"m.py": whole[:place] + b"\\\n " + whole[place:]})
    assert statements(text_of(surface)) == statements(text_of(surface_of({"m.py": whole})))


#: What tree-sitter reads over, but nothing may print.
SCRAPS = {
    "__all__": "__all__ = ['a b', 'C)', '', 'x.y', 'class', 'ok']\nok = 1\n",
    "decorator": "@d(<<<<<<< HEAD\n=======\n>>>>>>> x\nfrozen=True)\nclass C:\n    x: int\n",
    "method's decorator": "class C:\n    @abc.abstractm:thod\n    def f(self): ...\n",
    "import": "from .orde<<<<<<<HEAD import x as x\nfrom ._i)mpl import y as y\nfrom .(keys import z as z\n",
    "type": "EPOCH: Fin:l = 3\n",
    "parameter": "def f(a: T.Optiona:[int] = None): ...\n",
    "default": "def f(*, seconds: float:= 0) -> int: ...\n",
    "condition": 'if sys.version_info >= (3, 1"""2):\n    x = 1\n',
    "only a damaged method": "class C:\n    def f(self, a b): ...\n",
    "keyword": "de: alpha(): 1\n",
}


@pytest.mark.parametrize("scrap", sorted(SCRAPS))
def test_scraps_are_not_printed(scrap: str) -> None:
    check(text_of(surface_of({"m.py": SCRAPS[scrap]})))
