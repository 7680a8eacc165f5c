import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import final
else:
    def final(cls): ...

if sys.platform == "win32":
    class Handle: ...
