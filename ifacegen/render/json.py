"""The view as JSON, format ``ifacegen/view/1`` (``docs/schemas/view-1.json``)."""

from __future__ import annotations

import json
from typing import Any

from ifacegen.model import View
from ifacegen.plain import plain

FORMAT = "ifacegen/view/1"


def view_value(view: View) -> dict[str, Any]:
    """The view as what JSON knows, without its printed body."""
    value = {"format": FORMAT, **plain(view)}
    del value["body"], value["header"]
    return value


def to_json(value: Any) -> str:
    """JSON as ifacegen prints it everywhere: indented, unescaped, one trailing newline."""
    return (
        json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace").decode("utf-8")
        + "\n"
    )
