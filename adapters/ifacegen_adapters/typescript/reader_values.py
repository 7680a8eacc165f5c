"""What is plain about expressions: literals, functions, objects of them; everything else has no type here.

A type that is guessed wrong is worse than none: whatever needs to know what a name means is left alone, but for
``typeof name`` where a constant is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.facts import Fact, Ref, Text
from ifacegen_adapters.typescript.reader_bodies import returned_value
from ifacegen_adapters.typescript.reader_docs import documented
from ifacegen_adapters.typescript.reader_literals import literal, widened
from ifacegen_adapters.typescript.reader_members import method_of
from ifacegen_adapters.typescript.reader_signatures import read_signature
from ifacegen_adapters.typescript.reader_state import Above
from ifacegen_adapters.typescript.reader_text import join, separated, spelled

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_jsdoc import JsDoc
    from ifacegen_adapters.typescript.reader_state import State

FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function"))
#: Levels of expressions inside each other that are followed.
_DEEPEST = 40
_NUMBER, _STRING, _BOOLEAN, _UNDEFINED = ("number",), ("string",), ("boolean",), ("undefined",)
_NEVER, _VOID = ("never",), ("void",)
#: Classes that are generic, so that their name alone is no type.
_GENERIC = frozenset(
    ("Array", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Promise", "Proxy", "ReadableStream")
)
_CALLED = {"String": _STRING, "Number": _NUMBER, "Boolean": _BOOLEAN, "BigInt": ("bigint",),
           "parseInt": _NUMBER, "parseFloat": _NUMBER}  # fmt: skip
_COMPARED = frozenset(("===", "!==", "==", "!=", "<", ">", "<=", ">=", "instanceof", "in"))
_CALCULATED = frozenset(("-", "*", "/", "%", "**"))


@dataclass(frozen=True, slots=True)
class _How:
    """Where an expression stands."""

    #: What it is stays so: literals are types of their own.
    is_constant: bool = False
    #: Inside of ``as const``.
    is_readonly: bool = False


_WIDE, _CONSTANT, _READONLY = _How(), _How(is_constant=True), _How(is_constant=True, is_readonly=True)


def type_of(state: State, node: Node, *, is_constant: bool = False) -> Text | None:
    """The type of an expression; None where it is not plain."""
    return _typed(state, node, _CONSTANT if is_constant else _WIDE)


def _typed(state: State, node: Node, how: _How) -> Text | None:
    reader = _READERS.get(node.type)
    if reader is None or state.depth > _DEEPEST:
        return None
    state.depth += 1
    try:
        return reader(state, node, how)
    finally:
        state.depth -= 1


# --- Literals and operators -------------------------------------------------------------------------------


def _literal(state: State, node: Node, how: _How) -> Text | None:
    written = literal(state.texts, node)
    if written is None:
        return None
    if how.is_constant:
        return (written,)
    wide = widened(written)
    return (wide,) if wide else None


def _template(state: State, node: Node, how: _How) -> Text | None:
    return _literal(state, node, how) or _STRING


def _unary(state: State, node: Node, how: _How) -> Text | None:
    operator = node.children[0].type
    if operator == "!":
        return _BOOLEAN
    if operator == "typeof":
        return _STRING
    if operator == "void":
        return _UNDEFINED if how.is_constant else None
    if operator == "+":
        return _NUMBER
    return _literal(state, node, how) if operator == "-" else None


def _binary(state: State, node: Node, how: _How) -> Text | None:
    del how  # what is calculated is no literal
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator is not None else ""
    if sign in _COMPARED:
        return _BOOLEAN
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or (sign != "+" and sign not in _CALCULATED):
        return None
    kinds = (_typed(state, left, _WIDE), _typed(state, right, _WIDE))
    if sign == "+" and _STRING in kinds:
        return _STRING
    return _NUMBER if kinds == (_NUMBER, _NUMBER) else None


def _ternary(state: State, node: Node, how: _How) -> Text | None:
    first, second = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if first is None or second is None:
        return None
    one, other = _typed(state, first, how), _typed(state, second, how)
    return one if one == other else None


# --- Assertions, names and calls --------------------------------------------------------------------------


def _parenthesized(state: State, node: Node, how: _How) -> Text | None:
    inner = [each for each in node.named_children if each.type != "comment"]
    return _typed(state, inner[0], how) if len(inner) == 1 else None


def _asserted(state: State, node: Node, how: _How) -> Text | None:
    """``x as T``, ``x as const``; of ``x satisfies T``, what ``x`` is, unless ``T`` bears on it."""
    inner = [each for each in node.named_children if each.type != "comment"]
    if node.type == "satisfies_expression":
        expression, is_readonly = unwrapped(inner[0])
        is_shaped = expression.type in ("object", "array", *FUNCTIONS)
        return None if is_shaped and not is_readonly else _typed(state, inner[0], how)
    if any(each.type == "const" for each in node.children):
        return _typed(state, inner[0], _READONLY)
    return state.texts.text(inner[-1]) if len(inner) == 2 else None


def _type_assertion(state: State, node: Node, how: _How) -> Text | None:
    """``<T>x``."""
    del how
    arguments = node.named_children[0]
    if arguments.named_child_count == 1:
        return state.texts.text(arguments.named_children[0])
    is_constant = state.texts.cut(arguments).strip("< >") == "const"
    return _typed(state, node.named_children[-1], _READONLY) if is_constant else None


def _name(state: State, node: Node, how: _How) -> Text | None:
    written = state.texts.cut(node)
    if written in ("NaN", "Infinity"):
        return _NUMBER
    if not how.is_constant or "?" in written or "(" in written:
        return None
    value = state.texts.value(node)
    return join("typeof ", value) if isinstance(value[0], Ref) and not value[0].module else None


def _called(state: State, node: Node, how: _How) -> Text | None:
    function = node.child_by_field_name("function")
    name = state.texts.cut(function) if function is not None else ""
    if name in ("Symbol", "Symbol.for"):
        return (
            ("unique symbol",)
            if how.is_constant and not how.is_readonly and state.depth == 1
            else ("symbol",)
        )
    return _CALLED.get(name)


def _made(state: State, node: Node, how: _How) -> Text | None:
    """``new X<T>()``."""
    del how
    constructor, arguments = (
        node.child_by_field_name("constructor"),
        node.child_by_field_name("type_arguments"),
    )
    if constructor is None or constructor.type not in ("identifier", "member_expression"):
        return None
    name = state.texts.cut(constructor)
    if arguments is None and (name in _GENERIC or name in state.generic):
        return None
    value = state.texts.value(constructor)
    if not isinstance(value[0], Ref):
        return None
    mention = value[0]._replace(meaning="type")
    return join((mention,), state.texts.text(arguments) if arguments is not None else ())


def _regex(state: State, node: Node, how: _How) -> Text | None:
    del state, node, how
    return (Ref("RegExp"),)


# --- Functions --------------------------------------------------------------------------------------------


def _function(state: State, node: Node, how: _How) -> Text | None:
    del how
    return read_signature(state, node).header(" => ", "any")


def returned(state: State, node: Node) -> Text | None:
    """The type of what a function without a stated type returns; None where it is not plain."""
    body = node.child_by_field_name("body")
    children = node.children
    if body is None or node.type.startswith("generator") or any(each.type == "*" for each in children):
        return None
    is_async = any(each.type == "async" for each in children)
    if body.type != "statement_block":
        made = _typed(state, body, _WIDE)
    else:
        value = returned_value(state.texts.data, node, body)
        if value is None:
            return None
        if isinstance(value, str):
            made = _NEVER if value == "never" else _VOID
        else:
            made = _typed(state, value, _WIDE)
    if made is None:
        return None
    return join((Ref("Promise"),), "<", made, ">") if is_async else made


# --- Objects and arrays -----------------------------------------------------------------------------------


def _array(state: State, node: Node, how: _How) -> Text | None:
    elements = [each for each in node.named_children if each.type != "comment"]
    types = [_typed(state, each, how if how.is_readonly else _WIDE) for each in elements]
    known = [each for each in types if each is not None]
    if len(known) < len(types) or any(each.type == "spread_element" for each in elements):
        return None
    if how.is_readonly:
        return join("readonly [", separated(", ", known), "]")
    if not known or any(each != known[0] for each in known):
        return None
    is_simple = len(known[0]) == 1 and (isinstance(known[0][0], Ref) or str(known[0][0]).isidentifier())
    return join(known[0], "[]") if is_simple else join("(", known[0], ")[]")


def _object(state: State, node: Node, how: _How) -> Text | None:
    members = object_members(state, node, how)
    if members is None:
        return None
    if not members:
        return ("{}",)
    return join("{ ", separated("; ", (each.header for each in members)), " }")


def object_members(state: State, node: Node, how: _How = _WIDE) -> list[Fact] | None:
    """The members of an object literal; None where not all of them can be told."""
    inner = how if how.is_readonly else _WIDE
    members: list[Fact] = []
    for each in documented(state.texts, node.children):
        above = Above(each.doc)
        child = each.node
        if child.type == "method_definition":
            member = method_of(state, child, above)
        elif child.type == "shorthand_property_identifier":
            name = state.texts.cut(child)
            member = _property(state, child, (name,), join("typeof ", state.texts.value(child)), above, inner)
        elif child.type == "pair":
            member = _pair(state, child, above, inner)
        else:
            return None
        if member is None:
            return None
        members.append(member)
    return members


def _pair(state: State, node: Node, above: Above, how: _How) -> Fact | None:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if key is None or value is None:
        return None
    name: Text = (state.texts.cut(key),)
    if key.type == "computed_property_name":
        name = state.texts.text(key)
        if not state.texts.cut(key).startswith("[Symbol."):
            return None
    if value.type in FUNCTIONS:
        return _function_property(state, node, name, value, above)
    return _property(state, node, name, _typed(state, value, how), above, how)


def _function_property(state: State, node: Node, name: Text, value: Node, above: Above) -> Fact:
    signature = read_signature(state, value, state.jsdoc(above))
    type_ = signature.header(" => ", "any")
    return state.fact(
        node, "property", _joined(name), above,
        header=join(name, ": ", type_),
        parameters=signature.facts,
        returns=signature.returns,
        type_params=signature.type_params,
        type=type_ if signature.returns is not None else None,
    )  # fmt: skip


def _property(state: State, node: Node, name: Text, type_: Text | None, above: Above, how: _How) -> Fact:
    header = join("readonly " if how.is_readonly else "", name)
    return state.fact(
        node, "property", _joined(name), above,
        header=join(header, ": ", type_) if type_ is not None else header,
        type=type_,
    )  # fmt: skip


def _joined(name: Text) -> str:
    return "".join(each if isinstance(each, str) else spelled(each) for each in name)


# --- Variables --------------------------------------------------------------------------------------------


def unwrapped(node: Node) -> tuple[Node, bool]:
    """An expression without parentheses, ``as const`` and ``satisfies``; whether ``as const`` was there."""
    is_readonly = False
    while node.type in ("parenthesized_expression", "satisfies_expression", "as_expression"):
        if node.type == "as_expression":
            if not any(each.type == "const" for each in node.children):
                break
            is_readonly = True
        inner = [each for each in node.named_children if each.type != "comment"]
        if not inner:
            break
        node = inner[0]
    return node, is_readonly


def constant(state: State, node: Node, name: str, keyword: str, above: Above) -> Fact:
    """A variable whose type is not stated; the node is its declarator, or its value."""
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else node
    header = f"{keyword} {name}"
    if value is None:
        return state.fact(node, "variable", name, above, header=(header,))
    jsdoc = state.jsdoc(above)
    if jsdoc is not None and jsdoc.type is not None:
        typed = join(header, ": ", jsdoc.type)
        return state.fact(node, "variable", name, above, header=typed, type=jsdoc.type)
    if value.type in FUNCTIONS:
        return _function_variable(state, node, header, value, above, jsdoc)
    inner, is_readonly = unwrapped(value)
    if inner.type == "object" and (is_readonly or "satisfies" not in value.type):
        members = object_members(state, inner, _READONLY if is_readonly else _WIDE)
        if members:
            return state.fact(node, "variable", name, above, header=(header + ":",), members=tuple(members))
    is_constant = keyword == "const"
    type_ = _typed(state, value, _CONSTANT if is_constant else _WIDE)
    stated = literal(state.texts, inner) if is_constant else None
    # What is set to such a constant is widened, unless its type is stated.
    is_widening = stated not in (None, "null", "undefined") and not is_readonly and type_ == (stated,)
    return state.fact(
        node, "variable", name, above,
        header=join(header, " = " if is_widening else ": ", type_) if type_ is not None else (header,),
        type=type_,
        value=stated,
    )  # fmt: skip


def _function_variable(
    state: State, node: Node, header: str, value: Node, above: Above, jsdoc: JsDoc | None
) -> Fact:
    signature = read_signature(state, value, jsdoc)
    type_ = signature.header(" => ", "any")
    return state.fact(
        node, "variable", header.rpartition(" ")[2], above,
        header=join(header, ": ", type_),
        parameters=signature.facts,
        returns=signature.returns,
        type_params=signature.type_params,
        type=type_ if signature.returns is not None else None,
        is_async=any(each.type == "async" for each in value.children),
    )  # fmt: skip


_READERS: dict[str, Callable[[State, Node, _How], Text | None]] = {
    **dict.fromkeys(("string", "number", "true", "false", "null", "undefined"), _literal),
    **dict.fromkeys(FUNCTIONS, _function),
    **dict.fromkeys(("as_expression", "satisfies_expression"), _asserted),
    **dict.fromkeys(("identifier", "member_expression"), _name),
    "template_string": _template,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "ternary_expression": _ternary,
    "parenthesized_expression": _parenthesized,
    "type_assertion": _type_assertion,
    "call_expression": _called,
    "new_expression": _made,
    "regex": _regex,
    "array": _array,
    "object": _object,
}
