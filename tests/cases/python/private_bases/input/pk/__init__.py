"""Members of private bases belong to the public class."""
from ._base import _Mixin, Generic2
from typing import Generic, TypeVar
import pk._base

T = TypeVar("T")
S = TypeVar("S")

class _Root:
    """Not shown."""
    root_attribute: int = 0
    def root(self) -> "_Root":
        """From the root."""
    def overridden(self) -> int:
        """Root's."""
    def _private(self) -> int: ...

class _Middle(_Root):
    def middle(self) -> int: ...
    def overridden(self) -> str:
        """Middle's."""

class Leaf(_Middle, _Mixin):
    """A leaf."""
    def leaf(self) -> int: ...

class _Box(Generic[T]):
    item: T
    def get(self, default: T | None = None) -> T: ...
    def map(self, other: "_Box[T]") -> "list[T]": ...

class IntBox(_Box[int]):
    """T is int."""

class _Pair(_Box[S], Generic[S, T]):
    second: T
    def both(self) -> tuple[S, T]: ...

class NamedPair(_Pair[str, dict[str, int]]):
    """S is str, T is dict[str, int], _Box's T is str."""

class Kept(_Pair[T, T]):
    """Still generic."""

class Unparametrised(_Box):
    """T is unknown."""

class FromElsewhere(pk._base._Deep):
    """Through a module attribute."""
