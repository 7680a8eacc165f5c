from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict, Unpack


class _A(TypedDict, total=False):
    x: int


class _B(_A, total=False):
    y: int


class _Other(TypedDict, total=False):
    z: int


class _Options(_B, _Other):
    needed: str


def run(**options: Unpack[_Options]) -> None: ...


@dataclass
class _Base:
    first: int
    _second: str = ""

    def method(self) -> None: ...


@dataclass
class Public(_Base):
    third: bytes = b""


class _Pair(NamedTuple):
    left: int


class Pair(_Pair):
    def both(self) -> int: ...


class _Outer:
    of_outer = 1

    class Inner:
        of_inner = 2


class Nested(_Outer.Inner):
    own = 3


@dataclass
class _Hidden:
    _state: int = field(default=0, init=False)

    def of_hidden(self) -> None: ...


class _Mixin:
    def mixed(self) -> None: ...


@dataclass
class Mixed(_Hidden, _Mixin):
    size: int
