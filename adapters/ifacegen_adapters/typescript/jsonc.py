"""JSON as the tools of JavaScript take it: a byte order mark, comments, trailing commas."""

from __future__ import annotations

import json
import re
from typing import Any

_LARGEST = 5_000_000
#: Strings first, so that nothing inside of one is taken for something else; one without an end is left to ``json``.
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENTS = re.compile(rf"{_STRING}|//[^\n\r]*|/\*", re.DOTALL)
_COMMAS = re.compile(rf"{_STRING}|,(?=\s*+[\]}}])", re.DOTALL)
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


class Malformed(ValueError):
    """A text that is no JSON."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def loads(data: bytes, *, strict: bool = False) -> Any:
    """The value of a text; ``strict`` allows neither comments nor trailing commas.

    Raises:
        Malformed: It has none.
    """
    if len(data) > _LARGEST:
        raise Malformed(f"{len(data):,} bytes are no configuration")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed("is not UTF-8", data.count(b"\n", 0, error.start) + 1) from None
    try:
        value = json.loads(text if strict else _stripped(text))
        if _HALF_PAIR.search(text):  # half a pair is no character: nothing could write it down
            value = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    except Malformed:
        raise
    except json.JSONDecodeError as error:
        raise Malformed(f"is not JSON ({error.msg})", error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise Malformed(f"is not JSON that can be read ({type(error).__name__})") from None
    return value


def _stripped(text: str) -> str:
    """Without comments and trailing commas; lines are where they were."""
    kept: list[str] = []
    at = 0
    while found := _COMMENTS.search(text, at):
        kept.append(text[at : found.start()])
        at = found.end()
        if found.group() == "/*":
            end = text.find("*/", at)
            if end < 0:
                raise Malformed("has a comment without an end", text.count("\n", 0, at) + 1)
            kept.append("\n" * text.count("\n", at, end) or " ")
            at = end + 2
        elif found.group()[0] == '"':
            kept.append(found.group())
    bare = "".join(kept) + text[at:]
    return _COMMAS.sub(lambda found: "" if found.group() == "," else found.group(), bare)


def line_of(text: str, written: str) -> int:
    """The first line that has a string as JSON writes it; 0 if there is none."""
    at = text.find(json.dumps(written, ensure_ascii=False))
    return text.count("\n", 0, at) + 1 if at >= 0 else 0
