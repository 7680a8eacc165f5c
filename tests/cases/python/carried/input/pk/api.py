from __future__ import annotations
import typing as t
from typing import TypeVar
from . import _types
from ._types import MISSING, SupportsRead as _Readable, traced

_Local = TypeVar("_Local")
_Alias = t.Union[int, "_Deep"]
_default = object()
_LIMIT = 10

class _Deep:
    """Mentioned by a mentioned alias."""
    def method(self) -> _Deeper: ...

class _Deeper: ...
class _Never: ...

def _wrap(f): return f

@_wrap
@traced(level=_LIMIT)
def one(x: _types.T, y: _Local, z: _Alias = _default) -> _Local: ...

def two(file: _Readable, value: object = MISSING) -> "_types.JSON": ...

def three(cb: t.Callable[_types._P, None], *a: _types._P.args, **k: _types._P.kwargs) -> None: ...

class Four(t.Generic[_types.T]):
    x: _types.T
    def __init__(self, sentinel: _types._Missing = _types.MISSING) -> None:
        self.deep: _Deep = _Deep()


class _property:
    """A decorator."""

    def __init__(self, function): ...

    def __get__(self, instance, owner) -> int: ...


class Decorated:
    @_property
    def value(self): ...
