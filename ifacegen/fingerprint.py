"""What a view means, as one digest: equal where callers cannot tell two views apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import partial

from ifacegen.model import Interface, Module
from ifacegen.plain import shallow

#: Where a thing is written, how big it is, what its body does, what read it: none of it is the interface.
_LEFT_OUT = frozenset({"path", "paths", "line", "end_line", "tokens", "notes", "raises", "tool"})


def view_digest(package: str, interfaces: Iterable[Interface], modules: Iterable[Module]) -> str:
    """sha256 over the canonical JSON of a view, without places, sizes and notes."""
    value = {"package": package, "interfaces": tuple(interfaces), "modules": tuple(modules)}
    meaning = partial(shallow, leave_out=_LEFT_OUT)
    text = json.dumps(value, default=meaning, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
