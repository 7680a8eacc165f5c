"""One state of a repository as it is looked at: files, configuration, packages, and the ids of all that.

Which packages there are is a result like any other: kept in the store under the listing and the project
files that were read for it, so that a start costs no second discovery.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ifacegen.adapter import Adapter, Blob, Facts, Tree
from ifacegen.config import CacheRules, Config, load_config
from ifacegen.discovery import Discovery, survey
from ifacegen.errors import ReadError, RepositoryError
from ifacegen.globs import clean_path
from ifacegen.model import Note, Package, Project
from ifacegen.plain import plain, restored
from ifacegen.repository import Repository
from ifacegen.treeids import folder_id, tree_ids, work_tree_id
from ifacegen.trees import ListedTree


@dataclass(eq=False)
class Snapshot:
    """Files, configuration and packages at a commit, or as they lie on disk."""

    repository: Repository
    everything: ListedTree
    #: Without what the configuration excludes.
    tree: Tree
    config: Config
    found: Discovery
    #: None is the work tree, or a plain folder.
    commit: str | None = None
    #: Project files that were read to find the packages, with their ids.
    reads: tuple[tuple[str, str], ...] = ()
    #: When the listing was begun, in nanoseconds since the epoch.
    taken_at: int = 0
    #: Scratch space for builds.
    shared: dict[str, Any] = field(default_factory=dict)
    _ids: dict[str, str | None] = field(default_factory=dict)

    @property
    def root_tree(self) -> str | None:
        """The id of the whole repository's tree; None for what lies on disk."""
        if self.commit is not None and "." not in self._ids:
            self._ids.update(tree_ids(str(self.repository.root), self.commit, ["."]))
        return self._ids.get(".") if self.commit is not None else None

    @cached_property
    def layout(self) -> str:
        """Digest of which packages there are, where their sources lie and what is left out."""
        packages = [
            (package.path, [plain(_shape(project)) for project in package.projects])
            for package in self.found.packages
        ]
        return _digest([self.config.exclude, packages])

    def nested(self, package: Package) -> tuple[str, ...]:
        """Paths of the packages inside a package."""
        prefix = "" if package.path == "." else f"{package.path}/"
        return tuple(
            each.path
            for each in self.found.packages
            if each.path not in (package.path, ".") and each.path.startswith(prefix)
        )

    def links(self, package: Package) -> list[tuple[str, str, str]]:
        """Links in a package that its own tree does not settle: path, where it ends, the id of what is there."""
        prefix = "" if package.path == "." else f"{package.path}/"
        found: list[tuple[str, str, str]] = []
        for path, link in sorted(self.everything.links.items()):
            stays = link.end.startswith(prefix) and link.end == clean_path(
                f"{path.rpartition('/')[0]}/{link.target}"
            )
            if path.startswith(prefix) and not (link.end and stays):
                found.append((path, link.end, self.object_id(link.end) or ""))
        return found

    def tree_id(self, package: Package) -> str | None:
        """The id of the package's directory; None where it has none (a file that cannot be read, say)."""
        if package.path not in self._ids:
            self._ids.update(self._looked_up(package))
        return self._ids[package.path]

    def _looked_up(self, package: Package) -> Mapping[str, str | None]:
        root = str(self.repository.root)
        if not self.repository.is_git:
            return {package.path: folder_id(self.tree, package.path)}
        if self.commit is not None:
            paths = [".", *(each.path for each in self.found.packages)]
            return {**dict.fromkeys(paths), **tree_ids(root, self.commit, paths)}
        try:
            found = work_tree_id(root, package.path, self.everything, self.repository.hash_name)
        except RepositoryError:
            found = None
        return {package.path: found}

    def object_id(self, path: str) -> str | None:
        """git's id of a file; None if there is none at ``path``."""
        try:
            return self.tree.id(path) if path in self.tree else None
        except ReadError:
            return None

    def has(self, path: str) -> bool:
        """Whether there is a file or a directory at a path."""
        return path in self.tree or bool(self.tree.below(path))


