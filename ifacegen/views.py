"""Package → View: every adapter's surface of it, rendered, counted and given a digest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ifacegen.adapter import BuildContext, BuildsViews, Surface, ViewOptions
from ifacegen.fingerprint import view_digest
from ifacegen.model import Declaration, Interface, Module, Note, TokenCounts, View
from ifacegen.plain import shallow
from ifacegen.render.text import header, joined
from ifacegen.tokens import ENCODING, LineCounter


@dataclass(frozen=True, slots=True)
class _Part:
    """One adapter's share of a view, printed."""

    name: str
    comment: str
    surface: Surface
    modules: tuple[Module, ...]
    body: str
    undocumented: str


#: Notes of builds that may come out otherwise another time.
_UNFINISHED = frozenset({"adapter-failed", "crashed", "read-failed"})


@dataclass(frozen=True, slots=True)
class Built:
    """A view as it was made, with what it was made from."""

    view: View
    surfaces: tuple[Surface, ...]
    #: Whether another build of the same files would come out the same: no adapter failed, no file crashed.
    is_complete: bool


def shown(context: BuildContext, adapters: Sequence[BuildsViews]) -> tuple[BuildsViews, ...]:
    """The adapters that make the view of ``context.package``, in its order: as configured, else contracts first."""
    own = {each.name: each for each in adapters if each.name in context.package.kinds}
    if context.options.interfaces:
        names = dict.fromkeys(each.partition(":")[0] for each in context.options.interfaces)
        return tuple(own[name] for name in names if name in own)
    contracts = {project.adapter for project in context.package.projects if project.attaches}
    return tuple(sorted(own.values(), key=lambda each: each.name not in contracts))


def build_view(context: BuildContext, adapters: Sequence[BuildsViews]) -> Built:
    """The view of ``context.package``; what could not be read or built is in its notes."""
    parts: list[_Part] = []
    counter = LineCounter()
    notes: list[Note] = [note for project in context.package.projects for note in project.notes]
    for adapter in shown(context, adapters):
        try:
            parts.append(_part(adapter, context, counter))
        except MemoryError:
            raise  # a limit, which the process that set it must answer for
        except Exception as error:  # noqa: BLE001  # one ecosystem's fault must not cost the others' views
            message = f"the {adapter.name} adapter failed: {type(error).__name__}: {error}"
            notes.append(Note("error", "adapter-failed", message, context.package.path))
    view = _assembled(context, parts, notes, counter)
    consulted = [found for part in parts for found in part.surface.consulted.values()]
    is_complete = not _UNFINISHED & {note.code for note in view.notes} and all(
        found is None or (found[1] and found[1] not in context.unreadable) for found in consulted
    )
    return Built(view, tuple(part.surface for part in parts), is_complete)


def _part(adapter: BuildsViews, context: BuildContext, counter: LineCounter) -> _Part:
    surface = adapter.build(context)
    docs = context.options.docs
    return _Part(
        adapter.name,
        adapter.comment,
        surface,
        tuple(_counted(module, adapter, docs, counter) for module in surface.modules),
        adapter.render(surface.modules, docs=docs),
        adapter.render(surface.modules, docs="none"),
    )


def _assembled(
    context: BuildContext, parts: Sequence[_Part], notes: list[Note], counter: LineCounter
) -> View:
    interfaces: tuple[Interface, ...] = tuple(each for part in parts for each in part.surface.interfaces)
    modules = tuple(module for part in parts for module in part.modules)
    body = joined([(part.comment, part.name, part.body) for part in parts])
    notes += _unmatched(context, interfaces)
    for part in parts:
        notes.extend(part.surface.notes)
    if not modules:
        notes.append(
            Note("warning", "no-interface", "no module that a caller could import", context.package.path)
        )
    tokens = TokenCounts(
        view=counter.count(body),
        view_without_docs=sum(counter.count(part.undocumented) for part in parts),
        implementation=sum(part.surface.source_tokens for part in parts),
        encoding=ENCODING,
    )
    kept = tuple(dict.fromkeys(notes))
    return View(
        package=context.package.path,
        interfaces=interfaces,
        modules=modules,
        notes=kept,
        tokens=tokens,
        digest=view_digest(context.package.path, interfaces, modules),
        body=body,
        header=header(context.package.path, tokens, interfaces, kept),
    )


def _unmatched(context: BuildContext, interfaces: Sequence[Interface]) -> Iterator[Note]:
    """What the configuration asks for and the package does not have."""
    prefix = "" if context.package.path == "." else f"{context.package.path}/"
    for wanted in context.options.interfaces:
        only = ViewOptions(interfaces=(wanted,))
        paths = [(each.adapter, path.removeprefix(prefix)) for each in interfaces for path in each.paths]
        if not any(only.includes(adapter, path) for adapter, path in paths):
            message = f"`interfaces` of ifacegen.yaml asks for {wanted}, and the package has no such files"
            yield Note("warning", "interface-missing", message, context.package.path)


def _counted(module: Module, adapter: BuildsViews, docs: str, counter: LineCounter) -> Module:
    counted = (_with_tokens(each, adapter, docs, counter) for each in module.declarations)
    return replace(module, declarations=tuple(counted))


def _with_tokens(
    declaration: Declaration, adapter: BuildsViews, docs: str, counter: LineCounter
) -> Declaration:
    """Tokens of a declaration's own text, plus those of its members."""
    members = tuple(_with_tokens(each, adapter, docs, counter) for each in declaration.members)
    own = adapter.render_declaration(_changed(declaration, members=()) if members else declaration, docs=docs)
    tokens = counter.count(own) + sum(each.tokens for each in members)
    return _changed(declaration, members=members, tokens=tokens)


def _changed(declaration: Declaration, **fields: Any) -> Declaration:
    """As ``dataclasses.replace``, at a third of the price: every declaration of a view comes by here."""
    return Declaration(**{**shallow(declaration), **fields})
