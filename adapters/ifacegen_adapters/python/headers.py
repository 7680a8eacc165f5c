"""The headers of functions and classes: what stands before the colon, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tree_sitter import Node

from ifacegen.model import Declaration, Parameter
from ifacegen_adapters.python.syntax import Text, annotation, is_annotation, parts_of, string_value
from ifacegen_adapters.python.type_comments import with_comments

ParameterKind: TypeAlias = Literal[
    "positional_only", "positional_or_keyword", "var_positional", "keyword_only", "var_keyword"
]

_NAME = re.compile(r"(?:async\s+)?(?:def|class)\s+([^\W\d]\w*)")
_STARS = {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}


@dataclass(frozen=True, slots=True)
class Header:
    """A function's or class's header. ``verbatim`` is its text where the grammar could not read it."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str | None = None
    bases: tuple[str, ...] = ()
    is_async: bool = False
    type_params: str | None = None
    verbatim: str | None = None


def read_function(node: Node, text: Text) -> Header:
    """The header of a ``function_definition``."""
    name = text.raw(_required(node, "name"))
    if damaged := _damaged(node, ("parameters", "return_type", "type_parameters"), text):
        return Header(_written_name(damaged, name), verbatim=damaged)
    returns = node.child_by_field_name("return_type")
    parameters = [(each, _type_of(each)) for each in parts_of(_required(node, "parameters"))]
    if not all(
        typed is None or is_annotation(typed) for typed in (returns, *(typed for _, typed in parameters))
    ):
        return Header(name, verbatim=_start(node, text))
    header = Header(
        name,
        type_params=_type_params(node, text),
        parameters=_parameters(parameters, text),
        returns=text.clean(returns) if returns is not None else None,
        is_async=node.children[0].type == "async",
    )
    if text.has_type_comments and not any((returns, *(typed for _, typed in parameters))):
        stated, returned = with_comments(node, header.parameters, text)
        header = replace(header, parameters=stated, returns=returned)
    return header


def read_class(node: Node, text: Text) -> Header:
    """The header of a ``class_definition``."""
    name = text.raw(_required(node, "name"))
    if damaged := _damaged(node, ("superclasses", "type_parameters"), text):
        return Header(_written_name(damaged, name), verbatim=damaged)
    arguments = node.child_by_field_name("superclasses")
    bases = parts_of(arguments) if arguments is not None else []
    return Header(name, type_params=_type_params(node, text), bases=tuple(text.clean(base) for base in bases))


def _required(node: Node, field: str) -> Node:
    child = node.child_by_field_name(field)
    if child is None:  # the grammar makes these fields obligatory; a damaged tree may still lack one
        raise DamagedHeader(field)
    return child


class DamagedHeader(Exception):
    """A definition without a name or parameters: what is there is no definition."""


def _damaged(node: Node, fields: Iterable[str], text: Text) -> str | None:
    """The header's text if one of its parts holds a syntax error."""
    if not node.has_error:
        return None
    parts = [part for field in fields if (part := node.child_by_field_name(field)) is not None]
    broken = any(part.has_error for part in parts) or any(child.type == "ERROR" for child in node.children)
    return _start(node, text) if broken else None


def _start(node: Node, text: Text) -> str:
    """A definition's text up to its body, on one line."""
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    return " ".join(text.source[node.start_byte : end].decode("utf-8", "replace").split()).rstrip(" :")


def _written_name(damaged: str, read: str) -> str:
    """The name after the keyword: in a damaged tree the name's node may be another word."""
    found = _NAME.match(damaged)
    return found[1] if found else read


def _type_params(node: Node, text: Text) -> str | None:
    params = node.child_by_field_name("type_parameters")
    return text.clean(params) if params is not None else None


def _type_of(parameter: Node) -> Node | None:
    return parameter.child_by_field_name("type") if parameter.type != "identifier" else None


def _parameters(nodes: Iterable[tuple[Node, Node | None]], text: Text) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    kind: ParameterKind = "positional_or_keyword"
    for child, typed in nodes:
        if child.type == "positional_separator":
            found = [replace(each, kind="positional_only") for each in found]
        elif child.type == "keyword_separator":
            kind = "keyword_only"
        else:
            parameter = _parameter(child, typed, kind, text)
            kind = "keyword_only" if parameter.kind == "var_positional" else kind
            found.append(parameter)
    return tuple(found)


