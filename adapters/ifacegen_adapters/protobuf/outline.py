"""Views made short: one line a declaration, comments down to their first paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifacegen.model import Declaration, Module

#: What says nothing that a caller would look for.
_LEFT_OUT = frozenset({"syntax", "import", "option", "reserved", "extensions"})


def outline(modules: Sequence[Module]) -> str:
    """Modules as one line a declaration; the values of an enum on its own line."""
    return "\n".join(line for module in modules for line in _module(module)) + "\n" * bool(modules)


def _module(module: Module) -> Iterator[str]:
    yield f"// {module.name}"
    for each in module.declarations:
        yield from _declaration(each, "")


def _declaration(declaration: Declaration, indent: str) -> Iterator[str]:
    if declaration.kind in _LEFT_OUT:
        return
    elided = _elided(declaration)
    if declaration.kind == "enum" and not elided:
        names = " ".join(each.name for each in declaration.members if each.kind == "enum_value")
        yield f"{indent}{declaration.signature}: {names}{_deprecated(declaration)}"
        return
    yield indent + declaration.signature + _deprecated(declaration) + elided
    for each in declaration.members:
        yield from _declaration(each, indent + "  ")


def _deprecated(declaration: Declaration) -> str:
    """What a field says in its brackets, and others in their bodies."""
    is_told = "deprecated" in declaration.signature.partition("[")[2]
    return " // deprecated" if declaration.deprecated and not is_told else ""


def _elided(declaration: Declaration) -> str:
    """The members that somebody took out to make a view short."""
    count = declaration.extra.get("members_elided")
    return f" // {count} {'member' if count == 1 else 'members'} elided" if count else ""


def shorten_doc(doc: str) -> str:
    """The first paragraph."""
    return doc.partition("\n\n")[0]
