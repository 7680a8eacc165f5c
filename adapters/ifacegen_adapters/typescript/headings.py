"""What modules are called where they are printed, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def heading(module: Module, owners: Mapping[str, tuple[str, str]]) -> str:
    """The line above a module; ``owners`` as :func:`namespaces` has them."""
    remark = ""
    if module.name in owners:
        owner, alias = owners[module.name]
        remark = f"  (namespace: {one_line(alias)} of {one_line(owner)})"
    elif is_private(module):
        remark = "  (private: carried names only)"
    return f"// module {one_line(module.name)}{remark}"


def namespaces(modules: Sequence[Module]) -> dict[str, tuple[str, str]]:
    """Modules that nobody imports by their name, but as what another has as ``export * as name``: that one, the name."""
    return {
        f"{module.name}.{each.name}": (module.name, each.name)
        for module in modules
        for each in module.declarations
        if each.kind == "alias" and each.signature.startswith("export * as ")
    }
