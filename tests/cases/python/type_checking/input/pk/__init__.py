from __future__ import annotations
import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._types import OnlyTypes as OnlyTypes
    from decimal import Decimal
    from ._types import own_in_init
    Pairs = dict[str, int]

    class Shape(typing.Protocol):
        """For type checkers."""
        area: float
else:
    Pairs = dict

if not TYPE_CHECKING:
    def runtime_only() -> int: ...

if typing.TYPE_CHECKING:
    def checked() -> int: ...

def use(x: Decimal, y: OnlyTypes, z: Shape) -> Pairs: ...
