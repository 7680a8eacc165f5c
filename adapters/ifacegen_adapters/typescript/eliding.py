"""Signatures that are too long for a line: what is left out of them, the least telling first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifacegen_adapters.typescript.brackets import Node, parsed

#: Characters of what a function returns that a line has room for in any case.
_RETURNS = 40
_MODIFIERS = frozenset({"const", "in", "out"})


def cut(text: str, room: int) -> str:
    """A text of this many characters at most."""
    return text if len(text) <= room else f"{text[: max(0, room - 1)]}…"


def elided(signature: str, room: int) -> tuple[str, bool]:
    """A signature without the types of its parameters, then of its type parameters, then without some of the former.

    The second value says whether types were left out.
    """
    root = parsed(signature)
    if root is None:
        return cut(signature, room), False
    types, parameters = _lists(root.nodes, signature)
    bare = _bare(signature, types)
    if parameters is None:
        return cut(bare, room), bare != signature
    lines = _shorter(signature, len(signature) - len(bare), bare, parameters, room)
    return next((line for line in lines if len(line) <= room), cut(bare, room)), True


def _lists(nodes: Sequence[Node], text: str) -> tuple[Node | None, Node | None]:
    """The type parameters of what is declared, and its parameters."""
    types: Node | None = None
    for index, each in enumerate(nodes):
        after = nodes[index + 1].kind if index + 1 < len(nodes) else ":"
        if each.kind == "(":
            return types, each if after in (":", "=>") else None
        if each.kind == "=" or text[each.start : each.end] in ("extends", "implements"):
            break
        if each.kind == "<":
            types = each
    return types, None


def _bare(signature: str, types: Node | None) -> str:
    """A signature with nothing but the names of its type parameters."""
    if types is None:
        return signature
    return f"{signature[: types.start]}<{', '.join(_type_names(types, signature))}>{signature[types.end :]}"


def _shorter(signature: str, saved: int, bare: str, parameters: Node, room: int) -> Iterator[str]:
    """Ways to write the signature of a function, each shorter than the one before; ``bare`` is so much shorter."""
    names = _names(parameters, signature)
    tail = signature[parameters.end :]
    yield f"{signature[: parameters.start]}({', '.join(names)}){tail}"
    head = bare[: parameters.start - saved]
    for kept in range(len(names), 0, -1):
        more = [f"… {len(names) - kept} more"] if kept < len(names) else []
        line = f"{head}({', '.join([*names[:kept], *more])})"
        yield f"{line}{_returned(tail, max(_RETURNS, room - len(line)))}"
    yield f"{head}({'…' * bool(names)}){_returned(tail, max(_RETURNS, room - len(head) - 3))}"


def _returned(tail: str, room: int) -> str:
    """What stands behind the parameters; what it returns without type arguments, if need be."""
    if len(tail) <= room:
        return tail
    root = parsed(tail)
    last = root.nodes[-1] if root is not None and root.nodes else None
    return cut(f"{tail[: last.start]}<…>" if last is not None and last.kind == "<" else tail, room)


def _names(parameters: Node, text: str) -> list[str]:
    """Each parameter up to its type: ``x?``, ``...rest``."""
    return [_name(each.nodes, text) for each in parameters.items if each.nodes]


def _name(nodes: Sequence[Node], text: str) -> str:
    end = next((each.start for each in nodes if each.kind == ":"), nodes[-1].end)
    return text[nodes[0].start : end].rstrip()


def _type_names(types: Node, text: str) -> Iterator[str]:
    for item in types.items:
        words = (text[each.start : each.end] for each in item.nodes)
        yield next((word for word in words if word not in _MODIFIERS), "")
