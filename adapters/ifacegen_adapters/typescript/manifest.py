"""Reads ``package.json``."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.model import Note
from ifacegen_adapters.typescript import jsonc
from ifacegen_adapters.typescript.paths import folder_of, joined

FILE = "package.json"
#: Fields that say what can be imported, or run.
ENTRY_FIELDS = ("exports", "types", "typings", "typesVersions", "main", "module", "browser", "bin")
_NAME = re.compile(r"(?:@[\w.~!'()*-]+/)?[\w.~!'()*-]+")
_LONGEST_NAME = 214


@dataclass(frozen=True)
class Manifest:
    """One ``package.json``."""

    path: str
    data: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    #: Why it could not be read; empty if it could.
    problem: str = ""
    line: int = 0

    @property
    def directory(self) -> str:
        """Where it lies."""
        return folder_of(self.path)

    @cached_property
    def name(self) -> str | None:
        """The name that it gives, if that is one."""
        name = self.data.get("name")
        is_name = isinstance(name, str) and len(name) <= _LONGEST_NAME and _NAME.fullmatch(name)
        return str(name) if is_name else None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is wrong with it as a whole."""
        if not self.problem:
            return ()
        message = f"{self.problem}; name, dependencies and entry points unknown"
        return (Note("warning", "project-unparsed", message, self.path, self.line),)

    def string(self, key: str) -> str:
        """A string with something in it; else an empty one."""
        return text(self.data.get(key))

    def line_of(self, written: str) -> int:
        """Where a string stands in it."""
        return jsonc.line_of(self.text, written)


def text(value: Any) -> str:
    """A string without white space around it; empty if it is none."""
    return value.strip() if isinstance(value, str) else ""


def table(value: Any) -> Mapping[str, Any]:
    """A mapping; an empty one if it is none."""
    return value if isinstance(value, Mapping) else {}


def strings(value: Any) -> tuple[str, ...]:
    """The strings of a list; of anything else none."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def read(tree: Tree, path: str) -> Manifest:
    """What a file states; one that cannot be read says why."""
    try:
        data = tree.read(path).data
    except ReadError as error:
        return Manifest(path, problem=f"cannot be read: {error.reason}")
    try:
        value = jsonc.loads(data, strict=True)
    except jsonc.Malformed as error:
        return Manifest(path, problem=error.message, line=error.line)
    if not isinstance(value, dict):
        return Manifest(path, problem="is no JSON object", line=1)
    return Manifest(path, value, data.decode(errors="replace"))


def in_directory(tree: Tree, shared: MutableMapping[str, Any], directory: str) -> Manifest | None:
    """The manifest of a directory; None if it has none."""
    known: dict[str, Manifest | None] = shared.setdefault("typescript.manifests", {})
    if directory not in known:
        path = joined(directory, FILE)
        known[directory] = read(tree, path) if path in tree else None
    return known[directory]


def scope_of(tree: Tree, shared: MutableMapping[str, Any], path: str) -> Manifest | None:
    """The manifest that says how node takes a file: the nearest one above it."""
    known: dict[str, Manifest | None] = shared.setdefault("typescript.scopes", {})
    folder = folder_of(path)
    passed = []
    while folder not in known:
        found = in_directory(tree, shared, folder)
        passed.append(folder)
        if found is not None or not folder:
            known[folder] = found
            break
        folder = folder_of(folder)
    for each in passed:
        known[each] = known[folder]
    return known[folder]
