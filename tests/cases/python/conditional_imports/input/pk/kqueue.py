"""For one platform only."""
import select
import sys
from typing import TYPE_CHECKING

assert not TYPE_CHECKING or sys.platform == "darwin"


def current() -> select.kqueue: ...


if sys.platform != "win32" and __name__ == "__main__":
    never = 1
