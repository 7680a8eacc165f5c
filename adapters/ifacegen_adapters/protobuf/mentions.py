"""Full names for what files mention that were read alone: by protobuf's rules, among the package's own names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ifacegen.model import Declaration, Module


def resolved(modules: Sequence[Module]) -> tuple[Module, ...]:
    """The modules; in those that were read alone, what is mentioned by the names in the source has its full name."""
    alone = [module for module in modules if _is_alone(module)]
    if not alone:
        return tuple(modules)
    names = frozenset(
        path
        for module in modules
        for top in module.declarations
        for each in top.walk()
        if each.kind in ("message", "enum")
        for path in each.import_paths
    )
    return tuple(_module(module, names) if _is_alone(module) else module for module in modules)


def _is_alone(module: Module) -> bool:
    return any("degraded" in each.extra for each in module.declarations[:1])


def _module(module: Module, names: Collection[str]) -> Module:
    package = next((each.value or "" for each in module.declarations if each.kind == "package"), "")
    return replace(
        module, declarations=tuple(_declaration(each, package, names) for each in module.declarations)
    )


def _declaration(declaration: Declaration, scope: str, names: Collection[str]) -> Declaration:
    inside = declaration.import_paths[0] if declaration.import_paths else scope
    mentions = declaration.extra.get("mentions")
    extra = declaration.extra
    if isinstance(mentions, tuple):
        extra = {**extra, "mentions": tuple(_full(each, inside, names) for each in mentions)}
    members = tuple(_declaration(each, inside, names) for each in declaration.members)
    return replace(declaration, members=members, extra=extra)


def _full(name: str, scope: str, names: Collection[str]) -> str:
    """What a name means in a scope: the innermost that there is."""
    while scope:
        if (found := f"{scope}.{name}") in names:
            return found
        scope = scope.rpartition(".")[0]
    return name
