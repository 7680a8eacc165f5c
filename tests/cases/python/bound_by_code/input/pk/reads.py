"""Reading one's own globals binds nothing."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Params = int

_Old = 1


def __getattr__(name):
    return globals()[f"_{name}"]
