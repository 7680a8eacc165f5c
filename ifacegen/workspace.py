"""The library's face, and the only place where the parts are wired together."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from ifacegen import memo, workers
from ifacegen.adapter import BuildsViews, CompletesSelections, Tree
from ifacegen.addresses import Address, resolve_address
from ifacegen.building import Builder
from ifacegen.children import built_in_child
from ifacegen.errors import AdapterError
from ifacegen.globs import clean_path
from ifacegen.location import CacheOptions
from ifacegen.model import Module, Note, Package, View
from ifacegen.render.page import Page, Press, Section, body
from ifacegen.repository import Repository
from ifacegen.snapshot import Snapshot
from ifacegen.viewcache import Lookup, view_of

if TYPE_CHECKING:
    from ifacegen.config import CacheRules
    from ifacegen.warm import WarmEvent, WarmReport
    from ifacegen_cache import TieredStore

_T = TypeVar("_T")


class Workspace:
    """A repository opened for questions: which packages, and what callers may rely on in each.

    Nothing in the repository is imported, executed or written. Views come from the store, and go there when
    they had to be built. The work tree is listed once; open another workspace to see later changes.

    >>> workspace = Workspace.open("examples/monorepo")
    >>> view = workspace.view("packages/shared-auth")
    >>> print(view.body.splitlines()[0])
    # module shared_auth
    """

    def __init__(self, repository: Repository, base: str, options: CacheOptions) -> None:
        """Use :meth:`open`."""
        self._repository = repository
        self._base = base
        self._builder = Builder(repository, options)
        self._commits: dict[str, str] = {}
        self._remembered: set[tuple[str | None, str]] = set()

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] = ".",
        *,
        cache_dir: str | os.PathLike[str] | None = None,
        read_only_dirs: Sequence[str | os.PathLike[str]] = (),
        cache: bool = True,
    ) -> Workspace:
        """The repository that a directory lies in: a git work tree, or the directory itself.

        Args:
            path: Addresses are read relative to this directory.
            cache_dir: Where views are kept; else ``IFACEGEN_CACHE_DIR``, ``cache.dir`` of ``ifacegen.yaml``
                or the user's cache directory.
            read_only_dirs: Other caches to look in, which are never written.
            cache: Whether to look anything up and to keep anything at all.

        Raises:
            UsageError: No such directory.
            RepositoryError: git refuses the repository.
        """
        repository = Repository.open(path)
        behind = tuple(str(Path(each).absolute()) for each in read_only_dirs)
        options = CacheOptions(os.fspath(cache_dir) if cache_dir is not None else None, behind, cache)
        return cls(repository, repository.relative(path), options)

    @property
    def repository(self) -> Repository:
        """The repository itself: its kind, its commits."""
        return self._repository

    @property
    def store(self) -> TieredStore:
        """Where views and facts are kept; ``store.problem`` says why nothing can be kept.

        Raises:
            ConfigError: ``ifacegen.yaml`` has a mistake.
        """
        return self._builder.store

    def __enter__(self) -> Self:
        """Nothing to do: what is needed is opened when needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Add what was found in the store to its statistics, and end git; all of it works on afterwards."""
        store = self._builder.store
        store.stats.flush(store.local.directory)
        self._repository.close()

    @property
    def root(self) -> Path:
        """Top of the repository."""
        return self._repository.root

    @property
    def cache_rules(self) -> CacheRules:
        """What the configuration says about the cache."""
        return self._builder.current_config.cache

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
            Note("error", "adapter-broken", problem)
            for _, problem in sorted(self._builder.registry.problems.items())
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
        again = partial(self._made, package, snapshot.commit)
        lookup = self._builder.cache.look_up(snapshot, package)
        view = self._builder.cache.view(lookup, again) or self._made(package, snapshot.commit, keep=True)
        self._remember(snapshot, package)
        return replace(view, commit=snapshot.commit)

    def _remember(self, snapshot: Snapshot, package: Package) -> None:
        """Leave what readers in other languages, and the next start, need to find views by themselves."""
        if (snapshot.commit, package.path) in self._remembered:
            return
        self._remembered.add((snapshot.commit, package.path))
        if snapshot.commit is not None:
            self._builder.cache.remember(snapshot)
        elif all(note.severity == "info" for note in self.notes()):
            memo.leave(self._builder, snapshot, package)

    def _made(self, package: Package, commit: str | None, *, keep: bool = False) -> View:
        """Build in a child; with ``keep`` the view comes from the store, if it could be kept there."""
        pool = workers.shared()
        answer = built_in_child(self._builder, package, commit, pool, inline=not keep)
        if keep and answer["kept"]:
            lookup = self._builder.look_up(package, commit)
            view = self._builder.cache.view(lookup, partial(self._made, package, commit))
            return view or self._made(package, commit)
        return view_of(answer["json"], answer["body"], answer["header"])

    def look_up(self, package: Package | str, commit: str | None = None) -> Lookup:
        """What the store has for a package's view: every field of its key, and why it is a miss.

        Raises:
            As :meth:`view`.
        """
        snapshot = self._snapshot(commit)
        if isinstance(package, str):
            package = self.address(package, commit).package
        return self._builder.cache.look_up(snapshot, package)

    def warm(
        self,
        packages: Sequence[Package | str] = (),
        commits: Sequence[str] = ("HEAD",),
        *,
        jobs: int | None = None,
        shard: tuple[int, int] = (1, 1),
        progress: Callable[[WarmEvent], None] | None = None,
    ) -> WarmReport:
        """Build every view that the store lacks, each distinct tree once.

        Args:
            packages: Which packages; none means all.
            commits: Revisions; the newest first is quickest.
            jobs: Child processes; None means one a core.
            shard: ``(1, 4)`` builds the first of four parts, which other machines need not know of.
            progress: Called with each event as it happens, in the calling thread.

        Raises:
            UnknownAddress: No such package at any of the commits.
            UnknownRevision: git knows no such commit.
            ConfigError: ``ifacegen.yaml`` has a mistake, at one of the commits.
        """
        from ifacegen.warm import Request, warm

        paths = [each if isinstance(each, str) else each.path for each in packages]
        request = Request(tuple(paths), tuple(self._repository.resolve(each) for each in commits), shard)
        return warm(self._builder, request, jobs or os.cpu_count() or 1, progress, base=self._base)

    def stubs(
        self, view: View, modules: Sequence[Module] | None = None, commit: str | None = None
    ) -> Mapping[str, str]:
        """The stub files of a view: path relative to the import root → text.

        Raises:
            AdapterError: An adapter names a file outside the folder that they are written to.
        """
        docs = self._snapshot(commit).config.docs
        files: dict[str, str] = {}
        for adapter in self._with(BuildsViews):
            mine = [
                each
                for each in (view.modules if modules is None else modules)
                if each.adapter == adapter.name
            ]
            made = adapter.render_stubs(mine, docs=docs)
            for name in made:
                if clean_path(name) != name:  # they are written: none may lead out of where
                    raise AdapterError(f"adapter {adapter.name} gives a stub no proper path: {name!r}")
            files.update(made)
        return files

    def render(self, modules: Sequence[Module], commit: str | None = None) -> str:
        """Some modules of a view as text, without a header."""
        return body(Page("", "", (), (Section(tuple(modules)),)), self.press(modules, commit))

    def press(self, modules: Sequence[Module], commit: str | None = None) -> Press:
        """What prints some modules of a view."""
        adapters = {each.name: each for each in self.adapters_of(modules)}
        return Press(adapters, self._snapshot(commit).config.docs)

    def needed(self, modules: Sequence[Module], found: Module) -> Sequence[Module]:
        """Of a view's modules, what some declarations mention, where the ecosystem has one look at that, too."""
        for adapter in self._with(CompletesSelections):
            if adapter.name == found.adapter:
                own = [each for each in modules if each.adapter == adapter.name]
                return adapter.needed(own, found.declarations)
        return ()

    def adapters_of(self, modules: Sequence[Module]) -> tuple[BuildsViews, ...]:
        """Who can print some modules of a view, in the view's order."""
        known = {each.name: each for each in self._with(BuildsViews)}
        return tuple(known[name] for name in dict.fromkeys(each.adapter for each in modules) if name in known)

    def _with(self, ability: type[_T]) -> tuple[_T, ...]:
        return tuple(each for each in self._builder.adapters if isinstance(each, ability))

    def _snapshot(self, commit: str | None) -> Snapshot:
        if commit is None:
            return self._builder.snapshot(None)
        if commit not in self._commits:
            self._commits[commit] = self._repository.resolve(commit)
        return self._builder.snapshot(self._commits[commit])