def _parameter(node: Node, typed: Node | None, kind: ParameterKind, text: Text) -> Parameter:
    if node.type == "identifier":
        return Parameter(text.raw(node), kind)
    named = node.child_by_field_name("name")
    if named is None:
        named = parts_of(node)[0] if node.type == "typed_parameter" else node
    stars = _STARS.get(named.type, "")
    if stars:
        kind = "var_keyword" if stars == "**" else "var_positional"
    default = node.child_by_field_name("value")
    stated, doc = annotation(typed, text) if typed is not None else (None, None)
    return Parameter(
        text.clean(named).lstrip("*").strip(),
        kind,
        stated,
        text.clean(default) if default is not None else None,
        doc,
    )


def decorators(node: Node, text: Text) -> tuple[str, ...]:
    """The decorators of a ``decorated_definition``, in order, without the ``@``."""
    nodes = [child for child in node.children if child.type == "decorator"]
    return tuple(text.clean(child).removeprefix("@").strip() for child in nodes)


def deprecation(node: Node, text: Text) -> str | None:
    """The message of ``@deprecated("…")`` (PEP 702) among the decorators; empty where it has none."""
    for child in node.children:
        if child.type != "decorator" or not parts_of(child):
            continue
        call = parts_of(child)[0]
        function = call.child_by_field_name("function") if call.type == "call" else call
        if function is None or text.dotted(function).rpartition(".")[2].lstrip("_") != "deprecated":
            continue
        arguments = call.child_by_field_name("arguments")
        for argument in parts_of(arguments) if arguments is not None else ():
            return string_value(argument, text) or ""
        return ""
    return None


def function_signature(header: Header, name: str | None = None) -> str:
    """A function's header on one line, without the colon; ``name`` replaces its own."""
    if header.verbatim is not None:
        return header.verbatim
    returns = f" -> {header.returns}" if header.returns is not None else ""
    return f"{function_start(header, name)}({', '.join(parameter_texts(header.parameters))}){returns}"


def function_start(header: Header, name: str | None = None) -> str:
    """A function's header up to the parenthesis."""
    return f"{'async ' * header.is_async}def {name or header.name}{header.type_params or ''}"


def signature_start(signature: str, type_params: str | None) -> str:
    """A function's signature up to the parenthesis of its parameters; bounds of type parameters may hold others."""
    start = signature.partition("(")[0]
    return f"{start.partition('[')[0]}{type_params}" if type_params else start


def with_parameters(
    declaration: Declaration, parameters: tuple[Parameter, ...], returns: str | None
) -> Declaration:
    """A function's declaration with other parameters and another annotation of what it returns."""
    start = signature_start(declaration.signature, declaration.type_params)
    arrow = f" -> {returns}" if returns is not None else ""
    signature = f"{start}({', '.join(parameter_texts(parameters))}){arrow}"
    return replace(declaration, parameters=parameters, returns=returns, signature=signature)


def class_signature(header: Header, name: str | None = None) -> str:
    """A class's header on one line, without the colon; ``name`` replaces its own."""
    if header.verbatim is not None:
        return header.verbatim
    bases = f"({', '.join(header.bases)})" if header.bases else ""
    return f"class {name or header.name}{header.type_params or ''}{bases}"


def parameter_texts(parameters: Iterable[Parameter]) -> list[str]:
    """The parameters as they stand between the parentheses, ``/`` and ``*`` included."""
    texts: list[str] = []
    before: str | None = None
    starred = False
    for each in parameters:
        if before == "positional_only" != each.kind:
            texts.append("/")
        if each.kind == "keyword_only" and not starred:
            texts.append("*")
        starred = starred or each.kind in ("var_positional", "keyword_only")
        texts.append(_parameter_text(each))
        before = each.kind
    if before == "positional_only":
        texts.append("/")
    return texts


def _parameter_text(parameter: Parameter) -> str:
    stars = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
    stated = f": {parameter.annotation}" if parameter.annotation is not None else ""
    equals = " = " if stated else "="
    default = f"{equals}{parameter.default}" if parameter.default is not None else ""
    return f"{stars}{parameter.name}{stated}{default}"
