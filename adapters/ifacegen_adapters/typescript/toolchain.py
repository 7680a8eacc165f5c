"""Which programs there are that emit declarations: taken from the configuration or PATH, never from the repository.

What there is, is found by :mod:`~ifacegen_adapters.typescript.toolchain_search`, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ifacegen.adapter import TOOLCHAIN

if TYPE_CHECKING:
    from ifacegen.adapter import BuildContext, Tools
    from ifacegen_adapters.typescript.toolchain_values import Toolchain

#: What whoever lacks it is told to do.
INSTALL = "install it with `npm install --global typescript@7 oxc-transform`, or name it under `tools` in ifacegen.yaml"


def identity(context: BuildContext) -> str:
    """Which toolchain this machine has: names and versions, or ``none``."""
    return toolchain(context).identity


def consulted(context: BuildContext) -> str:
    """The name under which a view owes something to the toolchain."""
    return TOOLCHAIN + identity(context)


def look(tools: Tools) -> tuple[str, str]:
    """The identity of what is installed, and what to do about what is missing; empty where nothing is."""
    from ifacegen_adapters.typescript.toolchain_search import Search

    found = Search(tools).found()
    missing = "; ".join(found.problems)
    if found.compiler is None or found.isolated is None:
        what = (
            "TypeScript 7"
            if found.isolated
            else "oxc-transform"
            if found.compiler
            else "TypeScript 7 and oxc"
        )
        lacks = (
            f"without {what}, declarations of unbuilt packages are slower to make or lack types: {INSTALL}"
        )
        missing = f"{missing}; {lacks}" if missing else lacks
    return found.identity, missing


def toolchain(context: BuildContext) -> Toolchain:
    """What is installed; looked for once."""
    key = "typescript toolchain"
    known: Toolchain | None = context.shared.get(key)
    if known is None:
        from ifacegen_adapters.typescript.toolchain_search import Search

        known = context.shared[key] = Search(context.tools).found()
    return known
