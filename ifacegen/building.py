"""Views through the store: look up, and on a miss build in a child process that keeps what it made.

:class:`Builder` is one process's access to a repository and its store; the child that builds has one of
its own, and calls :func:`build` and :func:`compile_files` are what it is asked for.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ifacegen import generator
from ifacegen.adapter import TOOLCHAIN, Adapter, BuildContext, BuildsViews, PreparesBuilds
from ifacegen.config import Config
from ifacegen.errors import UnknownAddress
from ifacegen.facts import StoredFacts
from ifacegen.location import CacheOptions, open_store
from ifacegen.model import Package
from ifacegen.registry import Registry
from ifacegen.render.json import view_value
from ifacegen.repository import Repository
from ifacegen.snapshot import Snapshot, take
from ifacegen.tokens import count_tokens
from ifacegen.tools import Toolbox
from ifacegen.viewcache import Lookup, ViewCache
from ifacegen.views import Built, build_view, shown
from ifacegen.worker import limit_time
from ifacegen_cache import MemoryStore, TieredStore, action_key

#: Decoded facts that are kept in memory: files of the largest packages known, twice.
_MOST_DECODED = 2_000
#: CPU seconds that any build may take, and bytes of source that earn it one more.
_SECONDS, _BYTES_A_SECOND = 30.0, 50_000
#: The same for files that are compiled alone, to find the one that is at fault.
_SECONDS_ALONE, _SECONDS_A_FILE = 5.0, 0.2


class Builder:
    """A repository, the adapters and the store."""

    def __init__(self, repository: Repository, options: CacheOptions) -> None:
        """The store is opened by the first thing that needs it."""
        self.repository = repository
        self.registry = Registry()
        self.options = options
        self._snapshots: OrderedDict[str | None, Snapshot] = OrderedDict()
        self._memory: MemoryStore[Any] = MemoryStore(_MOST_DECODED)
        self._lock = threading.Lock()
        self._told: dict[str, int] = {}
        #: Blob id → how it kills whoever reads it.
        self.deadly: dict[str, str] = {}
        #: Names one look at the work tree, between processes.
        self.moment = uuid.uuid4().hex

    @cached_property
    def adapters(self) -> tuple[Adapter, ...]:
        """Every adapter that can be loaded."""
        return self.registry.all()

    @cached_property
    def builders(self) -> tuple[BuildsViews, ...]:
        """The adapters that make views."""
        return tuple(each for each in self.adapters if isinstance(each, BuildsViews))

    @cached_property
    def makers(self) -> Mapping[str, str]:
        """All that makes views here, by name, with versions."""
        return generator.parts(self.builders)

    @cached_property
    def store(self) -> TieredStore:
        """Where views and facts are kept."""
        return open_store(self.repository.root, self.current_config, self.options)

    @cached_property
    def facts(self) -> StoredFacts:
        """What was found out about single files."""
        return StoredFacts(self.store, action_key(self.makers))

    @cached_property
    def cache(self) -> ViewCache:
        """The views in the store."""
        return ViewCache(self.store, self.makers, self)

    @cached_property
    def tools(self) -> Toolbox:
        """Programs of this machine; as the cache, no affair of a commit.

        Raises:
            ConfigError: ``ifacegen.yaml`` has a mistake.
        """
        return Toolbox(dict(self.current_config.tools), os.fspath(self.repository.root))

    @cached_property
    def current_config(self) -> Config:
        """The configuration on disk: where the cache lies is no affair of a commit.

        Raises:
            ConfigError: ``ifacegen.yaml`` has a mistake.
        """
        from ifacegen.config import CONFIG_FILE, parse_config

        try:
            text = Path(self.repository.root, CONFIG_FILE).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            return Config()
        return parse_config(text)

    def snapshot(self, commit: str | None) -> Snapshot:
        """The repository at a commit (a full id), or as it lies on disk; the last few are kept.

        Raises:
            ConfigError: ``ifacegen.yaml`` has a mistake.
            RepositoryError: git refuses.
        """
        with self._lock:
            known = self._snapshots.get(commit)
            if known is None:
                known = self._snapshots[commit] = self._taken(commit)
                while len(self._snapshots) > _MOST_SNAPSHOTS:
                    self._snapshots.popitem(last=False)
            return known

    def _taken(self, commit: str | None) -> Snapshot:
        near: Snapshot | None = None
        now = time.time_ns()
        if commit is None:
            everything = self.repository.work_tree()
        else:
            near = next(
                (each for each in reversed(self._snapshots.values()) if each.commit is not None), None
            )
            everything = self.repository.commit_tree(commit, near.everything if near is not None else None)
        return take(self.repository, everything, self.adapters, self.facts, commit, near, now)

    def look_again(self, moment: str) -> None:
        """Forget how the work tree looked, unless that was seen at the same moment."""
        if moment != self.moment:
            self._snapshots.pop(None, None)
            self.moment = moment

    def new_counts(self) -> dict[str, int]:
        """What the store has counted since this was asked last."""
        now = self.store.stats.as_dict()
        new = {name: count - self._told.get(name, 0) for name, count in now.items()}
        self._told = now
        return new

    def look_up(self, package: Package, commit: str | None) -> Lookup:
        """What the store has for a package."""
        return self.cache.look_up(self.snapshot(commit), package)

    def build_here(self, package: Package, commit: str | None, unreadable: Mapping[str, str]) -> Built:
        """Build a view in this process; whatever crashes, crashes it."""
        return build_view(self._context(self.snapshot(commit), package, unreadable), self.builders)

    def compile_here(self, package: Package, commit: str | None, paths: Sequence[str]) -> None:
        """Compile some files of a package in this process."""
        context = self._context(self.snapshot(commit), package, {})
        for adapter in shown(context, self.builders):
            adapter.compile(context, paths)

    def prepare_here(self, packages: Sequence[Package], commit: str | None) -> None:
        """Have adapters find out at once what builds of these packages will ask for."""
        snapshot = self.snapshot(commit)
        contexts = [self._context(snapshot, package, {}) for package in packages]
        for adapter in self.builders:
            if not isinstance(adapter, PreparesBuilds):
                continue
            if own := [context for context in contexts if adapter in shown(context, self.builders)]:
                adapter.prepare(own)

    def prepares(self, package: Package) -> bool:
        """Whether there is anything to prepare for a package together with others."""
        return any(isinstance(each, PreparesBuilds) and each.name in package.kinds for each in self.builders)

    def sources(self, package: Package, commit: str | None) -> Mapping[str, str]:
        """Path → blob id of the files that would be compiled for a view of a package."""
        context = self._context(self.snapshot(commit), package, {})
        found = [path for each in shown(context, self.builders) for path in each.sources(context)]
        snapshot = self.snapshot(commit)
        return {path: object_id for path in found if (object_id := snapshot.object_id(path)) is not None}

    def _context(self, snapshot: Snapshot, package: Package, unreadable: Mapping[str, str]) -> BuildContext:
        return BuildContext(
            tree=snapshot.tree,
            package=package,
            packages=snapshot.found.packages,
            options=snapshot.config.view_options(package.path),
            facts=self.facts,
            memory=self._memory,
            shared=snapshot.shared,
            count_tokens=count_tokens,
            unreadable=unreadable,
            tools=self.tools,
        )

    def outer_sources(self, snapshot: Snapshot, package: Package) -> list[tuple[str, str]]:
        """Path and id of a package's files outside its directory; few packages have any."""
        prefix = "" if package.path == "." else f"{package.path}/"
        roots = [root.path for project in package.projects for root in project.roots]
        if all(f"{root}/".startswith(prefix) for root in roots):
            return []
        context = self._context(snapshot, package, {})
        own = shown(context, self.builders)
        paths = sorted(
            {path for each in own for path in each.sources(context) if not path.startswith(prefix)}
        )
        return [(path, snapshot.object_id(path) or "") for path in paths]

    def absent(self, snapshot: Snapshot, package: Package, names: Sequence[str]) -> tuple[str, ...]:
        """Paths outside a package that must stay free for what the names mean to hold."""
        context = self._context(snapshot, package, {})
        own = shown(context, self.builders)
        return tuple(sorted({path for adapter in own for path in adapter.absent(context, names)}))

    def consult(
        self, snapshot: Snapshot, package: Package, names: Sequence[str]
    ) -> Mapping[str, tuple[str, str] | None]:
        """What names that a build of a package consulted mean now."""
        context = self._context(snapshot, package, {})
        found: dict[str, tuple[str, str] | None] = {}
        for adapter in shown(context, self.builders):
            for name, meant in adapter.consult(context, names).items():
                if found.get(name) is None:  # a name of another adapter's means nothing to one
                    found[name] = meant
        self.tools.confirm({name: not found.get(name) for name in names if name.startswith(TOOLCHAIN)})
        return found

    def request(self, package: Package, commit: str | None, **more: Any) -> dict[str, Any]:
        """What a child needs to know to build a package."""
        return {
            "root": os.fspath(self.repository.root),
            "commit": commit,
            "package": package.path,
            "directory": os.fspath(self.store.local.directory),
            "behind": [os.fspath(each.directory) for each in self.store.behind],
            "enabled": self.options.enabled,
            "kind": [self.repository.is_git, self.repository.hash_name],
            "moment": self.moment,
            **more,
        }


