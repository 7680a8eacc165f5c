"""Where the package gets the time from, in one place so that tests can replace it."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Final, Protocol


class Clock(Protocol):
    """Anything that can say what time it is."""

    def now(self) -> datetime:
        """Return the current time, with a time zone."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


SYSTEM_CLOCK: Final = SystemClock()


def require_aware(value: datetime, name: str) -> datetime:
    """Return `value` in UTC, refusing a datetime that has no time zone.

    A naive datetime would be read as local time, which moves expiry by hours on
    a developer's machine and not at all in production.
    """
    if value.utcoffset() is None:
        raise ValueError(f"{name} must have a time zone")
    return value.astimezone(UTC)


def from_epoch(value: object) -> datetime:
    """Convert a NumericDate to a datetime in UTC.

    Raises:
        ValueError: If `value` is not a number that a datetime can hold.
    """
    # bool is a subclass of int: `"exp": true` would otherwise mean 1970.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("not a number of seconds")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not a finite number of seconds")
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError) as exc:
        raise ValueError("out of range") from exc


def to_epoch(value: datetime) -> int:
    """Convert a datetime to whole seconds since the epoch, rounding down."""
    return math.floor(require_aware(value, "value").timestamp())
