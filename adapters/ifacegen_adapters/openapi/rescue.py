"""JSON that is no JSON: whatever can be read of a cut, broken or hostile text.

Iterative, so that nothing is too deep for it; separators are optional, so that a comma too many or too few
costs nothing. Slower than ``json`` by far, and only asked where that has failed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ifacegen_adapters.openapi.texts import Numeral
from ifacegen_adapters.openapi.values import MOST_LEVELS, TooDeep, integer

_TOKEN = re.compile(
    r"""(?P<space>[\s,\ufeff]+|//[^\n]*|/\*.*?\*/|\#[^\n]*)|(?P<mark>[{}\[\]:])|(?P<string>"(?:[^"\\]+|\\.)*+")"""
    r"""|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|NaN)|(?P<word>true|false|null)""",
    re.DOTALL,
)
_WORDS = {"true": True, "false": False, "null": None}
_NO_KEY = object()


def rescue(text: str) -> tuple[Any, int]:
    """The value as far as it goes, and where reading stopped; -1 where it reached the end with everything closed."""
    root: list[Any] = []
    stack: list[Any] = [root]
    keys: list[Any] = [_NO_KEY]
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or not _taken(match, stack, keys):
            return (root[0] if root else None), position
        position = match.end()
    return (root[0] if root else None), -1 if len(stack) == 1 else position


def _taken(match: re.Match[str], stack: list[Any], keys: list[Any]) -> bool:
    """Add one token to what is open; False where it cannot stand there."""
    kind, text = match.lastgroup, match.group()
    if kind == "space":
        return True
    if kind == "mark" and text in "}]":
        return _closed(text, stack, keys)
    if text == ":":
        return keys[-1] is not _NO_KEY
    if kind == "mark":
        _opened(text, stack, keys)
        return True
    if kind == "string" and isinstance(stack[-1], dict) and keys[-1] is _NO_KEY:
        keys[-1] = _string(text)
        return True
    value = _string(text) if kind == "string" else _WORDS[text] if kind == "word" else _number(text)
    return _added(value, stack, keys)


def _closed(text: str, stack: list[Any], keys: list[Any]) -> bool:
    if len(stack) == 1 or isinstance(stack[-1], dict) is not (text == "}"):
        return False
    if keys[-1] is not _NO_KEY:  # a key without a value
        stack[-1][keys[-1]] = None
    stack.pop()
    keys.pop()
    return True


def _opened(text: str, stack: list[Any], keys: list[Any]) -> None:
    made: Any = {} if text == "{" else []
    deep = len(stack) > MOST_LEVELS
    if len(stack) == MOST_LEVELS + 1:
        _added(TooDeep(), stack, keys)
    elif not deep:
        _added(made, stack, keys)
    stack.append(made)
    keys.append(_NO_KEY)


def _added(value: Any, stack: list[Any], keys: list[Any]) -> bool:
    if isinstance(stack[-1], list):
        stack[-1].append(value)
        return True
    if keys[-1] is _NO_KEY:
        return False
    stack[-1][keys[-1]] = value
    keys[-1] = _NO_KEY
    return True


def _string(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:  # an escape that does not exist
        return text[1:-1]


def _number(text: str) -> int | str:
    return integer(text) if text.lstrip("-").isdigit() else Numeral(text)
