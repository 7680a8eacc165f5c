"""Adapters, and what they find: packages, and all that is left out with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ifacegen.adapter import BuildsViews, FindsProjects, UsesToolchain
from ifacegen.building import Builder
from ifacegen.config import Config
from ifacegen.discovery import is_set_aside
from ifacegen.doctor.clone import is_bare
from ifacegen.doctor.finding import Finding, Level
from ifacegen.errors import IfacegenError, UnknownRevision
from ifacegen.globs import ignore_globs
from ifacegen.model import Note, Package
from ifacegen.registry import Registry
from ifacegen.snapshot import Snapshot
from ifacegen.tokens import ENCODING, count_tokens
from ifacegen.trees import FilteredTree

#: What is told elsewhere: of git by the repository, of adapters by themselves.
_TOLD_ELSEWHERE = frozenset({"git-unusable", "adapter-broken"})


def adapter_findings(registry: Registry, config: Config) -> Iterator[Finding]:
    """Every adapter with its tools, or why it is no use."""
    for name in registry.names:
        adapter = registry.get(name)
        if adapter is None:
            yield Finding("problem", f"adapter {name}", registry.problems[name], {"adapter": name})
            continue
        level, what = _tool(adapter) if isinstance(adapter, BuildsViews) else ("ok", "makes no views")
        if not config.discovers(name):
            level, what = "note", f"switched off by ifacegen.yaml ({what})"
        yield Finding(level, f"adapter {name}", what, {"adapter": name, "tool": what})
    if not registry.names:
        yield Finding("problem", "adapters", "none is installed; install ifacegen again")


def _tool(adapter: BuildsViews) -> tuple[Level, str]:
    try:
        return "ok", adapter.tool()
    except Exception as error:  # noqa: BLE001  # somebody else's code, and its tools: whatever is wrong is told
        return "problem", f"its tools cannot be used: {type(error).__name__}: {error}"


def content_findings(builder: Builder) -> Iterator[Finding]:
    """The packages on disk (of HEAD, in a bare repository), and what is left out."""
    try:
        snapshot = builder.snapshot(_looked_at(builder))
    except UnknownRevision:
        return  # bare, and nothing is committed: said already
    except IfacegenError as error:
        yield Finding("problem", "packages", f"cannot be listed: {error}")
        return
    packages = snapshot.found.packages
    yield _packages(packages)
    yield from _toolchains(builder, packages)
    notes = chain(snapshot.found.notes, snapshot.tree.notes, *(package.notes for package in packages))
    yield from _skipped(notes)
    yield from _excluded(snapshot)
    yield from _set_aside(builder, snapshot)


def _toolchains(builder: Builder, packages: Sequence[Package]) -> Iterator[Finding]:
    """What some views of this repository are made with, and what to do where it is not there."""
    kinds = {kind for package in packages for kind in package.kinds}
    for adapter in builder.adapters:
        if adapter.name in kinds and isinstance(adapter, UsesToolchain):
            identity, missing = adapter.toolchain(builder.tools)
            message = f"{identity}; {missing}" if missing else identity
            level: Level = "note" if missing else "ok"
            yield Finding(
                level, f"toolchain {adapter.name}", message, {"toolchain": identity, "missing": missing}
            )


def _looked_at(builder: Builder) -> str | None:
    return builder.repository.resolve("HEAD") if is_bare(builder.repository) else None


def _packages(packages: Sequence[Package]) -> Finding:
    kinds = Counter(kind for package in packages for kind in package.kinds)
    roles = Counter[str](package.role for package in packages)
    facts = {"packages": len(packages), "adapters": dict(kinds), "roles": dict(roles)}
    if not packages:
        message = "none: no project file was found, and no sources beside it"
        return Finding("problem", "packages", message, facts)
    return Finding(
        "ok", "packages", f"{len(packages):,}: {_counted(kinds)}; by role: {_counted(roles)}", facts
    )


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


def _skipped(notes: Iterable[Note]) -> Iterator[Finding]:
    """One finding for each code, with the first note as an example."""
    groups: dict[str, list[Note]] = {}
    for note in dict.fromkeys(notes):
        if note.code not in _TOLD_ELSEWHERE:
            groups.setdefault(note.code, []).append(note)
    for code, group in sorted(groups.items()):
        example = f"{group[0].path}: {group[0].message}" if group[0].path else group[0].message
        level: Level = "problem" if any(note.severity == "error" for note in group) else "note"
        facts = {"code": code, "count": len(group), "example": example, "path": group[0].path}
        say = f"{len(group):,}, for example {example}" if len(group) > 1 else example
        yield Finding(level, code, say, facts)


def _excluded(snapshot: Snapshot) -> Iterator[Finding]:
    excluded = ignore_globs(snapshot.config.exclude)
    left_out = snapshot.tree.excluded() if isinstance(snapshot.tree, FilteredTree) else ()
    files = tuple(path for path in left_out if excluded.match(path))  # the rest is the cache's
    if files:
        yield _examples("excluded", files, "left out by `exclude` of ifacegen.yaml")


def _set_aside(builder: Builder, snapshot: Snapshot) -> Iterator[Finding]:
    """Project files that make no package: vendored and fixture ones, and what `packages:` doesn't name."""
    packages = {package.path for package in snapshot.found.packages}
    aside: list[str] = []
    other: list[str] = []
    for path in sorted(_projects(builder, snapshot) - packages):
        (aside if is_set_aside(path) else other).append(path)
    if aside:
        why = "vendored or fixtures, so no packages; name under `packages` in ifacegen.yaml those that are"
        yield _examples("set aside", aside, why)
    if other:
        yield _examples(
            "not chosen", other, "no packages, because `packages` in ifacegen.yaml leaves them out"
        )


def _projects(builder: Builder, snapshot: Snapshot) -> set[str]:
    """Directories with a project file of a package."""
    found: set[str] = set()
    for adapter in builder.adapters:
        if isinstance(adapter, FindsProjects) and snapshot.config.discovers(adapter.name):
            try:
                projects = [each for each in adapter.find_projects(snapshot.tree) if each.is_package]
            except Exception:  # noqa: BLE001  # the packages' notes say so
                continue
            found.update(project.path or "." for project in projects)
    return found


def _examples(topic: str, paths: Sequence[str], why: str) -> Finding:
    facts = {"count": len(paths), "example": paths[0]}
    say = f"{len(paths):,}, for example {paths[0]}" if len(paths) > 1 else paths[0]
    return Finding("note", topic, f"{say}: {why}", facts)


def token_finding() -> Finding:
    """Whether there is a vocabulary to count with."""
    try:
        count_tokens("a")
    except (IfacegenError, ImportError, OSError) as error:
        return Finding("problem", "tokens", f"cannot be counted, so no view can be built: {error}")
    return Finding("ok", "tokens", f"counted as {ENCODING}, offline", {"encoding": ENCODING})
