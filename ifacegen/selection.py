"""What an address selects: a whole view, some modules of it, or single declarations."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ifacegen.addresses import Address
from ifacegen.errors import AmbiguousAddress, UnknownAddress
from ifacegen.model import Module, View
from ifacegen.render.json import view_value
from ifacegen.render.text import part_header

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

    def value(self) -> dict[str, Any]:
        """The view's JSON with the selected modules only."""
        return view_value(replace(self.view, modules=self.modules))

    def text(self, workspace: Workspace, commit: str | None) -> str:
        """The selected part as text with a header of its own."""
        if self.is_whole:
            return self.view.text
        body = workspace.render(self.modules, commit)
        header = part_header(self.view.package, self.address, self.module, self._tokens(body))
        return f"{header}\n\n{body}"

    def _tokens(self, body: str) -> int:
        if self.is_single:  # their own are known: no encoding is loaded for a short answer
            return sum(each.tokens for module in self.modules for each in module.declarations)
        from ifacegen.tokens import count_tokens

        return count_tokens(body)


def select(workspace: Workspace, text: str, module: str | None, commit: str | None) -> Selection:
    """Build the view that an address names and cut out what it selects.

    Raises:
        UnknownAddress: No such package, module or declaration; ``candidates`` are the nearest.
        AmbiguousAddress: Several packages or declarations answer; ``candidates`` are addresses of each.
    """
    address = workspace.address(text, commit)
    view = workspace.view(address.package, commit)
    modules = tuple(_modules(text, address, view, module))
    if address.qualname is not None:
        modules = (_declaration(text, address, modules),)
    is_whole = address.path is None and address.qualname is None and module is None
    return Selection(text, view, modules, is_whole, module, address.qualname is not None)


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


def _declaration(text: str, address: Address, modules: tuple[Module, ...]) -> Module:
    """The module that holds a declaration, with nothing but it (and its overloads)."""
    everything = [(m, d) for m in modules for top in m.declarations for d in top.walk() if d.kind != "import"]
    found = [(m, d) for m, d in everything if d.qualname == address.qualname]
    real = [(m, d) for m, d in found if d.kind != "alias"] or found
    if address.number is not None:
        real = [
            (m, d)
            for m, d in real
            if d.id.endswith(f"#{address.number}") or (address.number == 1 and "#" not in d.id)
        ]
    if not real:
        names = sorted({d.qualname for _, d in everything})
        near = difflib.get_close_matches(address.qualname or "", names, n=3)
        raise UnknownAddress(
            text, tuple(f"{address.package.path}::{name}" for name in near), what="declaration"
        )
    owners = list(dict.fromkeys(module.name for module, _ in real))
    if len(owners) > 1:
        raise AmbiguousAddress(
            text, tuple(f"{address.package.path}::{owner}:{address.qualname}" for owner in owners)
        )
    return replace(real[0][0], doc=None, declarations=tuple(declaration for _, declaration in real))
