"""Views of published contracts, made without the counting of tokens: an adapter's own surface of a package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ifacegen import Workspace
from ifacegen.adapter import BuildContext, BuildsViews, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.model import Module, Package
from ifacegen.registry import Registry


@dataclass(frozen=True)
class Maker:
    """One adapter at work on a repository."""

    workspace: Workspace
    adapter: BuildsViews

    @classmethod
    def open(cls, repository: Path, name: str) -> Maker:
        """The adapter of a name."""
        return cls(Workspace.open(repository), adapter_named(name))

    @property
    def packages(self) -> Sequence[Package]:
        """Every package of the repository."""
        return self.workspace.packages()

    def made(self, path: str) -> Made:
        """A package's surface, built anew; nothing is kept."""
        tree, packages = self.workspace.tree(), self.packages
        package = next(each for each in packages if each.path == path)
        context = BuildContext(tree, package, packages, ViewOptions(), MemoryFacts(), {}, lambda _: 0, {})
        return Made(self.adapter, self.adapter.build(context))


@dataclass(frozen=True)
class Made:
    """What an adapter makes of one package."""

    adapter: BuildsViews
    surface: Surface

    @cached_property
    def text(self) -> str:
        """The view's text, without the header."""
        return self.adapter.render(self.surface.modules)


def adapter_named(name: str) -> BuildsViews:
    """An adapter that makes views."""
    found = next(each for each in Registry().all() if each.name == name)
    assert isinstance(found, BuildsViews)
    return found


def values(modules: Sequence[Module]) -> list[Mapping[str, Any]]:
    """Modules as JSON has them."""
    return [asdict(each) for each in modules]
