"""Names that mean several things in one module are spelled anew."""
from ._a import A
from ._b import B
from ._schema import Sequence

__all__ = ["A", "B", "Sequence", "items"]

from ._items import items