#: Snapshots kept in one process; listings of large repositories are megabytes each.
_MOST_SNAPSHOTS = 3


# -- in the child -------------------------------------------------------------------------------------

_builders: OrderedDict[tuple[Any, ...], Builder] = OrderedDict()


def _builder(request: Mapping[str, Any]) -> Builder:
    """The builder of an earlier request on the same repository and store; a work tree is looked at anew."""
    key = (
        *(request[name] for name in ("root", "directory", "enabled")),
        *request["behind"],
        *request["kind"],
    )
    known = _builders.get(key)
    if known is None:
        for each in _builders.values():
            each.repository.close()
        _builders.clear()
        options = CacheOptions(request["directory"], tuple(request["behind"]), request["enabled"])
        known = _builders[key] = Builder(Repository.open(request["root"]), options)
    if request["commit"] is None:
        known.look_again(request["moment"])
    return known


def _package(snapshot: Snapshot, path: str) -> Package:
    for each in snapshot.found.packages:
        if each.path == path:
            return each
    raise UnknownAddress(path, what="package (it was there when the repository was opened)")


def build(request: Mapping[str, Any]) -> dict[str, Any]:
    """Build a package's view and keep it; the answer has the view itself where it could not be kept."""
    builder = _builder(request)
    commit = request["commit"]
    snapshot = builder.snapshot(commit)
    package = _package(snapshot, request["package"])
    limit_time(_SECONDS + _size(snapshot, package) / _BYTES_A_SECOND)
    try:
        with builder.store.batch():
            built = builder.build_here(package, commit, request.get("unreadable", {}))
            saved = _saved(builder, snapshot, package, built)
    finally:
        limit_time(0)
    view = built.view
    answer: dict[str, Any] = {
        "kept": saved,
        "stats": builder.new_counts(),
        "problem": builder.store.problem,
        "failed": any(note.code == "adapter-failed" for note in view.notes),
        "empty": not view.modules,
        "tokens": view.tokens.view,
        "notes": [[note.severity, note.code, str(note)] for note in view.notes],
    }
    if not saved or request.get("inline"):
        answer.update(json=view_value(view), body=view.body, header=view.header)
    return answer


