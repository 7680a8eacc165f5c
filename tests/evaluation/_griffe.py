"""What griffe says is public, asked through its API, without importing what it reads."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import griffe

_Members: TypeAlias = Mapping[str, griffe.Object | griffe.Alias]


class GriffeTree:
    """The modules below a folder, loaded when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: dict[str, griffe.Object | griffe.Alias | None] = {}

    def names(self, module: str) -> frozenset[str]:
        """Public names of a module."""
        return frozenset(name for name, each in self._members(module).items() if _is_public(each))

    def members(self, module: str, qualname: str) -> frozenset[str]:
        """What a class has."""
        return frozenset(self._members(f"{module}.{qualname}"))

    def _members(self, dotted: str) -> _Members:
        top, *rest = dotted.split(".")
        if top not in self._loaded:
            self._loaded[top] = self._load(top)
        found = self._loaded[top]
        for part in rest:
            found = _inside(found).get(part)
        return _inside(found)

    def _load(self, top: str) -> griffe.Object | griffe.Alias | None:
        logging.getLogger("griffe").setLevel(logging.CRITICAL)
        try:
            return griffe.load(top, search_paths=[self._folder], allow_inspection=False)
        except griffe.GriffeError:  # attrs: a stub that imports from a stub that imports from it
            return None


def _inside(found: griffe.Object | griffe.Alias | None) -> _Members:
    try:
        return found.members if found else {}
    except griffe.GriffeError:  # an alias that leads nowhere
        return {}


def _is_public(member: griffe.Object | griffe.Alias) -> bool:
    try:
        return member.is_public
    except griffe.GriffeError:
        return False
