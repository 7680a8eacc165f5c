"""A protocol is its members, whatever they are called."""
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypedDict, TypeVar

T = TypeVar("T")


class _HasType(Protocol[T]):
    @property
    def _type(self) -> T: ...

    def _other(self) -> None: ...


class _Header(Protocol):
    def _open(self) -> None: ...


class _Options(TypedDict):
    _private: int


class Engine(Generic[T]):
    @property
    def _type(self) -> T: ...

    def _not_asked(self) -> None: ...


class Column(Generic[T]):
    def __init__(self, engine: "_HasType[T]", default=_Header): ...


@dataclass
class Job:
    name: str
    _key: int
    _runner: "_Runner" = field(init=False, repr=False)


class _Runner:
    def run(self): ...
