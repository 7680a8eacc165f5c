"""What JavaScript requires and assigns to its exports, as far as that is plain."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.facts import Export, Fact, Import
from ifacegen_adapters.typescript.reader_declarations import CLASSES, declared
from ifacegen_adapters.typescript.reader_docs import documented
from ifacegen_adapters.typescript.reader_members import method_of
from ifacegen_adapters.typescript.reader_state import Above, Block
from ifacegen_adapters.typescript.reader_text import join
from ifacegen_adapters.typescript.reader_values import FUNCTIONS, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_state import State

_EXPORTED = re.compile(r"(?:module\s*\.\s*)?exports\s*\.\s*([\w$]+)")
_REQUIRE = re.compile(r"require\(\s*([\"'])([^\"'\n]+)\1\s*\)")
_STAR = re.compile(
    r"(?:[\w$.]*__exportStar)\(\s*require\(\s*([\"'])([^\"'\n]+)\1\s*\)\s*,\s*(?:module\.)?exports\s*\)"
)
_GETTER = re.compile(
    r"Object\.defineProperty\(\s*exports\s*,\s*([\"'])([\w$]+)\1\s*,\s*\{.*?return\s+([\w$]+(?:\.[\w$]+)*)\s*;?\s*\}",
    re.DOTALL,
)


def required(state: State, node: Node) -> Iterator[Import]:
    """The imports that ``const x = require("y")`` are, of every declarator of a statement; none if one is not."""
    for each in node.named_children:
        if each.type != "variable_declarator":
            continue
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if name is None or value is None:
            continue
        written = state.texts.cut(value)
        found = _REQUIRE.match(written)
        rest = written[found.end() :].strip() if found else ""
        if found is None or not (not rest or re.fullmatch(r"\.\s*[\w$]+", rest)):
            continue
        line = state.texts.line(each.start_byte)
        if name.type == "identifier":
            yield Import(found[2], rest.lstrip(". ") or "=", state.texts.cut(name), line=line)
        elif name.type == "object_pattern" and not rest:
            yield from _destructured(state, name, found[2], line)


def _destructured(state: State, pattern: Node, module: str, line: int) -> Iterator[Import]:
    for each in pattern.named_children:
        if each.type == "shorthand_property_identifier_pattern":
            name = state.texts.cut(each)
            yield Import(module, name, name, line=line)
        elif each.type == "pair_pattern":
            key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                yield Import(module, state.texts.cut(key), state.texts.cut(value), line=line)


def assigned(state: State, node: Node, above: Above, block: Block) -> None:
    """What an expression statement adds to the exports of a CommonJS module."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner is None:
        return
    line = state.texts.line(node.start_byte)
    if inner.type == "call_expression":
        written = state.texts.cut(inner)
        if star := _STAR.match(written):
            block.exports.append(Export("*", "*", star[2], line=line))
        elif getter := _GETTER.match(written):
            block.exports.append(Export(getter[2], getter[3], line=line))
    elif inner.type == "assignment_expression":
        left, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        names: list[str] = []
        while left is not None and value is not None:
            names.append("".join(state.texts.cut(left).split()))
            if value.type != "assignment_expression":
                break
            left, value = value.child_by_field_name("left"), value.child_by_field_name("right")
        if value is not None:
            _assign(state, names, value, above, block)


def _assign(state: State, names: list[str], value: Node, above: Above, block: Block) -> None:
    if "module.exports" in names:
        _whole(state, value, above, block)
        return
    for name in names:
        found = _EXPORTED.fullmatch(name)
        if found and found[1] != "__esModule" and state.texts.cut(value) not in ("void 0", "undefined"):
            _named(state, found[1], value, above, block)


def _whole(state: State, value: Node, above: Above, block: Block) -> None:
    """``module.exports = …``: of an object its properties, else the one value."""
    texts = state.texts
    line = texts.line(value.start_byte)
    if value.type in ("identifier", "member_expression"):
        block.exports.append(Export("=", texts.cut(value), line=line, doc=above.doc))
    elif found := _REQUIRE.fullmatch(texts.cut(value)):
        block.imports.append(Import(found[2], "=", "_exports", line=line))
        block.exports.append(Export("=", "_exports", line=line))
    elif value.type == "object" and all(each.type in _PROPERTIES for each in value.named_children):
        for each in documented(texts, value.children):
            _property(state, each.node, Above(each.doc), block)
    else:
        fact = _declared(state, "_exports", value, above, is_exported=False)
        block.declarations.append(fact)
        block.exports.append(Export("=", fact.name, line=line))


_PROPERTIES = frozenset(
    ("shorthand_property_identifier", "pair", "method_definition", "comment", "spread_element")
)


def _property(state: State, node: Node, above: Above, block: Block) -> None:
    texts = state.texts
    line = texts.line(node.start_byte)
    if node.type == "shorthand_property_identifier":
        name = texts.cut(node)
        block.exports.append(Export(name, name, line=line))
    elif node.type == "pair":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is not None and value is not None and key.type in ("property_identifier", "string"):
            name = texts.cut(key).strip("\"'")
            _named(state, name, value, above, block)
    elif node.type == "spread_element" and (found := _REQUIRE.search(texts.cut(node))):
        block.exports.append(Export("*", "*", found[2], line=line))
    elif node.type == "method_definition":
        member = method_of(state, node, above)
        if member is not None and member.kind == "method" and member.name.isidentifier():
            block.declarations.append(_as_function(member))


def _as_function(member: Fact) -> Fact:
    """A method as the function that it is where it is exported."""
    return replace(member, kind="function", header=join("function ", member.header), is_exported=True)


def _named(state: State, name: str, value: Node, above: Above, block: Block) -> None:
    line = state.texts.line(value.start_byte)
    if value.type == "identifier" or (
        value.type == "member_expression" and "(" not in state.texts.cut(value)
    ):
        block.exports.append(Export(name, "".join(state.texts.cut(value).split()), line=line, doc=above.doc))
    elif found := _REQUIRE.fullmatch(state.texts.cut(value)):
        block.exports.append(Export(name, "*", found[2], line=line))
    else:
        block.declarations.append(_declared(state, name, value, above, is_exported=True))


def _declared(state: State, name: str, value: Node, above: Above, *, is_exported: bool) -> Fact:
    """A value under a name of its own."""
    inner = above._replace(is_exported=is_exported)
    if value.type in CLASSES or (value.type in FUNCTIONS and value.type != "arrow_function"):
        for fact in declared(state, value, inner):
            word = "class" if fact.kind == "class" else "function"
            if fact.name == name or (fact.name and not is_exported):
                return fact
            first = fact.header[0] if isinstance(fact.header[0], str) else ""
            renamed = (
                first.replace(f"{word} {fact.name}", f"{word} {name}", 1)
                if fact.name
                else _inserted(first, word, name)
            )
            return replace(fact, name=name, header=(renamed, *fact.header[1:]))
    return constant(state, value, name, "const", inner)


def _inserted(first: str, word: str, name: str) -> str:
    """``function name(`` for ``function (``, ``class name extends`` for ``class extends``."""
    rest = first.removeprefix(word)
    return f"{word} {name}{rest.lstrip() if word == 'function' else rest}"
