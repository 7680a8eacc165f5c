import typing
import warnings
from typing import Literal, overload
from typing_extensions import deprecated

@deprecated("Use new() instead.")
def old(x: int) -> int:
    """Old."""

@warnings.deprecated("gone " "soon", category=None)
class Old: ...

class C:
    @deprecated("m is old")
    def m(self) -> None: ...
    @overload
    def get(self, key: str) -> int: ...
    @overload
    @deprecated("two arguments")
    def get(self, key: str, default: int) -> int:
        """An overload's own."""
    def get(self, key, default=None):
        """Of the implementation."""
        return 1
    @overload
    @classmethod
    def make(cls, x: int) -> "C": ...
    @overload
    @classmethod
    def make(cls, x: str) -> "C": ...
    @classmethod
    def make(cls, x):
        """Make one."""

@typing.overload
def read(mode: Literal["r"] = "r") -> str: ...
@typing.overload
def read(mode: Literal["b"]) -> bytes: ...
def read(mode="r"):
    """Read it."""

@overload
def undocumented(x: int) -> int: ...
@overload
def undocumented(x: str) -> str: ...
def undocumented(x): return x
