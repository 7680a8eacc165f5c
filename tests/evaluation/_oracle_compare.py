"""One definition as its source states it, held against the same one as a view or a stub shows it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from evaluation._oracle import Argument, Expr, Thing
from evaluation._oracle_syntax import Condition

#: What is counted, in the order of the table.
KINDS = (
    *("functions", "classes", "decorators", "docstrings", "values", "stated types"),
    *("attribute docs", "conditionals", "module docs"),
)

Same = Callable[[Expr, Expr], bool]


def equal(stated: Expr, shown: Expr) -> bool:
    """Whether two expressions say the same in the same spelling."""
    return stated == shown


@dataclass(frozen=True, slots=True)
class Limits:
    """What the one that shows may do."""

    #: Characters beyond which a value may be elided; None: never.
    long_value: int | None = None
    #: Whether types that nobody stated may be added.
    may_add: bool = False
    #: Whether it is a stub, where an ``async def`` that yields is written without ``async``.
    is_stub: bool = False
    #: The comments in it, where parameters' documentation may stand.
    comments: frozenset[str] | None = None
    #: Lines of the ``try`` statements that have to be shown; None: all of them.
    answered: frozenset[int] | None = None


def facets(thing: Thing) -> Iterator[str]:
    """The kinds that a definition counts for, once for each part that can be lost."""
    if thing.sort == "variable":
        if thing.value is not None and not thing.hoisted:
            yield "values"
        if thing.annotation is not None:
            yield "stated types"
        if thing.doc:
            yield "attribute docs"
    else:
        yield kind_of(thing)
        yield from ("decorators" for _ in thing.decorators)
        if thing.doc:
            yield "docstrings"
    if thing.conditions:
        yield "conditionals"


def kind_of(thing: Thing) -> str:
    """The kind that says that a definition is there at all."""
    return {"function": "functions", "class": "classes", "variable": "values"}[thing.sort]


def differences(stated: Thing, shown: Thing, limits: Limits, same: Same = equal) -> Iterator[tuple[str, str]]:
    """What differs: a kind, and words."""
    kind = kind_of(stated)
    if stated.sort != shown.sort:
        yield kind, f"{stated.sort} shown as {shown.sort}"
        return
    if stated.sort == "variable":
        yield from _variable(stated, shown, limits, same)
    else:
        yield from ((kind, words) for words in _header(stated, shown, limits, same))
        for mine, theirs in zip_longest(stated.decorators, shown.decorators):
            if mine is None or theirs is None or not same(mine, theirs):
                yield "decorators", f"@{text(mine)} shown as @{text(theirs)}"
        yield from _doc("docstrings", stated, shown)
    if not _conditions_match(stated.conditions, shown.conditions, limits):
        yield "conditionals", f"{_chain(stated)} shown as {_chain(shown)}"


def _header(stated: Thing, shown: Thing, limits: Limits, same: Same) -> Iterator[str]:
    is_plain_generator = limits.is_stub and stated.yields and not shown.is_async
    if stated.is_async != shown.is_async and not is_plain_generator:
        yield "async differs"
    if stated.type_params != shown.type_params:
        yield f"type parameters {stated.type_params} shown as {shown.type_params}"
    if _names(stated) != _names(shown):
        yield f"parameters {_names(stated)} shown as {_names(shown)}"
    else:
        for mine, theirs in zip(stated.arguments, shown.arguments, strict=True):
            yield from _argument(mine, theirs, limits, same)
    yield from _part("returns", stated.returns, shown.returns, limits.may_add, same)
    for index, (base, other) in enumerate(zip_longest(stated.bases, shown.bases)):
        if base is None or other is None or base[0] != other[0] or not same(base[1], other[1]):
            yield f"base {index}: {_base(base)} shown as {_base(other)}"


def _argument(stated: Argument, shown: Argument, limits: Limits, same: Same) -> Iterator[str]:
    name = stated.name
    yield from _part(f"type of {name}", stated.annotation, shown.annotation, limits.may_add, same)
    yield from _part(f"default of {name}", stated.default, shown.default, False, same)
    if stated.doc and shown.doc != stated.doc:
        written = limits.comments is not None and all(
            f"# {line}".rstrip() in limits.comments for line in stated.doc.split("\n")
        )
        if not written:
            yield f"Doc of {name}: {stated.doc[:80]!r} shown as {(shown.doc or '')[:80]!r}"


def _part(label: str, stated: Expr | None, shown: Expr | None, may_add: bool, same: Same) -> Iterator[str]:
    if stated is None and (shown is None or may_add):
        return
    if stated is None or shown is None or not same(stated, shown):
        yield f"{label}: {text(stated)} shown as {text(shown)}"


def _doc(kind: str, stated: Thing, shown: Thing) -> Iterator[tuple[str, str]]:
    if not same_doc(stated.doc, shown.doc):
        yield kind, f"{_excerpt(stated.doc, shown.doc)} shown as {_excerpt(shown.doc, stated.doc)}"


def same_doc(stated: str | None, shown: str | None) -> bool:
    """Whether two texts are alike, white space before the first line and behind the last one aside."""
    return (stated or "").strip() == (shown or "").strip()


def _excerpt(doc: str | None, other: str | None) -> str:
    """A text from where it begins to differ."""
    mine, theirs = doc or "", other or ""
    at = next((i for i, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), 0)
    return repr(mine[max(at - 30, 0) : at + 50])


def _variable(stated: Thing, shown: Thing, limits: Limits, same: Same) -> Iterator[tuple[str, str]]:
    found = _part("type", stated.annotation, shown.annotation, limits.may_add, same)
    yield from (("stated types", words) for words in found)
    yield from _doc("attribute docs", stated, shown)
    if shown.value is not None and stated.value is not None and same(stated.value, shown.value):
        return
    is_elided = shown.value is None or _is_ellipsis(shown.value)
    if stated.value is None or stated.hoisted:
        may_miss = is_elided
    else:
        may_miss = is_elided and limits.long_value is not None and len(stated.value.text) > limits.long_value
        # A type checker takes `A | B` in a stub for a type; there the value is a comment.
        words = " ".join(stated.value.text.split())
        comments = {f"# {words}", f"# ({words})"} & (limits.comments or frozenset())
        may_miss = may_miss or (is_elided and limits.is_stub and bool(comments))
    if not may_miss:
        yield "values", f"{text(stated.value)} shown as {text(shown.value)}"


def _is_ellipsis(value: Expr) -> bool:
    return isinstance(value.node, ast.Constant) and value.node.value is ...


def _names(thing: Thing) -> list[str]:
    marks = {"positional_only": "/", "var_positional": "*", "keyword_only": "=", "var_keyword": "**"}
    return [f"{each.name}{marks.get(each.kind, '')}" for each in thing.arguments]


def text(value: Expr | None) -> str:
    """An expression in one line."""
    return "nothing" if value is None else " ".join(value.text.split())[:160]


def _base(base: tuple[str, Expr] | None) -> str:
    return "nothing" if base is None else f"{base[0]}={text(base[1])}" if base[0] else text(base[1])


def _chain(thing: Thing) -> str:
    return " / ".join(map(str, thing.conditions)) or "nothing"


def _conditions_match(stated: Sequence[Condition], shown: Sequence[Condition], limits: Limits) -> bool:
    """Whether two chains of conditions say the same; a ``try`` that nothing shown answers to may be left out."""
    rest = list(shown)
    for each in stated:
        if rest and rest[0] == each:
            rest.pop(0)
        elif each.word not in ("try", "else") or limits.answered is None or each.at in limits.answered:
            return False
    return not rest
