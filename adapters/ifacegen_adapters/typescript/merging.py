"""A source's own words added to the declarations that were made from it: defaults, decorators, lines, documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ifacegen_adapters.typescript.facts import Fact, FileFacts, ParameterFact


def enriched(emitted: FileFacts, source: FileFacts) -> FileFacts:
    """The declarations that were emitted for a file, with what only the file itself says."""
    return replace(
        emitted,
        declarations=_all(emitted.declarations, source.declarations),
        doc=emitted.doc or source.doc,
        references=emitted.references or source.references,
        troubles=source.troubles,
        is_inferred=False,
    )


def _all(emitted: Sequence[Fact], source: Sequence[Fact]) -> tuple[Fact, ...]:
    """Each declaration with that of the source which has its kind, name and place among those."""
    known: dict[tuple[str, str, bool], list[Fact]] = {}
    for fact in source:
        known.setdefault(_key(fact), []).append(fact)
    found: list[Fact] = []
    seen: dict[tuple[str, str, bool], int] = {}
    for fact in emitted:
        key = _key(fact)
        at = seen[key] = seen.get(key, -1) + 1
        same = known.get(key, ())
        found.append(_with(fact, same[at]) if at < len(same) else replace(fact, line=0, end_line=0))
    return tuple(found)


def _key(fact: Fact) -> tuple[str, str, bool]:
    is_nameless = fact.name == "_default" or (fact.is_default and not fact.name)
    return fact.kind, "default" if is_nameless else fact.name, fact.is_static


def _with(fact: Fact, source: Fact) -> Fact:
    return replace(
        fact,
        parameters=_parameters(fact.parameters, source.parameters),
        doc=fact.doc or source.doc,
        decorators=fact.decorators or source.decorators,
        deprecated=fact.deprecated if fact.deprecated is not None else source.deprecated,
        is_internal=fact.is_internal or source.is_internal,
        is_async=fact.is_async or source.is_async,
        line=source.line,
        end_line=source.end_line,
        members=_all(fact.members, source.members),
    )


def _parameters(
    emitted: Sequence[ParameterFact], source: Sequence[ParameterFact]
) -> tuple[ParameterFact, ...]:
    if not emitted:  # of a constant that holds a function: its type says the rest
        return tuple(replace(each, annotation=None) for each in source if each.default is not None)
    if len(emitted) != len(source):
        return tuple(emitted)
    return tuple(
        replace(one, default=other.default) if one.default is None else one
        for one, other in zip(emitted, source, strict=True)
    )
