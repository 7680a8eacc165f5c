"""Parameters of operations: where an HTTP request has them, of what type, and how they are written there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from ifacegen.model import ParameterKind
from ifacegen_adapters.openapi.docs import restates
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.reading import Reading
from ifacegen_adapters.openapi.texts import (
    exact_name,
    first_sentence,
    kind_of,
    name_text,
    one_line,
    said_name,
)
from ifacegen_adapters.openapi.troubles import Place

_PLACES = frozenset({"path", "query", "header", "cookie"})
_STYLES = {"spaceDelimited": "space-separated", "pipeDelimited": "pipe-separated"}


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter as it is shown."""

    name: str
    kind: ParameterKind
    type: str
    is_required: bool = False
    is_deprecated: bool = False
    default: str | None = None
    doc: str | None = None
    #: As the document has it.
    raw: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What is said of it."""
        return (f"{said_name(self.name)}: {self.doc}",) if self.doc else ()


class Parameters:
    """Reads parameters; those that operations share are read once."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._shared: dict[int, tuple[Taken | None, list[str]]] = {}

    def read(self, value: Any, document: Document, place: Place) -> tuple[Taken, ...]:
        """A list of parameters."""
        if value is None:
            return ()
        made: list[Taken] = []
        for number, each in enumerate(self._reading.sequence(value, document, place)):
            taken = self._one(each, document, (place, number))
            if taken is not None:
                made.append(taken)
        return tuple(made)

    @staticmethod
    def merged(shared: tuple[Taken, ...], own: tuple[Taken, ...]) -> tuple[Taken, ...]:
        """An operation's own parameters in place of those of its path."""
        if not shared:
            return own
        by_name = {(each.kind, each.raw): each for each in shared}
        by_name.update({(each.kind, each.raw): each for each in own})
        return tuple(by_name.values())

    def _one(self, value: Any, document: Document, place: Place) -> Taken | None:
        found = self._reading.library.follow(value, document, place)
        if found is None:
            return Taken(name_text(str(value["$ref"]).rpartition("/")[2]), "query", "unknown")
        mentions = self._reading.types.mentions
        known = self._shared.get(id(found.node))
        if known is None:
            before = len(mentions)
            taken = self._taken(found.node, found.document, found.place)
            self._shared[id(found.node)] = taken, mentions[before:]
            return taken
        mentions.extend(known[1])
        return known[0]

    def _taken(self, value: Any, document: Document, place: Place) -> Taken | None:
        node = self._reading.mapping(value, document, place)
        if not isinstance(value, dict):
            return None
        raw, kind = node.get("name"), node.get("in")
        if not isinstance(raw, str) or not isinstance(kind, str) or kind not in _PLACES:
            where = f"`in` must be path, query, header or cookie, not {name_text(kind)}"
            message = "a parameter needs a name" if not isinstance(raw, str) else where
            self._reading.note("invalid", message, document, place)
            if not isinstance(raw, str):
                return None
            kind = "query"
        schema = node.get("schema")
        text = self._type(node, document, place)
        default = self._reading.types.default(schema)
        return Taken(
            name=exact_name(raw),
            kind=cast(ParameterKind, kind),
            type=f"{text}{_style(node, schema)}",
            is_required=kind == "path" or node.get("required") is True,
            is_deprecated=node.get("deprecated") is True,
            default=default,
            doc=_doc(node.get("description"), raw),
            raw=raw,
        )

    def _type(self, node: dict[str, Any], document: Document, place: Place) -> str:
        if "schema" in node:
            return self._reading.types.text(node["schema"], document, (place, "schema"))
        at: Place = (place, "content")
        for media, content in self._reading.mapping(node.get("content"), document, at).items():
            inner = self._reading.mapping(content, document, (at, media))
            text = self._reading.types.text(inner.get("schema", {}), document, ((at, media), "schema"))
            return f"{text} (as {one_line(media)})"
        if "content" not in node:
            self._reading.note("invalid", "a parameter needs a schema", document, place)
        return "unknown"


def _doc(text: object, name: str) -> str | None:
    """What is said of a parameter beyond its name."""
    sentence = first_sentence(text)
    return None if restates(sentence, name) else sentence


def _style(node: dict[str, Any], schema: Any) -> str:
    """How values are written where that is not as everybody would."""
    style, kind = node.get("style"), schema.get("type") if isinstance(schema, dict) else None
    if style is not None and not isinstance(style, str):
        return f" (style: {kind_of(style)})"
    if style in _STYLES:
        return f" ({_STYLES[style]})"
    if style in ("deepObject", "label", "matrix"):
        return f" ({style})"
    place = node.get("in")
    is_joined = node.get("explode") is False and place in ("query", "cookie")
    return " (comma-separated)" if is_joined and kind == "array" else ""
