"""Views as OpenAPI 3.1 documents: what the view shows, for tools that read documents.

Examples, limits and extensions are gone, as in the view; schemas keep their names where OpenAPI allows
them (``repos/get-200`` becomes ``repos_get-200``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ifacegen.model import Declaration, Module
from ifacegen_adapters.openapi.declare import COMPONENTS
from ifacegen_adapters.openapi.emit import named_in
from ifacegen_adapters.openapi.schemata import fields_of, schema_of
from ifacegen_adapters.openapi.schemes import scheme_of

_KEY = re.compile(r"[^A-Za-z0-9._-]+")
_SUFFIX = re.compile(
    r" \((comma-separated|space-separated|pipe-separated|deepObject|label|matrix|as [^()]+)\)$"
)
_STYLES = {"space-separated": "spaceDelimited", "pipe-separated": "pipeDelimited"}
_SERVER = re.compile(r"(\S+)(?: \((.*)\))?")
_SCHEME = re.compile(r"(`[^`]*`|[^\s|&\[\],]+)(?:\[([^\]]*)\])?")
_REQUESTS = frozenset({"operation", "webhook"})


def render_stubs(modules: Sequence[Module], docs: str) -> Mapping[str, str]:
    """File name → an OpenAPI document, for each document of the package."""
    paths = list(
        dict.fromkeys(
            [each.path for module in modules for each in module.declarations if each.kind == "api"]
            or [module.path for module in modules]
        )
    )
    found: dict[str, str] = {}
    for path in paths:
        own = [module for module in modules if module.path == path]
        text = json.dumps(_Document(modules, paths, path, docs).value(), indent=2, ensure_ascii=False)
        found[_file(own, path, len(paths))] = text.encode("utf-8", "replace").decode("utf-8") + "\n"
    return found


def _file(modules: Sequence[Module], path: str, count: int) -> str:
    """Where a document is put: its path in the package, which its modules' names begin with."""
    prefix = _prefix(modules, path) if count > 1 else ""
    parts = [part for part in prefix.split("/") if part not in ("", ".", "..")]
    return "/".join(parts or ["openapi"]) + ".json"


def _prefix(modules: Sequence[Module], path: str) -> str:
    """What the names of a document's modules have in front: the end of its path without its suffix."""
    name = modules[0].name.split("/") if modules else []
    for ends in (path.rpartition(".")[0].split("/"), path.split("/")):
        for length in range(min(len(ends), len(name)), 0, -1):
            if ends[-length:] == name[:length]:
                return "".join(f"{part}/" for part in name[:length])
    return ""


class _Schemas:
    """The schemas of one document: its own, those in files that several share, and whatever else is mentioned."""

    def __init__(self, modules: Sequence[Module], paths: Sequence[str], path: str) -> None:
        #: Module and name → declaration, for all documents.
        self._known: dict[str, tuple[str, Declaration]] = {}
        #: The modules of what lies in no document.
        self._shared = tuple(dict.fromkeys(module.name for module in modules if module.path not in paths))
        self._keys: dict[str, str] = {}
        self._wanted: dict[str, tuple[str, Declaration]] = {}
        for module in modules:
            for each in module.declarations:
                if each.kind == "schema":
                    self._known[f"{module.name}:{each.name}"] = module.name, each
        own = {module.name for module in modules if module.path == path}.union(self._shared)
        for name in [name for name, (module_name, _) in self._known.items() if module_name in own]:
            self._key(name)

    def _key(self, name: str) -> str:
        """The key of a schema, which is one of the document's from now on."""
        if name not in self._keys:
            module, declaration = self._known[name]
            key = wanted = _KEY.sub("_", declaration.name)
            number = 1
            while key in self._wanted:
                number += 1
                key = f"{wanted}_{number}"
            self._keys[name] = key
            self._wanted[key] = module, declaration
        return self._keys[name]

    def reference(self, module: str, name: str) -> str | None:
        """What a name means in a module of components."""
        for candidate in (f"{module}:{name}", *(f"{each}:{name}" for each in self._shared), name):
            if candidate in self._known:
                return f"#/components/schemas/{self._key(candidate)}"
        return None

    def each(self) -> Iterator[tuple[str, str, Declaration]]:
        """Key, module and declaration of every schema, those included that others turn out to mention."""
        done: set[str] = set()
        while waiting := [key for key in self._wanted if key not in done]:
            for key in waiting:
                done.add(key)
                yield key, *self._wanted[key]


