from typing import Any, Generic, TypeVar
from collections.abc import Mapping

K = TypeVar("K")

class _Mixin:
    def mixed(self, by: Mapping[str, Any]) -> None:
        """Needs an import."""

class Generic2(Generic[K]): ...

class _Deep:
    def deep(self) -> "_Other": ...

class _Other:
    """Carried: mentioned by what is folded."""
