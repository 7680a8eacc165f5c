"""What stands between a name and a body: type parameters, parameters, the type of what is returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.facts import Doc, ParameterFact, Text
from ifacegen_adapters.typescript.reader_comments import doc_text, is_doc
from ifacegen_adapters.typescript.reader_text import Texts, join, separated

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen.model import ParameterKind
    from ifacegen_adapters.typescript.reader_jsdoc import JsDoc
    from ifacegen_adapters.typescript.reader_state import State

ANNOTATIONS = frozenset(("type_annotation", "type_predicate_annotation", "asserts_annotation"))
"""Nodes that begin with the colon of a type."""

#: Defaults longer than this are elided.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, and what else is made of it."""

    fact: ParameterFact
    #: As a signature has it.
    header: Text
    #: Modifiers that make a field of it.
    modifiers: tuple[str, ...] = ()
    #: Its type inside, where one that is left out has its default.
    type: Text | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """How something is called."""

    type_params: Text | None
    parameters: tuple[Parameter, ...]
    returns: Text | None

    @property
    def facts(self) -> tuple[ParameterFact, ...]:
        """The parameters."""
        return tuple(each.fact for each in self.parameters)

    def header(self, between: str = ": ", otherwise: str | None = None) -> Text:
        """``<T>(x: T): T``; what stands for a type that is not known, if anything."""
        listed = separated(", ", (each.header for each in self.parameters))
        head = join(self.type_params or (), "(", listed, ")")
        if self.returns is not None:
            return join(head, between, self.returns)
        return head if otherwise is None else join(head, between, otherwise)


def annotation(state: State, node: Node) -> Text:
    """The type of an annotation, without its colon."""
    children = node.children
    if len(children) == 2:
        return state.texts.text(children[1])
    return state.texts.between(node, children[0].end_byte, node.end_byte)


def read_signature(state: State, node: Node, jsdoc: JsDoc | None = None) -> Signature:
    """The signature of anything that can be called; its type parameters are bound only while it is read."""
    type_params = parameters = returned = None
    single: Node | None = None
    for child in node.children:
        kind = child.type
        if kind == "type_parameters":
            type_params = child
        elif kind == "formal_parameters":
            parameters = child
        elif kind in ANNOTATIONS:
            returned = child
        elif kind == "=>" and parameters is None:
            single = node.child_by_field_name("parameter")
    texts = state.texts
    names = texts.type_parameter_names(type_params)
    if jsdoc is not None:
        names = (*names, *jsdoc.template_names)
    texts.enter(node, names)
    generic = texts.text(type_params) if type_params is not None else jsdoc.type_params if jsdoc else None
    read = _parameters(state, parameters, jsdoc) if parameters is not None else ()
    if single is not None:
        read = (_plain_parameter(state, single, jsdoc),)
    returns = annotation(state, returned) if returned is not None else jsdoc.returns if jsdoc else None
    if returns is None and state.is_source:
        returns = state.parts.returned(state, node)
    texts.leave(names)
    return Signature(generic, read, returns)


def _plain_parameter(state: State, node: Node, jsdoc: JsDoc | None) -> Parameter:
    """``x`` of ``x => …``."""
    name = state.texts.cut(node)
    stated = jsdoc.parameter(name) if jsdoc else None
    fact = stated or ParameterFact(name, "positional_only")
    return Parameter(fact, _header(fact))


def _parameters(state: State, node: Node, jsdoc: JsDoc | None) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    doc: Text = ()
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            written = state.texts.cut(child)
            if is_doc(written):
                doc = (Doc(doc_text(written)), " ")
        elif kind in ("required_parameter", "optional_parameter"):
            read = _parameter(state, child, jsdoc, len(found))
            found.append(replace(read, header=join(doc, read.header)) if doc else read)
            doc = ()
    return _with_required(found) if state.is_source else tuple(found)


