from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal as Decimal
    Pair = tuple[int, int]
