"""Arranges declarations under their conditions: the ``if``, ``else`` and ``except`` they are printed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ifacegen.model import Declaration
from ifacegen_adapters.python.syntax import without_parentheses


@dataclass(frozen=True, slots=True)
class Conditional:
    """A header to print before the declarations that follow, ``depth`` levels in."""

    header: str
    depth: int
    #: Whether a chain begins here (``if``, ``try``) rather than goes on.
    opens: bool
    #: Whether nothing stands under it.
    is_empty: bool = False


Item = Conditional | tuple[Declaration, int]


def arranged(declarations: Sequence[Declaration]) -> Iterator[Item]:
    """Declarations with the headers of the conditions they share, nested as the source nests them."""
    yield from _arranged([(each.conditions, each) for each in declarations], 0)


_Conditioned = tuple[tuple[str, ...], Declaration]


def _arranged(items: Sequence[_Conditioned], depth: int) -> Iterator[Item]:
    #: What the next header may go on from: the tests that failed, or the part of a `try` that was printed.
    failed: str | None = None
    index = 0
    while index < len(items):
        conditions, declaration = items[index]
        if not conditions:
            yield declaration, depth
            failed = None
            index += 1
            continue
        condition, end = conditions[0], index
        while end < len(items) and items[end][0][:1] == (condition,):
            end += 1
        inner = [(rest[1:], each) for rest, each in items[index:end]]
        after = items[end][0][0] if end < len(items) and items[end][0] else ""
        alone = condition == "try" and not after.startswith("except")
        if alone or (condition == "else" and failed not in ("except", "bare except")):
            yield from _arranged(inner, depth)  # nothing else defines it: it is simply there
            failed = None
        else:
            yield from _headers(condition, failed, depth)
            yield from _arranged(inner, depth + 1)
            failed = _failing(condition, failed)
        index = end


def _headers(condition: str, failed: str | None, depth: int) -> Iterator[Conditional]:
    if condition.startswith("if "):
        test = condition[3:]
        if test == failed:
            yield Conditional("else", depth, False)
        elif failed and test.startswith(f"{failed} and "):
            yield Conditional(f"elif {_last(test, failed)}", depth, False)
        else:
            yield Conditional(condition, depth, True)
    elif condition in ("try", "else") or failed in ("try", "except"):
        yield Conditional(condition, depth, condition == "try")
    else:
        yield Conditional("try", depth, True, is_empty=True)
        yield Conditional(condition, depth, False)


def _failing(condition: str, failed: str | None) -> str | None:
    """What the header after this one may go on from."""
    if not condition.startswith("if "):
        # What may follow: handlers after the body, `else` after handlers, nothing after that.
        return {"try": "try", "else": None, "except": "bare except"}.get(condition, "except")
    test = condition[3:]
    if test == failed:
        return None
    if failed and test.startswith(f"{failed} and "):
        return f"{failed} and not ({_last(test, failed)})"
    return f"not ({test})"


def _last(test: str, failed: str) -> str:
    """The part of a test behind the tests that failed."""
    return without_parentheses(test[len(failed) + len(" and ") :])
