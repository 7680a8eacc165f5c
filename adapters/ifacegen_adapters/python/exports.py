"""What a module says about its own exports: ``__all__`` operations and tables of lazy names.

Read literally, never computed: an expression that is not understood is marked as such and named in
the notes of the view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from ifacegen_adapters.python.syntax import Text, parts_of, string_value

#: Entries of a lazy table that are looked at; more is generated data.
_MOST_ENTRIES = 20_000
_MODULE = re.compile(r"\.*[A-Za-z_]\w*(\.\w+)*(:\w+)?\Z|\.+\Z")


@dataclass(frozen=True, slots=True)
class AllOperation:
    """One change of ``__all__``. Items are names, or references (``*module.__all__``) marked by a leading ``*``."""

    kind: str  # "set", "add" or "remove"
    items: tuple[str, ...]
    #: False when a part of the expression could not be read.
    complete: bool = True


@dataclass(frozen=True, slots=True)
class LazyName:
    """A name that ``__getattr__`` serves, with the strings its table gives for it."""

    key: str
    values: tuple[str, ...]
    #: Whether the key is a module and the values are names in it.
    by_module: bool = False


def all_operation(kind: str, node: Node, text: Text) -> AllOperation:
    """Read the right side of an assignment to ``__all__``."""
    items: list[str] = []
    complete = True
    pending = [node]
    while pending:
        current = pending.pop()
        if (value := string_value(current, text)) is not None:
            items.append(value)
        elif (reference := _reference(current, text)) is not None:
            items.append(f"*{reference}")
        elif (children := _parts(current, text)) is not None:
            pending.extend(reversed(children))
        else:
            complete = False
    return AllOperation(kind, tuple(items), complete)


def _reference(node: Node, text: Text) -> str | None:
    """The dotted name of a list defined elsewhere: ``other.__all__``, ``_names``, ``table.keys()``."""
    if node.type in ("identifier", "attribute"):
        return text.clean(node)
    if node.type != "call":
        return None
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or parts_of(arguments):
        return None
    name = text.clean(function)
    return name.removesuffix(".keys") if name.endswith(".keys") else None


def _parts(node: Node, text: Text) -> list[Node] | None:
    """The nodes whose values together make the node's value; None if it is something else."""
    if node.type in ("list", "tuple", "set", "list_splat", "parenthesized_expression", "expression_list"):
        return parts_of(node)
    if node.type == "binary_operator":
        operator = node.child_by_field_name("operator")
        sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
        if operator is not None and operator.type in ("+", "|"):
            return [side for side in sides if side is not None]
    if node.type == "call":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is not None and arguments is not None and text.dotted(function) in _CONVERSIONS:
            return parts_of(arguments)[:1]
    return None


_CONVERSIONS = frozenset({"list", "tuple", "set", "sorted", "frozenset"})


def names_of(node: Node, text: Text) -> tuple[str, ...]:
    """The strings of a literal list, or the keys of a literal dict."""
    if node.type == "dictionary":
        keys = (pair.child_by_field_name("key") for pair in parts_of(node) if pair.type == "pair")
        found = [string_value(key, text) for key in keys if key is not None]
    else:
        found = [string_value(child, text) for child in parts_of(node)]
    return tuple(value for value in found if value is not None)


def lazy_table(node: Node, text: Text) -> tuple[LazyName, ...]:
    """Entries of a literal dict from names to the modules that define them (or the other way round)."""
    entries: list[LazyName] = []
    for pair in parts_of(node)[:_MOST_ENTRIES] if node.type == "dictionary" else ():
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = string_value(key, text) if key is not None else None
        if name is None or value is None:
            continue
        whole = string_value(value, text)
        values = (whole,) if whole is not None else names_of(value, text)
        if values and all(_MODULE.match(each) for each in values):
            entries.append(LazyName(name, values, value.type in ("list", "set")))
    return tuple(entries)


def attached(arguments: Node, text: Text) -> Iterator[LazyName]:
    """What ``lazy_loader.attach(__name__, submodules, submod_attrs)`` serves (scientific-python SPEC 1)."""
    keywords, positional = call_arguments(arguments, text)
    submodules = keywords.get("submodules") or (positional[1] if len(positional) > 1 else None)
    attributes = keywords.get("submod_attrs") or (positional[2] if len(positional) > 2 else None)
    for name in names_of(submodules, text) if submodules is not None else ():
        yield LazyName(name, (f".{name}", ""))
    for entry in lazy_table(attributes, text) if attributes is not None else ():
        for name in entry.values:
            yield LazyName(name, (f".{entry.key}", name))


def call_arguments(arguments: Node, text: Text) -> tuple[Mapping[str, Node], list[Node]]:
    """Keyword arguments by name, and the positional ones."""
    keywords: dict[str, Node] = {}
    positional: list[Node] = []
    for child in parts_of(arguments):
        name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
        if child.type == "keyword_argument" and name is not None and value is not None:
            keywords[text.raw(name)] = value
        elif child.type != "comment":
            positional.append(child)
    return keywords, positional
