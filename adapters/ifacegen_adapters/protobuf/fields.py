"""How fields are written: labels, types, ranges, and what stands in their brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ifacegen_adapters.protobuf.comments import Path, Places
from ifacegen_adapters.protobuf.option_names import OptionNames
from ifacegen_adapters.protobuf.options import quoted

#: Types by their numbers in descriptors; messages and enums go by their names.
TYPES = (
    *("?", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "group"),
    *("message", "bytes", "uint32", "enum", "sfixed32", "sfixed64", "sint32", "sint64"),
)
_REQUIRED, _REPEATED = 2, 3
_STRING, GROUP, _MESSAGE, _BYTES = 9, 10, 11, 12
_MOST, _MOST_IN_ENUM = 536_870_912, 2_147_483_647
_EDITIONS = {900: "UNSTABLE", 998: "proto2", 999: "proto3", 1000: "2023", 1001: "2024", 1002: "2026"}
_NAME = re.compile(r"\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z")
_MAP = re.compile(r"map\s*<\s*\w+\s*,\s*([\w.]+)\s*>\Z")


class Spelling:
    """Names of types as the source has them: they mean there what they mean in the view."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def name(self, path: Path, full: str) -> str:
        """The name of a message or an enum; ``path`` is where the descriptor has it."""
        return _checked(self._places.text(path), full)

    def type(
        self, path: Path, field: Any, messages: Mapping[str, tuple[int, Any]]
    ) -> tuple[str, tuple[str, ...]]:
        """A field's type, and the full names of what it mentions."""
        full = field.type_name
        if not full:
            return TYPES[field.type], ()
        if field.type == GROUP:
            return "group", ()
        if field.type == _MESSAGE and field.label == _REPEATED:
            _, entry = messages.get(full.rpartition(".")[2], (0, None))
            if entry is not None and entry.options.map_entry:
                return self._map(path, entry)
        return self.name((*path, 6), full), (full.lstrip("."),)

    def _map(self, path: Path, entry: Any) -> tuple[str, tuple[str, ...]]:
        key, value = entry.field
        if not value.type_name:
            return f"map<{TYPES[key.type]}, {TYPES[value.type]}>", ()
        written = _MAP.match(self._places.text((*path, 6)))
        name = _checked(written.group(1) if written else "", value.type_name)
        return f"map<{TYPES[key.type]}, {name}>", (value.type_name.lstrip("."),)


def _checked(written: str, full: str) -> str:
    """The written name if it can be that of ``full``, which starts with a dot where it was resolved."""
    if _NAME.match(written) and f".{full.lstrip('.')}".endswith(f".{written.lstrip('.')}"):
        return written
    return full


def label(field: Any, syntax: str) -> str:
    """What is written before a field's type; maps have none."""
    if field.label == _REPEATED:
        return "repeated"
    if field.proto3_optional:
        return "optional"
    if syntax != "proto2" or field.HasField("oneof_index"):
        return ""
    return "required" if field.label == _REQUIRED else "optional"


def field_settings(field: Any, options: OptionNames) -> Iterator[str]:
    """What stands in a field's brackets."""
    if field.HasField("default_value"):
        value = field.default_value
        if field.type == _STRING:
            value = quoted(value)
        elif field.type == _BYTES:  # has its escapes already
            value = f'"{value}"'
        yield f"default = {value}"
    if field.HasField("json_name") and not field.extendee and field.json_name != _json_name(field.name):
        yield f"json_name = {quoted(field.json_name)}"
    if field.HasField("options"):
        yield from options.written(field.options)


def _json_name(name: str) -> str:
    """The name in JSON that a field has if nothing else is said."""
    made: list[str] = []
    after_underscore = False
    for char in name:
        if char != "_":
            made.append(char.upper() if after_underscore and char.isascii() else char)
        after_underscore = char == "_"
    return "".join(made)


def message_range(start: int, end: int) -> str:
    """Field numbers from ``start`` to before ``end``."""
    if end >= _MOST:
        return f"{start} to max"
    return str(start) if end == start + 1 else f"{start} to {end - 1}"


def enum_range(start: int, end: int) -> str:
    """Enum numbers from ``start`` to ``end``."""
    if end == _MOST_IN_ENUM and start != end:
        return f"{start} to max"
    return str(start) if end == start else f"{start} to {end}"


def edition(number: int) -> str:
    """The name of an edition."""
    return _EDITIONS.get(number, str(number))
