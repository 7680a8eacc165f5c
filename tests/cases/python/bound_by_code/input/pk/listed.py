"""That a name is listed doesn't bind it; that a function does, does."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Pairs = dict[str, int]
    from .main import Model as Mapped

__all__ = ["Pairs", "Mapped"]


def set_up():
    global Mapped
    from .main import Model as Mapped