def _saved(builder: Builder, snapshot: Snapshot, package: Package, built: Built) -> bool:
    # Made without a file that crashed or could not be read, or by half of the adapters: another time it may do better.
    return built.is_complete and builder.cache.save(snapshot, package, built)


def _size(snapshot: Snapshot, package: Package) -> int:
    """Bytes of source at a guess: reading them all to know would take longer than it is worth."""
    contracts = [root for each in package.projects if each.attaches for root in each.roots]
    documents = sum(len(root.names) for root in contracts)
    return 8_000 * len(snapshot.tree.below(package.path)) + 1_000_000 * documents


def prepare(request: Mapping[str, Any], packages: Sequence[str]) -> None:
    """Find out at once what the builds of some packages will ask for, and keep it."""
    builder = _builder(request)
    commit = request["commit"]
    snapshot = builder.snapshot(commit)
    wanted = [_package(snapshot, path) for path in packages]
    limit_time(_SECONDS + sum(_size(snapshot, each) for each in wanted) / _BYTES_A_SECOND)
    try:
        with builder.store.batch():
            builder.prepare_here(wanted, commit)
    finally:
        limit_time(0)


def compile_files(request: Mapping[str, Any], paths: Sequence[str]) -> None:
    """Compile some files of a package, within narrow limits."""
    builder = _builder(request)
    commit = request["commit"]
    package = _package(builder.snapshot(commit), request["package"])
    limit_time(_SECONDS_ALONE + _SECONDS_A_FILE * len(paths))
    try:
        builder.compile_here(package, commit, paths)
    finally:
        limit_time(0)
