"""Documentation comments made short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ifacegen_adapters.typescript.docs import comment, shorten


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("One.", "One."),
        ("One,\nstill one.\n\nTwo.", "One,\nstill one."),
        ("One.\n@param a - The a.\n@returns The b.", "One."),
        ("One.\n\n@remarks\nMore.\n\n@throws {RangeError} If a is\n  too large.\n@throws B\n\n@example\n```ts\nf()\n```", "One.\n\n@throws {RangeError} If a is\n  too large.\n\n@throws B"),
        ("One.\n@deprecated Use\n`other`.\n@see x", "One.\n\n@deprecated Use\n`other`."),
        ("@deprecated", "@deprecated"),
        ("@deprecated Use b.\n@param a", "@deprecated Use b."),
        ("One.\n```ts\n@Decorator()\n@throws\n```\n\n@since 1", "One."),
        ("One:\n```ts\nf()\n```", "One:"),
        ("@name add\n@category Days\n@summary Adds days.\n\n@description\nAdds so many days.\n\n@throws {TypeError} - two", "Adds days.\n\n@throws {TypeError} - two"),
        ("@description\nAdds days.\n\nMore.", "Adds days."),
        ("@param a - The a.\n@returns The b,\nor c.\n\nOr d.", "@returns The b,\nor c."),
        ("@internal", ""),
        ("{@link x} says @throws here.\n\nMore.", "{@link x} says @throws here."),
        ("", ""),
    ],
)  # fmt: skip
def test_the_first_paragraph_and_what_a_caller_must_know(doc: str, expected: str) -> None:
    assert shorten(doc) == expected


@given(
    st.text(st.sampled_from(list("aA @\n`*/{}")), max_size=60).map(lambda text: text.replace("A", "@throws "))
)
def test_what_is_short_stays_so(doc: str) -> None:
    once = shorten(doc)
    assert len(once) <= len(doc) + 2 * doc.count("@")
    assert shorten(once) == once


def test_comments_have_one_line_or_stars() -> None:
    assert comment("One.", "  ") == ["  /** One. */"]
    assert comment("One.\n\n  two */\n") == ["/**", " * One.", " *", " *   two *\\/", " */"]
    assert comment(" \n ") == []
