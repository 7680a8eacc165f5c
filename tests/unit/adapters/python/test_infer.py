"""stubgen is asked only where its answer could show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.python import compile as compiling
from ifacegen_adapters.python.compile import Compiler
from ifacegen_adapters.python.facts import Definition, FileTypes
from ifacegen_adapters.python.infer import is_question
from ifacegen_adapters.python.reader import read_facts
from ifacegen_adapters.python.stubgen import StubgenFailed, check, inferred_types
from support.views import surface_of, text_of

#: Sources that leave no question open.
SETTLED = [
    "def f() -> int:\n    return g()\n",
    "def f(): ...\n",
    "async def f():\n    yield 1\n",
    "@decorated\ndef f():\n    return g()\n",
    "x: int = g()\n",
    "T = TypeVar('T')\n",
    "Pair = tuple[int, int]\n",
    "class E(Enum):\n    A = 1\n    B = 'b'\n",
    "class C(Base):\n    x: int = 1\n\n    def __init__(self, a: int):\n        self.a = a\n\n    def g(self) -> None: ...\n",
    "class C:\n    class D:\n        y: int\n",
    "def f():\n    return g()\n",
    "def f():\n    g()\n",
    "def f():\n    yield 1\n",
    "x = 1\n",
    "x = g()\n",
    "class C:\n    def __init__(self, a):\n        self.a = 1\n",
    "class C:\n    def __len__(self): ...\n",
    "class C:\n    def __iter__(self):\n        yield 1\n",
    "import os\n",
]
OPEN = [
    "class C:\n    def __len__(self):\n        return g()\n",
    "class C:\n    class D:\n        def __eq__(self, other):\n            raise TypeError\n",
    "def f(a: int, a: int) -> None: ...\n",
]


def questions(source: str) -> bool:
    return any(map(is_question, read_facts(source.encode()).definitions))


@pytest.mark.parametrize("source", SETTLED)
def test_what_is_stated_or_cannot_be_known_is_not_asked(source: str) -> None:
    assert not questions(source)


@pytest.mark.parametrize("source", OPEN)
def test_what_is_not_stated_is_asked(source: str) -> None:
    assert questions(source)


def names(definitions: Iterable[Definition], prefix: str = "") -> Iterator[str]:
    for each in definitions:
        yield f"{prefix}{each.name}"
        yield from names(each.members, f"{prefix}{each.name}.")


@pytest.mark.parametrize("source", SETTLED)
@pytest.mark.parametrize("answer", ["int", "None", "Generator", "str"])
def test_no_answer_changes_what_is_settled(source: str, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without = surface_of({"m.py": source})
    known = dict.fromkeys(names(read_facts(source.encode()).definitions), answer)
    monkeypatch.setattr(Compiler, "types", lambda *_: FileTypes(known))
    assert text_of(surface_of({"m.py": source})) == text_of(without)


@pytest.mark.parametrize("source", [*SETTLED, *OPEN])
def test_only_questions_are_put_to_stubgen(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def inferred(text: str) -> dict[str, str]:
        asked.append(text)
        return {}

    monkeypatch.setattr(compiling, "inferred_types", inferred)
    surface_of({"m.py": source})
    assert asked == ([source] if source in OPEN else [])


def test_a_file_that_python_refuses_is_named_though_it_leaves_no_question() -> None:
    """The grammar takes it, and nothing of it is missing in the view."""
    (note,) = surface_of({"m.py": "x: int = 1\nx.y(a=1, 2)\n"}).notes
    assert note.code == "stubgen-failed"
    assert note.message == "stubgen gave no types: mypy cannot parse it"


LINES = st.sampled_from(
    [
        *SETTLED,
        *OPEN[:-1],
        "f(a=1, 2)\n",
        "return\n",
        "def f():\n    f(a=1, 2)\n",
        "x = [\n",
        "x = 1 2\n",
        "print 'x'\n",
        "f(**a, *b)\n",
        "del f()\n",
        "a + 1 = 2\n",
        "\tx = 1\n",
        "async with a: pass\n",
        "type X[T] = list[T]\n",
        "x: int = yield\n",
        "match x:\n    case 1: pass\n",
        "nonlocal x\n",
        "0777\n",
    ]
)


def failure(source: str, *, whole: bool) -> str | None:
    try:
        (inferred_types if whole else check)(source)
    except StubgenFailed as error:
        return str(error)
    return None


@given(lines=st.lists(LINES, max_size=4))
def test_a_check_fails_where_stubgen_does(lines: list[str]) -> None:
    source = "".join(lines)
    assert failure(source, whole=False) == failure(source, whole=True)
