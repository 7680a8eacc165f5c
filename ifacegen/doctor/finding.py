"""What a look at one thing gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Level: TypeAlias = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    #: ``problem`` where something will not work until somebody does something about it.
    level: Level
    #: What it is about: ``git``, ``repository``, ``cache`` …
    topic: str
    message: str
    #: The same for programs.
    data: Mapping[str, Any] = field(default_factory=dict)
