"""Members of classes, interfaces, object types and enumerations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.facts import Fact, Text
from ifacegen_adapters.typescript.reader_comments import doc_text, is_doc
from ifacegen_adapters.typescript.reader_damage import has_damaged_header
from ifacegen_adapters.typescript.reader_docs import decorator, documented
from ifacegen_adapters.typescript.reader_literals import literal
from ifacegen_adapters.typescript.reader_signatures import Parameter, Signature, annotation, read_signature
from ifacegen_adapters.typescript.reader_state import Above
from ifacegen_adapters.typescript.reader_text import join

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_jsdoc import JsDoc
    from ifacegen_adapters.typescript.reader_state import State

#: In the order in which they are printed; ``public``, ``override``, ``declare`` and ``async`` are not.
_PRINTED = ("protected", "private", "static", "abstract", "readonly", "accessor")
_MODIFIERS = frozenset(
    (
        "static",
        "readonly",
        "abstract",
        "declare",
        "async",
        "get",
        "set",
        "?",
        "!",
        "*",
        "accessor",
        "override",
    )
)
_METHODS = frozenset(("method_signature", "method_definition", "abstract_method_signature"))
_FIELDS = frozenset(("public_field_definition", "property_signature"))


#: What the grammar sees as blanks where it doesn't know it.
_STATIC = re.compile(rb"(?<![\w$])static$")
_ACCESSOR = re.compile(rb"(?<![\w$])accessor$")


@dataclass(slots=True)
class _Head:
    """What stands before and behind the name of a member."""

    modifiers: set[str] = field(default_factory=set)
    name: Node | None = None
    decorators: list[str] = field(default_factory=list)
    annotation: Node | None = None
    has_body: bool = False
    value: Node | None = None

    @property
    def access(self) -> str:
        """``protected``, ``private``; empty means public."""
        is_private = "private" in self.modifiers
        return "private" if is_private else "protected" if "protected" in self.modifiers else ""

    def prefix(self) -> str:
        """The modifiers that are printed, with a blank behind each."""
        modifiers = self.modifiers
        return "".join(f"{each} " for each in _PRINTED if each in modifiers) if modifiers else ""


def read_members(state: State, body: Node) -> tuple[Fact, ...]:
    """The members between the braces of a class, an interface or an object type."""
    return tuple(_members(state, body))


def _members(state: State, body: Node) -> Iterator[Fact]:
    texts = state.texts
    signed: str | None = None
    has_private_names = False
    extra: list[Fact] = []
    found: list[Fact] = []
    for each in documented(texts, body.children):
        node = each.node
        kind = node.type
        if kind == "class_static_block":
            continue
        if kind == "ERROR":
            state.note_damage(node)
            continue
        fact = _member(state, node, kind, Above(each.doc, each.decorators), extra)
        if fact is None:
            continue
        if not fact.name and fact.kind not in ("call", "construct", "index"):
            state.damage.append(fact.line)
            continue
        if fact.name.startswith("#"):
            has_private_names = True
            continue
        if kind == "method_definition" and signed == fact.name and fact.kind in ("method", "constructor"):
            signed = None
            continue
        signed = fact.name if kind in ("method_signature", "abstract_method_signature") else None
        found.append(fact)
    if has_private_names:
        # As the compiler does it: a class with private names is like no other.
        line = texts.line(body.start_byte)
        yield Fact("property", "#private", ("#private",), access="private", line=line, end_line=line)
    names = {each.name for each in found}
    yield from (each for each in extra if not state.is_javascript or each.name not in names)
    yield from _without_private_overloads(found)


def _without_private_overloads(found: Sequence[Fact]) -> Iterator[Fact]:
    seen: set[str] = set()
    for each in found:
        if each.access == "private" and each.kind == "property":
            if each.name in seen:
                continue
            seen.add(each.name)
        yield each


def _member(state: State, node: Node, kind: str, above: Above, extra: list[Fact]) -> Fact | None:
    if state.is_damaged and node.has_error and has_damaged_header(node):
        state.note_damage(node)
        return _verbatim(state, node, above)
    if kind in _METHODS:
        return _method(state, node, above, extra)
    if kind in _FIELDS:
        return _field(state, node, above)
    if kind in ("call_signature", "construct_signature"):
        signature = read_signature(state, node)
        return state.fact(
            node,
            "call" if kind == "call_signature" else "construct",
            "",
            above,
            header=join("" if kind == "call_signature" else "new ", signature.header()),
            parameters=signature.facts,
            returns=signature.returns,
            type_params=signature.type_params,
        )
    if kind == "index_signature":
        return _index(state, node, above)
    return None


def _verbatim(state: State, node: Node, above: Above) -> Fact:
    """A member whose header could not be understood, as it is written."""
    texts = state.texts
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    name = node.child_by_field_name("name")
    return state.fact(
        node,
        "method" if node.type in _METHODS else "property",
        texts.cut(name) if name is not None else "",
        above,
        header=texts.between(node, node.start_byte, end),
        degraded="cannot be parsed",
    )


def _head(state: State, node: Node) -> _Head:
    head = _Head()
    modifiers = head.modifiers
    for child in node.children:
        kind = child.type
        if kind in _MODIFIERS:
            modifiers.add(kind)
        elif kind in ("accessibility_modifier", "override_modifier"):
            modifiers.add(state.texts.cut(child))
        elif kind == "decorator":
            head.decorators.append(decorator(state.texts, child))
        elif kind == "type_annotation":
            head.annotation = child
        elif kind == "statement_block":
            head.has_body = True
        elif kind == "=":
            head.value = node.child_by_field_name("value")
        elif head.name is None and kind != "comment":
            head.name = child
    if state.has_accessors and head.name is not None and _has_accessor(state, head.name):
        modifiers.add("accessor")
    return head


def _has_accessor(state: State, name: Node) -> bool:
    """Whether ``accessor`` stands before a name, where the grammar sees blanks."""
    start = name.start_byte
    return _ACCESSOR.search(state.texts.data[max(0, start - 80) : start].rstrip()) is not None


def _name(state: State, node: Node | None) -> tuple[str, Text]:
    """A name as it is written, and in pieces."""
    if node is None:
        return "", ()
    written = state.texts.cut(node)
    if node.type == "computed_property_name":
        return written, state.texts.text(node)
    return written, (written,)


def method_of(state: State, node: Node, above: Above) -> Fact | None:
    """A method or an accessor of an object literal."""
    return _method(state, node, above, [])


def _method(state: State, node: Node, above: Above, extra: list[Fact]) -> Fact | None:
    head = _head(state, node)
    if node.type == "abstract_method_signature":
        head.modifiers.add("abstract")
    name, spelled = _name(state, head.name)
    modifiers = head.modifiers
    kind = "getter" if "get" in modifiers else "setter" if "set" in modifiers else "method"
    if (
        name in ("constructor", '"constructor"', "'constructor'")
        and kind == "method"
        and "static" not in modifiers
    ):
        kind, name, spelled = "constructor", "constructor", ("constructor",)
    jsdoc = state.jsdoc(above)
    if jsdoc is not None and jsdoc.access:
        modifiers.add(jsdoc.access)
    if head.access == "private" or name.startswith("#"):
        return _private(state, node, head, kind, above)
    if kind == "constructor" and state.is_source and node.type != "method_signature":
        signature = _constructor_signature(state, node, jsdoc, extra)
    else:
        signature = read_signature(state, node, jsdoc)
    if kind in ("constructor", "setter") and signature.returns is not None:
        signature = Signature(signature.type_params, signature.parameters, None)
    word = "get " if kind == "getter" else "set " if kind == "setter" else ""
    optional = "?" if "?" in modifiers else ""
    return state.fact(
        node,
        kind,
        name,
        above,
        header=join(head.prefix(), word, spelled, optional, signature.header()),
        parameters=signature.facts,
        returns=signature.returns,
        type_params=signature.type_params,
        decorators=(*above.decorators, *head.decorators),
        access=head.access,
        is_static="static" in modifiers,
        is_abstract="abstract" in modifiers,
        is_async="async" in modifiers,
        is_optional="?" in modifiers,
    )


def _private(state: State, node: Node, head: _Head, kind: str, above: Above) -> Fact:
    """A private member: its name alone, as the compiler declares it."""
    name, spelled = _name(state, head.name)
    before, behind = "", ""
    if kind == "constructor":
        behind = "()"
    elif kind in ("getter", "setter"):
        before, behind = ("get ", "()") if kind == "getter" else ("set ", "(value)")
    else:
        kind = "property"
    head.modifiers.discard("abstract" if kind == "property" else "")
    return state.fact(
        node,
        kind,
        name,
        above,
        header=join(head.prefix(), before, spelled, "?" if "?" in head.modifiers else "", behind),
        access="private",
        is_static="static" in head.modifiers,
        is_optional="?" in head.modifiers,
    )


def _constructor_signature(state: State, node: Node, jsdoc: JsDoc | None, extra: list[Fact]) -> Signature:
    """The signature of a constructor; its parameters with modifiers are fields, too."""
    signature = read_signature(state, node, jsdoc)
    if state.is_javascript:
        extra.extend(_assigned_fields(state, node, signature))
    extra.extend(_parameter_field(state, node, each) for each in signature.parameters if each.modifiers)
    return signature


def _assigned_fields(state: State, node: Node, signature: Signature) -> Iterator[Fact]:
    """Fields that a constructor of JavaScript sets: ``this.x = …``."""
    body = node.child_by_field_name("body")
    stated = {each.name: each.annotation for each in signature.facts}
    for each in documented(state.texts, body.children if body is not None else ()):
        inner = each.node.named_children[0] if each.node.type == "expression_statement" else None
        if inner is None or inner.type != "assignment_expression":
            continue
        left, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        written = state.texts.cut(left) if left is not None else ""
        name = written.removeprefix("this.")
        if value is None or name == written or not name.isidentifier():
            continue
        above = Above(each.doc)
        jsdoc = state.jsdoc(above)
        if jsdoc is not None and jsdoc.access == "private":
            yield state.fact(
                each.node, "property", name, above, header=(f"private {name}",), access="private"
            )
            continue
        type_ = jsdoc.type if jsdoc else None
        if type_ is None:
            is_parameter = value.type == "identifier"
            type_ = stated.get(state.texts.cut(value)) if is_parameter else state.parts.type_of(state, value)
        header = join(name, ": ", type_) if type_ is not None else (name,)
        yield state.fact(each.node, "property", name, above, header=header, type=type_)


def _parameter_field(state: State, node: Node, parameter: Parameter) -> Fact:
    modifiers = parameter.modifiers
    fact = parameter.fact
    access = "private" if "private" in modifiers else "protected" if "protected" in modifiers else ""
    is_optional = fact.kind == "optional" and fact.default is None
    prefix = (f"{access} " if access else "") + ("readonly " if "readonly" in modifiers else "")
    name = f"{prefix}{fact.name}{'?' if is_optional else ''}"
    type_ = None if access == "private" else parameter.type
    return state.fact(
        node,
        "property",
        fact.name,
        Above(),
        header=join(name, ": ", type_) if type_ is not None else (name,),
        type=type_,
        access=access,
        is_optional=is_optional,
    )


def _field(state: State, node: Node, above: Above) -> Fact | None:
    head = _head(state, node)
    name, spelled = _name(state, head.name)
    if head.access == "private" or name.startswith("#"):
        return _private(state, node, head, "property", above)
    modifiers = head.modifiers
    jsdoc = state.jsdoc(above)
    type_ = (
        annotation(state, head.annotation) if head.annotation is not None else jsdoc.type if jsdoc else None
    )
    value = None
    if type_ is None and head.value is not None:
        is_constant = "readonly" in modifiers
        type_ = state.parts.type_of(state, head.value, is_constant=is_constant)
        value = literal(state.texts, head.value) if is_constant else None
    optional = "?" if "?" in modifiers else ""
    header = join(head.prefix(), spelled, optional)
    if type_ is not None:
        header = join(header, ": ", type_)
    elif head.value is not None and not state.is_source and value is not None:
        header = join(header, " = ", value)
    return state.fact(
        node,
        "property",
        name,
        above,
        header=header,
        type=type_,
        value=value,
        decorators=(*above.decorators, *head.decorators),
        access=head.access,
        is_static="static" in modifiers,
        is_abstract="abstract" in modifiers,
        is_optional="?" in modifiers,
    )


def _index(state: State, node: Node, above: Above) -> Fact:
    header = state.texts.text(node)
    if _STATIC.search(state.texts.data[max(0, node.start_byte - 80) : node.start_byte].rstrip()):
        header = join("static ", header)
    type_ = node.child_by_field_name("type")
    return state.fact(
        node,
        "index",
        "",
        above,
        header=header,
        type=annotation(state, type_) if type_ is not None else None,
        is_static=isinstance(header[0], str) and header[0].startswith("static "),
    )


# --- Enumerations ---------------------------------------------------------------------------------------


def read_cases(state: State, body: Node) -> tuple[Fact, ...]:
    """The members of an enumeration."""
    texts = state.texts
    found: list[Fact] = []
    docs, behind = _case_docs(state, body)
    for each in documented(texts, [child for child in body.children if child.start_byte not in behind]):
        node = each.node
        if node.type == "ERROR":
            state.note_damage(node)
            continue
        name_node = node.child_by_field_name("name") if node.type == "enum_assignment" else node
        value_node = node.child_by_field_name("value") if node.type == "enum_assignment" else None
        name = texts.cut(name_node) if name_node is not None else texts.cut(node)
        value = texts.plain(value_node) if value_node is not None else None
        header = (f"{name} = {value}",) if value is not None else (name,)
        above = Above(docs.get(node.start_byte, each.doc))
        found.append(state.fact(node, "case", name, above, header=header, value=value))
    return tuple(found)


def _case_docs(state: State, body: Node) -> tuple[dict[int, str], set[int]]:
    """Comments behind members, on their line: by the member's offset, and their own offsets."""
    texts = state.texts
    docs: dict[int, str] = {}
    behind: set[int] = set()
    last: Node | None = None
    for child in body.children:
        if child.type == "comment":
            written = texts.cut(child)
            is_last = (following := child.next_named_sibling) is None or following.start_point[
                0
            ] > child.end_point[0]
            if last is not None and is_last and is_doc(written) and last.end_point[0] == child.start_point[0]:
                docs[last.start_byte] = doc_text(written)
                behind.add(child.start_byte)
        elif child.is_named:
            last = child
    return docs, behind
