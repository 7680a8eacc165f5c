"""What documents say in words, as it is shown: a sentence on each thing, a line on each part of it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ifacegen_adapters.openapi.texts import exact_name, first_sentence, said_name

#: Levels of schemas inside each other, lines, and schemas in one, that are described.
_MOST_LEVELS, _MOST_LINES, _MOST_VISITS = 6, 400, 5_000
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
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
#: Words that tell nothing beside an operation's id, method and path.
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the of for from to by in on with and or all its this that your get list create update delete remove add "
        "set check return show read fetch retrieve find s new single given specific one is are be was "
        "response unique identifier id endpoint request successful successfully ok success",
    )
)
#: Letters that make an abbreviation.
_SHORTEST = 3
_EDGES = re.compile(r"^\W+|\W+$")


def response_doc(text: object, known: str) -> str | None:
    """What a response's description tells beyond its status, and what is ``known`` of its operation."""
    sentence = first_sentence(text)
    if _EDGES.sub("", sentence).lower() in _BOILERPLATE or restates(sentence, known):
        return None
    return sentence or None


def restates(text: str, known: str) -> bool:
    """Whether a text has no word that what is known has not, but for those that tell nothing."""
    stems = _words(known)
    rest = _words(text) - stems - _EMPTY
    # `repo` says what `repository` does, and `org` what `organization` does.
    starts = tuple(each for each in stems - _EMPTY if len(each) >= _SHORTEST)
    return all(each.startswith(starts) for each in rest)


@functools.lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text))


@functools.lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    word = word.lower()
    if word in _EMPTY:
        return word
    for end, put in (("ies", "y"), ("sses", "ss"), ("s", ""), ("ing", ""), ("ed", ""), ("e", "")):
        if word.endswith(end) and len(word) - len(end) > 2 and not word.endswith("ss"):
            word = word[: -len(end)] + put
    return word


def summary(node: Mapping[str, Any]) -> str:
    """What an operation or schema is for, in a sentence."""
    stated = node.get("summary")
    return first_sentence(stated) or first_sentence(node.get("description"))


def joined(sentence: str, lines: Iterator[str] | list[str]) -> str | None:
    """The text of a declaration: what it is, then a line on each of its parts."""
    kept = list(islice(lines, _MOST_LINES + 1))
    if len(kept) > _MOST_LINES:
        kept[-1] = "…: more is described in the document"
    if not kept:
        return sentence or None
    return f"{sentence or '…'}\n\n" + "\n".join(kept)


def property_lines(schema: Any, known: str = "") -> list[str]:
    """``name: first sentence`` for each property of which that says more than its name and what is ``known``.

    Schemas by reference have lines of their own.
    """
    describing = _Describing(known)
    describing.schema(schema, "", 0)
    return describing.lines


class _Describing:
    """Goes through a schema, and no further than a reader would: YAML's aliases may make it endless."""

    def __init__(self, known: str) -> None:
        self._known = known
        self.lines: list[str] = []
        self._visits = 0

    def schema(self, schema: Any, prefix: str, level: int) -> None:
        """A schema with all that it is made of."""
        self._visits += 1
        if level > _MOST_LEVELS or self._visits > _MOST_VISITS or not isinstance(schema, dict):
            return
        for word, value in schema.items():
            if word not in _PARTS:
                continue
            if word == "properties" and isinstance(value, dict):
                self._properties(value, prefix, level)
            elif isinstance(value, dict):
                self.schema(value, prefix, level + 1)
            elif isinstance(value, list):
                for each in value:
                    self.schema(each, prefix, level + 1)

    def _properties(self, properties: dict[str, Any], prefix: str, level: int) -> None:
        for name, each in properties.items():
            if not isinstance(each, dict):
                continue
            sentence = first_sentence(each["description"]) if "description" in each else ""
            has_parts = not each.keys().isdisjoint(_PARTS)
            if not sentence and not has_parts:
                continue
            path = f"{prefix}{said_name(exact_name(name))}"
            if sentence and not restates(sentence, f"{self._known} {path}"):
                self.lines.append(f"{path}: {sentence}")
            if has_parts:
                self.schema(each, f"{path}.", level + 1)
