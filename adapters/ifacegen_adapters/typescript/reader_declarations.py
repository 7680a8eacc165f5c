"""Declarations of a file, a namespace or an ambient module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ifacegen_adapters.typescript import reader_values
from ifacegen_adapters.typescript.facts import Export, Fact, Ref, Text
from ifacegen_adapters.typescript.grammar import is_unnamed_default
from ifacegen_adapters.typescript.reader_damage import has_damaged_header
from ifacegen_adapters.typescript.reader_docs import decorator
from ifacegen_adapters.typescript.reader_members import read_cases, read_members
from ifacegen_adapters.typescript.reader_signatures import annotation, bound_names, read_signature
from ifacegen_adapters.typescript.reader_state import Above
from ifacegen_adapters.typescript.reader_text import TooDeep, join, separated

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_state import State


_FUNCTIONS = frozenset(
    ("function_declaration", "function_signature", "generator_function_declaration", "function_expression",
     "generator_function", "arrow_function")
)  # fmt: skip
CLASSES = frozenset(("class_declaration", "abstract_class_declaration", "class"))
_VARIABLES = frozenset(("lexical_declaration", "variable_declaration"))
_NAMESPACES = frozenset(("module", "internal_module"))
KINDS = _FUNCTIONS | CLASSES | _VARIABLES | _NAMESPACES | {
    "interface_declaration", "type_alias_declaration", "enum_declaration", "ambient_declaration"
}  # fmt: skip
"""Nodes that :func:`declared` reads."""

#: Namespaces inside each other that are read.
_DEEPEST = 60


def declared(state: State, node: Node, above: Above) -> Iterator[Fact]:
    """What one statement declares."""
    kind = node.type
    if kind == "ambient_declaration":
        yield from _ambient(state, node, above)
        return
    if state.is_damaged and node.has_error and has_damaged_header(node, _shape(node)):
        state.note_damage(node)
        if kind not in CLASSES and kind not in _NAMESPACES and kind != "interface_declaration":
            yield _verbatim(state, node, above)
            return
    reader = _READERS.get(kind)
    if reader is not None:
        yield reader(state, node, above)
    elif kind in _VARIABLES:
        yield from _variables(state, node, above)


def _ambient(state: State, node: Node, above: Above) -> Iterator[Fact]:
    state.ambient += 1
    yield from _declared_ambient(state, node, above)
    state.ambient -= 1


def _declared_ambient(state: State, node: Node, above: Above) -> Iterator[Fact]:
    is_global = False
    for child in node.children:
        kind = child.type
        if kind in KINDS:
            yield from declared(state, child, above)
        elif kind == "global":
            is_global = True
        elif kind == "statement_block" and is_global:
            yield state.fact(node, "global", "global", above, header=("global",), **_block(state, child))
        elif kind == "ERROR":
            state.note_damage(child)


def _shape(node: Node) -> Node | None:
    """The object type that an alias is, whose members are looked at one by one."""
    value = node.child_by_field_name("value") if node.type == "type_alias_declaration" else None
    return value if value is not None and is_members(value) else None


def _verbatim(state: State, node: Node, above: Above) -> Fact:
    """A declaration whose header could not be understood, as it is written."""
    texts = state.texts
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    name = node.child_by_field_name("name")
    if name is None and node.type in _VARIABLES:
        declarator = next((each for each in node.named_children if each.type == "variable_declarator"), None)
        name = declarator.child_by_field_name("name") if declarator is not None else None
        value = declarator.child_by_field_name("value") if declarator is not None else None
        end = value.start_byte if value is not None else end
    names = texts.type_parameter_names(node.child_by_field_name("type_parameters"))
    texts.enter(node, names)
    header = texts.between(node, node.start_byte, end)
    texts.leave(names)
    if header and isinstance(header[-1], str):
        header = (*header[:-1], header[-1].rstrip("=; "))
    return state.fact(node, _VERBATIM.get(node.type, "variable"), texts.cut(name) if name is not None else "", above,
        header=header, degraded="cannot be parsed",
    )  # fmt: skip


_VERBATIM = {
    **dict.fromkeys(_FUNCTIONS, "function"),
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
}


def _function(state: State, node: Node, above: Above) -> Fact:
    texts = state.texts
    name_node = node.child_by_field_name("name")
    name = "" if name_node is None or is_unnamed_default(texts.data, node) else texts.cut(name_node)
    signature = read_signature(state, node, state.jsdoc(above))
    return state.fact(node, "function", name, above,
        header=join(f"function {name}", signature.header()),
        parameters=signature.facts,
        returns=signature.returns,
        type_params=signature.type_params,
        is_async=any(child.type == "async" for child in node.children),
    )  # fmt: skip


# --- Classes and interfaces -------------------------------------------------------------------------------


def _class(state: State, node: Node, above: Above) -> Fact:
    texts = state.texts
    name_node = node.child_by_field_name("name")
    name = texts.cut(name_node) if name_node is not None else ""
    params = node.child_by_field_name("type_parameters")
    names = texts.type_parameter_names(params)
    texts.enter(node, names)
    type_params = texts.text(params) if params is not None else None
    extends: list[Text] = []
    implements: list[Text] = []
    decorators = list(above.decorators)
    members: tuple[Fact, ...] = ()
    for child in node.children:
        if child.type == "class_heritage":
            extends, implements = _heritage(state, child)
        elif child.type == "decorator":
            decorators.append(decorator(texts, child))
        elif child.type == "class_body":
            members = read_members(state, child)
    texts.leave(names)
    is_abstract = node.type == "abstract_class_declaration" or above.is_abstract
    header = join("abstract class" if is_abstract else "class", f" {name}" if name else "", type_params or ())
    if extends and isinstance(extends[0][0], Ref):  # what is calculated has no place in a declaration
        header = join(header, " extends ", *extends)
    if implements:
        header = join(header, " implements ", separated(", ", implements))
    return state.fact(node, "class", name, above,
        header=header,
        type_params=type_params,
        bases=(*extends, *(join("implements ", each) for each in implements)),
        decorators=tuple(decorators),
        is_abstract=is_abstract,
        members=members,
    )  # fmt: skip


def _heritage(state: State, node: Node) -> tuple[list[Text], list[Text]]:
    texts = state.texts
    extends: list[Text] = []
    implements: list[Text] = []
    for clause in node.named_children:
        if clause.type == "extends_clause":
            value, arguments = (
                clause.child_by_field_name("value"),
                clause.child_by_field_name("type_arguments"),
            )
            if value is not None:
                extends.append(
                    join(texts.value(value), texts.text(arguments) if arguments is not None else ())
                )
        elif clause.type == "implements_clause":
            implements.extend(texts.text(each) for each in clause.named_children if each.type != "comment")
        elif clause.type not in ("comment", "ERROR"):  # JavaScript: the expression itself
            extends.append(texts.value(clause))
    return extends, implements


def _interface(state: State, node: Node, above: Above) -> Fact:
    texts = state.texts
    name_node = node.child_by_field_name("name")
    name = texts.cut(name_node) if name_node is not None else ""
    params = node.child_by_field_name("type_parameters")
    names = texts.type_parameter_names(params)
    texts.enter(node, names)
    type_params = texts.text(params) if params is not None else None
    bases: tuple[Text, ...] = ()
    members: tuple[Fact, ...] = ()
    for child in node.children:
        if child.type == "extends_type_clause":
            bases = tuple(texts.text(each) for each in child.named_children if each.type != "comment")
        elif child.type in ("interface_body", "object_type"):
            members = read_members(state, child)
    texts.leave(names)
    header = join(f"interface {name}", type_params or ())
    if bases:
        header = join(header, " extends ", separated(", ", bases))
    return state.fact(node, "interface", name, above,
        header=header, type_params=type_params, bases=bases, members=members,
    )  # fmt: skip


# --- Types, enumerations, variables -----------------------------------------------------------------------


def is_members(node: Node) -> bool:
    """Whether a type is an object type whose members stand for themselves."""
    return node.type == "object_type" and not any(
        (child.type == "index_signature" and any(each.type == "mapped_type_clause" for each in child.children))
        or child.type == "ERROR"
        for child in node.children
    )  # fmt: skip


def _alias(state: State, node: Node, above: Above) -> Fact:
    texts = state.texts
    name_node = node.child_by_field_name("name")
    name = texts.cut(name_node) if name_node is not None else ""
    params = node.child_by_field_name("type_parameters")
    value = node.child_by_field_name("value")
    names = texts.type_parameter_names(params)
    texts.enter(node, names)
    type_params = texts.text(params) if params is not None else None
    members: tuple[Fact, ...] = ()
    type_: Text | None = None
    if value is not None and is_members(value):
        members = read_members(state, value)
    if value is not None and not members:
        type_ = texts.text(value)
    texts.leave(names)
    header = join(f"type {name}", type_params or (), " =")
    if type_ is not None:
        header = join(header, " ", type_)
    return state.fact(node, "type", name, above,
        header=header, type_params=type_params, type=type_, members=members,
    )  # fmt: skip


def _enumeration(state: State, node: Node, above: Above) -> Fact:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = state.texts.cut(name_node) if name_node is not None else ""
    is_constant = any(child.type == "const" for child in node.children)
    return state.fact(node, "enum", name, above,
        header=(f"const enum {name}" if is_constant else f"enum {name}",),
        members=read_cases(state, body) if body is not None else (),
    )  # fmt: skip


def _variables(state: State, node: Node, above: Above) -> Iterator[Fact]:
    keyword = node.children[0].type
    for child in node.named_children:
        if child.type == "variable_declarator":
            name = child.child_by_field_name("name")
            if name is None:
                continue
            if name.type == "identifier":
                yield _variable(state, child, keyword, above)
            else:
                for bound in bound_names(name):
                    written = state.texts.cut(bound)
                    yield state.fact(child, "variable", written, above, header=(f"{keyword} {written}",))


def _variable(state: State, node: Node, keyword: str, above: Above) -> Fact:
    texts = state.texts
    name_node = node.child_by_field_name("name")
    name = texts.cut(name_node) if name_node is not None else ""
    stated, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if stated is None and value is not None and state.is_source:
        return reader_values.constant(state, node, name, keyword, above)
    jsdoc = state.jsdoc(above)
    if jsdoc is not None and jsdoc.type is not None:
        typed = join(f"{keyword} {name}: ", jsdoc.type)
        return state.fact(node, "variable", name, above, header=typed, type=jsdoc.type)
    header = f"{keyword} {name}"
    if stated is not None:
        inner = stated.named_children[-1] if stated.named_child_count else None
        if inner is not None and is_members(inner) and (members := read_members(state, inner)):
            return state.fact(node, "variable", name, above, header=(header + ":",), members=members)
        type_ = annotation(state, stated)
        return state.fact(node, "variable", name, above, header=join(header, ": ", type_), type=type_)
    if value is not None:
        written = texts.plain(value)
        return state.fact(node, "variable", name, above,
            header=(f"{header} = {written}",), type=(written,), value=written,
        )  # fmt: skip
    return state.fact(node, "variable", name, above, header=(header,))


# --- Namespaces -------------------------------------------------------------------------------------------


def _block(state: State, node: Node, levels: int = 1) -> dict[str, Any]:
    state.levels += levels
    if state.levels > _DEEPEST:
        state.levels -= levels
        raise TooDeep(node)
    block = state.parts.block(state, node.children)
    state.levels -= levels
    exports = tuple(block.exports)
    if state.is_source and not state.ambient and not all(each.is_exported for each in block.declarations):
        exports = (*exports, Export("", "", line=state.texts.line(node.start_byte)))
    return {"members": tuple(block.declarations), "imports": tuple(block.imports), "exports": exports}


def _namespace(state: State, node: Node, above: Above) -> Fact:
    texts = state.texts
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    dots = texts.cut(name_node).count(".") if name_node is not None and name_node.type != "string" else 0
    if dots > _DEEPEST:
        raise TooDeep(node)
    inner = _block(state, body, dots + 1) if body is not None else {}
    if name_node is not None and name_node.type == "string":
        name = texts.cut(name_node)[1:-1]
        return state.fact(node, "ambient", name, above, header=(f'module "{name}"',), **inner)
    parts = [each.strip() for each in texts.cut(name_node).split(".")] if name_node is not None else [""]
    nested = above._replace(is_exported=True, is_default=False, doc=None) if len(parts) > 1 else above
    fact = state.fact(node, "namespace", parts[-1], nested, header=(f"namespace {parts[-1]}",), **inner)
    for index in range(len(parts) - 2, -1, -1):
        outer = above if index == 0 else nested
        name = parts[index]
        fact = state.fact(node, "namespace", name, outer, header=(f"namespace {name}",), members=(fact,))
    return fact


_READERS: dict[str, Callable[[State, Node, Above], Fact]] = {
    **dict.fromkeys(_FUNCTIONS, _function),
    **dict.fromkeys(CLASSES, _class),
    **dict.fromkeys(_NAMESPACES, _namespace),
    "interface_declaration": _interface,
    "type_alias_declaration": _alias,
    "enum_declaration": _enumeration,
}
