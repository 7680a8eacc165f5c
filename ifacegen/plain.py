"""Frozen values as what JSON knows: objects, lists, strings, numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """A value of ``ifacegen.model`` as dicts and lists, in the order of its fields; mappings sorted by key."""
    if dataclasses.is_dataclass(value):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value
