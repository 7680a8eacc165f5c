"""What modules are called where they are printed, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from ifacegen.model import Module
from ifacegen_adapters.typescript.docs import one_line


def in_order(modules: Sequence[Module]) -> list[Module]:
    """Modules as they are printed: those that nobody imports from come last."""
    return sorted(modules, key=is_private)


def is_private(module: Module) -> bool:
    """Whether a module is shown for the sake of others only."""
    return (
        bool(module.declarations)
        and all(
            each.visibility == "carried" or each.kind in ("import", "alias") for each in module.declarations
        )
        and any(each.visibility == "carried" for each in module.declarations)
    )


def heading(module: Module) -> str:
    """The line above a module."""
    return f"// module {one_line(module.name)}{'  (private: carried names only)' * is_private(module)}"
