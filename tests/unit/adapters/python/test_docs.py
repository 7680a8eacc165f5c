"""Docstrings made short: the first paragraph, and the errors that it names, as they are written."""

from __future__ import annotations

import logging

import pytest

from ifacegen_adapters.python.docs import shorten

GOOGLE = """\
Send it.

Long story.

Args:
    x: What.

Raises:
    ValueError: If it is bad,
        or worse.

    KeyError: If it is not there.

Returns:
    Nothing."""
NUMPY = """\
Send it.

Parameters
----------
x : int
    What.

Raises
------
ValueError
    If it is bad.
KeyError

Returns
-------
int"""
SPHINX = """\
Send it.

Long story.

:param x: What.
:raises ValueError: If it is bad,
    or worse.
:raises KeyError: If it is not there.
:returns: Nothing."""


def test_a_section_of_google_style_is_kept() -> None:
    assert shorten(GOOGLE) == (
        "Send it.\n\nRaises:\n    ValueError: If it is bad,\n        or worse.\n\n"
        "    KeyError: If it is not there."
    )


def test_a_section_of_numpy_style_is_kept() -> None:
    assert shorten(NUMPY) == "Send it.\n\nRaises\n------\nValueError\n    If it is bad.\nKeyError"


def test_fields_of_restructuredtext_are_kept() -> None:
    assert shorten(SPHINX) == (
        "Send it.\n\n:raises ValueError: If it is bad,\n    or worse.\n:raises KeyError: If it is not there."
    )


def test_fields_need_no_type() -> None:
    assert shorten("First.\n\n:raises: :class:`X`\n\n.. seealso:: y") == "First.\n\n:raises: :class:`X`"


def test_styles_are_told_passage_by_passage() -> None:
    doc = f"{GOOGLE}\n\n:raises OSError: If the disk is full."
    assert shorten(doc).endswith("not there.\n\n:raises OSError: If the disk is full.")


@pytest.mark.parametrize(
    "doc",
    ["", "One line.", "One\nparagraph.", "Raises:\n    ValueError: In the first paragraph.", "a\n\n"],
)
def test_what_is_short_stays_as_it_is(doc: str) -> None:
    assert shorten(doc).strip() == doc.strip()


@pytest.mark.parametrize(
    "rest",
    [
        "Raises:\nno indent",
        "Raises: an eyebrow.",
        "Raises\nan eyebrow.",
        "It Raises:\n    questions.",
        "Args:\n    x: What.",
        "Raises:\n\n\n",
        "    Raises:",
    ],
)
def test_what_is_no_section_is_left_out(rest: str) -> None:
    assert shorten(f"First.\n\n{rest}") == "First."


def test_paragraphs_end_at_lines_of_blanks() -> None:
    assert shorten("First\nparagraph.\n   \nSecond.") == "First\nparagraph."


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        shorten("First.\n\nRaises:\n    no colon here\n    ValueError If.\n\n:raises :\n:raises X Y Z: bad")
    assert caplog.records == []


def test_what_griffe_cannot_read_costs_no_more_than_the_section(monkeypatch: pytest.MonkeyPatch) -> None:
    import griffe

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(griffe, "parse_google", broken)
    assert shorten(GOOGLE) == "Send it."


def test_long_docstrings_are_read_in_time_that_grows_with_them() -> None:
    doc = "First.\n\n" + "Raises:\n" * 20_000 + ":raises X: y\n" * 20_000
    assert shorten(doc).startswith("First.")
