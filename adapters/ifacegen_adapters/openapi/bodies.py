"""What requests carry and responses bring: types by media type, headers, links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ifacegen_adapters.openapi import docs
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.reading import Reading
from ifacegen_adapters.openapi.texts import first_sentence, name_text, one_line, scalar_text
from ifacegen_adapters.openapi.troubles import Place
from ifacegen_adapters.openapi.types import key_text

JSON = "application/json"
#: Characters of a response's type that has no name and still stands in its line.
_SHORT = 120
_OF_REFERENCES = frozenset({"$ref", "description", "summary"})


@dataclass(frozen=True, slots=True)
class Content:
    """A body that a request may have."""

    #: Its media types.
    name: str
    type: str
    is_required: bool = False
    doc: str | None = None
    lines: tuple[str, ...] = ()
    kind: Literal["body"] = "body"
    is_deprecated: Literal[False] = False
    default: None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A response as it is shown."""

    type: str | None = None
    media: str = JSON
    #: Type of each media type, where there are several.
    contents: tuple[str, ...] = ()
    headers: str = ""
    links: str = ""
    doc: str | None = None
    mentions: tuple[str, ...] = ()

    def extra(self) -> dict[str, str | tuple[str, ...]]:
        """What a declaration has no field for."""
        found: dict[str, str | tuple[str, ...]] = {}
        if self.type is not None and self.media != JSON:
            found["media"] = self.media
        if self.contents:
            found["contents"] = self.contents
        if self.headers:
            found["headers"] = self.headers
        if self.links:
            found["links"] = self.links
        return found


class Bodies:
    """Reads bodies; responses that operations share are read once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._answers: dict[int, Answer] = {}

    def request(self, value: Any, document: Document, place: Place) -> tuple[Content, ...]:
        """The bodies that a request may have, one for each type."""
        if value is None:
            return ()
        found = self._reading.library.follow(value, document, place)
        node = self._reading.mapping(found.node, found.document, found.place) if found is not None else {}
        if found is None or not isinstance(found.node, dict):
            return (Content(JSON, "unknown"),)
        is_required = node.get("required") is True
        doc = first_sentence(node.get("description")) or None
        made: list[Content] = []
        for text, media, schema in self._by_type(
            node.get("content"), found.document, (found.place, "content")
        ):
            lines = [f"body: {doc}"] if doc and not made else []
            lines += [f"body.{line}" for line in docs.property_lines(schema)] if not made else []
            made.append(Content(media, text, is_required, doc, tuple(lines)))
        return tuple(made) or (Content("any media type", "any", is_required, doc),)

    def response(self, value: Any, name: str, known: str, document: Document, place: Place) -> Answer:
        """One response; ``name`` is for what it holds if that is long and has none."""
        found = self._reading.library.follow(value, document, place)
        if found is None:
            return Answer("unknown")
        answer = self._answers.get(id(found.node))
        if answer is None:
            if found.node is not value:  # what several operations share restates none of them
                path, pointer = found.key
                last = pointer.rpartition("/")[2] if pointer else path.rpartition("/")[2].partition(".")[0]
                name, known = name_text(last.replace("~1", "/").replace("~0", "~")), ""
            answer = self._answer(found.node, name, known, found.document, found.place)
            self._answers[id(found.node)] = answer
        return answer

    def _answer(self, value: Any, name: str, known: str, document: Document, place: Place) -> Answer:
        node = self._reading.mapping(value, document, place)
        mentions = self._reading.types.mentions
        mentions.clear()
        types = list(self._by_type(node.get("content"), document, (place, "content"), name))
        medias = [media for _, media, _ in types]
        # Several types: each says for which media type it is.
        text = " | ".join(f"{text} ({media})" if len(types) > 1 else text for text, media, _ in types) or None
        headers = ", ".join(self._headers(node.get("headers"), document, (place, "headers")))
        return Answer(
            type=text,
            media=medias[0] if len(types) == 1 else JSON,
            contents=tuple(f"{media}: {text}" for text, media, _ in types) if len(types) > 1 else (),
            headers=headers,
            links=", ".join(self._links(node.get("links"), document, (place, "links"))),
            doc=docs.response_doc(node.get("description"), known),
            mentions=tuple(dict.fromkeys(mentions)),
        )

    def _by_type(
        self, value: Any, document: Document, place: Place, name: str = ""
    ) -> Iterator[tuple[str, str, Any]]:
        """Type, media types, schema: media types of one type together."""
        medias: dict[str, list[str]] = {}
        schemas: dict[str, Any] = {}
        for media, content in self._reading.mapping(value, document, place).items():
            at: Place = (place, media)
            inner = self._reading.mapping(content, document, at)
            schema = inner.get("schema", inner.get("itemSchema"))
            word = "schema" if "schema" in inner else "itemSchema"
            text = "any" if schema is None else self._text(schema, document, (at, word), name)
            medias.setdefault(text, []).append(one_line(media))
            schemas.setdefault(text, schema)
        for text, names in medias.items():
            yield text, ", ".join(names), schemas[text]

    def _text(self, schema: Any, document: Document, place: Place, name: str) -> str:
        types = self._reading.types
        before = len(types.mentions)
        text = types.text(schema, document, place)
        if not name or len(text) <= _SHORT or _is_reference(schema):
            return text
        del types.mentions[before:]
        named = self._reading.names.inline(name, schema, document, place, self._reading.root)
        types.mentions.append(named.id)
        return self._reading.names.text(named, self._reading.root)

    def _headers(self, value: Any, document: Document, place: Place) -> Iterator[str]:
        for name, header in self._reading.mapping(value, document, place).items():
            found = self._reading.library.follow(header, document, (place, name))
            node = found.node if found is not None else None
            schema = node.get("schema") if isinstance(node, dict) else None
            if found is None or schema is None:
                yield f"{key_text(name)}: any"
            else:
                yield f"{key_text(name)}: {self._reading.types.text(schema, found.document, (found.place, 'schema'))}"

    def _links(self, value: Any, document: Document, place: Place) -> Iterator[str]:
        for name, link in self._reading.mapping(value, document, place).items():
            found = self._reading.library.follow(link, document, (place, name))
            node = found.node if found is not None and isinstance(found.node, dict) else {}
            target = node.get("operationId") or node.get("operationRef") or "unknown"
            yield f"{key_text(name)} → {one_line(scalar_text(target))}"


def _is_reference(schema: Any) -> bool:
    """Whether a schema is another one, or a list of those: it is as long as that one's name, and has it."""
    if isinstance(schema, dict) and schema.get("type") == "array":
        schema = schema.get("items")
    return isinstance(schema, dict) and "$ref" in schema and schema.keys() <= _OF_REFERENCES
