from __future__ import annotations
import dataclasses
import enum
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar, Generic, NamedTuple, Protocol, TypedDict, TypeVar, Required
import attrs
from attrs import define
import attr
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator

@dataclass(frozen=True, slots=True)
class Data:
    """A dataclass.

    Attributes are documented one by one.
    """

    #: The key,
    #: on two lines.
    key: str
    count: int = 0  #: How many.
    tags: list[str] = field(
        default_factory=list,  # a comment inside
        repr=False,
    )
    """Tags, documented
    below.
    """
    _: KW_ONLY
    _private_field: int = 3
    kind: ClassVar[str] = "data"
    _secret: ClassVar[int] = 1
    seed: InitVar[int | None] = None

    def __post_init__(self, seed: int | None) -> None:
        self.derived = len(self.key)

@dataclasses.dataclass
class Plain:
    x: int
    y: int = dataclasses.field(default=1, kw_only=True)
    not_a_field = 5

@define
class Attrs:
    a: int
    _b: str = "private field, public argument"
    c: list[int] = attrs.field(factory=list)
    @c.validator
    def _check(self, attribute, value): ...

@attr.s(slots=True)
class OldAttrs:
    x = attr.ib(type=int)
    y = attr.ib(default=attr.Factory(list))

class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(..., min_length=1, description="The name.")
    age: int | None = None
    _cache: dict = PrivateAttr(default_factory=dict)
    @field_validator("name")
    @classmethod
    def check(cls, v: str) -> str: ...

class Point(NamedTuple):
    x: int
    y: int = 0
    def norm(self) -> float: ...
    class Inner:
        z = 1

class Movie(TypedDict, total=False):
    title: Required[str]
    """The title."""
    year: int

class Colour(enum.Enum):
    RED = 1
    """As blood."""
    GREEN = enum.auto()  #: As grass.
    _ignore_ = ["x"]
    ALIAS = RED
    _hidden = 9
    def mix(self, other: Colour) -> Colour: ...

class Status(int, enum.Enum):
    OK = 200, "fine"
    MISSING = 404, "not there"
    def __new__(cls, value, phrase): ...

class Flags(enum.IntFlag):
    A = 1 << 0
    B = 1 << 1
    AB = A | B

class Reader(Protocol):
    name: str
    @property
    def size(self) -> int: ...
    def read(self, n: int = -1, /) -> bytes: ...

T = TypeVar("T")

class GenericTD(TypedDict, Generic[T]):
    value: T
