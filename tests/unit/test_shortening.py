"""Budgets: what is done in which order, and what is said about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from ifacegen.errors import UsageError
from ifacegen.model import Declaration, Module
from ifacegen.render.page import Page, Press, Section, text
from ifacegen.shortening import shortened
from ifacegen.tokens import count_tokens
from ifacegen_adapters.python import PythonAdapter
from support.views import surface_of

ADAPTER = PythonAdapter()
PRESS = Press({"python": ADAPTER})
LONG = "It does a lot of things that need to be told at some length, which is why this goes on and on.\n" * 3
SOURCE = f'''\
"""A module.

{LONG}
"""
import os
from typing import Protocol

def f(a: int = 1, b: "_Source | None" = None) -> int:
    """What f does.

    {LONG.replace(chr(10), " ")}

    Raises:
        ValueError: If a is bad.
    """

class Large:
    """A large class."""
    def one(self) -> None:
        """One."""
{
    "".join(
        f"""
    def method_{each}(self, name: str, *, size: int = {each}) -> None:
        'Method {each}, of which there is more to say than of one.'
"""
        for each in range(10)
    )
}

class _Source(Protocol):
    """A private protocol, with a docstring of its own."""
    def read(self) -> bytes:
        """Read, of which there is more to say than of one."""
    def write(self) -> bytes:
        """Write, of which there is more to say than of one."""

class Small:
    """A small class."""
    x: int
'''
TOP = "from .inner import g as g\nA: int = 1\n"


def with_tokens(declaration: Declaration) -> Declaration:
    members = tuple(with_tokens(each) for each in declaration.members)
    tokens = count_tokens(ADAPTER.render_declaration(declaration))
    return replace(declaration, members=members, tokens=tokens)


def modules(**sources: str) -> tuple[Module, ...]:
    files = {f"m/{name}.py": source for name, source in sources.items()}
    return tuple(
        replace(each, declarations=tuple(map(with_tokens, each.declarations)))
        for each in surface_of(files).modules
    )


def page(*of: Module, title: str = "p", notes: int = 0) -> Page:
    header = (
        f"# {title} — interface view",
        *(f"# note: {n}: something to know about it" for n in range(notes)),
    )
    return Page(title, title, header, (Section(of),))


def shown(pages: Sequence[Page], budget: int) -> str:
    found = text(shortened(pages, PRESS, budget, text), PRESS)
    assert count_tokens(found if found.endswith("\n") else f"{found}\n") <= budget
    return found


def report(shown: str) -> str:
    (line,) = re.findall(r"^# shortened to [\d,]+ tokens: (.*); whole: .*$", shown, re.MULTILINE)
    return str(line)


WHOLE = page(*modules(__init__=SOURCE))
SIZE = count_tokens(text([WHOLE], PRESS))


def test_what_fits_is_the_same_page() -> None:
    pages = [WHOLE]
    assert shortened(pages, PRESS, SIZE, text) is pages
    assert "shortened" not in shown(pages, SIZE)
    assert "shortened" in shown(pages, SIZE - 1)


def test_no_encoding_is_loaded_for_what_surely_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(*_: object) -> int:
        raise AssertionError

    monkeypatch.setattr("ifacegen.tokens.count_tokens", counted)
    pages = [replace(WHOLE, body="X = 1\n", tokens=5)]
    assert shortened(pages, PRESS, 200, text) is pages
    with pytest.raises(AssertionError):
        shortened(pages, PRESS, 10, text)


def test_long_documentation_goes_first_but_for_the_errors() -> None:
    found = shown([WHOLE], SIZE - 60)
    assert report(found).endswith("to the first paragraph and errors")
    assert '"""What f does. […]\n\n    Raises:\n        ValueError: If a is bad.\n    """' in found
    assert "Method 3, of which there is more to say than of one." in found


def test_then_members_of_the_largest_of_what_is_private_first() -> None:
    steps = [report(shown([WHOLE], budget)) for budget in range(SIZE - 1, 130, -5)]
    kinds = ["first paragraph", "without members", "to a line each", "only counted"]
    reached = [max(index for index, kind in enumerate(kinds) if kind in step) for step in steps]
    assert reached == sorted(reached)
    assert set(reached) >= {0, 1, 2}
    first = next(
        shown([WHOLE], budget)
        for budget in range(SIZE - 1, 130, -1)
        if "1 declaration without members" in report(shown([WHOLE], budget))
    )
    assert "def read" not in first
    assert "...  # 2 members elided" in first
    assert "def method_2(self" in first


def test_then_a_line_each_without_documentation() -> None:
    found = shown([WHOLE], 150)
    assert "to a line each" in report(found)
    lines = found.partition("# a line each, without documentation, imports and options:\n\n")[2].splitlines()
    assert "class _Source(Protocol)  # 2 members elided; private" in lines
    assert '"""' not in "".join(lines)


