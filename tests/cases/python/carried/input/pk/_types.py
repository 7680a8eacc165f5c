import typing as t
from typing import Protocol, TypeVar

T = TypeVar("T", bound="_Bound")
_P = t.ParamSpec("_P")
JSON = dict[str, "JSON"]

class _Bound:
    """What T is bound to."""

class SupportsRead(Protocol):
    """A private protocol."""
    def read(self, n: int = -1, /) -> bytes: ...

class _Missing:
    """The class of a sentinel."""

MISSING = _Missing()
_UNUSED = 1

def traced(level: int):
    """A decorator."""
