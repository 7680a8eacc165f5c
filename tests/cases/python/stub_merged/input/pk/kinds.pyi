"""Doc of the stub."""
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import Enum
from typing import Any, Literal, overload

from ._impl import Client as Aliased

SIZE: int
TABLE: dict[str, int]

class Color(Enum):
    RED = ...
    GREEN = ...

def session(name: str = ...) -> AbstractContextManager[None]: ...
@overload
def read(mode: Literal["r"] = ...) -> str: ...
@overload
def read(mode: Literal["rb"]) -> bytes: ...
def cached(key: str, encoder: Callable[[Any], str] = ...) -> int: ...
def plain(a: int, b: int = ..., *args: int, c: list[int] = ..., **kwargs: str) -> None:
    """Doc in the stub wins."""
def made() -> None: ...

if sys.platform == "win32":
    def platform(a: int = ...) -> None: ...
else:
    def platform(a: int = ...) -> None: ...
