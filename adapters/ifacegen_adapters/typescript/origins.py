"""What a name turns out to be: the ends of chains of imports and exports."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ifacegen_adapters.typescript.facts import Meaning
from ifacegen_adapters.typescript.spaces import EVERY_MEANING, Group, Space


class Whole(NamedTuple):
    """A module of the package, as a namespace."""

    space: Space


class External(NamedTuple):
    """A name of another package; ``*``, ``=`` (what it assigns to its exports) and ``default`` as in imports.

    Without a module, a global name.
    """

    module: str
    name: str


Origin: TypeAlias = Group | Whole | External


class Found(NamedTuple):
    """What a name means: ``path`` leads on from there (``("C",)`` of ``import A = B.C``)."""

    origin: Origin
    path: tuple[str, ...] = ()

    @property
    def meanings(self) -> frozenset[Meaning]:
        """What it can stand for, as far as can be told."""
        is_group = isinstance(self.origin, Group) and not self.path
        return self.origin.meanings if is_group and isinstance(self.origin, Group) else EVERY_MEANING


class Link(NamedTuple):
    """What a name means to those who import it."""

    found: Found
    #: It may be used as a type only, by the way it was exported or imported.
    is_type: bool = False
