"""Path items, callbacks and webhooks → declarations of operations, everything that they share filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ifacegen.model import Declaration, Parameter
from ifacegen_adapters.openapi import docs
from ifacegen_adapters.openapi.bodies import Bodies, Content
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.parameters import Parameters, Taken
from ifacegen_adapters.openapi.reading import Reading
from ifacegen_adapters.openapi.texts import kind_of, name_text, quoted
from ifacegen_adapters.openapi.troubles import Place

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
#: What else a path item may have.
_OTHERS = frozenset({"$ref", "summary", "description", "servers", "parameters", "additionalOperations"})
_PLAIN_PATH = re.compile(r"""[^\s"`#]+""")
_TEMPLATE = re.compile(r"\{([^{}/]+)\}")
_PLACES = ("path", "query", "header", "cookie", "body")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation, ready to be declared once its module and number are known."""

    name: str
    #: The tag that it goes under; empty without any.
    tag: str
    declaration: Declaration


@dataclass(frozen=True, slots=True)
class _Item:
    """A path item: what its operations share."""

    label: str
    node: Mapping[str, Any]
    document: Document
    place: Place
    shared: tuple[Taken, ...] = ()


@dataclass(slots=True)
class Operations:
    """Reads the operations of one document."""

    reading: Reading
    parameters: Parameters
    bodies: Bodies
    #: The security that holds where an operation states none.
    security: str
    _depth: int = field(default=0)

    def of_paths(self, paths: Any, kind: str = "operation", place: Place = None) -> Iterator[Operation]:
        """Every operation below ``paths`` or ``webhooks``, in the document's order."""
        document = self.reading.root.document
        for label, node in self.reading.mapping(paths, document, place).items():
            if not label.startswith("x-"):
                yield from self.of_item(label, node, kind, document, (place, label))

    def of_item(
        self, label: str, node: Any, kind: str, document: Document, place: Place
    ) -> Iterator[Operation]:
        """The operations of one path item."""
        item = self._item(label, node, document, place)
        if item is None:
            return
        for method, operation in item.node.items():
            if method in METHODS:
                yield self._guarded(method, operation, kind, item, (item.place, method))
            elif method == "additionalOperations":
                at: Place = (item.place, method)
                for name, each in self.reading.mapping(operation, item.document, at).items():
                    yield self._guarded(name, each, kind, item, (at, name))
            elif method not in _OTHERS and not method.startswith("x-"):
                self.reading.note(
                    "unknown-key", f"{name_text(method)} is no method", item.document, (item.place, method)
                )

    def _item(self, label: str, node: Any, document: Document, place: Place) -> _Item | None:
        found = self.reading.library.follow(node, document, place)
        if found is None:
            return None
        beside = (
            {key: value for key, value in node.items() if key != "$ref"} if isinstance(node, dict) else {}
        )
        own = self.reading.mapping(found.node, found.document, found.place)
        merged = {**own, **beside} if found.node is not node else own
        shared = self.parameters.read(own.get("parameters"), found.document, (found.place, "parameters"))
        return _Item(label, merged, found.document, found.place, shared)

    def _guarded(self, method: str, node: Any, kind: str, item: _Item, place: Place) -> Operation:
        """An operation; one that nests too deep for Python is declared by its header alone."""
        try:
            return self._operation(method, node, kind, item, place)
        except RecursionError:
            self.reading.types.reset()
            self.reading.note(
                "too-deep", "nested too deep: shown without what it takes and answers", item.document, place
            )
            return self._operation(method, {}, kind, item, place)

    def _operation(self, method: str, value: Any, kind: str, item: _Item, place: Place) -> Operation:
        node = self.reading.mapping(value, item.document, place)
        signature = self._signature(method, kind, item.label)
        name = self._name(node, signature, kind, item, place)
        self.reading.types.mentions.clear()
        given = self.parameters.merged(
            item.shared, self.parameters.read(node.get("parameters"), item.document, (place, "parameters"))
        )
        if kind == "operation":
            given = self._with_undeclared(given, item, place)
        bodies = self.bodies.request(node.get("requestBody"), item.document, (place, "requestBody"))
        mentions = list(self.reading.types.mentions)
        responses = self._responses(node, name, item, place, mentions)
        callbacks = tuple(self._callbacks(node, name, item, place))
        taken: list[Taken | Content] = [*sorted(given, key=lambda each: _PLACES.index(each.kind)), *bodies]
        declaration = Declaration(
            id="",
            name=name,
            qualname=name,
            kind=kind,
            signature=signature,
            parameters=tuple(
                Parameter(each.name, each.kind, each.type, each.default, each.doc) for each in taken
            ),
            returns=_success(responses),
            doc=docs.joined(docs.summary(node), [line for each in taken for line in each.lines]),
            deprecated="deprecated" if node.get("deprecated") is True else None,
            path=item.document.path,
            line=item.document.line(value),
            members=(*responses, *callbacks),
            extra=self._extra(method, item, node, [each for each in taken if each.is_required], place)
            | ({"mentions": tuple(dict.fromkeys(mentions))} if mentions else {}),
        )
        return Operation(name, self._tag(node, item, place), declaration)

    def _signature(self, method: str, kind: str, label: str) -> str:
        verb = name_text(method).upper()
        if kind == "webhook":
            return f"webhook {name_text(label)} {verb}"
        path = (
            label if _PLAIN_PATH.fullmatch(label) and label == name_text(label) else quoted(name_text(label))
        )
        return f"{verb} {path}"

    def _name(self, node: Mapping[str, Any], signature: str, kind: str, item: _Item, place: Place) -> str:
        stated = node.get("operationId")
        if isinstance(stated, str) and stated.strip():
            return name_text(stated)
        if stated is not None:
            message = f"must be a string, not {kind_of(stated)}"
            self.reading.note("invalid", message, item.document, (place, "operationId"))
        return name_text(item.label) if kind == "webhook" else signature

    def _tag(self, node: Mapping[str, Any], item: _Item, place: Place) -> str:
        tags = node.get("tags")
        if isinstance(tags, list):
            return next((each for each in tags if isinstance(each, str) and each.strip()), "")
        if tags is not None:
            self.reading.note(
                "invalid", f"must be a list, not {kind_of(tags)}", item.document, (place, "tags")
            )
        return tags if isinstance(tags, str) else ""

    def _with_undeclared(self, given: tuple[Taken, ...], item: _Item, place: Place) -> tuple[Taken, ...]:
        """With those parameters that only the path names."""
        declared = {each.raw for each in given if each.kind == "path"}
        missing = [name for name in dict.fromkeys(_TEMPLATE.findall(item.label)) if name not in declared]
        for name in missing:
            message = f"the path has {{{name_text(name)}}}, and no parameter says what it is"
            self.reading.note("undeclared-parameter", message, item.document, place)
        return (*given, *(Taken(name_text(name), "path", "unknown", is_required=True) for name in missing))

    def _extra(
        self,
        method: str,
        item: _Item,
        node: Mapping[str, Any],
        required: Sequence[Taken | Content],
        place: Place,
    ) -> dict[str, Any]:
        extra: dict[str, Any] = {"method": name_text(method).upper(), "path": name_text(item.label)}
        if required:
            extra["required"] = tuple(f"{each.kind}:{each.name}" for each in required)
        if "security" in node:
            security = self.reading.security(node["security"], item.document, (place, "security"))
            if security != self.security:
                extra["security"] = security
        servers = node.get("servers", item.node.get("servers"))
        if servers is not None and (urls := self.reading.servers(servers, item.document, place)):
            extra["servers"] = urls
        return extra

    # -- what comes back ------------------------------------------------------------------------------

    def _responses(
        self, node: Mapping[str, Any], name: str, item: _Item, place: Place, mentions: list[str]
    ) -> tuple[Declaration, ...]:
        at: Place = (place, "responses")
        found = self.reading.mapping(node.get("responses"), item.document, at)
        made: list[Declaration] = []
        for status, response in found.items():
            if status.startswith("x-"):
                continue
            answer = self.bodies.response(
                response, f"{name}-{name_text(status)}", item.document, (at, status)
            )
            mentions.extend(answer.mentions)
            made.append(
                Declaration(
                    id="",
                    name=name_text(status),
                    qualname=f"{name}.{name_text(status)}",
                    kind="response",
                    signature=name_text(status),
                    type=answer.type,
                    doc=answer.doc,
                    path=item.document.path,
                    line=item.document.line(response),
                    extra=answer.extra(),
                )
            )
        return tuple(made)

    def _callbacks(
        self, node: Mapping[str, Any], name: str, item: _Item, place: Place
    ) -> Iterator[Declaration]:
        at: Place = (place, "callbacks")
        if "callbacks" not in node or self._depth:  # a callback's own callbacks call nobody who reads this
            return
        self._depth += 1
        try:
            for label, callback in self.reading.mapping(node["callbacks"], item.document, at).items():
                found = self.reading.library.follow(callback, item.document, (at, label))
                if found is None or label.startswith("x-"):
                    continue
                expressions = self.reading.mapping(found.node, found.document, found.place)
                for expression, path_item in expressions.items():
                    if not expression.startswith("x-"):
                        where: Place = (found.place, expression)
                        for each in self.of_item(expression, path_item, "callback", found.document, where):
                            yield _renamed(each.declaration, name_text(label), name)
        finally:
            self._depth -= 1


def _renamed(declaration: Declaration, label: str, owner: str) -> Declaration:
    """A callback under the name that its operation gives it."""
    qualname = f"{owner}.{label}"
    members = tuple(replace(each, qualname=f"{qualname}.{each.name}") for each in declaration.members)
    return replace(declaration, name=label, qualname=qualname, members=members)


def _success(responses: Sequence[Declaration]) -> str | None:
    """The type of the first answer that is no error."""
    good = [each for each in responses if each.name.startswith("2")]
    good = good or [each for each in responses if each.name == "default"]
    return next((each.type for each in good if each.type is not None), None)