def test_then_declarations_by_number_the_top_level_last() -> None:
    whole = page(*modules(__init__=TOP, inner=f"{SOURCE}\ndef g(): ...\n"), notes=9)
    found = shown([whole], 110)
    assert "# 9 notes: `--format json` has them" in found
    assert "from .inner import g" in found
    assert re.search(r"#   m\.inner: (4 of )?5 declarations", found)


def test_in_the_end_there_is_one_line() -> None:
    whole = page(*modules(__init__=TOP, inner=SOURCE), notes=2)
    with pytest.raises(UsageError) as caught:
        shown([whole], 1)
    least = int(re.findall(r"--budget 1 is too small: (\d+) tokens are the least", str(caught.value))[0])
    (line,) = shown([whole], least).splitlines()
    assert line.startswith(f"# p — shortened to {least} tokens: 2 modules, ")
    assert "and 2 notes not shown" in line
    with pytest.raises(UsageError):
        shown([whole], least - 1)


def test_what_is_shorter_than_what_would_be_said_of_it_stays() -> None:
    small = page(*modules(small="X = 1\n"), title="q")
    found = shown([WHOLE, small], 100)
    assert found.endswith("# q — interface view\n\n# module m.small\nX = 1\n") or "X = 1" in found
    assert "for 2 addresses together" in found


def test_what_was_asked_for_by_name_goes_last() -> None:
    (module,) = modules(__init__=SOURCE)
    f = replace(module, doc=None, declarations=tuple(d for d in module.declarations if d.name == "f"))
    named = replace(page(f, title="p::f"), is_single=True)
    found = shown([WHOLE, named], 150)
    assert "def f(a: int = 1" in found.partition("# p::f")[2]


def test_what_it_mentions_goes_before_what_was_asked_for() -> None:
    (module,) = modules(__init__=SOURCE)
    split = {each.name: replace(module, doc=None, declarations=(each,)) for each in module.declarations}
    sections = (Section((split["f"],)), Section((split["Large"],), "what it mentions"))
    whole = Page("p::f", "p", ("# p::f — from the view of p",), sections, is_single=True)
    found = shown([whole], 120)
    assert "def f(a: int = 1" in found
    assert "...  # 11 members elided" in found or "class Large  # 11 members elided" in found


def test_outlines_lose_members_then_names() -> None:
    whole = replace(WHOLE, sections=(replace(WHOLE.sections[0], lines=True),))
    found = shown([whole], count_tokens(text([whole], PRESS)) - 5)
    assert "without members" in report(found)
    assert "# a line each" not in found


@pytest.mark.parametrize("docs", ["none", "first_paragraph"])
def test_documentation_that_is_not_printed_is_not_shortened(docs: str) -> None:
    press = Press({"python": ADAPTER}, docs)
    size = count_tokens(text([WHOLE], press))
    found = text(shortened([WHOLE], press, size - 10, text), press)
    assert "first paragraph" not in report(found)


def test_a_module_of_documentation_alone_is_counted_too() -> None:
    whole = page(Module("m", "python", "m.py", LONG, ()), Module("n", "python", "n.py", LONG, ()))
    found = shown([whole], 100)
    assert "# module m" in found
    assert "2 modules without documentation" in report(found)
