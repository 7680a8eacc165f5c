"""Texts of documents made fit to be printed: one line, no control characters, the first sentence alone.

Everything of a document that ends in a view goes through here: nothing that it holds may break a line,
pass for something else, or be longer than a reader has patience for.
"""

from __future__ import annotations

import functools
import json
import re
from typing import Any

#: Characters that end lines, hide text or turn its direction; lone surrogates, which no file can hold.
_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_SPACES = re.compile(r"\s+")
_PLAIN_LINE = re.compile(r"[!-~]+(?: [!-~]+)*")
#: Where a sentence may end: whatever stands before is asked once more.
_END = re.compile(r"[.!?。][\"')\]*_`]*(?=\s+[^\sa-z,;]|\s*$)|。")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.?g|i\.?e|etc|vs|cf|approx|incl|resp|no|nr|dr|mr|mrs|st|fig|eq|sec|min|max|aka|a\.k\.a|inc|ltd|co|jr|sr|u\.s|al"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|(?:^|\s)[A-Z])\.$",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
#: Markdown that is no sentence: headings' marks, quotes, list bullets, admonitions.
_MARKS = re.compile(r"^(?:\s*(?:#{1,6}|>|[-*+])\s+|\s*\[!\w+\]\s*)+")
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\((?:[^()\s]|\([^()\s]*\)){0,2000}\)")
#: HTML; in backticks it is what is spoken of.
_TAG = re.compile(r"(`+[^`]*`+)|</?[a-zA-Z][^<>\n]{0,300}>|<!--.*?-->", re.DOTALL)

#: What makes it unclear where a name ends that is no more than text.
_ENDS_EARLY = re.compile(r"""^[\s"]|[,:]\s|[\s,:]$""")

#: Names that can be nothing else in a type, and words that are.
_WORD = re.compile(r"""(?![-\d"])[^\s|&{}\[\]()<>,=`"?]+""")
_TAKEN = frozenset(
    {
        "any",
        "boolean",
        "false",
        "integer",
        "never",
        "not",
        "null",
        "number",
        "object",
        "required",
        "string",
        "true",
    }
    | {"union", "unknown"}
)

#: What JSON nests by, and what hides it; an escape that was cut.
_BOUNDS = re.compile(r'\\.|["\[\]{}]')
_BROKEN = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3})?$")

LONGEST_SENTENCE = 300
#: Names tell things apart at their ends, too: only hostile ones are cut.
LONGEST_NAME = 4_000


def one_line(text: str) -> str:
    """White space normalised, without anything that could break a line or hide text."""
    if _PLAIN_LINE.fullmatch(text):
        return text
    return _SPACES.sub(" ", _UNFIT.sub(_replaced, text)).strip()


def _replaced(match: re.Match[str]) -> str:
    char = match.group()
    if char.isspace() or char in "\u2028\u2029\x85":
        return " "
    return "\ufffd" if "\ud800" <= char <= "\udfff" or char < "\xa0" else ""


def name_text(value: object, longest: int = LONGEST_NAME) -> str:
    """What a document calls something, as it may be printed; never empty."""
    text = one_line(value if isinstance(value, str) else scalar_text(value))
    return (text if len(text) <= longest else text[:longest] + "…") or "(empty)"


def exact_name(value: str) -> str:
    """What a document calls something with the blanks at its ends, if it can be printed as it is."""
    return value if value.isprintable() and value.strip() and len(value) <= LONGEST_NAME else name_text(value)


def said_name(name: str) -> str:
    """A name before a colon or comma: in quotes where it could be taken to end elsewhere."""
    return quoted(name) if _ENDS_EARLY.search(name) else name


def scalar_text(value: object) -> str:
    """A number, truth value or string as it is written."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    return f"({kind_of(value)})"


def kind_of(value: object) -> str:
    """What a value is, in the words of messages."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "a number" if isinstance(value, int | Numeral) else "a string"


class Numeral(str):
    """A number as the document writes it: ``3.10`` stays that."""

    __slots__ = ()


