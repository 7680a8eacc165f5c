"""Views made short: one line a declaration, docstrings down to what a caller must know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifacegen.model import Declaration, Module


def outline(modules: Sequence[Module]) -> str:
    """Modules as one line a declaration."""
    return "\n".join(line for module in modules for line in _module(module)) + "\n" * bool(modules)


def _module(module: Module) -> Iterator[str]:
    yield f"# module {module.name}"
    for each in module.declarations:
        if each.kind != "import":
            yield from _declaration(each, "")


def _declaration(declaration: Declaration, indent: str) -> Iterator[str]:
    yield indent + declaration.signature
    for each in declaration.members:
        yield from _declaration(each, indent + "    ")


def shorten_doc(doc: str) -> str:
    """The first paragraph."""
    return doc.partition("\n\n")[0]
