"""What documents say in words, as it is shown: a sentence on each thing, a line on each part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ifacegen_adapters.openapi.texts import first_sentence, name_text, one_line

#: Levels of schemas inside each other, and lines, that are described.
_MOST_LEVELS, _MOST_LINES = 6, 400
#: What descriptions of responses say without saying anything.
_BOILERPLATE = frozenset(
    {
        "ok", "success", "successful", "response", "successful response", "successful operation", "success response",
        "default response", "created", "accepted", "no content", "not found", "bad request", "unauthorized",
        "unauthorised", "forbidden", "error", "conflict", "unexpected error", "internal server error", "default",
        "resource not found", "unprocessable entity", "unprocessable content", "not modified", "gone", "too many requests",
        "request successful", "the request was successful", "operation successful", "a successful response", "empty response",
        "moved permanently", "internal error", "server error", "service unavailable", "method not allowed",
        "not acceptable", "payload too large", "unsupported media type", "default error", "error response", "description",
        "successful request", "requires authentication", "none", "todo",
    }
)  # fmt: skip
_EDGES = re.compile(r"^\W+|\W+$")


def response_doc(text: object) -> str | None:
    """What a response's description tells beyond its status."""
    sentence = first_sentence(text)
    return None if _EDGES.sub("", sentence).lower() in _BOILERPLATE else sentence or None


def summary(node: Mapping[str, Any]) -> str:
    """What an operation or schema is for, in a sentence."""
    stated = node.get("summary")
    if isinstance(stated, str) and (line := one_line(stated)):
        return first_sentence(line) if len(line) > 200 else line
    return first_sentence(node.get("description"))


def joined(sentence: str, lines: Iterator[str] | list[str]) -> str | None:
    """The text of a declaration: what it is, then a line on each of its parts."""
    kept = list(islice(lines, _MOST_LINES + 1))
    if len(kept) > _MOST_LINES:
        kept[-1] = "…: more is described in the document"
    if not kept:
        return sentence or None
    return f"{sentence or '…'}\n\n" + "\n".join(kept)


def property_lines(schema: Any, prefix: str = "", level: int = 0) -> Iterator[str]:
    """``name: first sentence`` for each property that is described; schemas by reference have lines of their own."""
    if not isinstance(schema, dict) or level > _MOST_LEVELS:
        return
    properties = schema.get("properties")
    for name, each in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(each, dict):
            continue
        path = f"{prefix}{name_text(name)}"
        if "description" in each and (sentence := first_sentence(each["description"])):
            yield f"{path}: {sentence}"
        yield from property_lines(each, f"{path}.", level + 1)
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from property_lines(schema[word], prefix, level + 1)
    for word in ("allOf", "oneOf", "anyOf"):
        parts = schema.get(word)
        for part in parts if isinstance(parts, list) else ():
            yield from property_lines(part, prefix, level + 1)
