"""Values that are too long for a line, and parentheses that are there for the layout alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, Union


def registered(*names: str, **options: object) -> Callable[[type], type]: ...


FITS = (
    "one line"
)
JOINED = ("Can be run as a cronjob or directly to clean out expired sessions "
          "when the backend supports it.")
TUPLE = ("a",)
GENERATOR = (each for each in "ab")
CALL = (str.join(", ", ["a"]))
TWICE = ((1))
CHOICE = (1 if FITS else 2)

FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y", "%m"]
SCHEMES = {"postgres", "postgresql", "postgresql+asyncpg", "postgresql+pg8000", "postgresql+psycopg", "postgresql+psy"}
BY_NAME: dict[str, tuple[int, ...]] = {"a": (1, 2, 3), "b": (4, 5, 6), "c": (7, 8, 9), "brackets": (10, 11, 12, 13)}
WITHIN = frozenset({"postgres", "postgresql", "postgresql+asyncpg", "postgresql+pg8000", "postgresql+psycopg", "a"})
TEXTS = ("The first part of a text that is long, and the second one of it "
         "is no shorter than that by much, so that they stay apart.")
SUM = (len("The first part of a text that is long") + len("and the second one of it is no shorter") + len("than that"))
EACH = [each.upper() for each in ("postgres", "postgresql", "postgresql+asyncpg", "pg8000", "psycopg") if each != "a"]
WORD = ("a-single-string-that-is-longer-than-a-line-and-that-nothing-can-break-so-it-stays-as-it-is-without-parens-")
_PRIVATE = ["a-default-that-a-signature-mentions", "and-that-is-so-long-that-it-must-be-broken", "within", "brackets"]

Point = NamedTuple("Point", [("abscissa", int), ("ordinate", int), ("height_above_the_sea", int), ("time", float)])
Wide: TypeAlias = Union[
    Callable[[int, str, bytes], dict[str, int]], Callable[[int, str, bytes, float], dict[str, int]], dict[str, dict[str, int]],
]


def f(names: list[str] = _PRIVATE): ...


@registered("the first of the names", "the second of the names", "the third of the names", option="an option", more=1)
@dataclass
class Decorated:
    one: str = (
        "one line"
    )
    schemes: set[str] = field(default_factory=lambda: {"postgres", "postgresql", "postgresql+asyncpg", "psycopg"}, kw_only=True)


class ManyBases(FirstBaseOfAClassWithManyBases, SecondBaseOfAClassWithManyBases[int], ThirdBaseOfAClass, metaclass=Meta):
    """Doc."""


class ManyBasesWithoutBody(FirstBaseOfAClassWithManyBases, SecondBaseOfAClassWithManyBases[int], ThirdBase, FourthBase): ...
