"""What a view means, as one digest: equal where callers cannot tell two views apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from ifacegen.model import Interface, Module
from ifacegen.plain import plain

#: Where a thing is written, how big it is and what its body does: none of it is the interface.
_LEFT_OUT = frozenset({"path", "paths", "line", "end_line", "tokens", "notes", "raises"})


def view_digest(package: str, interfaces: Iterable[Interface], modules: Iterable[Module]) -> str:
    """sha256 over the canonical JSON of a view, without places, sizes and notes."""
    value = {
        "package": package,
        "interfaces": [_meaning(plain(each)) for each in interfaces],
        "modules": [_meaning(plain(each)) for each in modules],
    }
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _meaning(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _meaning(each) for key, each in value.items() if key not in _LEFT_OUT}
    if isinstance(value, list):
        return [_meaning(each) for each in value]
    return value
