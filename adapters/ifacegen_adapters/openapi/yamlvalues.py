"""YAML → plain values, from libyaml's events: in one pass, without recursion, keeping what precedes a fault.

Scalars have the meaning of YAML 1.2's core schema: ``no`` is a string, ``2024-01-01`` too, and numbers keep
their digits. Keys are strings whatever they look like. Aliases share the value that they name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ifacegen_adapters.openapi.texts import Numeral, name_text
from ifacegen_adapters.openapi.values import MOST_LEVELS, TooDeep, integer

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
#: What may begin a plain scalar that is no string.
_FIRST = frozenset("+-.0123456789")
_NO_KEY = object()
#: Entries that merge keys (``<<``) may copy, all together.
_MOST_MERGED = 1_000_000
_MERGE = "<<"


@dataclass(slots=True)
class Loaded:
    """What a YAML text holds."""

    #: The documents in it; more than one where ``---`` separates them.
    roots: list[Any] = field(default_factory=list)
    #: id of a mapping or list → the line of its key.
    lines: dict[int, int] = field(default_factory=dict)
    #: Keys that a mapping has twice, with the line of the second.
    duplicates: list[tuple[str, int]] = field(default_factory=list)
    #: What the parser stumbled on, and where; empty if nothing.
    fault: str = ""
    fault_line: int = 0
    has_aliases: bool = False
    is_too_deep: bool = False
    #: Keys that are no scalars, by line.
    odd_keys: list[int] = field(default_factory=list)


class _Frame:
    """A mapping or list that is open."""

    __slots__ = ("key", "line", "merges", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.key: Any = _NO_KEY
        self.line = 0
        self.merges: list[Any] = []


def load(text: str) -> Loaded:
    """Everything that stands before the first fault."""
    import yaml

    loader = (yaml.CLoader if yaml.__with_libyaml__ else yaml.Loader)(text)
    builder = _Builder()
    try:
        while (event := loader.get_event()) is not None:
            builder.take(event, type(event).__name__)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        builder.loaded.fault = error.problem or error.context or "not YAML"
        builder.loaded.fault_line = mark.line + 1 if mark else 0
    except yaml.YAMLError as error:
        builder.loaded.fault = name_text(str(error).splitlines()[0] if str(error) else "not YAML")
    finally:
        loader.dispose()
    builder.close()
    return builder.loaded


class _Builder:
    def __init__(self) -> None:
        self.loaded = Loaded()
        self._stack: list[_Frame] = []
        self._anchors: dict[str, Any] = {}
        self._merged = 0

    def take(self, event: Any, kind: str) -> None:
        """One more event."""
        if kind == "ScalarEvent":
            self._scalar(event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._open({} if kind == "MappingStartEvent" else [], event)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._close()
        elif kind == "AliasEvent":
            self.loaded.has_aliases = True
            self._add(self._anchors.get(event.anchor), event)
        elif kind == "DocumentStartEvent":
            self._anchors = {}

    def close(self) -> None:
        """Nothing more will come."""
        while self._stack:
            self._close()

    def _scalar(self, event: Any) -> None:
        top = self._stack[-1] if self._stack else None
        text = event.value
        if top is not None and top.key is _NO_KEY and isinstance(top.value, dict):
            top.line = event.start_mark.line + 1
            if text in top.value:
                self.loaded.duplicates.append((text, top.line))
            top.key = text
            value: Any = text
        else:
            tag = event.tag
            plain = event.implicit[0] if tag is None else tag in _NOT_TEXT
            value = _plain(text) if plain and (tag is not None or not event.style) else text
            self._put(value, event)
        if event.anchor:
            self._anchors[event.anchor] = value

    def _open(self, made: Any, event: Any) -> None:
        depth = len(self._stack)
        if depth > MOST_LEVELS:
            self.loaded.is_too_deep = True
            if depth == MOST_LEVELS + 1:
                self._add(TooDeep(), event)
        else:
            self._add(made, event)
        if event.anchor:
            self._anchors[event.anchor] = made
        self._stack.append(_Frame(made))

    def _add(self, value: Any, event: Any) -> None:
        """A value that is no scalar: where a key should be, it is none that anybody could name."""
        top = self._stack[-1] if self._stack else None
        if top is not None and top.key is _NO_KEY and isinstance(top.value, dict):
            top.line = event.start_mark.line + 1
            if isinstance(value, str):
                top.key = value
                return
            self.loaded.odd_keys.append(top.line)
            top.key = f"(a key in line {top.line})"
            return
        self._put(value, event)

    def _put(self, value: Any, event: Any) -> None:
        if not self._stack:
            self.loaded.roots.append(value)
            return
        top = self._stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            line = event.start_mark.line + 1 if isinstance(value, dict) else 0
        else:
            line = top.line
            if top.key == _MERGE:
                top.merges.append(value)
            else:
                top.value[top.key] = value
            top.key = _NO_KEY
        if line and isinstance(value, dict | list):
            self.loaded.lines.setdefault(id(value), line)

    def _close(self) -> None:
        frame = self._stack.pop()
        if isinstance(frame.value, dict) and frame.key is not _NO_KEY:
            frame.value.setdefault(frame.key, None)
        for merged in frame.merges:
            for each in merged if isinstance(merged, list) else [merged]:
                self._merge(frame.value, each)

    def _merge(self, into: dict[str, Any], other: Any) -> None:
        if not isinstance(other, dict) or self._merged > _MOST_MERGED:
            return
        self._merged += len(other)
        for key, value in list(other.items()):
            into.setdefault(key, value)


#: Tags that say what plain scalars would be anyway.
_NOT_TEXT = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))


def _plain(text: str) -> Any:
    """What an unquoted scalar means."""
    if text in _NULL:
        return None
    if text[0] in _FIRST:
        if _WHOLE.fullmatch(text):
            return integer(text)
        return Numeral(text) if _NUMBER.fullmatch(text) else text
    return _TRUTH.get(text, text)
