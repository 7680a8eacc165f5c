"""What the service offers. Every method starts with the caller's header."""

from __future__ import annotations

from collections.abc import Iterable

from shared_auth import Claims

from .authorise import Authoriser, Denied
from .orders import Line, Order, OrderBook, OrderError, Status


class CheckoutService:
    """Places and refunds orders for callers who may."""

    def __init__(self, authoriser: Authoriser, book: OrderBook) -> None:
        self._authoriser = authoriser
        self._book = book

    def place(self, header: str | None, lines: Iterable[Line]) -> Order:
        """Place an order for the caller. Needs `orders:write`."""
        claims = self._authoriser.authorise(header, "orders:write")
        return self._book.add(claims.subject, tuple(lines))

    def show(self, header: str | None, number: int) -> Order:
        """Return one order: the caller's own, or any with `orders:manage`."""
        claims = self._authoriser.authorise(header, "orders:read")
        return self._visible(claims, number)

    def request_refund(self, header: str | None, number: int) -> Order:
        """Ask for an order to be refunded. Needs `orders.refunds:write`."""
        claims = self._authoriser.authorise(header, "orders.refunds:write")
        order = self._visible(claims, number)
        if order.status is not Status.PLACED:
            raise OrderError(f"order {number} is {order.status.value}")
        return self._book.move(number, Status.REFUND_REQUESTED, by=claims.subject)

    def approve_refund(self, header: str | None, number: int) -> Order:
        """Approve a refund that somebody else asked for. Needs `orders.refunds:approve`."""
        claims = self._authoriser.authorise(header, "orders.refunds:approve")
        order = self._book.get(number)
        if order.status is not Status.REFUND_REQUESTED:
            raise OrderError(f"order {number} has no refund to approve")
        # Holding both scopes must not be enough to pay oneself.
        if claims.subject in (order.refund_requested_by, order.customer):
            raise Denied(403, "own_refund")
        return self._book.move(number, Status.REFUNDED)

    def _visible(self, claims: Claims, number: int) -> Order:
        order = self._book.get(number)
        if order.customer != claims.subject and not claims.allows("orders:manage"):
            # The same answer as for an order that does not exist, so that numbers
            # cannot be probed.
            raise OrderError(f"no order {number}")
        return order
