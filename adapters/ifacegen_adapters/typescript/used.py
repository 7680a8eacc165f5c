"""Which imports declarations need: those that bind a name that their text has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ifacegen.model import Declaration

#: What an import calls otherwise.
_RENAMED = re.compile(r"(?:[\w$]+|\*|\"[^\"]*\") as ")
_WORD = re.compile(r"[\w$]+")
#: A name that is not part of a longer one with dots.
_WHOLE = re.compile(r"(?<![\w$.])[\w$]+(?![\w$.])")


def words(declarations: Iterable[Declaration]) -> frozenset[str]:
    """All names in the text of declarations and their members."""
    return _found(declarations, _WORD)


def whole_words(declarations: Iterable[Declaration]) -> frozenset[str]:
    """Those names that are used for themselves, not for what they have (``ns.T``)."""
    return _found(declarations, _WHOLE)


def _found(declarations: Iterable[Declaration], pattern: re.Pattern[str]) -> frozenset[str]:
    return frozenset(
        word for top in declarations for each in top.walk() for word in pattern.findall(each.signature)
    )


def is_used(statement: Declaration, names: Collection[str]) -> bool:
    """Whether one of the names that an import binds is among these."""
    bound = _RENAMED.sub("", statement.signature.partition(" from ")[0].removeprefix("import "))
    return any(word in names for word in _WORD.findall(bound) if word != "type")
