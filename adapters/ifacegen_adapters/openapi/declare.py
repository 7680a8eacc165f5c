"""One OpenAPI document → the modules of its tags, webhooks and components."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ifacegen.model import Declaration, Module
from ifacegen_adapters.openapi import docs
from ifacegen_adapters.openapi.bodies import Bodies
from ifacegen_adapters.openapi.library import Elsewhere, Library
from ifacegen_adapters.openapi.naming import Names, Root, Wanted
from ifacegen_adapters.openapi.operations import Operations
from ifacegen_adapters.openapi.parameters import Parameters
from ifacegen_adapters.openapi.reading import Reading
from ifacegen_adapters.openapi.schemes import scheme_type
from ifacegen_adapters.openapi.texts import kind_of, name_text, word
from ifacegen_adapters.openapi.troubles import Place, Troubles
from ifacegen_adapters.openapi.types import Types

ADAPTER = "openapi"
#: Where the line on the service goes, operations without a tag, webhooks, and schemas.
API, DEFAULT, WEBHOOKS, COMPONENTS = "api", "default", "webhooks", "components"
_COLONS = re.compile(r"\s*:\s*")


def module_name(prefix: str, name: str) -> str:
    """A module's name: a tag, behind its document's where there are several; colons end names in addresses."""
    return prefix + _COLONS.sub("/", name_text(name))


@dataclass(slots=True)
class Shared:
    """What the documents of one package have in common."""

    names: Names
    library: Library
    troubles: Troubles
    long_value: int
    #: Ids that are taken.
    ids: dict[str, int] = field(default_factory=dict)

    def reading(self, root: Root) -> Reading:
        """All that reads one document."""
        types = Types(root, self.names, self.library, self.troubles, self.long_value)
        return Reading(root, self.names, self.library, self.troubles, types)

    def identify(self, module: str, qualname: str) -> str:
        """An id that nothing else has."""
        wanted = f"{module}:{qualname}"
        number = self.ids[wanted] = self.ids.get(wanted, 0) + 1
        return wanted if number == 1 else f"{wanted}#{number}"


def register(root: Root, shared: Shared) -> None:
    """Give the component schemas of a document their names, before anything refers to them."""
    found = _part(_part(root.document.value, "components"), "schemas")
    at: Place = ((None, "components"), "schemas")
    for name, schema in found.items():
        escaped = name.replace("~", "~0").replace("/", "~1")
        named = shared.names.component(
            root, name, schema, (root.document.path, f"/components/schemas/{escaped}")
        )
        reference = schema.get("$ref") if isinstance(schema, dict) and len(schema) == 1 else None
        if isinstance(reference, str) and not reference.startswith("#"):
            target = shared.library.resolve(reference, root.document, ((at, name), "$ref"))
            if not isinstance(target, Elsewhere) and shared.names.claim(root, named, target.key):
                shared.names.wanted.append(Wanted(named, target.node, target.document, target.place))
                continue
        shared.names.wanted.append(Wanted(named, schema, root.document, (at, name)))


class Describer:
    """Makes the modules of one document."""

    def __init__(self, root: Root, shared: Shared) -> None:
        self._root = root
        self._shared = shared
        self._reading = shared.reading(root)
        self._top = self._reading.mapping(root.document.value, root.document, None)
        self._modules: dict[str, list[Declaration]] = {}

    def modules(self) -> tuple[Module, ...]:
        """The line on the service itself, tags by name, then webhooks."""
        security = self._reading.security(self._top.get("security"), self._root.document, (None, "security"))
        self._operations(security)
        first, last = self._root.prefix + API, self._root.prefix + WEBHOOKS
        self._modules.setdefault(first, []).insert(0, self._service(security, first))
        names = sorted(self._modules, key=lambda name: (name != first, name == last, name))
        tags = self._tags()
        return tuple(
            Module(name, ADAPTER, self._root.document.path, tags.get(name), tuple(self._modules[name]))
            for name in names
        )

    def _operations(self, security: str) -> None:
        parameters, bodies = Parameters(self._reading), Bodies(self._reading)
        operations = Operations(self._reading, parameters, bodies, security, self._shared.identify)
        prefix, top = self._root.prefix, self._top

        def by_tag(tag: str) -> str:
            return module_name(prefix, tag or DEFAULT)

        for module, made in operations.declared(top.get("paths"), "operation", (None, "paths"), by_tag):
            self._modules.setdefault(module, []).append(made)
        for key in ("webhooks", "x-webhooks"):
            for module, made in operations.declared(
                top.get(key), "webhook", (None, key), lambda _: prefix + WEBHOOKS
            ):
                self._modules.setdefault(module, []).append(made)
        if not top.keys() & {"paths", "webhooks", "x-webhooks", "components"}:
            message = "there are neither paths nor webhooks nor components"
            self._reading.note("invalid", message, self._root.document, None)
        known: dict[str, str] = {}
        for module, declarations in self._modules.items():
            for each in declarations:
                if each.kind == "operation" and each.name != each.signature:
                    self._note_twice(each, module, known)

    def _note_twice(self, each: Declaration, module: str, known: dict[str, str]) -> None:
        if each.name in known:
            message = f"operationId {each.name} is there twice; the other is {known[each.name]}"
            place: Place = ((None, "paths"), each.signature.partition(" ")[2])
            self._reading.note("duplicate-id", message, self._root.document, place)
        known[each.name] = f"{each.signature} in {module}"

    def _tags(self) -> Mapping[str, str]:
        """Module → what the document says of its tag."""
        found: dict[str, str] = {}
        for number, tag in enumerate(
            self._reading.sequence(self._top.get("tags"), self._root.document, (None, "tags"))
        ):
            node = self._reading.mapping(tag, self._root.document, ((None, "tags"), number))
            if isinstance(node.get("name"), str) and (doc := docs.summary(node)):
                found.setdefault(module_name(self._root.prefix, node["name"]), doc)
        return found

    def _service(self, security: str, module: str) -> Declaration:
        """The line on the service: what it is called, where it is, what it wants to see."""
        document = self._root.document
        info = self._reading.mapping(self._top.get("info"), document, (None, "info"))
        for key in ("title", "version"):
            if isinstance(info.get(key), dict | list):
                message = f"must be a string, not {kind_of(info[key])}"
                self._reading.note("invalid", message, document, ((None, "info"), key))
        title, version = name_text(info.get("title") or "untitled"), name_text(info.get("version") or "")
        extra: dict[str, Any] = {}
        if urls := self._reading.servers(self._top.get("servers"), document, None):
            extra["servers"] = urls
        if security != "none":
            extra["security"] = security
        return Declaration(
            id=self._shared.identify(module, "api"),
            name="api",
            qualname="api",
            kind="api",
            signature=f"api {title}{f' {version}' if info.get('version') else ''}",
            value=version if info.get("version") else None,
            doc=docs.summary(info) or None,
            path=document.path,
            line=document.line(info),
            extra=extra,
        )


def schemas(roots: Mapping[str, Root], shared_root: Root, shared: Shared) -> dict[str, list[Declaration]]:
    """Module → the schemas that it declares, until none is mentioned that is not declared."""
    readings = {module: shared.reading(root) for module, root in roots.items()}
    readings.setdefault(shared_root.components, shared.reading(shared_root))
    found: dict[str, list[Declaration]] = {}
    while shared.names.wanted:
        wanted = shared.names.wanted.popleft()
        module = wanted.named.module
        own_id = shared.identify(module, wanted.named.name)
        found.setdefault(module, []).append(_schema(wanted, own_id, readings[module]))
    return found


def _schema(wanted: Wanted, own_id: str, reading: Reading) -> Declaration:
    types = reading.types
    types.mentions.clear()
    types.declaring = wanted.node
    types.anchors = dict.fromkeys(_anchors(wanted.node), wanted.named)
    try:
        text = types.text(wanted.node, wanted.document, wanted.place)
        lines = docs.property_lines(wanted.node, wanted.named.name)
    except RecursionError:
        types.reset()
        reading.note("too-deep", "nested too deep to be shown", wanted.document, wanted.place)
        text, lines = "unknown", []
    node = wanted.node if isinstance(wanted.node, dict) else {}
    return Declaration(
        id=own_id,
        name=wanted.named.name,
        qualname=wanted.named.name,
        kind="schema",
        signature=f"schema {word(wanted.named.name)}",
        type=text,
        value=types.default(node),
        doc=docs.joined(docs.summary(node), lines),
        deprecated="deprecated" if node.get("deprecated") is True else None,
        path=wanted.document.path,
        line=wanted.document.line(node),
        extra={"mentions": tuple(dict.fromkeys(types.mentions))} if types.mentions else {},
    )


def _anchors(node: Any) -> Iterator[str]:
    """The names under which a schema can be referred to from what it is made of."""
    if isinstance(node, dict):
        if node.get("$recursiveAnchor") is True:
            yield ""
        if isinstance(node.get("$dynamicAnchor"), str):
            yield node["$dynamicAnchor"]


def security_schemes(root: Root, shared: Shared) -> Iterator[Declaration]:
    """The ways in which callers of a document say who they are."""
    reading = shared.reading(root)
    place: Place = ((None, "components"), "securitySchemes")
    found = reading.mapping(
        _part(root.document.value, "components").get("securitySchemes"), root.document, place
    )
    for name, scheme in found.items():
        followed = reading.library.follow(scheme, root.document, (place, name))
        node = {} if followed is None else reading.mapping(followed.node, followed.document, followed.place)
        text = scheme_type(node)
        if text == "unknown":
            reading.note("invalid", "not a security scheme", root.document, (place, name))
        label = name_text(name)
        yield Declaration(
            id=shared.identify(root.components, label),
            name=label,
            qualname=label,
            kind="security_scheme",
            signature=f"security {word(label)}",
            type=text,
            doc=docs.summary(node) or None,
            path=root.document.path,
            line=root.document.line(scheme),
        )


def _part(value: Any, key: str) -> dict[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}
