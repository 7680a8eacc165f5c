"""Path items: finds the operations below paths, webhooks and callbacks, and what those of one path share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.reading import Reading
from ifacegen_adapters.openapi.texts import name_text
from ifacegen_adapters.openapi.troubles import Place

Kind: TypeAlias = Literal["operation", "webhook", "callback"]

_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"})
#: What else a path item may have.
_OTHERS = frozenset({"$ref", "summary", "description", "servers", "parameters", "additionalOperations"})


@dataclass(frozen=True, slots=True)
class Item:
    """A path item: what its operations share."""

    kind: Kind
    #: The path, the webhook's name, or the expression that says what a callback calls.
    label: str
    node: Mapping[str, Any]
    document: Document
    place: Place
    #: Where its parameters stand: a path item elsewhere may have other things beside its reference.
    parameters: Place


@dataclass(frozen=True, slots=True)
class Found:
    """An operation as the document has it."""

    item: Item
    method: str
    node: Any
    place: Place


def items(reading: Reading, value: Any, kind: Kind, document: Document, place: Place) -> Iterator[Item]:
    """The path items of a mapping, in its order."""
    for label, node in reading.mapping(value, document, place).items():
        if label.startswith("x-"):
            continue
        at: Place = (place, label)
        found = reading.library.follow(node, document, at)
        if found is None:
            continue
        own = reading.mapping(found.node, found.document, found.place)
        merged = own
        if found.node is not node:
            merged = {**own, **{key: each for key, each in node.items() if key != "$ref"}}
        yield Item(kind, label, merged, found.document, found.place, (found.place, "parameters"))


def operations(reading: Reading, item: Item) -> Iterator[Found]:
    """The operations of a path item, in its order."""
    for method, node in item.node.items():
        if method in _METHODS:
            yield Found(item, method, node, (item.place, method))
        elif method == "additionalOperations":
            at: Place = (item.place, method)
            for name, each in reading.mapping(node, item.document, at).items():
                yield Found(item, name, each, (at, name))
        elif method not in _OTHERS and not method.startswith("x-"):
            place: Place = (item.place, method)
            reading.note("unknown-key", f"{name_text(method)} is no method", item.document, place)
