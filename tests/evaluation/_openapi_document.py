"""An OpenAPI document as anybody can read it, with `json` and `yaml`: its operations, parameters and schemas.

Nothing of ifacegen: what is found here is what views are held against.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_MOST_REFERENCES = 50


@dataclass(frozen=True, slots=True)
class Located:
    """A value, and the file it stands in, which its references are relative to."""

    value: Any
    file: Path

    def at(self, *keys: str) -> Located:
        """What stands below; nothing where there is nothing."""
        value = self.value
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return Located(value, self.file)

    def items(self) -> Iterator[tuple[str, Located]]:
        """Keys and values of a mapping."""
        for key, value in self.value.items() if isinstance(self.value, dict) else ():
            yield str(key), Located(value, self.file)

    def each(self) -> Iterator[Located]:
        """Items of a list."""
        for value in self.value if isinstance(self.value, list) else ():
            yield Located(value, self.file)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation, its references followed."""

    name: str
    place: str
    required: bool
    deprecated: bool
    #: Its schema, or that of its only media type.
    schema: Located
    #: Where the schema refers to another one: that one's name.
    reference: str | None
    #: Whether that is a component, or all of a file.
    is_named: bool = False

    @property
    def default(self) -> Any:
        """Its default; none and null alike."""
        return self.schema.at("default").value


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a path, a webhook or a callback."""

    #: ``paths``, ``webhooks``, or the id of the operation that calls back.
    group: str
    method: str
    path: str
    value: Located
    parameters: tuple[Parameter, ...]

    @property
    def id(self) -> str | None:
        """Its operationId."""
        found = self.value.at("operationId").value
        return found if isinstance(found, str) else None

    @property
    def deprecated(self) -> bool:
        """Whether it says so."""
        return self.value.at("deprecated").value is True

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        return tuple(str(each.value) for each in self.value.at("tags").each())

    @property
    def responses(self) -> tuple[str, ...]:
        """Its response codes."""
        return tuple(name for name, _ in self.value.at("responses").items() if not name.startswith("x-"))


class Files:
    """The files of a document, each parsed once."""

    def __init__(self) -> None:
        self._known: dict[Path, Any] = {}

    def load(self, path: Path) -> Any:
        """One file as JSON values.

        Raises:
            OSError: It is not there.
            ValueError: It is neither JSON nor YAML.
        """
        if path not in self._known:
            text = path.read_text(encoding="utf-8-sig")
            try:
                self._known[path] = json.loads(text)
            except ValueError:
                try:
                    self._known[path] = yaml.load(text, _Loader)
                except yaml.YAMLError as error:
                    raise ValueError(str(error)) from error
        return self._known[path]

    def follow(self, located: Located) -> Located:
        """Where a value's references lead; a mapping without any is itself.

        Raises:
            LookupError: One leads nowhere, or round in a circle.
        """
        for _ in range(_MOST_REFERENCES):
            reference = located.at("$ref").value
            if not isinstance(reference, str):
                return located
            located = self._target(located, reference)
        raise LookupError("a circle of references")

    def _target(self, located: Located, reference: str) -> Located:
        name, _, pointer = reference.partition("#")
        file = (located.file.parent / unquote(name)).resolve() if name else located.file
        try:
            value = self.load(file)
            for part in pointer.split("/")[1:]:
                key = unquote(part).replace("~1", "/").replace("~0", "~")
                value = value[int(key)] if isinstance(value, list) else value[key]
        except (OSError, ValueError, TypeError, KeyError, IndexError) as error:
            raise LookupError(f"{reference}: {error}") from error
        return Located(value, file)


class Document:
    """One document, with the files that it refers to."""

    def __init__(self, path: Path) -> None:
        """Parse it; what it refers to is parsed when it is followed."""
        self.files = Files()
        self.root = Located(self.files.load(path), path.resolve())
        #: References that lead nowhere.
        self.broken: list[str] = []

    @property
    def version(self) -> str:
        """What it says it is."""
        return str(self.root.at("openapi").value)

    @cached_property
    def operations(self) -> Sequence[Operation]:
        """Operations of paths, then of webhooks, each followed by those of its callbacks."""
        found = [*self._group("paths", self.root.at("paths"))]
        # Documents of version 3.0 have them as an extension.
        hooks = self.root.at("webhooks"), self.root.at("x-webhooks")
        return [*found, *(each for group in hooks for each in self._group("webhooks", group))]

    @cached_property
    def schemas(self) -> Mapping[str, Located]:
        """Component schemas by name."""
        return dict(self.root.at("components", "schemas").items())

    def body(self, operation: Operation) -> bool | None:
        """Whether an operation's body is required; none where it has none."""
        body = self._followed(operation.value.at("requestBody"))
        if body is None or not isinstance(body.value, dict) or not body.at("content").value:
            return None
        return body.at("required").value is True

    def mentioned(self, operation: Operation) -> Iterator[tuple[str, str]]:
        """What must be said of an operation, by kind: schemas, media types, headers, security schemes."""
        body = self._followed(operation.value.at("requestBody"))
        answers = [self._followed(each) for _, each in operation.value.at("responses").items()]
        for each in (body, *answers):
            if each is not None:
                yield from self._media(each)
                yield from (("headers", name) for name, _ in each.at("headers").items())
        own = operation.value.at("security")
        if own.value != self.root.at("security").value:
            yield from (("security", name) for each in own.each() for name, _ in each.items())

    def _media(self, content: Located) -> Iterator[tuple[str, str]]:
        types = dict(content.at("content").items())
        for name, media in types.items():
            if name not in {"application/json", "*/*"}:
                yield "media types", name
            reference = media.at("schema", "$ref").value
            named, is_component = _name_of(reference)
            if named is not None and is_component:
                yield "references", named

    def properties(self, schema: Located) -> dict[str, bool]:
        """A schema's own properties, and whether it requires each."""
        try:
            schema = self.files.follow(schema)
        except LookupError:
            return {}
        required = {each.value for each in schema.at("required").each() if isinstance(each.value, str)}
        return {name: name in required for name, _ in schema.at("properties").items()}

    def _group(self, group: str, paths: Located) -> Iterator[Operation]:
        for path, unfollowed in paths.items():
            item = self._followed(unfollowed)
            if path.startswith("x-") or item is None:
                continue
            shared = list(item.at("parameters").each())
            for method in _METHODS:
                operation = item.at(method)
                if isinstance(operation.value, dict):
                    parameters = self._parameters([*shared, *operation.at("parameters").each()])
                    yield Operation(group, method.upper(), path, operation, parameters)
                    yield from self._callbacks(operation, f"{method.upper()} {path}")

    def _callbacks(self, operation: Located, owner: str) -> Iterator[Operation]:
        for name, unfollowed in operation.at("callbacks").items():
            callback = self._followed(unfollowed)
            if callback is not None:
                yield from self._group(f"{owner} {name}", callback)

    def _parameters(self, found: list[Located]) -> tuple[Parameter, ...]:
        """By name and place: the operation's own come after the path's, and count."""
        by_name: dict[tuple[str, str], Parameter] = {}
        for each in found:
            parameter = self._followed(each)
            # One without a name is a mistake.
            if parameter is not None and parameter.at("name").value:
                made = self._parameter(parameter)
                by_name[made.name, made.place] = made
        return tuple(by_name.values())

    def _parameter(self, value: Located) -> Parameter:
        schema = value.at("schema")
        if schema.value is None:
            schema = next((media.at("schema") for _, media in value.at("content").items()), schema)
        place = str(value.at("in").value)
        reference = schema.at("$ref").value
        required = value.at("required").value is True or place == "path"
        return Parameter(
            str(value.at("name").value),
            place,
            required,
            value.at("deprecated").value is True,
            self._followed(schema) or Located({}, value.file),
            *_name_of(reference),
        )

    def _followed(self, value: Located) -> Located | None:
        try:
            return self.files.follow(value)
        except LookupError as error:
            self.broken.append(str(error))
            return None


def _name_of(reference: object) -> tuple[str | None, bool]:
    if not isinstance(reference, str):
        return None, False
    file, _, pointer = reference.partition("#")
    if not pointer:
        return Path(file).stem, True
    return pointer.rpartition("/")[2], pointer.startswith("/components/")


class _Loader(yaml.CSafeLoader):
    """YAML as OpenAPI means it: the JSON schema of YAML 1.2, so that dates, `yes` and `1:30` are strings."""


_Loader.yaml_implicit_resolvers = {
    first: [each for each in resolvers if each[0] in {"tag:yaml.org,2002:null", "tag:yaml.org,2002:merge"}]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def _add_resolvers() -> None:
    import re

    for tag, pattern, first in (
        ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
        ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", "-+0123456789"),
        ("float", r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$", "-+.0123456789"),
    ):
        _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))


_add_resolvers()
