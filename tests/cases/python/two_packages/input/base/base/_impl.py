from collections.abc import Mapping
from typing import Generic, TypeVar
T = TypeVar("T")

def helper(x: "Base") -> int: ...

class _Hidden(Generic[T]):
    item: T
    def inherited(self, other: "_Hidden[T]", options: Mapping[str, T]) -> T:
        """From a private base in another package."""

class Base:
    """Public there."""
    def of_base(self) -> int: ...

_SENTINEL = object()
