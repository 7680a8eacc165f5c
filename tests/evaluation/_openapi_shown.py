"""What a view shows of an OpenAPI document: read from its JSON, and once more from its text.

The text is read by its grammar as `docs/views.md` has it; nothing of the product's code is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_OPEN, _CLOSE = "([{", ")]}"
_OPERATION = re.compile(r"^(?P<method>[A-Z]+) (?P<path>\"(?:[^\"\\]|\\.)*\"|\S+)(?:  # (?P<said>.*))?$")
_WEBHOOK = re.compile(r"^webhook (?P<path>\"(?:[^\"\\]|\\.)*\"|\S+) (?P<method>[A-Z]+)(?:  # (?P<said>.*))?$")
_CALLBACK = re.compile(
    r"^  callback (?P<name>\"(?:[^\"\\]|\\.)*\"|\S+): (?P<method>[A-Z]+) (?P<path>\"(?:[^\"\\]|\\.)*\"|\S+)"
)
_SCHEMA = re.compile(
    r"^(?P<deprecated>deprecated )?schema (?P<name>\"(?:[^\"\\]|\\.)*\"|\S+) = (?P<type>.*)$"
)
_PLACES = ("path", "query", "header", "cookie")
_PLACE = re.compile(r"^ +(?P<place>path|query|header|cookie): (?P<list>.*)$")
_CODES = re.compile(
    r"^ +(?P<codes>(?:[1-5](?:\d\d|XX)|default)(?:, (?:[1-5](?:\d\d|XX)|default))*)(?:[:; ]|$)"
)
_BODY = re.compile(r"^ +body(?P<optional>\?)?(?: [^:]+)?: ")
_MARKS = ("deprecated ", "readonly ", "writeonly ")


@dataclass(slots=True)
class ShownParameter:
    """One parameter as a view has it."""

    required: bool
    deprecated: bool
    type: str
    default: str | None


@dataclass(slots=True)
class ShownOperation:
    """One operation, or one of a callback."""

    #: As in the oracle: method and path, those of the caller before the callback's.
    key: str
    id: str | None
    deprecated: bool
    parameters: dict[tuple[str, str], ShownParameter] = field(default_factory=dict)
    responses: list[str] = field(default_factory=list)
    #: Whether it has a body, and whether that is required.
    body: bool | None = None
    #: All that is said of it.
    words: str = ""


@dataclass(slots=True)
class Shown:
    """All of a view."""

    operations: list[ShownOperation] = field(default_factory=list)
    #: Name → one-line type.
    schemas: dict[str, str] = field(default_factory=dict)


def from_json(modules: Iterable[Mapping[str, Any]]) -> Shown:
    """Read a view's JSON."""
    shown = Shown()
    for module in modules:
        for each in module["declarations"]:
            if each["kind"] == "schema":
                shown.schemas[each["name"]] = each["type"] or ""
            elif each["kind"] in {"operation", "webhook"}:
                shown.operations += _operations(each, "")
    return shown


def _operations(declaration: Mapping[str, Any], owner: str) -> Iterator[ShownOperation]:
    extra = declaration["extra"]
    method, path = extra["method"], extra["path"]
    key = f"{owner}{method} {path}"
    required, deprecated = set(extra.get("required", ())), set(extra.get("deprecated_parameters", ()))
    operation = ShownOperation(key, declaration["name"], declaration["deprecated"] is not None)
    for each in declaration["parameters"]:
        name = f"{each['kind']}:{each['name']}"
        if each["kind"] in _PLACES:
            made = ShownParameter(name in required, name in deprecated, each["annotation"], each["default"])
            operation.parameters[each["kind"], each["name"]] = made
    bodies = [f"body:{each['name']}" for each in declaration["parameters"] if each["kind"] == "body"]
    operation.body = any(each in required for each in bodies) if bodies else None
    operation.words = json.dumps(declaration, ensure_ascii=False)
    operation.responses = [each["name"] for each in declaration["members"] if each["kind"] == "response"]
    yield operation
    for member in declaration["members"]:
        if member["kind"] == "callback":
            yield from _operations(member, f"{method} {path} {member['name']} ")


def from_text(text: str) -> Shown:
    """Read a view's text."""
    shown, owner = Shown(), ""
    for line in text.splitlines():
        if match := _OPERATION.match(line) or _WEBHOOK.match(line):
            owner = f"{match['method']} {_plain(match['path'])}"
            identity, deprecated = _said(match["said"] or "")
            shown.operations.append(ShownOperation(owner, identity, deprecated))
        elif match := _CALLBACK.match(line):
            key = f"{owner} {_plain(match['name'])} {match['method']} {_plain(match['path'])}"
            shown.operations.append(ShownOperation(key, None, ", deprecated" in line))
        elif match := _SCHEMA.match(line):
            shown.schemas[_plain(match["name"])] = without_comment(match["type"])
        elif shown.operations and line.startswith(" "):
            _detail(line, shown.operations[-1])
    return shown


