"""What is written for type checkers and bound by code is there at run time."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .main import Model as Model
    from . import sub as sub
    LIMIT = 3
    Served: int

__all__ = ("Model", "LIMIT", "sub")


def __getattr__(name): ...


if TYPE_CHECKING:
    Unlisted = int
