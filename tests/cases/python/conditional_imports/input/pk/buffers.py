"""Names that signatures need keep the conditions of their imports."""
import sys
from typing import TYPE_CHECKING

if sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    from typing_extensions import Buffer

if sys.platform == "win32":
    from ._win import Loop as TheLoop
elif sys.platform == "linux":
    from ._epoll import Loop as TheLoop

if TYPE_CHECKING:
    from decimal import Decimal

try:
    from _speed import fast
except ImportError:
    fast = None

try:
    from orjson import Fragment
except ImportError:
    pass


def write(data: Buffer) -> TheLoop: ...
def speed(value: "Decimal", using=fast) -> Fragment: ...
