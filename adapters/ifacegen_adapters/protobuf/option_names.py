"""Options as a file must write them: with the dot in front where protoc would else look their names up elsewhere."""

from __future__ import annotations

import functools
import re
from typing import Any

from ifacegen_adapters.protobuf.options import settings

_DOTTED = re.compile(r"\(\s*\.\s*([\w.]+)\s*\)")
_NAME = re.compile(r"\(((\w+)[\w.]*)\)")
_PACKAGE = re.compile(r"^\s*package\s+\w+\s*\.([\w.\s]*);", re.MULTILINE)
_DECLARED = r"\b(?:message|enum|service|oneof|rpc|group)\s+{0}\b|(?<![.\w]){0}\s*=\s*-?\d"


class OptionNames:
    """Writes the options of one file."""

    def __init__(self, text: str) -> None:
        self._text = text
        #: First part of a name → whether something of the file is called so.
        self._hiding: dict[str, bool] = {}

    def written(self, options: Any) -> list[str]:
        """``name = value`` for each option that is set."""
        return [self._qualified(each) for each in settings(options)]

    def _qualified(self, setting: str) -> str:
        found = _NAME.match(setting)
        return f"(.{setting[1:]}" if found and self._is_hidden(found[1], found[2]) else setting

    @functools.cached_property
    def _dotted(self) -> frozenset[str]:
        return frozenset(_DOTTED.findall(self._text)) if "(." in self._text else frozenset()

    def _is_hidden(self, name: str, first: str) -> bool:
        """Whether the source writes the dot, or something of the file is called as the name begins."""
        if (
            name in self._dotted or name == first
        ):  # of no package: the source has all of it, and no dot if it needs none
            return name in self._dotted
        known = self._hiding.get(first)
        if known is None:
            known = self._hiding[first] = self._declares(first)
        return known

    def _declares(self, first: str) -> bool:
        package = _PACKAGE.search(self._text)
        if package and first in re.split(r"[\s.]+", package[1]):
            return True
        return re.search(_DECLARED.format(first), self._text) is not None
