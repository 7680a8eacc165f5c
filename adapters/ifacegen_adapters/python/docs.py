"""Docstrings made short: the first paragraph, and the section on errors as it is written.

The only module that imports griffe, which says whether a passage below a heading is such a section. Where it
begins and ends is read from its lines, because what is shown is the source's own text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Literal

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
#: What begins a passage on errors, so that most docstrings are never parsed.
_GOOGLE = re.compile(r"([ \t]*)(?:Raises|Exceptions):[^\n]*\Z", re.IGNORECASE)
_NUMPY = re.compile(r"([ \t]*)Raises[ \t]*\Z", re.IGNORECASE)
_UNDERLINE = re.compile(r"[ \t]*-{3,}[ \t]*\Z")
_SPHINX = re.compile(r"([ \t]*):(?:raises?|except|exception)\b[^:\n]*:", re.IGNORECASE)

_Style = Literal["google", "numpy", "sphinx"]


def shorten(doc: str) -> str:
    """The first paragraph and the errors that a docstring names; the same text if there is no more."""
    found = _PARAGRAPH.search(doc)
    if found is None:
        return doc
    first, rest = doc[: found.start()], doc[found.end() :]
    errors = [text for style, text in _passages(rest) if _names_errors(text, style)]
    return "\n\n".join((first, *errors))


def _passages(text: str) -> Iterator[tuple[_Style, str]]:
    """Passages that look like sections on errors, in the order of the text."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        style = _style(lines, index)
        if style is None:
            index += 1
            continue
        end = _end(lines, index, style)
        yield style, "\n".join(lines[index:end]).rstrip()
        index = end


def _style(lines: list[str], index: int) -> _Style | None:
    line = lines[index]
    if _GOOGLE.match(line) and any(_indent(each) > _indent(line) for each in lines[index + 1 : index + 3]):
        return "google"
    if _NUMPY.match(line) and index + 1 < len(lines) and _UNDERLINE.match(lines[index + 1]):
        return "numpy"
    return "sphinx" if _SPHINX.match(line) else None


def _end(lines: list[str], start: int, style: _Style) -> int:
    """Where a passage ends: at what is indented no deeper, for NumPy's at the next heading."""
    indent = _indent(lines[start])
    index = start + (2 if style == "numpy" else 1)
    while index < len(lines):
        line = lines[index]
        if style == "numpy":
            if index + 1 < len(lines) and line.strip() and _UNDERLINE.match(lines[index + 1]):
                break
        elif line.strip() and _indent(line) <= indent:
            if style == "google" or not _SPHINX.match(line):
                break
        elif style == "sphinx" and not line.strip():
            break
        index += 1
    return index


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else -1


def _names_errors(text: str, style: _Style) -> bool:
    """Whether a passage is about errors: a field that says so, or a section that griffe can read."""
    if style == "sphinx":
        return True
    import griffe

    logging.getLogger("griffe").disabled = True
    parse = griffe.parse_google if style == "google" else griffe.parse_numpy
    try:
        # Below a summary, as it was: from a first line no indent is taken away, from those after it all is.
        sections = parse(griffe.Docstring(f"Summary.\n\n{text}"), warnings=False)
    except Exception:  # noqa: BLE001  # whatever is wrong with a docstring, its first paragraph is there
        return False
    return any(each.kind is griffe.DocstringSectionKind.raises and each.value for each in sections)
