"""Frozen values as what JSON knows: objects, lists, strings, numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Any


def plain(value: Any) -> Any:
    """A value of ``ifacegen.model`` as dicts and lists, in the order of its fields; mappings sorted by key."""
    if dataclasses.is_dataclass(value):
        return {name: plain(each) for name, each in shallow(value).items()}
    if isinstance(value, Mapping):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value


def shallow(value: Any, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """One frozen value as a dict of its fields; ``json.dumps(default=…)`` takes care of what is in them.

    Args:
        value: A frozen value.
        leave_out: Names of fields to leave out.
    """
    kind: Any = type(value)
    names, get = _fields(kind, leave_out)
    return dict(zip(names, get(value), strict=True))


@cache
def _fields(kind: Any, leave_out: frozenset[str]) -> tuple[tuple[str, ...], attrgetter[Any]]:
    names = tuple(each.name for each in dataclasses.fields(kind) if each.name not in leave_out)
    return names, attrgetter(*names)
