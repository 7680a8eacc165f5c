"""Reads ``buf.yaml`` and ``buf.work.yaml``: which directories are modules, what they are called and leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.model import Note
from ifacegen_adapters.protobuf.places import folder_of, is_below, is_import_name, joined

FILE, WORKSPACE = "buf.yaml", "buf.work.yaml"
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Module:
    """A directory that is an import root because buf's files say so."""

    root: str
    #: The file that says so; empty if it could not be read.
    project_file: str
    name: str | None = None
    #: Directories below the root that buf leaves out, relative to the repository.
    excludes: tuple[str, ...] = ()
    #: The only ones that it takes, where it names any.
    includes: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def takes(self, path: str) -> bool:
        """Whether a file below the root is part of the module."""
        if self.includes and not any(is_below(path, each) for each in self.includes):
            return False
        return not any(is_below(path, each) for each in self.excludes)


def find_modules(tree: Tree) -> list[Module]:
    """Every module, by root; where two files speak of one directory, its own goes before a workspace's."""
    found: dict[str, Module] = {}
    files = [path for path in tree.paths if path.endswith((FILE, WORKSPACE))]
    for wanted, read in ((FILE, _modules), (WORKSPACE, _directories)):
        for path in files:
            if path.rpartition("/")[2] == wanted:
                for module in _read(tree, path, read):
                    found.setdefault(module.root, module)
    return [found[root] for root in sorted(found)]


def _read(tree: Tree, path: str, read: Any) -> Iterator[Module]:
    import yaml

    try:
        data = tree.read(path).data
        if len(data) > _LARGEST:
            raise ValueError(f"{len(data):,} bytes are no configuration")
        value = yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        if value is not None and not isinstance(value, Mapping):
            raise ValueError("no mapping")
        yield from read(folder_of(path), path, value or {})
    except (ReadError, ValueError, yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        note = Note(
            "warning", "buf-unparsed", f"cannot be read, its directory is taken as a module: {reason}", path
        )
        yield Module(folder_of(path), path, notes=(note,))


def _modules(folder: str, path: str, value: Mapping[str, Any]) -> Iterator[Module]:
    name = value.get("name") if isinstance(value.get("name"), str) else None
    if value.get("version") == "v2":
        listed = value.get("modules")
        entries = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
        for entry in entries or [{"path": "."}]:
            root = _below(folder, entry.get("path", "."))
            if root is not None:
                own = entry.get("name") if isinstance(entry.get("name"), str) else None
                yield Module(
                    root,
                    path,
                    own or name,
                    _paths(folder, entry.get("excludes")),
                    _paths(folder, entry.get("includes")),
                )
        return
    build = value.get("build")
    build = build if isinstance(build, Mapping) else {}
    for root in _paths(folder, build.get("roots")) or (folder,):  # several in v1beta1 only
        yield Module(root, path, name, _paths(root, build.get("excludes")))


def _directories(folder: str, path: str, value: Mapping[str, Any]) -> Iterator[Module]:
    for root in _paths(folder, value.get("directories")):
        yield Module(root, path)


def _paths(folder: str, value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(path for each in listed if (path := _below(folder, each)) is not None)


def _below(folder: str, value: Any) -> str | None:
    """A path of buf's file relative to the repository; None where it leads out of the file's directory."""
    if not isinstance(value, str):
        return None
    parts = [part for part in value.split("/") if part not in ("", ".")]
    if not parts:
        return folder
    name = "/".join(parts)
    return joined(folder, name) if is_import_name(name) and not value.startswith("/") else None
