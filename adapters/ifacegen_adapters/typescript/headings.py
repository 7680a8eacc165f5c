"""What modules are called where they are printed, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.docs import one_line

#: Ends the name of a module that stands for names nobody imports.
GLOBAL = " (global)"


def in_order(modules: Sequence[Module]) -> list[Module]:
    """Modules as they are printed: those that nobody imports from come last."""
    return sorted(modules, key=is_private)


def is_private(module: Module) -> bool:
    """Whether a module is shown for the sake of others only."""
    own = [each for each in module.declarations if each.kind not in ("import", "alias")]
    return bool(own) and all(each.extra.get("private") for each in own)


def is_hidden(declaration: Declaration) -> bool:
    """Whether it is there for compilers only: private and internal members; that nobody may construct matters to all."""
    access = declaration.extra.get("access")
    return access == "internal" or (access == "private" and declaration.kind != "constructor")


def heading(module: Module) -> str:
    """The line above a module."""
    return f"// module {one_line(module.name)}{'  (private: carried names only)' * is_private(module)}"
