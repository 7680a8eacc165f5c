"""What a view depends on, by name: the fields of its key, printed by ``ifacegen cache explain``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ifacegen.index import quote
from ifacegen.model import Package
from ifacegen.plain import plain
from ifacegen.render.json import FORMAT
from ifacegen.snapshot import Snapshot
from ifacegen_cache.key import action_key


def configuration(snapshot: Snapshot, package: Package) -> Mapping[str, str]:
    """The parts of ``ifacegen.yaml`` that bear on one package's view."""
    options = snapshot.config.view_options(package.path)
    return {
        "docs": options.docs,
        "long_value": str(options.long_value),
        "public": _json(options.public),
        "hidden": _json(options.hidden),
        "interfaces": _json(options.interfaces),
    }


def configuration_id(snapshot: Snapshot, package: Package) -> str:
    """Digest of :func:`configuration`; first part of the index's path."""
    return action_key(configuration(snapshot, package))


def tree_record(snapshot: Snapshot) -> str:
    """What a reader must know of a commit's tree: the layout, and the configuration of each package."""
    ids = {package.path: configuration_id(snapshot, package) for package in snapshot.found.packages}
    default = configuration_id(snapshot, Package(path="", name="", role="library", projects=()))
    lines = [f"layout {snapshot.layout}", f"configuration {default}"]
    if any(note.severity != "info" for note in (*snapshot.found.notes, *snapshot.tree.notes)):
        lines.append("noted")  # there is more to say than the view: a reader who says nothing leaves it
    # A path with a line end has no index record either.
    lines += [
        f"package {own} {path}" for path, own in sorted(ids.items()) if own != default and "\n" not in path
    ]
    return "\n".join(lines) + "\n"


def view_fields(
    snapshot: Snapshot, package: Package, tree_id: str, makers: Mapping[str, str]
) -> dict[str, str]:
    """Everything the view depends on inside the package, and what makes it."""
    projects = [
        {name: each for name, each in plain(project).items() if name not in _NOT_IN_VIEWS}
        for project in package.projects
    ]
    return {
        "format": FORMAT,
        **{f"made by {name}": version for name, version in makers.items()},
        "package": package.path,
        "tree": f"{'git' if snapshot.repository.is_git else 'files'}:{tree_id}",
        "projects": _json(projects),
        "nested": _json(snapshot.nested(package)),
        "exclude": _json(excluded_below(snapshot, package)),
        **{f"view.{name}": value for name, value in configuration(snapshot, package).items()},
    }


#: What a project file says beyond where the sources are.
_NOT_IN_VIEWS = frozenset({"dependencies", "members", "role"})


def excluded_below(snapshot: Snapshot, package: Package) -> tuple[str, ...]:
    """Files of the package that the configuration leaves out."""
    everything = getattr(snapshot.tree, "excluded", None)
    if everything is None:
        return ()
    prefix = "" if package.path == "." else f"{package.path}/"
    cache = f"{snapshot.config.cache.directory or '.git'}/"
    return tuple(path for path in everything() if path.startswith(prefix) and not path.startswith(cache))


def with_inputs(fields: Mapping[str, str], consulted: Mapping[str, tuple[str, str] | None]) -> dict[str, str]:
    """The fields, with what was looked at outside the package."""
    lines = [
        f"{quote(module)} {found[1]} {found[0]}" if found is not None else f"{quote(module)} -"
        for module, found in sorted(consulted.items())
    ]
    return {**fields, "inputs": "\n".join(lines)}


def entry_keys(fields: Mapping[str, str]) -> tuple[str, str]:
    """The keys of a view's two entries: its JSON and its text."""
    return action_key({**fields, "entry": "json"}), action_key({**fields, "entry": "text"})


def record_name(configuration: str, tree_id: str, package: str) -> str:
    """The name of the index record of a package's tree."""
    digest = hashlib.sha256(package.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{configuration}/{tree_id}-{digest[:16]}"


def _json(value: Any) -> str:
    return json.dumps(plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
