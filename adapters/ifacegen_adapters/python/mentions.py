"""Which names a piece of printed Python mentions, so that what they stand for can be carried along."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

_STRING = r"[A-Za-z]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")"
_CHAIN = r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_TOKEN = re.compile(rf"({_STRING})|({_CHAIN})(?!\w*\s*=[^=])", re.DOTALL)
_CHAINS = re.compile(_CHAIN)
_STRINGS = re.compile(_STRING, re.DOTALL)
#: Whose strings are values, wherever they stand.
_LITERAL = re.compile(r"\bLiteral\s*\[[^\[\]]*\]")


@functools.lru_cache(maxsize=8192)  # the same few types are mentioned everywhere
def mentioned(text: str, *, strings: bool) -> tuple[str, ...]:
    """Dotted names in an expression, keyword arguments' own names left out.

    Args:
        text: Python source of one expression.
        strings: Whether strings are annotations, to be looked into, rather than data.
    """
    return tuple(_mentioned(text, strings))


def _mentioned(text: str, strings: bool) -> Iterator[str]:
    if strings and "Literal" in text:
        text = _LITERAL.sub(lambda literal: _STRINGS.sub("0", literal[0]), text)
    for found in _TOKEN.finditer(text):
        if found[2]:
            yield found[2]
        elif strings or "f" in found[1].partition(found[1][-1])[0].lower():
            yield from _CHAINS.findall(found[1].lstrip("rbuftRBUFT").strip("'\""))


def is_called(text: str, chain: str) -> bool:
    """Whether an expression calls a name: what it makes is then part of what callers get."""
    return re.search(rf"(?<![\w.]){re.escape(chain)}(?:\[[^()]*\])?\(", text) is not None


def substituted(text: str, mapping: Mapping[str, str], *, strings: bool = True) -> str:
    """``text`` with whole names replaced, outside attribute chains.

    Args:
        text: Python source of one expression.
        mapping: Name → what to write for it.
        strings: Whether strings are annotations; those of a ``Literal`` are left as they are.
    """
    if not mapping:
        return text
    inside = strings and "Literal[" not in text

    def chain(found: re.Match[str]) -> str:
        first, dot, rest = found[0].partition(".")
        return mapping.get(first, first) + dot + rest

    def token(found: re.Match[str]) -> str:
        if found[2]:
            return chain(found)
        return _CHAINS.sub(chain, found[0]) if inside else found[0]

    return _TOKEN.sub(token, text)
