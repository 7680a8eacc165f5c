"""Orders and where they are kept."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass, replace


class OrderError(Exception):
    """The order does not exist or cannot do what was asked of it."""


class Status(enum.Enum):
    """Where an order is in its life."""

    PLACED = "placed"
    REFUND_REQUESTED = "refund_requested"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class Line:
    """One product in an order. Prices are in pence."""

    sku: str
    quantity: int
    unit_price: int

    def __post_init__(self) -> None:
        if self.quantity < 1 or self.unit_price < 0:
            raise OrderError(f"bad quantity or price for {self.sku}")

    @property
    def total(self) -> int:
        """Price of the whole line."""
        return self.quantity * self.unit_price


@dataclass(frozen=True, slots=True)
class Order:
    """An order as it was at one moment."""

    number: int
    customer: str
    lines: tuple[Line, ...]
    status: Status = Status.PLACED
    refund_requested_by: str | None = None

    @property
    def total(self) -> int:
        """Price of the whole order."""
        return sum(line.total for line in self.lines)


class OrderBook:
    """Orders kept in memory."""

    def __init__(self) -> None:
        self._orders: dict[int, Order] = {}
        self._numbers = itertools.count(1)

    def add(self, customer: str, lines: tuple[Line, ...]) -> Order:
        """Store a new order and give it a number."""
        if not lines:
            raise OrderError("an order needs at least one line")
        order = Order(next(self._numbers), customer, lines)
        self._orders[order.number] = order
        return order

    def get(self, number: int) -> Order:
        """Return the order with this number, or raise `OrderError`."""
        try:
            return self._orders[number]
        except KeyError:
            raise OrderError(f"no order {number}") from None

    def move(self, number: int, status: Status, *, by: str | None = None) -> Order:
        """Change an order's status, and who asked for its refund if `by` is given."""
        order = self.get(number)
        changed = replace(order, status=status, refund_requested_by=by or order.refund_requested_by)
        self._orders[number] = changed
        return changed
