"""Views made short: one line a declaration; and what a declaration cannot be understood without."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.openapi.docs import restates
from ifacegen_adapters.openapi.texts import said_name


def outline(modules: Sequence[Module]) -> str:
    """Modules as one line a declaration; responses belong to their operation's."""
    return "\n".join(line for module in modules for line in _module(module)) + "\n" * bool(modules)


def _module(module: Module) -> Iterator[str]:
    yield f"# module {module.name}"
    last = ""
    for each in module.declarations:
        summary = _summary(each)
        yield _line(each) + (f" # {summary}" if summary and summary != last else "")
        last = summary
        for member in each.members:
            if member.kind == "callback":
                yield f"  callback {member.name}: {member.signature}"


def _line(declaration: Declaration) -> str:
    flag = "deprecated " if declaration.deprecated else ""
    is_named = declaration.kind == "operation" and declaration.name != declaration.signature
    return f"{flag}{declaration.signature}{f' {said_name(declaration.name)}' if is_named else ''}"


def _summary(declaration: Declaration) -> str:
    """What an operation is for, if its line does not say it."""
    summary = (declaration.doc or "").partition("\n")[0]
    if declaration.kind not in ("operation", "webhook") or summary == "…":
        return ""
    return "" if restates(summary, _line(declaration)) else summary


def needed(modules: Sequence[Module], declarations: Sequence[Declaration]) -> tuple[Module, ...]:
    """Of modules, the schemas that declarations mention, the nearest first, and the lines on their services."""
    by_id = {each.id: each for module in modules for each in module.declarations}
    waiting = deque(each for top in declarations for each in top.walk())
    given = {each.id for each in waiting}
    found = dict.fromkeys(_services(modules, declarations, given))
    while waiting:
        mentions = waiting.popleft().extra.get("mentions")
        for name in mentions if isinstance(mentions, tuple) else ():
            if name in by_id and name not in found and name not in given:
                found[name] = None
                waiting.append(by_id[name])
    order = {name: number for number, name in enumerate(found)}
    kept = (
        replace(
            module, doc=None, declarations=tuple(each for each in module.declarations if each.id in found)
        )
        for module in modules
    )
    return tuple(
        replace(module, declarations=tuple(sorted(module.declarations, key=lambda each: order[each.id])))
        for module in kept
        if module.declarations
    )


def _services(
    modules: Sequence[Module], declarations: Sequence[Declaration], given: set[str]
) -> Iterator[str]:
    """Ids of the lines that say where an operation is to be found, and what it wants to see."""
    paths = {each.path for each in declarations if each.kind == "operation"}
    named = {
        word
        for each in declarations
        for word in re.findall(r"[^\s|&\[\],]+", str(each.extra.get("security") or ""))
    }
    services = [
        each
        for module in modules
        for each in module.declarations
        if each.kind == "api" and each.path in paths
    ]
    for each in services:
        named |= set(re.findall(r"[^\s|&\[\],]+", str(each.extra.get("security") or "")))
    schemes = [each for module in modules for each in module.declarations if each.kind == "security_scheme"]
    wanted = [each for each in schemes if each.path in paths and each.name in named]
    yield from (each.id for each in (*services, *wanted) if each.id not in given)
