"""An OpenAPI document against what a view shows of it: every operation, parameter, schema, both ways."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from evaluation._openapi_document import Document, Located, Operation, Parameter
from evaluation._openapi_shown import Shown, ShownOperation, ShownParameter, properties, split

CHECKS = (
    *("operations", "operation ids", "deprecated", "responses", "parameters", "required", "types", "enums"),
    *("defaults", "deprecated parameters", "bodies", "references", "media types", "headers", "security"),
    *("schemas", "properties", "extra"),
)
#: How a list or an object is written in a parameter.
_STYLE = re.compile(r" \([a-z-]+(?: [a-z-]+)*\)$")
_ELIDED = re.compile(r"(.*)…\"? \(([\d,]+) characters\)", re.DOTALL)
_REQUIRED = {True: "required", False: "optional", None: "absent"}
_SCALARS = {"string", "integer", "number", "boolean"}


@dataclass(slots=True)
class Comparison:
    """What was compared, and what differs."""

    counted: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    #: In words.
    differences: list[str] = field(default_factory=list)

    def check(self, what: str, holds: bool, say: str) -> None:
        """Count one; say what differs where it doesn't hold."""
        self.counted[what] += 1
        if not holds:
            self.wrong[what] += 1
            self.differences.append(f"{what}: {say}")

    def __iadd__(self, other: Comparison) -> Self:
        self.counted += other.counted
        self.wrong += other.wrong
        self.differences += other.differences
        return self


def compare(document: Document, shown: Shown) -> Comparison:
    """All of a document."""
    result = Comparison()
    by_key: dict[str, list[ShownOperation]] = {}
    for each in shown.operations:
        by_key.setdefault(each.key, []).append(each)
    for operation in document.operations:
        key = key_of(operation)
        found = by_key.get(key)
        result.check("operations", bool(found), f"{key} isn't shown")
        if found:
            shown_one = found.pop(0)
            _compare_operation(operation, shown_one, result)
            _compare_words(document, operation, shown_one, result)
    for left in by_key.values():
        for each in left:
            result.check("extra", holds=False, say=f"operation {each.key}")
    _compare_schemas(document, shown, result)
    return result


def key_of(operation: Operation) -> str:
    """Method and path, those of the caller and the callback's name before a callback's."""
    owner = "" if operation.group in {"paths", "webhooks"} else f"{operation.group} "
    return f"{owner}{operation.method} {operation.path}"


def _compare_operation(operation: Operation, shown: ShownOperation, result: Comparison) -> None:
    key = key_of(operation)
    if operation.id and operation.group == "paths":
        result.check("operation ids", shown.id == operation.id, f"{key}: {operation.id}, not {shown.id}")
    result.check("deprecated", shown.deprecated == operation.deprecated, key)
    for code in operation.responses:
        result.check("responses", code in shown.responses, f"{key}: {code} isn't shown")
    for code in sorted(set(shown.responses) - set(operation.responses)):
        result.check("extra", holds=False, say=f"{key}: response {code}")
    left = dict(shown.parameters)
    for parameter in operation.parameters:
        where = f"{key}: {parameter.place} {parameter.name}"
        one = left.pop((parameter.place, parameter.name), None)
        result.check("parameters", one is not None, f"{where} isn't shown")
        if one is not None:
            _compare_parameter(where, parameter, one, result)
    for place, name in left:
        # What a path names and nobody describes is shown, and noted.
        if place != "path" or f"{{{name}}}" not in operation.path:
            result.check("extra", holds=False, say=f"{key}: parameter {place} {name}")


def _compare_words(
    document: Document, operation: Operation, shown: ShownOperation, result: Comparison
) -> None:
    key, body = key_of(operation), document.body(operation)
    result.check("bodies", shown.body == body, f"{key}: {body}, not {shown.body}")
    for kind, word in dict.fromkeys(document.mentioned(operation)):
        spellings = {word, json.dumps(word, ensure_ascii=False)[1:-1]}
        result.check(kind, any(each in shown.words for each in spellings), f"{key}: {word} isn't there")


def _compare_parameter(where: str, parameter: Parameter, shown: ShownParameter, result: Comparison) -> None:
    result.check("required", shown.required == parameter.required, where)
    result.check("deprecated parameters", shown.deprecated == parameter.deprecated, where)
    if parameter.reference is not None:
        # By name: what the name stands for is checked where it is declared. Inside of paths there is no name.
        holds = parameter.reference in shown.type or not parameter.is_named
        result.check("types", holds, f"{where}: {parameter.reference}, not {shown.type}")
        return
    default, said = parameter.default, shown.default
    if default is None:
        result.check("defaults", said in (None, "null"), f"{where}: nothing, not {said}")
    else:
        holds = said is not None and _same(said, default)
        result.check("defaults", holds, f"{where}: {default!r}, not {said}")
    _compare_type(where, parameter.schema, shown.type, result)


def _compare_type(where: str, schema: Located, shown: str, result: Comparison) -> None:
    constant = schema.at("const").value
    values = schema.at("enum").value if constant is None else [constant]
    parts = [each.strip() for each in split(_STYLE.sub("", shown), "|")]
    if isinstance(values, list) and values:
        result.check("enums", _holds_enum(values, parts), f"{where}: {values}, not {shown}")
        return
    for kind in _kinds(schema):
        if kind in _SCALARS:
            held = any(part.partition("(")[0].partition(" ")[0] == kind for part in parts)
            result.check("types", held, f"{where}: {kind}, not {shown}")


def _holds_enum(values: list[Any], parts: list[str]) -> bool:
    """Whether the values are those shown; of many the last ones may be a number of how many more there are."""
    wanted = [each for each in values if each is not None]
    elided = re.fullmatch(r"…\((\d+) more\)", parts[-1]) if parts else None
    literals = parts[:-1] if elided else parts
    known = [value for value in wanted if any(_same(part, value) for part in literals)]
    left = len(wanted) - len(known)
    strange = [
        part for part in literals if part != "null" and not any(_same(part, value) for value in wanted)
    ]
    return not strange and left == (int(elided[1]) if elided else 0)


def _kinds(schema: Located) -> list[str]:
    kind = schema.at("type").value
    return [kind] if isinstance(kind, str) else [str(each) for each in kind] if isinstance(kind, list) else []


def _same(said: str, value: Any) -> bool:
    """Whether a literal is that of a value; of a long string its beginning and its length."""
    if elided := _ELIDED.fullmatch(said):
        whole = json.dumps(value, ensure_ascii=False)
        return whole.startswith(elided[1]) and len(str(value)) == int(elided[2].replace(",", ""))
    try:
        return bool(json.loads(said) == value)
    except ValueError:
        return said == str(value)


def _compare_schemas(document: Document, shown: Shown, result: Comparison) -> None:
    for name, schema in document.schemas.items():
        kind = shown.schemas.get(name)
        result.check("schemas", kind is not None, f"{name} isn't shown")
        if kind is None or (isinstance(schema.value, dict) and "$ref" in schema.value):
            continue
        seen = properties(kind)
        for each, required in _own_properties(document, schema):
            words = f"{name}.{each}: {_REQUIRED[required]}, not {_REQUIRED[seen.get(each)]}"
            result.check("properties", seen.get(each) == required, words)


def _own_properties(document: Document, schema: Located) -> Iterator[tuple[str, bool]]:
    is_enum = schema.at("enum").value is not None  # which says all that can be
    if not is_enum and _kinds(schema) in ([], ["object"], ["object", "null"]):
        yield from document.properties(schema).items()