def quoted(text: str) -> str:
    """A string in double quotes, on one line."""
    return json.dumps(
        _UNFIT.sub(lambda match: match.group() if match.group() in "\n\t\r" else _replaced(match), text),
        ensure_ascii=False,
    )


def word(text: str) -> str:
    """A name that stands among types: in backticks where it could be taken for something else."""
    return text if _WORD.fullmatch(text) and text not in _TAKEN else f"`{text}`"


def literal(value: Any, limit: int) -> str:
    """A value as JSON, cut visibly once it is longer than ``limit`` characters, whatever it nests or repeats."""
    text = "".join(_parts(value, limit))
    if len(text) <= limit:
        return text
    cut = _BROKEN.sub(r"\1", text[:limit])
    return f"{_closed(cut)} ({_size(value)})"


def _closed(text: str) -> str:
    """JSON that stops somewhere, with an ellipsis there, and whatever is open closed."""
    is_string = False
    stack: list[str] = []
    for match in _BOUNDS.finditer(text):
        sign = match.group()
        if sign == '"':
            is_string = not is_string
        elif not is_string and sign in "[{":
            stack.append("]" if sign == "[" else "}")
        elif not is_string and sign in "]}":
            stack.pop()
    return "".join((text, "…", '"' * is_string, *reversed(stack)))


def _size(value: Any) -> str:
    if isinstance(value, str):
        return f"{len(value):,} characters"
    return f"{len(value):,} entries" if isinstance(value, dict | list) else "long"


def _parts(value: Any, limit: int) -> list[str]:
    """Texts that make a value, a few more than are needed: documents may hold a value that holds itself."""
    parts: list[str] = []
    stack: list[Any] = [_Value(value)]
    size = 0
    while stack and size <= limit:
        item = stack.pop()
        if not isinstance(item, _Value):
            text = item
        elif isinstance(item.value, dict):
            stack.append("}")
            for number, (key, each) in reversed(list(zip(range(limit), item.value.items(), strict=False))):
                stack += [_Value(each), f"{', ' if number else ''}{quoted(key)}: "]
            text = "{"
        elif isinstance(item.value, list):
            stack.append("]")
            for number, each in reversed(list(enumerate(item.value[:limit]))):
                stack += [_Value(each), ", " if number else ""]
            text = "["
        elif isinstance(item.value, str) and not isinstance(item.value, Numeral):
            text = quoted(item.value[: limit + 1])
        else:
            text = one_line(scalar_text(item.value))
        parts.append(text)
        size += len(text)
    return parts


class _Value:
    """A value that is still to be printed, beside texts that are."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def first_sentence(text: object) -> str:
    """The first sentence of a description, on one line; empty for what is no text."""
    return _first(text[:4_000]) if isinstance(text, str) else ""


@functools.lru_cache(maxsize=20_000)  # a document says most things more than once
def _first(text: str) -> str:
    start = text.strip().replace("\r\n", "\n")
    paragraphs = [each for each in _PARAGRAPH.split(start) if each.strip()]
    # A heading is a title, and that is known.
    while (
        len(paragraphs) > 1 and paragraphs[0].lstrip().startswith("#") and "\n" not in paragraphs[0].strip()
    ):
        del paragraphs[0]
    for paragraph in paragraphs:
        line = one_line(_LINK.sub(r"\1", _TAG.sub(r"\1", _MARKS.sub("", paragraph))).replace("**", ""))
        if any(char.isalnum() for char in line):
            return _shortened(_sentence(line))
    return ""


def _sentence(line: str) -> str:
    """The first sentence of a line that tells something: a question does not."""
    start = 0
    for match in _END.finditer(line):
        if _ABBREVIATION.search(line[max(start, match.start() - 20) : match.start() + 1]):
            continue
        if match.group()[0] != "?" or match.end() >= len(line):
            return line[start : match.end()].strip()
        start = match.end()
    return line[start:].strip()


def _shortened(line: str) -> str:
    if len(line) <= LONGEST_SENTENCE:
        return line
    return line[:LONGEST_SENTENCE].rpartition(" ")[0] + "…"
