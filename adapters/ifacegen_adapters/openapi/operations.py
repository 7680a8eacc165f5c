"""Operations → declarations, everything that they share with others filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ifacegen.model import Declaration, Parameter
from ifacegen_adapters.openapi import docs, paths
from ifacegen_adapters.openapi.bodies import Bodies, Content
from ifacegen_adapters.openapi.parameters import Parameters, Taken
from ifacegen_adapters.openapi.paths import Found
from ifacegen_adapters.openapi.reading import Reading
from ifacegen_adapters.openapi.texts import LONGEST_NAME, exact_name, kind_of, name_text, quoted
from ifacegen_adapters.openapi.troubles import Place

#: What an operation goes under, by its tag; empty without one.
ByTag: TypeAlias = Callable[[str], str]

_PLAIN_PATH = re.compile(r"""[^\s"`]+""")
_STATUS = re.compile(r"[1-5](?:\d\d|XX)|default")
_TEMPLATE = re.compile(r"\{([^{}/]+)\}")
_PLACES = ("path", "query", "header", "cookie", "body")


@dataclass(frozen=True, slots=True)
class Operations:
    """Declares the operations of one document."""

    reading: Reading
    parameters: Parameters
    bodies: Bodies
    #: The security that holds where an operation states none.
    security: str
    #: Gives a declaration of this module and name its id.
    identify: Callable[[str, str], str]

    def declared(
        self, value: Any, kind: paths.Kind, place: Place, by_tag: ByTag
    ) -> Iterator[tuple[str, Declaration]]:
        """Module and declaration of every operation below ``paths`` or ``webhooks``, in the document's order."""
        for item in paths.items(self.reading, value, kind, self.reading.root.document, place):
            for found in paths.operations(self.reading, item):
                module = by_tag(self._tag(found))
                yield module, self._guarded(found, self._name(found), module)

    def _guarded(self, found: Found, name: str, module: str) -> Declaration:
        """An operation; one that nests too deep for Python is declared by its header alone."""
        try:
            return self._declaration(found, found.node, name, module)
        except RecursionError:
            self.reading.types.reset()
            message = "nested too deep: shown without what it takes and answers"
            self.reading.note("too-deep", message, found.item.document, found.place)
            return self._declaration(found, {}, name, module)

    def _declaration(self, found: Found, value: Any, name: str, module: str) -> Declaration:
        """``name`` is the qualified one: a callback's begins with its operation's."""
        item, place = found.item, found.place
        node = self.reading.mapping(value, item.document, place)
        own_id = self.identify(module, name)
        mentions: dict[str, None] = {}
        taken = self._taken(node, found, mentions)
        responses = tuple(self._responses(node, found, name, module, mentions))
        callbacks = tuple(self._callbacks(node, found, name, module)) if item.kind != "callback" else ()
        extra = self._extra(found, node, taken)
        return Declaration(
            id=own_id,
            name=name if item.kind != "callback" else name.rpartition(".")[2],
            qualname=name,
            kind=item.kind,
            signature=_signature(found),
            parameters=tuple(
                Parameter(each.name, each.kind, each.type, each.default, each.doc) for each in taken
            ),
            returns=_success(responses),
            doc=docs.joined(docs.summary(node), [line for each in taken for line in each.lines]),
            deprecated="deprecated" if node.get("deprecated") is True else None,
            path=item.document.path,
            line=item.document.line(value),
            members=(*responses, *callbacks),
            extra=extra | ({"mentions": tuple(mentions)} if mentions else {}),
        )

    # -- what it is called ----------------------------------------------------------------------------

    def _name(self, found: Found) -> str:
        node, document = found.node if isinstance(found.node, dict) else {}, found.item.document
        stated = node.get("operationId")
        if isinstance(stated, str) and stated.strip():
            return exact_name(stated)
        if stated is not None and not isinstance(stated, str):
            message = f"must be a string, not {kind_of(stated)}"
            self.reading.note("invalid", message, document, (found.place, "operationId"))
        return name_text(found.item.label) if found.item.kind == "webhook" else _signature(found)

    def _tag(self, found: Found) -> str:
        node, document = found.node if isinstance(found.node, dict) else {}, found.item.document
        tags = node.get("tags")
        if isinstance(tags, list):
            return next((each for each in tags if isinstance(each, str) and each.strip()), "")
        if tags is not None:
            message = f"must be a list, not {kind_of(tags)}"
            self.reading.note("invalid", message, document, (found.place, "tags"))
        return tags if isinstance(tags, str) else ""

    # -- what it takes --------------------------------------------------------------------------------

    def _taken(
        self, node: Mapping[str, Any], found: Found, mentions: dict[str, None]
    ) -> list[Taken | Content]:
        """Parameters and bodies, by the place that they are in."""
        item, place = found.item, found.place
        self.reading.types.mentions.clear()
        shared = self.parameters.read(item.node.get("parameters"), item.document, item.parameters)
        own = self.parameters.read(node.get("parameters"), item.document, (place, "parameters"))
        given = self.parameters.merged(shared, own)
        if item.kind == "operation":
            given = (*given, *self._undeclared(given, found))
        bodies = self.bodies.request(node.get("requestBody"), item.document, (place, "requestBody"))
        mentions.update(dict.fromkeys(self.reading.types.mentions))
        return [*sorted(given, key=lambda each: _PLACES.index(each.kind)), *bodies]

    def _undeclared(self, given: Sequence[Taken], found: Found) -> Iterator[Taken]:
        """Parameters that only the path names."""
        declared = {each.raw for each in given if each.kind == "path"}
        for name in dict.fromkeys(_TEMPLATE.findall(found.item.label)):
            if name not in declared:
                message = f"the path has {{{name_text(name)}}}, and no parameter says what it is"
                self.reading.note("undeclared-parameter", message, found.item.document, found.place)
                yield Taken(exact_name(name), "path", "unknown", is_required=True)

    def _extra(
        self, found: Found, node: Mapping[str, Any], taken: Sequence[Taken | Content]
    ) -> dict[str, Any]:
        item, place = found.item, found.place
        extra: dict[str, Any] = {"method": name_text(found.method).upper(), "path": name_text(item.label)}
        if required := tuple(f"{each.kind}:{each.name}" for each in taken if each.is_required):
            extra["required"] = required
        if deprecated := tuple(f"{each.kind}:{each.name}" for each in taken if each.is_deprecated):
            extra["deprecated_parameters"] = deprecated
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
        self, node: Mapping[str, Any], found: Found, name: str, module: str, mentions: dict[str, None]
    ) -> Iterator[Declaration]:
        document = found.item.document
        at: Place = (found.place, "responses")
        for status, response in self.reading.mapping(node.get("responses"), document, at).items():
            if status.startswith("x-"):
                continue
            label = name_text(status)
            if not _STATUS.fullmatch(status):
                self.reading.note("invalid", f"there is no status {label}", document, (at, status))
            answer = self.bodies.response(
                response,
                f"{_stem(found, name)}-{label}",
                f"{_signature(found)} {name}",
                document,
                (at, status),
            )
            mentions.update(dict.fromkeys(answer.mentions))
            yield Declaration(
                id=self.identify(module, f"{name}.{label}"),
                name=label,
                qualname=f"{name}.{label}",
                kind="response",
                signature=label,
                type=answer.type,
                doc=answer.doc,
                path=document.path,
                line=document.line(response),
                extra=answer.extra(),
            )

    def _callbacks(
        self, node: Mapping[str, Any], found: Found, name: str, module: str
    ) -> Iterator[Declaration]:
        document = found.item.document
        at: Place = (found.place, "callbacks")
        for label, callback in self.reading.mapping(node.get("callbacks"), document, at).items():
            target = self.reading.library.follow(callback, document, (at, label))
            if target is None or label.startswith("x-"):
                continue
            for item in paths.items(self.reading, target.node, "callback", target.document, target.place):
                for each in paths.operations(self.reading, item):
                    yield self._guarded(each, f"{name}.{name_text(label).replace('.', '_')}", module)


def _signature(found: Found) -> str:
    verb, label = name_text(found.method).upper(), found.item.label
    if found.item.kind == "webhook":
        return f"webhook {name_text(label)} {verb}"
    is_plain = _PLAIN_PATH.fullmatch(label) and label == name_text(label)
    return f"{verb} {label if is_plain else quoted(label[:LONGEST_NAME])}"


def _stem(found: Found, name: str) -> str:
    """What the names of what an operation brings begin with: its own, which may be a method and a path."""
    return name if name != _signature(found) else re.sub(r"[^\w.]+", "-", name).strip("-").lower()


def _success(responses: Sequence[Declaration]) -> str | None:
    """The type of the first answer that is no error."""
    good = [each for each in responses if each.name.startswith("2")]
    good = good or [each for each in responses if each.name == "default"]
    return next((each.type for each in good if each.type is not None), None)
