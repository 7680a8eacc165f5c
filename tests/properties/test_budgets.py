"""Whatever the view and the budget: never over, and nothing dropped without a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ifacegen.errors import UsageError
from ifacegen.model import Declaration, Module, Visibility
from ifacegen.render.markdown import markdown
from ifacegen.render.page import Page, Press, Section, text
from ifacegen.shortening import shortened
from ifacegen.tokens import count_tokens
from ifacegen_adapters.python import PythonAdapter
from support.sizes import read, unaccounted

PRESS = Press({"python": PythonAdapter()})
HEADER = ("# p — interface view, 1 tokens", "# note: one.py: a note that says something [some-code]")
LAYOUTS: dict[str, Callable[[Sequence[Page], Press], str]] = {"text": text, "markdown": markdown}

NAMES = st.sampled_from(["a", "b", "Long", "_private", "something_longer", "x1"])
WORDS = st.lists(
    st.sampled_from(["one", "two", "naïve", '"""', "``code``", "\\", "# module m", "…"]), max_size=40
)
DOCS = st.none() | st.lists(WORDS.map(" ".join), min_size=1, max_size=4).map("\n\n".join).map(
    lambda doc: f"{doc}\n\nRaises:\n    ValueError: If it is bad.\n\nMore."
)
VISIBILITIES: st.SearchStrategy[Visibility] = st.sampled_from(["public", "public", "carried"])


def counted(declaration: Declaration) -> Declaration:
    """With its tokens, as a view has it."""
    tokens = count_tokens(PythonAdapter().render_declaration(declaration))
    return replace(declaration, tokens=tokens)


@st.composite
def declarations(draw: st.DrawFn, depth: int = 2, prefix: str = "") -> Declaration:
    name = draw(NAMES)
    qualname = f"{prefix}{name}"
    kind = draw(
        st.sampled_from(["function", "variable", "alias", "class", "class"] if depth else ["function"])
    )
    if prefix and kind == "alias":
        kind = "variable"
    made = Declaration(f"m:{qualname}", name, qualname, kind, f"def {name}()", visibility=draw(VISIBILITIES))
    if kind == "variable":
        value = draw(st.sampled_from(["1", '"text"', f"({', '.join(['12345'] * 30)})"]))
        made = replace(made, signature=f"{name} = {value}", value=value, doc=draw(DOCS))
    elif kind == "alias":
        made = replace(made, signature=f"from .{draw(NAMES)} import {name} as {name}", origin="m:x")
    elif kind == "class":
        members = draw(st.lists(declarations(depth=depth - 1, prefix=f"{qualname}."), max_size=4))
        made = replace(made, signature=f"class {name}", members=tuple(members), doc=draw(DOCS))
    else:
        made = replace(made, doc=draw(DOCS), deprecated=draw(st.sampled_from([None, "old"])))
    return counted(made)


MODULE_NAMES = st.lists(st.sampled_from(["p", "p.a", "p.b", "p.b.c", "p._q"]), max_size=4, unique=True)


@st.composite
def modules(draw: st.DrawFn) -> tuple[Module, ...]:
    return tuple(
        Module(name, "python", f"{name}.py", draw(DOCS), tuple(draw(st.lists(declarations(), max_size=5))))
        for name in sorted(draw(MODULE_NAMES))
    )


def size(pages: Sequence[Page], layout: str) -> int:
    """Tokens of what the command prints."""
    printed = LAYOUTS[layout](pages, PRESS)
    return count_tokens(printed if printed.endswith("\n") else f"{printed}\n")


def fitting(pages: Sequence[Page], layout: str, share: float) -> Sequence[Page]:
    """Pages within a budget: a share of what they are, or the least that works."""
    budget = max(1, int(size(pages, layout) * share))
    try:
        found = shortened(pages, PRESS, budget, LAYOUTS[layout])
    except UsageError as error:
        budget = int(str(error).rpartition(" tokens")[0].rpartition(" ")[2])
        with pytest.raises(UsageError):
            shortened(pages, PRESS, budget - 1, LAYOUTS[layout])
        found = shortened(pages, PRESS, budget, LAYOUTS[layout])
    assert size(found, layout) <= budget
    return found


@given(modules(), st.sampled_from(sorted(LAYOUTS)), st.floats(0, 1.1), st.booleans())
@settings(deadline=None, max_examples=60)
def test_never_over_and_nothing_dropped(
    view: tuple[Module, ...], layout: str, share: float, lines: bool
) -> None:
    header = (HEADER[0].replace("interface view", "outline"), HEADER[1]) if lines else HEADER
    page = Page("p", "p", header, (Section(view, lines=lines),))
    (found,) = fitting([page], layout, share)
    printed = text([found], PRESS)
    problems = unaccounted(view, read(printed))
    assert problems == []


@given(modules(), modules(), st.floats(0, 1))
@settings(deadline=None, max_examples=20)
def test_several_addresses_share_a_budget(
    one: tuple[Module, ...], other: tuple[Module, ...], share: float
) -> None:
    pages = [
        Page(name, name, (f"# {name} — view",), (Section(view),)) for name, view in (("p", one), ("q", other))
    ]
    for view, page in zip((one, other), fitting(pages, "text", share), strict=True):
        assert unaccounted(view, read(text([page], PRESS))) == []


@given(modules(), st.floats(0, 1))
@settings(deadline=None, max_examples=20)
def test_the_same_question_has_the_same_answer(view: tuple[Module, ...], share: float) -> None:
    page = Page("p", "p", HEADER, (Section(view),))
    assert fitting([page], "text", share) == fitting([page], "text", share)
