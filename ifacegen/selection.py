"""What an address selects: a whole view, some modules of it, or single declarations."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ifacegen.addresses import Address
from ifacegen.errors import AmbiguousAddress, UnknownAddress
from ifacegen.model import Declaration, Module, View
from ifacegen.render.json import view_value
from ifacegen.render.page import Page, Press, Section, body
from ifacegen.render.text import outline_header, part_header

if TYPE_CHECKING:
    from ifacegen.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Selection:
    """A view, and the part of it that was asked for."""

    address: str
    view: View
    modules: tuple[Module, ...]
    is_whole: bool
    #: The module that was asked for besides the address.
    module: str | None = None
    #: Whether single declarations were asked for, not whole modules.
    is_single: bool = False
    #: What the declarations that were asked for mention.
    mentioned: tuple[Module, ...] = ()

    def value(self) -> dict[str, Any]:
        """The view's JSON with the selected modules only, and what their declarations mention."""
        return view_value(replace(self.view, modules=_merged(self.modules, self.mentioned)))

    def page(self, press: Press) -> Page:
        """The selected part with a header of its own."""
        page = self._page(lines=False)
        if self.is_whole:
            tokens = self.view.tokens.view
            return replace(page, header=self.view.lines_above, body=self.view.body, tokens=tokens)
        page = replace(page, body=body(page, press))
        tokens = self._tokens(page.body or "")
        header = part_header(self.view.package, self.address, self.module, tokens)
        return replace(page, header=(header,), tokens=tokens)

    def outline(self, press: Press) -> Page:
        """The selected part, one line a declaration."""
        from ifacegen.tokens import count_tokens

        page = self._page(lines=True)
        page = replace(page, body=body(page, press))
        below = self.view.lines_above[1:] if self.is_whole else ()
        tokens = count_tokens(page.body or "")
        header = outline_header(self.title, tokens, self.view.package, self.view.tokens, below)
        return replace(page, header=header, tokens=tokens)

    def _page(self, *, lines: bool) -> Page:
        sections = [Section(self.modules, lines=lines)]
        if self.mentioned:
            sections.append(Section(self.mentioned, "what it mentions", lines))
        return Page(self.title, self.view.package, (), tuple(sections), self.is_single)

    @property
    def title(self) -> str:
        """What was asked for, the package's path where that is all of it."""
        if self.is_whole:
            return self.view.package
        return f"{self.address}, module {self.module}" if self.module else self.address

    def _tokens(self, body: str) -> int:
        if self.is_single:  # their own are known: no encoding is loaded for a short answer
            modules = (*self.modules, *self.mentioned)
            return sum(each.tokens for module in modules for each in module.declarations)
        from ifacegen.tokens import count_tokens

        return count_tokens(body)


def _merged(modules: Iterable[Module], more: Iterable[Module]) -> tuple[Module, ...]:
    """Modules, those of one name and adapter as one."""
    found: dict[tuple[str, str], Module] = {}
    for each in (*modules, *more):
        key = (each.adapter, each.name)
        known = found.get(key)
        declarations = (*known.declarations, *each.declarations) if known is not None else each.declarations
        found[key] = replace(known or each, declarations=declarations)
    return tuple(found.values())


def select(workspace: Workspace, text: str, module: str | None, commit: str | None) -> Selection:
    """Build the view that an address names and cut out what it selects.

    Raises:
        UnknownAddress: No such package, module or declaration; ``candidates`` are the nearest.
        AmbiguousAddress: Several packages or declarations answer; ``candidates`` are addresses of each.
    """
    address = workspace.address(text, commit)
    view = workspace.view(address.package, commit)
    if address.qualname is not None:
        found = _declaration(text, address, view, module)
        mentioned = tuple(workspace.needed(view.modules, found))
        return Selection(text, view, (found,), False, module, True, mentioned)
    modules = tuple(_modules(text, address, view, module))
    return Selection(text, view, modules, address.path is None and module is None, module)


def _modules(text: str, address: Address, view: View, wanted: str | None) -> Iterator[Module]:
    found = list(view.modules)
    if address.path is not None:
        found = [each for each in found if each.path == address.path] or [
            each for each in found if any(d.path == address.path for d in each.declarations)
        ]
        if not found:
            raise UnknownAddress(
                text, what="file in the interface (its names are private, or it is no module)"
            )
    for name in (wanted, address.module):
        if name is not None:
            names = tuple(each.name for each in found)
            found = [each for each in found if each.name == name]
            if not found:
                near = tuple(difflib.get_close_matches(name, names, n=3))
                raise UnknownAddress(
                    f"{text} --module {name}" if name is wanted else text, near, what="module"
                )
    yield from found


def _declaration(text: str, address: Address, view: View, module: str | None) -> Module:
    """The module that holds a declaration, with nothing but it (and its overloads)."""
    whole = _as_written(address)
    if whole != address.qualname:  # a name may have what parts an address: `GET /v1/{name}:cancel`
        modules = tuple(_modules(text, replace(address, module=None), view, module))
        found = [(m, d) for m, d in _everything(modules) if d.qualname == whole]
        if found:
            return _only(text, replace(address, module=None, qualname=whole), found)
    modules = tuple(_modules(text, address, view, module))
    everything = _everything(modules)
    found = [(m, d) for m, d in everything if d.qualname == address.qualname]
    found = found or [(m, d) for m, d in everything if address.qualname in d.import_paths]
    found = [(m, d) for m, d in found if _is_number(d, address.number)]
    if not found:
        names = sorted({d.qualname for _, d in everything})
        near = difflib.get_close_matches(address.qualname or "", names, n=3)
        raise UnknownAddress(
            text, tuple(f"{address.package.path}::{name}" for name in near), what="declaration"
        )
    return _only(text, address, found)


def _as_written(address: Address) -> str:
    """All of an address that follows ``::``."""
    module = f"{address.module}:" if address.module is not None else ""
    return f"{module}{address.qualname}{f'#{address.number}' if address.number is not None else ''}"


def _everything(modules: Iterable[Module]) -> list[tuple[Module, Declaration]]:
    return [(m, d) for m in modules for top in m.declarations for d in top.walk() if d.kind != "import"]


def _is_number(declaration: Declaration, number: int | None) -> bool:
    own = declaration.id.rpartition("#")[2] if "#" in declaration.id else ""
    return number is None or own == str(number) or (number == 1 and not own.isdecimal())


def _only(text: str, address: Address, found: Sequence[tuple[Module, Declaration]]) -> Module:
    real = [(m, d) for m, d in found if d.kind != "alias"] or found
    owners = list(dict.fromkeys(module.name for module, _ in real))
    if len(owners) > 1:
        raise AmbiguousAddress(
            text, tuple(f"{address.package.path}::{owner}:{address.qualname}" for owner in owners)
        )
    return replace(real[0][0], doc=None, declarations=tuple(declaration for _, declaration in real))
