"""Where types have their operators: conditional types, unions, intersections, on one level of brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifacegen_adapters.typescript.brackets import Node

#: Words behind which a type begins: ``K in T as U``, ``x is T``.
_BEFORE = frozenset({"in", "as", "is"})


def type_start(nodes: Sequence[Node], text: str) -> int:
    """Where the type begins that a declaration, a parameter or a function type ends with: behind ``:``, ``=``, ``=>``.

    Where a conditional type has its own ``=>`` and ``:``, it begins before them.
    """
    start = after_extends = 0
    for index, each in enumerate(nodes):
        if each.kind == "?" and after_extends and _asks(nodes, index):
            return start
        if each.kind in (":", "=") or (each.kind == "=>" and not after_extends):
            start = index + 1
            after_extends = 0
        elif _is_extends(each, text):
            after_extends = index + 1
        elif index and not after_extends and each.kind == "word" and text[each.start : each.end] in _BEFORE:
            start = index + 1
    return max(start, after_extends)


def operator(nodes: Sequence[Node], text: str) -> str:
    """What binds a type loosest: ``?`` of a conditional type, ``|``, ``&``, or nothing."""
    kinds = {each.kind for each in nodes}
    if "?" in kinds and any(each[0] for each in branches(nodes, text)):
        return "?"
    if "=>" in kinds:
        return ""
    return next((mark for mark in ("|", "&") if mark in kinds), "")


def arms(nodes: Sequence[Node], mark: str) -> list[list[Node]]:
    """What stands between marks."""
    found: list[list[Node]] = [[]]
    for each in nodes:
        if each.kind == mark:
            found.append([])
        else:
            found[-1].append(each)
    return found


def branches(nodes: Sequence[Node], text: str) -> list[tuple[str, list[Node]]]:
    """A chain of conditional types: the first condition, then each ``?`` and ``:`` with what follows it.

    A conditional type within the part behind ``?`` stays in that part.
    """
    return list(_branches(nodes, text))


def _branches(nodes: Sequence[Node], text: str) -> Iterator[tuple[str, list[Node]]]:
    mark, part = "", list[Node]()
    open_questions = 0
    has_extends = False
    for index, each in enumerate(nodes):
        is_question = each.kind == "?" and has_extends and _asks(nodes, index)
        if is_question and mark != "?":
            yield mark, part
            mark, part = "?", []
            has_extends = False
        elif each.kind == ":" and mark == "?" and open_questions == 0:
            yield mark, part
            mark, part = ":", []
            has_extends = False
        else:
            open_questions += is_question
            open_questions -= each.kind == ":" and mark == "?"
            has_extends = has_extends or _is_extends(each, text)
            part.append(each)
    yield mark, part


def _asks(nodes: Sequence[Node], index: int) -> bool:
    """Whether a ``?`` is that of a conditional type, not of a name that may be left out."""
    return index + 1 < len(nodes) and nodes[index + 1].kind not in (":", ",")


def _is_extends(node: Node, text: str) -> bool:
    return node.kind == "word" and text[node.start : node.end] == "extends"
