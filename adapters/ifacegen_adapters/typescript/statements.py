"""Imports and exports of names: those that lead to one place on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ifacegen_adapters.typescript.lines import filled

#: ``import type { A as B } from "x"``, ``export { A }``: what stands before the names, the names, what stands behind.
_NAMES = re.compile(r"((?:import|export)(?: type)?) \{ ?([^{}]*?) ?\}( from .+)?\Z", re.DOTALL)


def joined(statements: Iterable[str], indent: str = "", *, is_line: bool = False) -> Iterator[str]:
    """Statements with those from one module as one, where the first of them stands; broken if need be and allowed."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for statement in statements:
        found = _NAMES.match(statement)
        if found is None or not found[2]:
            groups.setdefault((statement, ""), {})
        else:
            names = groups.setdefault((found[1], found[3] or ""), {})
            names.update(dict.fromkeys(_split(found[2])))
    for (head, source), names in groups.items():
        if names and is_line:
            yield f"{indent}{head} {{ {', '.join(names)} }}{source};"
        elif names:
            yield from filled(list(names), f"{head} {{", f"}}{source};", indent)
        else:
            yield f"{indent}{head}{'' if head.startswith('///') else ';'}"


def _split(names: str) -> Iterator[str]:
    return (name.strip() for name in names.split(",") if name.strip())
