"""What a public module states and its view doesn't show, each with the rule that says why, or none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation._oracle import Expr, Source, Thing
from evaluation._oracle_compare import same_doc
from evaluation._oracle_syntax import MAIN
from evaluation._oracle_view import PackageView, Pair


@dataclass(frozen=True, slots=True)
class Missing:
    """A public definition that no declaration stands for."""

    where: str
    thing: Thing
    #: The rule that takes it out; None: it is lost.
    reason: str | None


def missing(view: PackageView) -> Iterator[Missing]:
    """Every public definition without a declaration: of public modules, and the members of shown classes."""
    shown: dict[tuple[str, int, str], list[Pair]] = {}
    for pair in view.pairs:
        shown.setdefault(_place(pair.value["path"], pair.source), []).append(pair)
    for module in view.value["modules"]:
        source = view.sources.get(module["path"])
        if source is not None and not is_private(module["name"]):
            names = public(source)
            things = [each for each in source.things if each.name in names]
            yield from _unshown(things, source.things, module["path"], source, shown)
    for pair in view.pairs:
        if pair.source.sort == "class" and not _is_brief(pair.value):
            members = pair.source.members
            wanted = [each for each in members if not each.name.startswith("_") or _is_dunder(each.name)]
            source = view.sources[pair.value["path"]]
            inherited = view.inherited(pair.value["path"], pair.source)
            for each in _unshown(wanted, members, pair.value["path"], source, shown):
                is_declared = each.thing.hoisted and each.thing.name in inherited
                yield replace(
                    each, reason=each.reason or "a base declares it" if is_declared else each.reason
                )


def _place(path: str, thing: Thing) -> tuple[str, int, str]:
    return path, thing.line, thing.qualname


def _is_brief(value: Mapping[str, Any]) -> bool:
    """Shown by its header alone, as something public only has a value or a decorator of it."""
    return value["visibility"] == "carried" and not value["members"] and value["doc"] is None


def is_private(module: str) -> bool:
    """Whether a module is nobody's to import."""
    return any(part.startswith("_") for part in module.split("."))


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def public(source: Source) -> frozenset[str]:
    """The names that a module states and offers: those in ``__all__``, else those without underscore."""
    plain = frozenset(each.name for each in source.things if not each.name.startswith("_"))
    if source.exported is None:
        return plain
    return source.exported | plain if source.computed else source.exported


def _unshown(
    wanted: Sequence[Thing],
    scope: Sequence[Thing],
    path: str,
    source: Source,
    shown: Mapping[tuple[str, int, str], list[Pair]],
) -> Iterator[Missing]:
    for thing in wanted:
        if _place(path, thing) not in shown:
            others = [each for each in scope if each.name == thing.name and each is not thing]
            present = [pair.shown for each in others for pair in shown.get(_place(path, each), [])]
            where = f"{path}:{thing.line} {thing.qualname}"
            reason = _reason(thing, others, present, source)
            yield Missing(where, thing, reason)
            is_read = not thing.doc or any(same_doc(each.doc, thing.doc) for each in present)
            if reason == "implementation" and not is_read:
                yield Missing(f"{where}: documentation", thing, None)


def _reason(thing: Thing, others: Sequence[Thing], present: Sequence[Thing], source: Source) -> str | None:
    """Why a definition isn't shown; None if there is no reason."""
    words = {each.word for each in thing.conditions}
    is_global = "." not in thing.qualname
    if MAIN in words:
        return "only when run as a program"
    if "for" in words:
        return "set in a loop"
    if thing.qualname in source.deleted:
        return "deleted"
    if thing.loose:
        return "bound by a with statement"
    if any(_is_overload(each) for each in others) and not _is_overload(thing):
        return "implementation"
    if present and thing.hoisted:
        return "the attribute is shown where it is declared, or first set"
    if any(each.line > thing.line and _replaces(each, thing) for each in present):
        return "bound again"
    if present and thing.value is not None and thing.name in _names(thing.value):
        return "wraps what is shown"
    if is_global and thing.name in source.imported and thing.sort == "variable":
        return "stands in for an import"
    return None


def _names(value: Expr) -> set[str]:
    return {each.id for each in ast.walk(value.node) if isinstance(each, ast.Name)}


def _is_overload(thing: Thing) -> bool:
    return any(each.text.rpartition(".")[2] == "overload" for each in thing.decorators)


def _replaces(later: Thing, thing: Thing) -> bool:
    """Whether what is shown holds wherever the other one would."""
    return thing.conditions[: len(later.conditions)] == later.conditions
