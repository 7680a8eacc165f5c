"""Documentation comments: which ones are, what they say, what their tags mean."""

from __future__ import annotations

import re

_STARS = re.compile(r"^[ \t]*\*?(?!\*/)[ \t]?", re.MULTILINE)
_OF_FILE = re.compile(
    r"^\s*@(?:packageDocumentation|module|fileoverview|file|overview)\b", re.MULTILINE | re.IGNORECASE
)
_LICENCE = re.compile(
    r"@licen[sc]e\b|@preserve\b|\bcopyright\b|\blicensed under\b|SPDX-License", re.IGNORECASE
)
_INTERNAL = re.compile(r"^\s*@internal\b|\{?@internal\}", re.MULTILINE)
_DEPRECATED = re.compile(r"^[ \t]*@deprecated\b[ \t]*(.*(?:\n(?![ \t]*@)(?![ \t]*\n).*)*)", re.MULTILINE)


def is_doc(comment: str) -> bool:
    """Whether a comment documents something: ``/** … */``."""
    return comment.startswith("/**") and comment not in ("/**/", "/***/") and not comment.startswith("/***")


def doc_text(comment: str) -> str:
    """What a documentation comment says, without its frame."""
    inner = comment[3:-2] if comment.endswith("*/") else comment[3:]
    if "\n" not in inner:
        return inner.strip()
    first, _, rest = inner.replace("\r", "").partition("\n")
    lines = [first.strip(), *(_unstarred(line) for line in rest.split("\n"))]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    return "\n".join(_outdented(lines))


def _unstarred(line: str) -> str:
    bare = line.lstrip()
    if bare.startswith("*"):
        bare = bare[1:]
        return (bare.removeprefix(" ")).rstrip()
    return line.rstrip()


def _outdented(lines: list[str]) -> list[str]:
    """Lines without the indentation that all of them have but the first."""
    widths = [len(line) - len(line.lstrip()) for line in lines[1:] if line]
    width = min(widths, default=0)
    return [lines[0].strip(), *(line[width:] for line in lines[1:])] if width else lines


def is_of_file(doc: str) -> bool:
    """Whether a text is about the whole file."""
    return bool(_OF_FILE.search(doc)) if "@" in doc else False


def is_licence(doc: str) -> bool:
    """Whether a text is a licence header."""
    return bool(_LICENCE.search(doc))


def is_internal(doc: str) -> bool:
    """Whether what a text documents is for the package itself only."""
    return "@internal" in doc and bool(_INTERNAL.search(doc))


def deprecation(doc: str) -> str | None:
    """What stands behind ``@deprecated``; None where it is not."""
    if "@deprecated" not in doc:
        return None
    found = _DEPRECATED.search(doc)
    return " ".join(found[1].split()) if found else None
