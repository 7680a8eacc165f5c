"""One-line types → JSON Schema: what ``types`` has made, read back for documents that tools can read.

What stands for something that is not shown (``unknown``, a shortened value) becomes a schema that admits
anything; so does text that cannot be read, with the text as its description.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

Schema: TypeAlias = "dict[str, Any] | bool"

_SIZE = re.compile(r" \((?:[\d,]+ (?:characters|entries)|long)\)")
_ELIDED = re.compile(r'.*?…"?[\]}]*' + _SIZE.pattern)
_NAME = re.compile(r"""[^\s|&{}\[\]()<>,=`"?]+|`[^`]*`""")
_FORMAT = re.compile(r"\(([^()]*)\)")
_FIELD = re.compile(
    r"""(?P<flags>(?:readonly |writeonly |deprecated )*)"""
    r"""(?:\[/(?P<pattern>.*?)/\]|(?P<any>\[key\])|(?P<name>[^\s"?:]+)|(?P<quoted>"(?:[^"\\]|\\.)*"))(?P<optional>\??): """
)
_KEY = re.compile(r'[^\s",)]+|"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False}
_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_SHORTENED = object()
_DECODER = json.JSONDecoder()


class NoType(ValueError):
    """A text that is no type."""


def schema_of(text: str, resolve: Callable[[str], str | None]) -> Schema:
    """The schema of a type; ``resolve`` gives the reference that a name stands for."""
    try:
        reader = _Reader(text, resolve)
        made = reader.union()
        if reader.position != len(text):
            raise NoType
    except (NoType, RecursionError):
        return {"description": text}
    return made


def fields_of(text: str, resolve: Callable[[str], str | None]) -> dict[str, Any]:
    """Name → schema of fields without their braces (``Link: string, X-Next: integer``)."""
    made = schema_of(f"{{{text}}}", resolve)
    return made.get("properties", {}) if isinstance(made, dict) else {}


class _Reader:
    """Reads one type from left to right."""

    def __init__(self, text: str, resolve: Callable[[str], str | None]) -> None:
        self._text = text
        self._resolve = resolve
        self.position = 0

    def _takes(self, sign: str) -> bool:
        if self._text.startswith(sign, self.position):
            self.position += len(sign)
            return True
        return False

    def _needs(self, sign: str) -> None:
        if not self._takes(sign):
            raise NoType

    def union(self) -> Schema:
        """Alternatives."""
        found = [self._intersection()]
        while self._takes(" | "):
            found.append(self._intersection())
        return _either(found)

    def _intersection(self) -> Schema:
        found = [self._postfixed()]
        while self._takes(" & "):
            found.append(self._postfixed())
        return found[0] if len(found) == 1 else {"allOf": found}

    def _postfixed(self) -> Schema:
        start = self.position
        made = {} if self._takes("union by ") else self._atom()
        while self._takes("[]"):
            made = {"type": "array", **({"items": made} if made != {} else {})}
        if self._text.startswith("union by ", start) or self._takes(" by "):
            return self._told_apart(made)
        return made

    def _told_apart(self, made: Schema) -> Schema:
        name = self._name()
        mapping: dict[str, str] = {}
        is_listed = False
        while self._takes(", " if is_listed else " {"):
            value = self._json()
            self._needs(": ")
            target = self._name()
            is_listed = True
            if reference := self._resolve(target):
                mapping[str(value)] = reference
        if is_listed:
            self._needs("}")
        told = {"propertyName": name, **({"mapping": mapping} if mapping else {})}
        cases = [{"$ref": target} for target in dict.fromkeys(mapping.values())]
        if made == {} and cases:
            return {"oneOf": cases, "discriminator": told}
        if not isinstance(made, dict) or made.keys() & {"$ref", "discriminator"}:
            return {"allOf": [made], "discriminator": told}
        if "anyOf" in made:
            return {"oneOf": made["anyOf"], "discriminator": told}
        return {**made, "discriminator": told}

    def _atom(self) -> Schema:
        if self._takes("("):
            made = self.union()
            self._needs(")")
            return made
        if self._takes("{"):
            return self._object()
        if self._takes("["):
            return self._tuple()
        if self._takes("not "):
            return {"not": self._postfixed()}
        if self._takes("required("):
            return {"required": self._required()}
        if self._takes("…("):
            self.position = self._text.index(")", self.position) + 1
            return {}
        return self._literal_or_name()

    def _literal_or_name(self) -> Schema:
        text, start = self._text, self.position
        if self._takes("<"):
            self.position = text.index(">", start) + 1
            return {"$ref": text[start + 1 : self.position - 1]}
        if text.startswith('"', start):
            value = self._json()
            return {} if value is _SHORTENED else {"const": value}
        number = _NUMBER.match(text, start)
        if number is not None:
            self.position = number.end()
            return {"const": json.loads(number.group())}
        if text.startswith("`", start):
            return self._referred(self._name())
        return self._named(self._name())

    def _named(self, name: str) -> Schema:
        form = _FORMAT.match(self._text, self.position)
        if form is not None:
            self.position = form.end()
        formed = {"format": form.group(1)} if form is not None else {}
        if name in _SCALARS:
            return {"type": name, **formed}
        if name in ("any", "unknown", "never"):
            return formed if name != "never" else False
        if name in ("object", "null"):
            return {"type": name}
        if name in _WORDS:
            return {"const": _WORDS[name]}
        return self._referred(name)

    def _referred(self, name: str) -> Schema:
        reference = self._resolve(name)
        return {"$ref": reference} if reference is not None else {"description": name}

    def _name(self) -> str:
        match = _NAME.match(self._text, self.position)
        if match is None:
            raise NoType
        self.position = match.end()
        return match.group().strip("`")

    def _json(self) -> Any:
        """A value as JSON, unless it was shortened, or is no JSON."""
        try:
            value, self.position = _DECODER.raw_decode(self._text, self.position)
        except ValueError:
            match = _ELIDED.match(self._text, self.position) or re.compile(r"[^\s,{}]+").match(
                self._text, self.position
            )
            if match is None:
                raise NoType from None
            self.position = match.end()
            return _SHORTENED
        if (size := _SIZE.match(self._text, self.position)) is not None:
            self.position = size.end()
            return _SHORTENED
        return value

    def _required(self) -> list[str]:
        names: list[str] = []
        while not self._takes(")"):
            if names:
                self._needs(", ")
            match = _KEY.match(self._text, self.position)
            if match is None:
                raise NoType
            self.position = match.end()
            names.append(json.loads(match.group()) if match.group()[0] == '"' else match.group())
        return names

    def _tuple(self) -> Schema:
        items: list[Schema] = []
        rest: Schema = False
        while not self._takes("]"):
            if items:
                self._needs(", ")
            if self._takes("..."):
                rest = self._postfixed()
                rest = rest.get("items", True) if isinstance(rest, dict) else rest
                self._needs("]")
                break
            items.append(self.union())
        return {"type": "array", "prefixItems": items, "items": rest}

    def _object(self) -> Schema:
        made: dict[str, Any] = {"type": "object"}
        while not self._takes("}"):
            if len(made) > 1:
                self._needs(", ")
            self._field(made)
        return made

    def _field(self, made: dict[str, Any]) -> None:
        match = _FIELD.match(self._text, self.position)
        if match is None:
            raise NoType
        self.position = match.end()
        schema = self.union()
        if self._takes(" = "):
            default = self._json()
            if default is not _SHORTENED:
                schema = {**(schema if isinstance(schema, dict) else {}), "default": default}
        flags = match["flags"].split()
        if flags:
            marks = {_FLAGS[flag]: True for flag in flags}
            schema = {**(schema if isinstance(schema, dict) else {}), **marks}
        if match["pattern"] is not None:
            made.setdefault("patternProperties", {})[match["pattern"]] = schema
        elif match["any"]:
            made["additionalProperties"] = schema if schema != {} else True
        else:
            name = match["name"] if match["name"] is not None else json.loads(match["quoted"])
            made.setdefault("properties", {})[name] = schema
            if not match["optional"]:
                made.setdefault("required", []).append(name)


_FLAGS = {"readonly": "readOnly", "writeonly": "writeOnly", "deprecated": "deprecated"}


def _either(found: list[Schema]) -> Schema:
    """Alternatives as an enumeration if they are values, as a list of types if they are those."""
    if len(found) == 1:
        return found[0]
    values = [
        each.get("const")
        for each in found
        if isinstance(each, dict) and (each.keys() == {"const"} or each == {"type": "null"})
    ]
    if len(values) == len(found) and any(value is not None for value in values):
        return {"enum": values}
    return {"anyOf": found}
