"""Places and refunds orders on behalf of a caller with an access token."""

from .authorise import Authoriser, Denied
from .orders import Line, Order, OrderBook, OrderError, Status
from .service import CheckoutService

__all__ = [
    "Authoriser",
    "CheckoutService",
    "Denied",
    "Line",
    "Order",
    "OrderBook",
    "OrderError",
    "Status",
]
