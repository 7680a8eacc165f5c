"""Fields are shown where they are written: repeated in a subclass, their order and being required would change."""
from dataclasses import dataclass
from typing import TypedDict
from typing_extensions import Unpack


class _Common(TypedDict, total=False):
    cwd: str


class _More(TypedDict, total=False):
    env: str


class _All(_Common, _More):
    pass


def run(**options: Unpack[_All]) -> None: ...


@dataclass
class _Base:
    x: int
    _hidden: int = 0

    def method(self) -> int: ...


@dataclass
class Public(_Base):
    y: int = 1