def _said(text: str) -> tuple[str | None, bool]:
    """The operationId and whether it is deprecated: what stands before the first colon."""
    if text.startswith('"'):
        end = _string_end(text, 0)
        return _plain(text[: end + 1]), text[end + 1 :].startswith(", deprecated")
    head = text.partition(": ")[0].removesuffix(":")
    name = head.removesuffix(", deprecated")
    return name, name != head or head == "deprecated"


def _detail(line: str, operation: ShownOperation) -> None:
    operation.words += f"{line}\n"
    if match := _BODY.match(line):
        operation.body = not match["optional"]
    elif match := _PLACE.match(line):
        for each in split(without_comment(match["list"]), ","):
            name, made = parameter(each)
            operation.parameters[match["place"], name] = made
    elif match := _CODES.match(line):
        operation.responses += match["codes"].split(", ")


def parameter(text: str) -> tuple[str, ShownParameter]:
    """Name and the rest of ``name?: type = default``."""
    text, marks = _unmarked(text.strip())
    name, rest = _named(text)
    kind, _, default = _parted(rest, "=")
    return name.removesuffix("?"), ShownParameter(
        not name.endswith("?"), "deprecated " in marks, kind.strip(), default.strip() or None
    )


def properties(kind: str) -> dict[str, bool]:
    """Property → whether it is required, of an object type or of the parts of an intersection or a union."""
    found: dict[str, bool] = {}
    for part in _parts(kind.strip()):
        if part.startswith("{") and _closed(part):
            for each in split(part[1 : _end(part)], ","):
                text, _ = _unmarked(each.strip())
                if text and not text.startswith(("[", "...")):
                    name, _ = _named(text)
                    required = not name.endswith("?")
                    name = name.removesuffix("?")
                    found[name] = required or found.get(name, False)
    return found


def _parts(kind: str) -> Iterator[str]:
    """Parts of unions and intersections, parentheses opened."""
    for union in split(kind, "|"):
        for each in split(union, "&"):
            part = each.strip()
            if part.startswith("("):
                yield from _parts(part[1 : _end(part)])
            else:
                yield part


def _closed(part: str) -> bool:
    """Whether it is one object, not an array of them."""
    return not part[_end(part) + 1 :].startswith("[]")


def _unmarked(text: str) -> tuple[str, str]:
    marks = ""
    while mark := next((each for each in _MARKS if text.startswith(each)), ""):
        text, marks = text.removeprefix(mark), marks + mark
    return text, marks


def _named(text: str) -> tuple[str, str]:
    """Name, with its question mark, and what comes after the colon."""
    if text.startswith('"'):
        end = _string_end(text, 0)
        name = _plain(text[: end + 1])
        rest = text[end + 1 :]
        if rest.startswith("?"):
            name, rest = f"{name}?", rest[1:]
        return name, rest.removeprefix(":").strip()
    name, _, rest = text.partition(":")
    return name, rest.strip()


def _plain(name: str) -> str:
    """A name without its quotes; as it stands where they are not closed, so that it is found to be wrong."""
    try:
        return str(json.loads(name)) if name.startswith('"') else name
    except ValueError:
        return name


def split(text: str, separator: str) -> list[str]:
    """Split at a character that stands in no string and in no brackets."""
    parts, start, depth, at = list[str](), 0, 0, 0
    while at < len(text):
        character = text[at]
        if character == '"':
            at = _string_end(text, at)
        elif character in _OPEN:
            depth += 1
        elif character in _CLOSE:
            depth -= 1
        elif character == separator and not depth:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [*parts, text[start:]] if text[start:].strip() or parts else []


def _parted(text: str, separator: str) -> tuple[str, str, str]:
    first, *rest = split(text, separator) or [text]
    return first, separator, separator.join(rest)


def without_comment(text: str) -> str:
    """A line up to its comment: two spaces and a number sign outside of strings."""
    at = 0
    while at < len(text):
        if text[at] == '"':
            at = _string_end(text, at)
        elif text.startswith("  #", at):
            return text[:at]
        at += 1
    return text


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at


def _end(text: str) -> int:
    """Where the bracket that a text begins with is closed."""
    depth, at = 0, 0
    while at < len(text):
        if text[at] == '"':
            at = _string_end(text, at)
        elif text[at] in _OPEN:
            depth += 1
        elif text[at] in _CLOSE:
            depth -= 1
            if not depth:
                return at
        at += 1
    return len(text)