def _shape(project: Project) -> tuple[object, ...]:
    return project.adapter, project.path, project.roots, project.import_names


def _digest(value: Any) -> str:
    text = json.dumps(plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def take(
    repository: Repository,
    everything: ListedTree,
    adapters: Sequence[Adapter],
    facts: Facts,
    commit: str | None,
    near: Snapshot | None = None,
    taken_at: int = 0,
) -> Snapshot:
    """Look at a tree: its configuration, its packages.

    Args:
        repository: Where the tree is from.
        everything: The tree, with what the configuration excludes.
        adapters: Who finds packages in it.
        facts: Where found packages are kept.
        commit: The tree's commit; None for what lies on disk.
        near: Another commit; where both list the same files, what was found there may hold here.
        taken_at: When the tree was looked at.

    Raises:
        ConfigError: ``ifacegen.yaml`` has a mistake.
    """
    config = load_config(everything)
    is_alike = (
        near is not None
        and near.everything.paths is everything.paths
        and near.config == config
        and all(everything.id(path) == object_id for path, object_id in near.reads)
    )
    if near is not None and is_alike:
        made = Snapshot(
            repository, everything, config.applied_to(everything), config, near.found, commit, near.reads
        )
        made.__dict__["layout"] = near.layout
        return made
    found, reads = _discovered(everything, config, adapters, facts)
    tree = config.applied_to(everything)
    return Snapshot(repository, everything, tree, config, found, commit, reads, taken_at)


class _Recorded:
    """A tree that remembers what was read of it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.read_ids: dict[str, str] = {}

    @property
    def paths(self) -> Sequence[str]:
        return self._tree.paths

    @property
    def notes(self) -> Sequence[Note]:
        return self._tree.notes

    def __contains__(self, path: object) -> bool:
        return path in self._tree

    def below(self, directory: str) -> Sequence[str]:
        return self._tree.below(directory)

    def id(self, path: str) -> str:
        return self._tree.id(path)

    def read(self, path: str) -> Blob:
        try:
            blob = self._tree.read(path)
        except ReadError:
            self.read_ids[path] = ""  # whoever finds it readable looks again
            raise
        self.read_ids[path] = blob.id
        return blob


_Reads = tuple[tuple[str, str], ...]


def _discovered(
    tree: Tree, config: Config, adapters: Sequence[Adapter], facts: Facts
) -> tuple[Discovery, _Reads]:
    fields = {
        "kind": "discovery",
        "configuration": _digest(replace(config, cache=CacheRules())),
        "listing": hashlib.sha256("\0".join(tree.paths).encode("utf-8", "surrogateescape")).hexdigest(),
        "adapters": " ".join(each.name for each in adapters),
    }
    stored = facts.get(**fields)
    if stored is not None and (known := _known(tree, stored)) is not None:
        return known
    recorded = _Recorded(tree)
    found = survey(recorded, config, adapters)
    value = {
        "reads": sorted(recorded.read_ids.items()),
        "packages": plain(found.packages),
        "notes": plain(found.notes),
    }
    if all(note.code != "adapter-failed" for note in found.notes):  # another time it may not fail
        facts.put(json.dumps(value, separators=(",", ":")).encode("ascii"), **fields)
    return found, tuple(sorted(recorded.read_ids.items()))


def _known(tree: Tree, stored: bytes) -> tuple[Discovery, _Reads] | None:
    """A stored discovery, if every project file that it read is the same."""
    try:
        value = json.loads(stored)
        reads = tuple((str(path), str(object_id)) for path, object_id in value["reads"])
        if not all(path in tree and tree.id(path) == object_id for path, object_id in reads):
            return None
        found = Discovery(_restored(Package, value["packages"]), _restored(Note, value["notes"]))
        return found, reads
    except (ValueError, KeyError, TypeError, ReadError):
        return None


def _restored(kind: Any, values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(restored(kind, each) for each in values)
