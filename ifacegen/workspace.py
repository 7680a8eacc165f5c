"""The library's face, and the only place where the parts are wired together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ifacegen.adapter import Adapter, BuildContext, BuildsViews, Tree
from ifacegen.addresses import Address, resolve_address
from ifacegen.config import Config, load_config
from ifacegen.discovery import Discovery, survey
from ifacegen.model import Module, Note, Package, View
from ifacegen.registry import Registry
from ifacegen.repository import Repository
from ifacegen.views import build_view
from ifacegen_cache.memory import MemoryStore

_T = TypeVar("_T")


@dataclass(slots=True)
class _Snapshot:
    """One state of the repository as it is looked at: files, configuration, packages."""

    tree: Tree
    config: Config
    found: Discovery
    shared: dict[str, Any] = field(default_factory=dict)


class Workspace:
    """A repository opened for questions: which packages, and what callers may rely on in each.

    Nothing in the repository is imported, executed or written. The work tree is listed once; open another
    workspace to see later changes.

    >>> workspace = Workspace.open("examples/monorepo")
    >>> view = workspace.view("packages/shared-auth")
    >>> print(view.body.splitlines()[0])
    # module shared_auth
    """

    def __init__(self, repository: Repository, registry: Registry, base: str) -> None:
        """Use :meth:`open`."""
        self._repository = repository
        self._registry = registry
        self._base = base
        self._snapshots: dict[str | None, _Snapshot] = {}
        self._facts: MemoryStore[Any] = MemoryStore()

    @classmethod
    def open(cls, path: str | os.PathLike[str] = ".") -> Workspace:
        """The repository that a directory lies in: a git work tree, or the directory itself.

        Args:
            path: Addresses are read relative to this directory.

        Raises:
            UsageError: No such directory.
            RepositoryError: git refuses the repository.
        """
        repository = Repository.open(path)
        return cls(repository, Registry(), repository.relative(path))

    @property
    def root(self) -> Path:
        """Top of the repository."""
        return self._repository.root

    def tree(self, commit: str | None = None) -> Tree:
        """The files at a commit, or in the work tree, without those that the configuration excludes.

        Raises:
            UnknownRevision: git knows no such commit.
            ConfigError: ``ifacegen.yaml`` has a mistake.
        """
        return self._snapshot(commit).tree

    def packages(self, commit: str | None = None) -> tuple[Package, ...]:
        """Every package of the repository, by path.

        Raises:
            UnknownRevision: git knows no such commit.
            ConfigError: ``ifacegen.yaml`` has a mistake.
        """
        return self._snapshot(commit).found.packages

    def notes(self, commit: str | None = None) -> tuple[Note, ...]:
        """What went wrong outside any package: adapters that failed, files left out of the listing."""
        snapshot = self._snapshot(commit)
        broken = [
            Note("error", "adapter-broken", problem) for _, problem in sorted(self._registry.problems.items())
        ]
        return (*self._repository.notes, *broken, *snapshot.found.notes, *snapshot.tree.notes)

    def address(self, text: str, commit: str | None = None) -> Address:
        """What an address (``PACKAGE`` or ``FILE``, ``::[MODULE:]QUALNAME[#N]``) means.

        Raises:
            UnknownAddress: Nothing answers to it; ``candidates`` are the nearest.
            AmbiguousAddress: More than one package does; ``candidates`` are all of them.
        """
        snapshot = self._snapshot(commit)
        return resolve_address(snapshot.found.packages, text, self._base, snapshot.tree)

    def view(self, package: Package | str, commit: str | None = None) -> View:
        """The interface view of a package.

        Args:
            package: A package, or an address of one: its path, published name or import name.
            commit: A revision; None is the work tree as it lies on disk.

        Raises:
            UnknownAddress: No such package.
            AmbiguousAddress: Several packages answer to the name.
            UnknownRevision: git knows no such commit.
            ConfigError: ``ifacegen.yaml`` has a mistake.
        """
        snapshot = self._snapshot(commit)
        if isinstance(package, str):
            package = self.address(package, commit).package
        context = BuildContext(
            tree=snapshot.tree,
            package=package,
            packages=snapshot.found.packages,
            options=snapshot.config.view_options(package.path),
            facts=self._facts,
            shared=snapshot.shared,
        )
        view = build_view(context, self._with(BuildsViews))
        return replace(view, commit=self._repository.resolve(commit) if commit is not None else None)

    def stubs(
        self, view: View, modules: Sequence[Module] | None = None, commit: str | None = None
    ) -> Mapping[str, str]:
        """The stub files of a view: path relative to the import root → text."""
        docs = self._snapshot(commit).config.docs
        files: dict[str, str] = {}
        for adapter in self._with(BuildsViews):
            mine = [
                each
                for each in (view.modules if modules is None else modules)
                if each.adapter == adapter.name
            ]
            files.update(adapter.render_stubs(mine, docs=docs))
        return files

    def render(self, modules: Sequence[Module], commit: str | None = None) -> str:
        """Some modules of a view as text, without a header."""
        docs = self._snapshot(commit).config.docs
        texts = []
        for adapter in self._with(BuildsViews):
            mine = [each for each in modules if each.adapter == adapter.name]
            texts += [adapter.render(mine, docs=docs)] if mine else []
        return "\n\n".join(texts)

    def _with(self, ability: type[_T]) -> tuple[_T, ...]:
        adapters: tuple[Adapter, ...] = self._registry.all()
        return tuple(each for each in adapters if isinstance(each, ability))

    def _snapshot(self, commit: str | None) -> _Snapshot:
        key = self._repository.resolve(commit) if commit is not None else None
        snapshot = self._snapshots.get(key)
        if snapshot is None:
            everything = self._repository.work_tree() if key is None else self._repository.commit_tree(key)
            config = load_config(everything)
            tree = config.applied_to(everything)
            snapshot = _Snapshot(tree, config, survey(everything, config, self._registry.all()))
            self._snapshots[key] = snapshot
        return snapshot
