"""Frozen values as what JSON knows: objects, lists, strings, numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Any

_SCALARS = frozenset({str, int, float, bool, type(None)})


def plain(value: Any, leave_out: frozenset[str] = frozenset()) -> Any:
    """A value of ``ifacegen.model`` as dicts and lists, in the order of its fields; mappings sorted by key.

    Args:
        value: A frozen value, or a container of them.
        leave_out: Names of fields to leave out, at every level.
    """
    kind: Any = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [each if type(each) in _SCALARS else plain(each, leave_out) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(value[key], leave_out) for key in sorted(value)}
    names, get = _fields(kind, leave_out)
    # Thousands of declarations with thirty fields each, most of them scalars: no call for those.
    return {
        name: each if type(each) in _SCALARS else plain(each, leave_out)
        for name, each in zip(names, get(value), strict=True)
    }


def shallow(value: Any, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """One frozen value as a dict of its fields, for ``json.dumps(default=…)``, which takes care of the rest."""
    kind: Any = type(value)
    names, get = _fields(kind, leave_out)
    return dict(zip(names, get(value), strict=True))


@cache
def _fields(kind: Any, leave_out: frozenset[str]) -> tuple[tuple[str, ...], attrgetter[Any]]:
    names = tuple(each.name for each in dataclasses.fields(kind) if each.name not in leave_out)
    return names, attrgetter(*names)
