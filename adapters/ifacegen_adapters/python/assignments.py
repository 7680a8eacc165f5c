"""Reads assignments: module variables, class attributes, ``self.x``, type aliases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from ifacegen_adapters.python.bodies import SelfAttribute
from ifacegen_adapters.python.facts import LONGEST_VALUE, Definition
from ifacegen_adapters.python.headers import Header
from ifacegen_adapters.python.methods import Method
from ifacegen_adapters.python.syntax import LONGEST, Text, annotation, is_annotation, parts_of
from ifacegen_adapters.python.values import hints

_CONTAINERS = frozenset({"dictionary", "list", "tuple", "set"})
_TYPE_VARIABLES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
#: Calls whose arguments say what the name is, so that they are never elided.
_DEFINING = frozenset(
    {"NewType", "namedtuple", "NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
)
#: What makes a type of what stands in its brackets, whatever the name that is given to it.
_GENERIC = frozenset(
    {"list", "dict", "tuple", "set", "type", "frozenset", "List", "Dict", "Tuple", "Set", "Type", "FrozenSet"}
    | {"Union", "Optional", "Callable", "Literal", "Annotated"}
)
_CAPITALISED = re.compile(r"_*[A-Z]\w*[a-z]\w*\Z|_*[A-Z]\Z")


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment statement: what it binds, and the value's node."""

    names: tuple[str, ...]
    definitions: tuple[Definition, ...]
    value: Node | None


def read_assignment(node: Node, text: Text, in_class: bool) -> Assignment:
    """Read ``a = b = value``, ``a: T = value``, ``a, b = values``; targets that are no names are passed over."""
    lefts: list[Node] = []
    value: Node | None = node
    typed: Node | None = None
    while value is not None and value.type == "assignment":
        lefts.extend(value.children_by_field_name("left"))
        typed = value.child_by_field_name("type")
        value = value.child_by_field_name("right")
    pairs = [pair for left in lefts for pair in _targets(left, value)]
    definitions = tuple(
        _variable(text.raw(name), node, typed, given, text, in_class) for name, given in pairs
    )
    return Assignment(tuple(each.name for each in definitions), definitions, value)


def _targets(left: Node, value: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """Each name on the left with the part of the value it gets, as far as that can be seen."""
    pending = [(left, value)]
    while pending:
        target, given = pending.pop()
        if target.type == "identifier":
            yield target, given
        elif target.type == "list_splat_pattern":
            pending.append((parts_of(target)[0], None))
        elif target.type in ("pattern_list", "tuple_pattern", "list_pattern"):
            names = parts_of(target)
            sequence = given is not None and given.type in ("expression_list", "tuple", "list")
            parts = parts_of(given) if sequence and given is not None else []
            starred = any(each.type.startswith("list_splat") for each in (*names, *parts))
            aligned = len(parts) == len(names) and not starred
            pairs = [(name, parts[index] if aligned else None) for index, name in enumerate(names)]
            pending.extend(reversed(pairs))


def _variable(
    name: str, node: Node, typed: Node | None, value: Node | None, text: Text, in_class: bool
) -> Definition:
    if typed is not None and not is_annotation(typed):
        return Definition(
            "variable", Header(name, verbatim=text.clean(node)), text.line(node), text.end_line(node)
        )
    stated, doc = annotation(typed, text) if typed is not None and not typed.has_error else (None, None)
    kind = _kind(name, stated, value, text, in_class)
    keep = kind in ("type_alias", "type_variable") or _callee(value, text) in _DEFINING
    return Definition(
        kind,
        Header(name),
        text.line(node),
        text.end_line(node),
        doc=doc,
        value=_value(value, text, LONGEST if keep else LONGEST_VALUE),
        size=_size(value) if value is not None else None,
        keep_value=keep,
        type=stated,
        type_origin="stated" if stated is not None else None,
        hints=hints(value, text, _no_names) if stated is None and not keep else (),
    )


def _no_names(_: str) -> None:
    """At module and class level no name is a method's own."""


def _value(value: Node | None, text: Text, longest: int) -> str | None:
    if value is None or value.has_error or value.end_byte - value.start_byte > longest:
        return None
    return text.clean(value)


def _size(value: Node) -> str:
    characters = value.end_byte - value.start_byte
    count = f"{characters:,} characters"
    if value.type in _CONTAINERS:
        entries = len(parts_of(value))
        return f"{entries:,} {'entry' if entries == 1 else 'entries'}, {count}"
    return count


def _callee(value: Node | None, text: Text) -> str:
    function = value.child_by_field_name("function") if value is not None and value.type == "call" else None
    if function is None or function.end_byte - function.start_byte > 200:
        return ""
    return text.dotted(function).rpartition(".")[2]


def _kind(name: str, stated: str | None, value: Node | None, text: Text, in_class: bool) -> str:
    if stated is not None and stated.rpartition(".")[2].strip("\"'") == "TypeAlias":
        return "type_alias"
    if _callee(value, text) in _TYPE_VARIABLES:
        return "type_variable"
    if stated is None and not in_class and value is not None and _looks_like_a_type(name, value, text):
        return "type_alias"
    return "attribute" if in_class else "variable"


def _looks_like_a_type(name: str, value: Node, text: Text) -> bool:
    """``Pairs = list[tuple[int, int]]``, ``Path = str | bytes``: capitalised, and an expression for a type."""
    if value.type == "subscript":
        inner = value.child_by_field_name("value")
        written = text.raw(inner) if inner is not None and inner.end_byte - inner.start_byte < 200 else ""
        last = written.rpartition(".")[2]
        return last in _GENERIC or (last[:1].isupper() and _CAPITALISED.match(name) is not None)
    if not _CAPITALISED.match(name):
        return False
    operator = value.child_by_field_name("operator") if value.type == "binary_operator" else None
    return operator is not None and operator.type == "|"


def read_self_attribute(found: SelfAttribute, method: Method, text: Text) -> Definition:
    """An instance attribute, with what the method tells of its type where none is stated."""
    stated, doc = (
        annotation(found.annotation, text) if found.annotation is not None else (found.commented, None)
    )
    given = () if stated is not None else method.hints(found)
    return Definition(
        "attribute",
        Header(found.name),
        text.line(found.node),
        text.end_line(found.node),
        doc=found.doc or doc,
        type=stated,
        type_origin="stated" if stated is not None else None,
        flags=frozenset({"hoisted", "checked"} if method.is_checked else {"hoisted"}),
        hints=given,
        set_to=method.set_to(found) if any(each[0] != ":" for each in given) else None,
    )


def read_type_alias(node: Node, text: Text) -> Iterator[Definition]:
    """``type Name[T] = value`` (PEP 695)."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    written = text.clean(left)
    name, bracket, params = written.partition("[")
    yield Definition(
        "type_alias",
        Header(name.strip(), type_params=bracket + params if bracket else None),
        text.line(node),
        text.end_line(node),
        value=_value(right, text, LONGEST),
        size=_size(right),
        keep_value=True,
        flags=frozenset({"statement"}),
    )
