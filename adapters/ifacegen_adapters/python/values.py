"""What a value tells of its type by its syntax alone.

A *hint* is a type behind a colon (``:int``), or an expression to be looked up where names can be resolved:
``Class()`` for what calling it gives, ``Enum.MEMBER``, ``CONSTANT``. Several hints are alternatives; :data:`UNKNOWN` is one of
which nothing can be said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from tree_sitter import Node

from ifacegen_adapters.python.syntax import Text, parts_of

UNKNOWN = "?"
NONE = ":None"
Hints: TypeAlias = tuple[str, ...]
#: The hints of a plain name in a method: of a parameter, or :data:`UNKNOWN` for what the method binds otherwise.
Names: TypeAlias = Callable[[str], Hints | None]

#: Types of values whose syntax has only one.
_LITERALS = {"true": "bool", "false": "bool", "not_operator": "bool", "none": "None"}
_CONTAINERS = {
    "list": "list",
    "list_comprehension": "list",
    "dictionary": "dict",
    "dictionary_comprehension": "dict",
    "set": "set",
    "set_comprehension": "set",
    "tuple": "tuple",
    "expression_list": "tuple",
}
#: What calling a builtin gives.
BUILTIN_CALLS = {
    **{
        name: name
        for name in (
            *("bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset"),
            *("int", "list", "object", "set", "str", "tuple"),
        )
    },
    "len": "int",
    "repr": "str",
    "sorted": "list",
    **dict.fromkeys(("isinstance", "issubclass", "callable", "hasattr"), "bool"),
}
_SIMPLE = frozenset({"bool", "int", "float", "complex", "str", "bytes"})
#: What an empty container may become: ``x or []`` is of x's type.
_EMPTY = {
    "list[]": frozenset({"list", "sequence", "mutablesequence", "collection", "iterable"}),
    "dict[]": frozenset({"dict", "mapping", "mutablemapping"}),
    "tuple[]": frozenset({"tuple", "sequence", "collection", "iterable"}),
}
_STRING_METHODS = frozenset({"format", "join", "strip", "lower", "upper", "replace"})
_NUMBERS = ("int", "float", "complex")
_ALWAYS_BOOL = frozenset({"is", "is not", "in", "not in"})
_OPTIONAL = re.compile(r"(?:\w+\.)?Optional\[(.*)\]\Z", re.DOTALL)
#: Deeper alternatives (``a or b or …``) are not followed.
_DEEPEST = 5
#: Entries of a literal that are looked at.
_MOST = 1_000


def hints(value: Node | None, text: Text, names: Names, depth: int = 0) -> Hints:
    """The hints that a value gives."""
    if value is None or value.has_error or depth > _DEEPEST:
        return (UNKNOWN,)
    kind = value.type
    if kind == "parenthesized_expression":
        return hints(_only(value), text, names, depth + 1)
    if kind == "assignment":  # `self.x = y = value`
        return hints(value.child_by_field_name("right"), text, names, depth + 1)
    if kind == "conditional_expression":
        return _conditional(value, text, names, depth)
    if kind == "boolean_operator":
        return _boolean(value, text, names, depth)
    if kind == "identifier":
        name = text.raw(value)
        own = names(name)
        return own if own is not None else (name,)
    if kind in ("call", "attribute"):
        return (_looked_up(value, text, names),)
    found = literal_type(value, text)
    return (f":{found}" if found else UNKNOWN,)


def literal_type(value: Node, text: Text, depth: int = 0) -> str | None:
    """The type of a value that is written out; of a container's entries only where all are of one type."""
    kind = value.type
    if kind in _LITERALS:
        return _LITERALS[kind]
    if kind in ("integer", "float"):
        raw = text.raw(value)
        return "complex" if raw[-1] in "jJ" else kind.replace("integer", "int")
    if kind in ("string", "concatenated_string"):
        return _string_type(value, text)
    if kind in _CONTAINERS:
        return _container_type(value, text, depth)
    if kind == "unary_operator" and text.raw(value)[0] in "+-" and (inner := _only(value)) is not None:
        found = literal_type(inner, text, depth + 1) if depth < _DEEPEST else None
        return found if found in _NUMBERS else None
    if kind == "comparison_operator":
        operators = [text.clean(each) for each in value.children_by_field_name("operators")]
        return "bool" if len(operators) == 1 and operators[0] in _ALWAYS_BOOL else None
    return _operation_type(value, text, depth) if kind == "binary_operator" and depth < _DEEPEST else None


def _string_type(value: Node, text: Text) -> str:
    start = value if value.type == "string" else value.children[0]
    prefix = re.split("['\"]", text.raw(start), maxsplit=1)[0]
    return "bytes" if "b" in prefix.lower() else "str"


def _operation_type(value: Node, text: Text, depth: int) -> str | None:
    left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
    operator = value.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return None
    first, second = literal_type(left, text, depth + 1), literal_type(right, text, depth + 1)
    sign = text.raw(operator)
    if first in ("str", "bytes") and sign == "%":
        return first
    if first in ("str", "bytes"):
        return first if (sign, second) in (("+", first), ("*", "int")) else None
    if first == second == "int":
        return {"/": "float", "**": None, "@": None}.get(sign, "int")
    numbers = first in _NUMBERS and second in _NUMBERS and sign in ("+", "-", "*", "/")
    return max(first, second, key=_NUMBERS.index) if numbers and first and second else None


