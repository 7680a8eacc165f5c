"""The documents of a package → its surface."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ifacegen.adapter import BuildContext, Surface
from ifacegen.model import Declaration, Interface, Module, Note
from ifacegen_adapters.openapi.declare import (
    ADAPTER,
    COMPONENTS,
    Describer,
    Shared,
    register,
    schemas,
    security_schemes,
)
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.library import Library
from ifacegen_adapters.openapi.naming import Names, Root
from ifacegen_adapters.openapi.project import documents
from ifacegen_adapters.openapi.provenance import VERSION
from ifacegen_adapters.openapi.texts import name_text, scalar_text
from ifacegen_adapters.openapi.troubles import Troubles
from ifacegen_adapters.openapi.twins import without_twins


def link(context: BuildContext, tool: str) -> Surface:
    """The surface of ``context.package``, from what is published in it."""
    with _without_collector():
        return _linked(context, tool)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Documents are many small values that live until the end: looking for garbage among them takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _linked(context: BuildContext, tool: str) -> Surface:
    troubles = Troubles()
    library = Library(context, troubles)
    paths = without_twins(context, documents(context), troubles)
    roots = [root for root in _roots(context, paths, library) if _is_readable(root.document, troubles)]
    shared = Shared(Names(COMPONENTS), library, troubles, context.options.long_value)
    modules = _without_hidden(_modules(roots, shared), context.options.hidden)
    own = library.own()
    interface = Interface(ADAPTER, "published", tool, tuple(own) or tuple(paths))
    return Surface(
        interfaces=(interface,) if interface.paths else (),
        modules=modules,
        notes=troubles.notes(),
        sources=tuple(own),
        source_tokens=sum(_tokens(context, document) for document in own.values()),
        consulted=dict(sorted(library.consulted.items())),
        absent=tuple(sorted(library.absent)),
    )


def _roots(context: BuildContext, paths: Sequence[str], library: Library) -> Iterator[Root]:
    prefix = "" if context.package.path == "." else f"{context.package.path}/"
    stems = Counter(path.rpartition(".")[0] for path in paths)
    for path in paths:
        document = library.document(path)
        if document is None:
            continue
        stem = path.rpartition(".")[0]
        name = (stem if stems[stem] == 1 else path).removeprefix(prefix).replace(":", "-")
        above = f"{name_text(name)}/" if len(paths) > 1 else ""
        yield Root(document, above + COMPONENTS, above)


def _is_readable(document: Document, troubles: Troubles) -> bool:
    """Whether a document is one of OpenAPI 3; what it is otherwise is said."""
    top = document.value
    if not isinstance(top, dict):
        if not document.problems:
            troubles.add(Note("error", "unreadable", "holds no mapping", document.path))
        return False
    if "openapi" not in top and "swagger" in top:
        message = (
            f"Swagger {name_text(top['swagger'])}, the format before OpenAPI 3: not shown; "
            "convert it (swagger2openapi, converter.swagger.io) and commit the result"
        )
        troubles.add(Note("warning", "swagger-2", message, document.path))
        return False
    stated = scalar_text(top.get("openapi"))
    if stated[:1].isdecimal() and stated.partition(".")[0] != "3":
        message = f"OpenAPI {name_text(stated)}, a version that is not known: not shown; 3.0 to 3.2 are"
        troubles.add(Note("warning", "unknown-version", message, document.path))
        return False
    return True


def _modules(roots: Sequence[Root], shared: Shared) -> tuple[Module, ...]:
    for root in roots:
        register(root, shared)
    described = {root.components: Describer(root, shared).modules() for root in roots}
    by_module = {root.components: root for root in roots}
    apart = Root(roots[0].document if roots else Document(""), COMPONENTS)
    declared = schemas(by_module, apart, shared)
    found: list[Module] = []
    for root in roots:
        components = [*declared.pop(root.components, ()), *security_schemes(root, shared)]
        found += _with_components(described[root.components], components, root)
    for name, left in declared.items():
        found.append(Module(name, ADAPTER, left[0].path, None, tuple(left)))
    return tuple(found)


def _without_hidden(modules: tuple[Module, ...], hidden: Sequence[str]) -> tuple[Module, ...]:
    """Modules without what the owners say is no part of the interface: modules, or ``module.name``."""
    if not hidden:
        return modules
    names = frozenset(hidden)
    kept = (
        replace(
            module,
            declarations=tuple(
                each for each in module.declarations if f"{module.name}.{each.qualname}" not in names
            ),
        )
        for module in modules
        if module.name not in names
    )
    return tuple(module for module in kept if module.declarations)


def _with_components(
    modules: tuple[Module, ...], components: Sequence[Declaration], root: Root
) -> Iterator[Module]:
    """The modules of a document, its components in one of their own, which a tag may be named like."""
    names = [each.name for each in modules]
    for module in modules:
        if module.name == root.components:
            yield replace(module, declarations=(*module.declarations, *components))
        else:
            yield module
    if components and root.components not in names:
        yield Module(root.components, ADAPTER, root.document.path, None, tuple(components))


def _tokens(context: BuildContext, document: Document) -> int:
    return context.tokens_of(document.blob, f"openapi {VERSION}", lambda: document.text)