class _Document:
    """One document that is made of the modules of one."""

    def __init__(self, modules: Sequence[Module], paths: Sequence[str], path: str, docs: str) -> None:
        self._own = [module for module in modules if module.path == path]
        self._docs = docs
        self._prefix = _prefix(self._own, path)
        self._schemas = _Schemas(modules, paths, path)
        self._resolved = partial(self._schemas.reference, f"{self._prefix}{COMPONENTS}")

    def value(self) -> dict[str, Any]:
        """The document."""
        declared = [(module, each) for module in self._own for each in module.declarations]
        service = next((each for _, each in declared if each.kind == "api"), None)
        made: dict[str, Any] = {"openapi": "3.1.0", **self._head(service)}
        made["paths"] = self._operations("operation", declared)
        if webhooks := self._operations("webhook", declared):
            made["webhooks"] = webhooks
        components: dict[str, Any] = {}
        schemas = {key: self._schema(each, module) for key, module, each in self._schemas.each()}
        if schemas:
            components["schemas"] = schemas
        schemes = {
            each.name: scheme_of(each.type or "") for _, each in declared if each.kind == "security_scheme"
        }
        if schemes:
            components["securitySchemes"] = {_KEY.sub("_", name): scheme for name, scheme in schemes.items()}
        return {**made, **({"components": components} if components else {})}

    def _head(self, service: Declaration | None) -> dict[str, Any]:
        title, version = service.signature.removeprefix("api ") if service is not None else "API", "0"
        stated = service.value if service is not None else None
        if stated is not None:
            title, version = title.removesuffix(f" {stated}"), stated
        info = {"title": title, "version": version, **self._said(service)}
        return {"info": info, **(self._facts(service) if service is not None else {})}

    def _said(self, declaration: Declaration | None, word: str = "description") -> dict[str, str]:
        summary = (declaration.doc or "").partition("\n\n")[0] if declaration is not None else ""
        return {word: summary} if summary and summary != "…" and self._docs != "none" else {}

    def _facts(self, declaration: Declaration) -> dict[str, Any]:
        made: dict[str, Any] = {}
        servers, security = declaration.extra.get("servers"), declaration.extra.get("security")
        if isinstance(servers, tuple):
            made["servers"] = [_server(each) for each in servers]
        if isinstance(security, str):
            made["security"] = _security(security)
        return made

    # -- operations -----------------------------------------------------------------------------------

    def _operations(self, kind: str, declared: Sequence[tuple[Module, Declaration]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for module, each in declared:
            if each.kind == kind:
                tag = module.name.removeprefix(self._prefix)
                method = str(each.extra.get("method", "")).lower()
                label = str(each.extra.get("path", ""))
                found.setdefault(label, {})[method] = self._operation(
                    each, tag if kind == "operation" else ""
                )
        return found

    def _operation(self, declaration: Declaration, tag: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        if tag and tag != "default":
            made["tags"] = [tag]
        is_named = declaration.kind == "operation" or f" {declaration.name} " not in declaration.signature
        if declaration.kind != "callback" and is_named and declaration.name != declaration.signature:
            made["operationId"] = declaration.name
        made.update(self._said(declaration, "summary"))
        if declaration.deprecated:
            made["deprecated"] = True
        made.update(self._facts(declaration))
        required = named_in(declaration, "required")
        if parameters := list(self._parameters(declaration, required)):
            made["parameters"] = parameters
        if bodies := [each for each in declaration.parameters if each.kind == "body"]:
            content = dict(self._contents((each.name, each.annotation or "any") for each in bodies))
            is_required = f"body:{bodies[0].name}" in required
            made["requestBody"] = {**({"required": True} if is_required else {}), "content": content}
        responses = {
            each.name: self._response(each) for each in declaration.members if each.kind == "response"
        }
        if responses:
            made["responses"] = responses
        callbacks: dict[str, Any] = {}
        for each in declaration.members:
            if each.kind == "callback":
                item = {str(each.extra.get("method", "")).lower(): self._operation(each, "")}
                callbacks.setdefault(each.name, {}).setdefault(str(each.extra.get("path", "")), {}).update(
                    item
                )
        return {**made, **({"callbacks": callbacks} if callbacks else {})}

    def _parameters(self, declaration: Declaration, required: frozenset[str]) -> Iterator[dict[str, Any]]:
        deprecated = named_in(declaration, "deprecated_parameters")
        for each in declaration.parameters:
            if each.kind == "body":
                continue
            annotation = each.annotation or "any"
            made: dict[str, Any] = {"name": each.name, "in": each.kind}
            if f"{each.kind}:{each.name}" in required or each.kind == "path":
                made["required"] = True
            if f"{each.kind}:{each.name}" in deprecated:
                made["deprecated"] = True
            if each.doc and self._docs == "full":
                made["description"] = each.doc
            suffix = _SUFFIX.search(annotation)
            schema = schema_of(_SUFFIX.sub("", annotation), self._resolved)
            if each.default is not None:
                schema = _with_default(schema, each.default)
            yield made | _written(suffix.group(1) if suffix else "", schema)

    def _response(self, declaration: Declaration) -> dict[str, Any]:
        made: dict[str, Any] = {"description": "", **self._said(declaration)}
        if isinstance(links := declaration.extra.get("links"), str):
            targets = (each.partition(" → ")[::2] for each in links.split(", "))
            made["links"] = {name.strip('"'): {"operationId": target} for name, target in targets}
        headers, contents = declaration.extra.get("headers"), declaration.extra.get("contents")
        if isinstance(headers, str):
            fields = fields_of(headers, self._resolved)
            made["headers"] = {name: {"schema": schema} for name, schema in fields.items()}
        if isinstance(contents, tuple):
            pairs = [each.partition(": ")[::2] for each in contents]
            made["content"] = dict(self._contents(pairs))
        elif declaration.type is not None:
            media = str(declaration.extra.get("media") or "application/json")
            made["content"] = dict(self._contents([(media, declaration.type)]))
        return made

    def _contents(self, types: Any) -> Iterator[tuple[str, Any]]:
        for medias, text in types:
            for media in medias.split(", "):
                yield (
                    ("*/*" if media == "any media type" else media),
                    {"schema": schema_of(text, self._resolved)},
                )

    def _schema(self, declaration: Declaration, module: str) -> Any:
        made = schema_of(declaration.type or "any", partial(self._schemas.reference, module))
        said = self._said(declaration)
        if declaration.deprecated:
            said = {**said, "deprecated": True}  # type: ignore[dict-item]
        if declaration.value is not None:
            made = _with_default(made, declaration.value)
        return {**made, **said} if said and isinstance(made, dict) else made


def _with_default(schema: Any, text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:  # shortened
        return schema
    return {**(schema if isinstance(schema, dict) else {}), "default": value}


def _written(suffix: str, schema: Any) -> dict[str, Any]:
    """How a parameter is written."""
    if suffix.startswith("as "):
        return {"content": {suffix[3:]: {"schema": schema}}}
    if suffix == "comma-separated":
        return {"explode": False, "schema": schema}
    return {**({"style": _STYLES.get(suffix, suffix)} if suffix else {}), "schema": schema}


def _server(text: str) -> dict[str, Any]:
    match = _SERVER.fullmatch(text)
    if match is None or match.group(2) is None:
        return {"url": text}
    variables: dict[str, Any] = {}
    for each in match.group(2).split(", "):
        named, _, default = each.partition(" = ")
        name, _, choices = named.partition(": ")
        variables[name] = {
            "default": "" if default == '""' else default,
            **({"enum": choices.split(" | ")} if choices else {}),
        }
    return {"url": match.group(1), "variables": variables}


def _security(text: str) -> list[dict[str, list[str]]]:
    found: list[dict[str, list[str]]] = []
    if text == "none":
        return found
    for way in text.split(" | "):
        schemes = _SCHEME.findall(way) if way != "none" else []
        found.append(
            {_KEY.sub("_", name.strip("`")): scopes.split(", ") if scopes else [] for name, scopes in schemes}
        )
    return found
