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
#: Where schemas hold other ones.
_PARTS = frozenset({"properties", "items", "additionalProperties", "allOf", "oneOf", "anyOf"})
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


def property_lines(schema: Any) -> list[str]:
    """``name: first sentence`` for each property that is described; schemas by reference have lines of their own."""
    lines: list[str] = []
    _describe(schema, "", 0, lines)
    return lines


def _describe(schema: Any, prefix: str, level: int, lines: list[str]) -> None:
    if level > _MOST_LEVELS or len(lines) > _MOST_LINES or not isinstance(schema, dict):
        return
    for word, value in schema.items():
        if word not in _PARTS:
            continue
        if word == "properties" and isinstance(value, dict):
            _describe_each(value, prefix, level, lines)
        elif isinstance(value, dict):
            _describe(value, prefix, level + 1, lines)
        elif isinstance(value, list):
            for each in value:
                _describe(each, prefix, level + 1, lines)


def _describe_each(properties: dict[str, Any], prefix: str, level: int, lines: list[str]) -> None:
    for name, each in properties.items():
        if not isinstance(each, dict):
            continue
        if "description" in each and (sentence := first_sentence(each["description"])):
            lines.append(f"{prefix}{name_text(name)}: {sentence}")
        if not each.keys().isdisjoint(_PARTS):
            _describe(each, f"{prefix}{name_text(name)}.", level + 1, lines)
