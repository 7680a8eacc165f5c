"""Packages of npm's that lie nowhere, as a build of one of them sees them."""

from __future__ import annotations

import json
from typing import Any

from ifacegen.adapter import BuildContext, ViewOptions
from ifacegen.config import Config
from ifacegen.discovery import survey
from ifacegen.facts import MemoryFacts
from ifacegen.model import Package
from ifacegen.tokens import count_tokens
from ifacegen_adapters.typescript import TypeScriptAdapter
from support.trees import Picture, entries, memory_tree


def files_of(*pictures: Picture, **manifests: Any) -> dict[str, str | bytes]:
    """Pictures laid over each other; a file without a content holds one export.

    Keywords are ``package.json`` files by directory, ``__`` for a slash; ``root`` is the repository's.
    """
    found: dict[str, str | bytes] = {}
    for picture in pictures:
        found.update((path, text or "export {};\n") for path, text in entries(picture) if path[-1] != "/")
    for place, value in manifests.items():
        folder = "" if place == "root" else place.replace("__", "/") + "/"
        found[f"{folder}package.json"] = value if isinstance(value, str) else json.dumps(value, indent=2)
    return found


def packages_in(files: Picture) -> dict[str, Package]:
    """Path → package of what discovery finds."""
    found = survey(memory_tree(files), Config(), [TypeScriptAdapter()])
    return {each.path: each for each in found.packages}


def context_of(files: Picture, path: str = ".") -> BuildContext:
    """What a build of one package may look at."""
    packages = packages_in(files)
    return BuildContext(
        memory_tree(files),
        packages[path],
        tuple(packages.values()),
        ViewOptions(),
        MemoryFacts(),
        {},
        count_tokens,
        {},
    )
