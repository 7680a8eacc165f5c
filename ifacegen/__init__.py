"""ifacegen: the right representation of every piece of a monorepo, for coding agents.

The library's face is :class:`~ifacegen.workspace.Workspace`; the values it returns are in
:mod:`ifacegen.model`, the errors it raises in :mod:`ifacegen.errors`. Both names below are imported on
first use, so that ``import ifacegen`` costs nothing.
"""

from __future__ import annotations

from ifacegen.version import VERSION

# `typing` costs more than all the rest of a cached `show`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ifacegen.errors import IfacegenError
    from ifacegen.workspace import Workspace

__version__ = VERSION
__all__ = ["IfacegenError", "Workspace", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "Workspace":
        from ifacegen.workspace import Workspace

        return Workspace
    if name == "IfacegenError":
        from ifacegen.errors import IfacegenError

        return IfacegenError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