def _container_type(value: Node, text: Text, depth: int) -> str:
    name = _CONTAINERS[value.type]
    items = parts_of(value)
    if not items:
        return f"{name}[]"
    if value.type.endswith("comprehension") or len(items) > _MOST or depth:
        return name
    if name == "dict":
        keys = _common((each.child_by_field_name("key") for each in items), text)
        values = _common((each.child_by_field_name("value") for each in items), text)
        return f"dict[{keys}, {values}]" if keys and values else name
    common = _common(items, text)
    if common is None:
        return name
    return f"tuple[{common}, ...]" if name == "tuple" else f"{name}[{common}]"


def _common(items: Iterable[Node | None], text: Text) -> str | None:
    """The type that all items have, for certain."""
    kinds = {literal_type(each, text, 1) if each is not None else None for each in items}
    found = next(iter(kinds)) if len(kinds) == 1 else None
    return found if found in _SIMPLE else None


def _conditional(value: Node, text: Text, names: Names, depth: int) -> Hints:
    parts = parts_of(value)
    if len(parts) != 3:
        return (UNKNOWN,)
    first, second = (hints(each, text, names, depth + 1) for each in (parts[0], parts[2]))
    test, one, other = text.clean(parts[1]), text.clean(parts[0]), text.clean(parts[2])
    if test in (one, f"{one} is not None"):
        first = without_none(first)
    if test in (f"not {other}", f"{other} is None"):
        second = without_none(second)
    return _either(first, second)


def _boolean(value: Node, text: Text, names: Names, depth: int) -> Hints:
    left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
    operator = value.child_by_field_name("operator")
    if operator is None or text.raw(operator) != "or":
        return (UNKNOWN,)
    first = hints(left, text, names, depth + 1)
    return _either(without_none(first), hints(right, text, names, depth + 1))


def without_none(found: Hints) -> Hints:
    """The alternatives of a value that is known not to be None."""
    return tuple(f":{not_none(each[1:])}" if each[:1] == ":" else each for each in found if each != NONE)


def without_entries(found: Hints) -> Hints:
    """The hints without the types of a container's entries, which code that nobody checks may change."""
    return tuple(
        each.partition("[")[0] if each[1:].partition("[")[0] in _CONTAINERS.values() else each
        for each in found
    )


def _either(first: Hints, second: Hints) -> Hints:
    return tuple(dict.fromkeys((*first, *second)))


def _looked_up(value: Node, text: Text, names: Names) -> str:
    """What to look up: a dotted name, called or not, that starts at no name of the method's own."""
    target = value.child_by_field_name("function") if value.type == "call" else value
    if target is None or target.end_byte - target.start_byte > 200:
        return UNKNOWN
    if target.type == "attribute" and value.type == "call":
        owner, method = target.child_by_field_name("object"), target.child_by_field_name("attribute")
        if owner is not None and method is not None and owner.type in ("string", "concatenated_string"):
            is_string = text.raw(method) in _STRING_METHODS and _string_type(owner, text) == "str"
            return ":str" if is_string else UNKNOWN
    dotted = text.dotted(target)
    first = dotted.partition(".")[0]
    if not dotted.replace(".", "").isidentifier() or names(first) is not None:
        return UNKNOWN
    return f"{dotted}()" if value.type == "call" else dotted


def _only(node: Node) -> Node | None:
    parts = parts_of(node)
    return parts[0] if len(parts) == 1 else None


def not_none(type_: str) -> str:
    """A type without its None: ``X | None`` and ``Optional[X]`` are ``X``."""
    quote = type_[0] if type_[:1] in ("'", '"') and type_[-1:] == type_[:1] else ""
    inner = type_.strip(quote) if quote else type_
    if found := _OPTIONAL.match(inner):
        inner = found[1]
    inner = inner.removesuffix("| None").removeprefix("None |").strip()
    return f"{quote}{inner}{quote}"


def combined(types: Sequence[str | None]) -> str | None:
    """The type of what may be any of several; None unless it is one type, or one and None."""
    if not types or None in types:
        return None
    known = list(dict.fromkeys(each for each in types if each is not None))
    rest = _without_empty(list(dict.fromkeys(not_none(each) for each in known if each != "None")))
    heads = {each.partition("[")[0] for each in rest}
    if len(rest) > 1 and len(heads) == 1 and heads <= {*_CONTAINERS.values()}:
        rest = [*heads]
    if len(rest) != 1:
        return None
    if len(known) == 1 and not known[0].endswith("[]"):
        return known[0]
    optional = "None" in known or any(not_none(each) != each for each in known)
    return _optional(rest[0]) if optional else rest[0]


def _without_empty(types: list[str]) -> list[str]:
    """Without the types of empty containers, whose entries another one tells."""
    empty = [each for each in types if each.endswith("[]")]
    rest = [each for each in types if not each.endswith("[]")]
    for each in empty:
        fits = _EMPTY.get(each, frozenset())
        if not any(other.partition("[")[0].rpartition(".")[2].lower() in fits for other in rest):
            rest.append(each[:-2])
    return rest


def _optional(type_: str) -> str:
    if type_[:1] in ("'", '"') and type_[-1:] == type_[:1]:
        return f"{type_[:-1]} | None{type_[-1]}"
    return f"{type_} | None"