def _with_required(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """Parameters with a default that others must follow cannot be left out, but may be ``undefined``."""
    result: list[Parameter] = []
    is_followed = False
    for each in reversed(parameters):
        fact = each.fact
        if fact.kind == "positional_only":
            is_followed = True
        elif fact.kind == "optional" and fact.default is not None and is_followed:
            type_ = join(fact.annotation, " | undefined") if fact.annotation else None
            fact = replace(fact, kind="positional_only", annotation=type_)
            each = replace(each, fact=fact, header=_header(fact))  # noqa: PLW2901  # the parameter as it must be given
        result.append(each)
    return tuple(reversed(result))


def _parameter(state: State, node: Node, jsdoc: JsDoc | None, index: int) -> Parameter:
    texts = state.texts
    parts = _parameter_parts(texts, node)
    pattern = parts.pattern
    if pattern is None:
        return Parameter(ParameterFact(texts.cut(node), "positional_only"), (texts.cut(node),))
    is_rest = pattern.type == "rest_pattern"
    if is_rest:
        pattern = pattern.named_children[-1] if pattern.named_children else pattern
    name = pattern_text(texts, pattern)
    stated = jsdoc.parameter(name, index) if jsdoc else None
    typed = annotation(state, parts.type) if parts.type is not None else stated.annotation if stated else None
    default = stated.default if stated else None
    if parts.value is not None and state.is_source:
        default = elided(texts.plain(parts.value))
        typed = typed or state.parts.type_of(state, parts.value)
    kind: ParameterKind = "positional_only"
    if is_rest:
        kind = "var_positional"
    elif (
        node.type == "optional_parameter" or parts.value is not None or (stated and stated.kind == "optional")
    ):
        kind = "optional"
    fact = ParameterFact(name, kind, typed, default)
    return Parameter(fact, _header(fact), tuple(parts.modifiers), typed)


@dataclass(slots=True)
class _Parts:
    modifiers: list[str] = field(default_factory=list)
    pattern: Node | None = None
    type: Node | None = None
    value: Node | None = None


def _parameter_parts(texts: Texts, node: Node) -> _Parts:
    parts = _Parts()
    for child in node.children:
        kind = child.type
        if kind == "type_annotation":
            parts.type = child
        elif kind in ("accessibility_modifier", "readonly", "override_modifier"):
            parts.modifiers.append(texts.cut(child))
        elif kind == "=":
            parts.value = node.child_by_field_name("value")
        elif parts.pattern is None and kind not in _NO_PATTERNS and (child.is_named or kind == "this"):
            parts.pattern = child
    return parts


_NO_PATTERNS = frozenset(("decorator", "comment", "ERROR"))


def elided(value: str) -> str:
    """A default, unless it is long."""
    return value if len(value) <= _LONGEST else "…"


def _header(fact: ParameterFact) -> Text:
    sign = "?" if fact.kind == "optional" else ""
    name = f"...{fact.name}" if fact.kind == "var_positional" else fact.name + sign
    return join(name, ": ", fact.annotation) if fact.annotation is not None else (name,)


# --- Patterns ---------------------------------------------------------------------------------------------


def pattern_text(texts: Texts, node: Node) -> str:
    """A name, or a pattern as it is written, without its defaults."""
    kind = node.type
    if kind in ("object_assignment_pattern", "assignment_pattern"):
        left = node.child_by_field_name("left")
        return pattern_text(texts, left) if left is not None else ""
    if kind == "object_pattern":
        inner = [pattern_text(texts, each) for each in node.named_children if each.type != "comment"]
        return f"{{ {', '.join(inner)} }}" if inner else "{}"
    if kind == "array_pattern":
        return f"[{_elements(texts, node)}]"
    if kind == "pair_pattern":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        return f"{texts.cut(key) if key else ''}: {pattern_text(texts, value) if value else ''}"
    if kind == "rest_pattern" and node.named_child_count:
        return f"...{pattern_text(texts, node.named_children[-1])}"
    return texts.cut(node)


def _elements(texts: Texts, node: Node) -> str:
    """What stands in an array pattern, its gaps kept."""
    written = ""
    for child in node.children:
        if child.type == ",":
            written += ", "
        elif child.is_named and child.type != "comment":
            written += pattern_text(texts, child)
    return written.strip()


def bound_names(node: Node) -> list[Node]:
    """The names that a pattern binds."""
    found: list[Node] = []
    pending = [node]
    while pending:
        each = pending.pop()
        if each.type in ("identifier", "shorthand_property_identifier_pattern"):
            found.append(each)
        elif each.type in ("object_assignment_pattern", "assignment_pattern"):
            pending.extend(filter(None, (each.child_by_field_name("left"),)))
        elif each.type == "pair_pattern":
            pending.extend(filter(None, (each.child_by_field_name("value"),)))
        else:
            pending.extend(reversed(each.named_children))
    return found
