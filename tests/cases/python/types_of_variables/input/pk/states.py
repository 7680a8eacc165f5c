from enum import Enum
from typing import Final, Generic, TypeVar

T = TypeVar("T")
LIMIT: Final = 3
TIMEOUT: float = 3


class Color(Enum):
    RED = 1
    BLUE = 2


class Path(Generic[T]): ...


class OnlyHere: ...


def connect(host) -> str | None: ...


def hidden(host) -> OnlyHere: ...
