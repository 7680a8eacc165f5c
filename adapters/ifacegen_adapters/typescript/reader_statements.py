"""Statements of a file, a namespace or an ambient module: imports, exports, declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript import reader_values
from ifacegen_adapters.typescript.facts import Export, Fact, Import
from ifacegen_adapters.typescript.grammar import is_unnamed_default
from ifacegen_adapters.typescript.reader_commonjs import assigned, required
from ifacegen_adapters.typescript.reader_declarations import KINDS, declared
from ifacegen_adapters.typescript.reader_docs import Documented, decorator, documented
from ifacegen_adapters.typescript.reader_rescue import rescued
from ifacegen_adapters.typescript.reader_state import Above, Block
from ifacegen_adapters.typescript.reader_text import TooDeep

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_state import State


#: What the grammar sees as blanks where it doesn't know it.
_EXPORT = re.compile(rb"(?<![\w$])export$")
_TYPE_ALIAS = re.compile(rb"import\s+type\s")
_TYPE_STAR = re.compile(rb"export\s+type\s*\*")


def read_block(state: State, nodes: Sequence[Node]) -> Block:
    """All statements between two braces, or of a file."""
    block = Block([], [], [])
    signed: str | None = None
    for each in documented(state.texts, nodes):
        function = _function_of(each.node) if state.is_source else None
        if function is not None:
            name = function.child_by_field_name("name")
            written = state.texts.cut(name) if name is not None else ""
            if function.type == "function_declaration" and signed == written:
                continue  # what its overloads say is all that callers see
            signed = written if function.type == "function_signature" else None
        levels, ambient = state.levels, state.ambient
        try:
            _statement(state, each, block)
        except TooDeep as error:
            state.too_deep.append(error.line)
            state.levels, state.ambient = levels, ambient
            state.texts.forget()
    return block._replace(declarations=[each for each in block.declarations if _is_named(state, each)])


def _is_named(state: State, fact: Fact) -> bool:
    """Whether a declaration can be spoken of; what cannot is what damage leaves."""
    if fact.name or fact.is_default:
        return True
    state.damage.append(fact.line)
    return False


def _statement(state: State, each: Documented, block: Block) -> None:
    node = each.node
    kind = node.type
    if kind in KINDS:
        if state.is_javascript and b"require" in state.texts.data[node.start_byte : node.end_byte]:
            imports = (
                list(required(state, node)) if kind in ("lexical_declaration", "variable_declaration") else []
            )
            block.imports.extend(imports)
            if imports:
                return
        block.declarations.extend(declared(state, node, Above(each.doc, each.decorators)))
    elif kind == "export_statement":
        _export_statement(state, each, block)
    elif kind == "import_statement":
        before = state.texts.data[max(0, node.start_byte - 80) : node.start_byte].rstrip()
        is_exported = _EXPORT.search(before) is not None
        block.imports.extend(replace(each, is_exported=is_exported) for each in _imports(state, node))
    elif kind == "import_alias":
        block.imports.append(_import_alias(state, node))
    elif kind == "statement_block" and not state.is_source:
        _global(state, each, block)
    elif kind == "expression_statement":
        _expression(state, each, block)
    elif kind == "ERROR":
        _damaged(state, node, block)


def _damaged(state: State, node: Node, block: Block) -> None:
    """A place that cannot be parsed: what is whole in it, and what is by itself."""
    state.note_damage(node)
    inner = read_block(state, node.children)
    known = {each.name for each in inner.declarations}
    for part in (inner, rescued(state, node, known)):
        block.declarations.extend(part.declarations)
        block.imports.extend(part.imports)
        block.exports.extend(part.exports)


def _expression(state: State, each: Documented, block: Block) -> None:
    """``namespace X { … }`` without ``declare``; ``module.exports = …``."""
    above = Above(each.doc, each.decorators)
    if state.is_javascript:
        assigned(state, each.node, above, block)
    for child in each.node.named_children:
        if child.type == "internal_module":
            block.declarations.extend(declared(state, child, above))


def _global(state: State, each: Documented, block: Block) -> None:
    """``global { … }`` in an ambient module; the grammar has it with ``declare`` only."""
    before = state.texts.data[: each.node.start_byte].rstrip()
    if before.endswith(b"global"):
        inner = read_block(state, each.node.children)
        block.declarations.append(
            state.fact(
                each.node,
                "global",
                "global",
                Above(each.doc),
                header=("global",),
                members=tuple(inner.declarations),
                imports=tuple(inner.imports),
                exports=tuple(inner.exports),
            )
        )


def _function_of(node: Node) -> Node | None:
    """The function that a statement declares."""
    if node.type in ("export_statement", "ambient_declaration"):
        node = node.child_by_field_name("declaration") or node.child_by_field_name("value") or node
    return node if node.type in ("function_signature", "function_declaration") else None


# --- Imports ----------------------------------------------------------------------------------------------


def unquoted(text: str) -> str:
    """A string literal's text."""
    return text[1:-1]


def _imports(state: State, node: Node) -> Iterator[Import]:
    texts = state.texts
    line = texts.line(node.start_byte)
    is_type = any(child.type in ("type", "typeof") for child in node.children)
    source = node.child_by_field_name("source")
    module = unquoted(texts.cut(source)) if source is not None else ""
    clause = next((child for child in node.named_children if child.type.endswith("_clause")), None)
    if clause is None:
        yield Import(module, "", "", is_type, line=line)
    elif clause.type == "import_require_clause":
        source = clause.child_by_field_name("source")
        module = unquoted(texts.cut(source)) if source is not None else ""
        yield Import(module, "=", texts.cut(clause.named_children[0]), is_type, line=line)
    else:
        yield from _clause(state, clause, Import(module, "", "", is_type, line=line))


def _clause(state: State, clause: Node, of: Import) -> Iterator[Import]:
    texts = state.texts
    for child in clause.named_children:
        if child.type == "identifier":
            yield replace(of, name="default", local=texts.cut(child))
        elif child.type == "namespace_import" and child.named_child_count:
            yield replace(of, name="*", local=texts.cut(child.named_children[-1]))
        elif child.type == "named_imports":
            specifiers = [each for each in child.named_children if each.type == "import_specifier"]
            for each in specifiers:
                name, local, is_type = _specifier(state, each)
                yield replace(of, name=name, local=local, is_type=of.is_type or is_type)
            if not specifiers:
                yield of


def _specifier(state: State, node: Node) -> tuple[str, str, bool]:
    """The two names of ``a as b`` and whether ``type`` stands before them."""
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    first = _exported_name(state, name)
    return (
        first,
        _exported_name(state, alias) if alias is not None else first,
        node.children[0].type == "type",
    )


def _exported_name(state: State, node: Node | None) -> str:
    if node is None:
        return ""
    written = state.texts.cut(node)
    return unquoted(written) if node.type == "string" else written


def _import_alias(state: State, node: Node, *, is_exported: bool = False) -> Import:
    names = [each for each in node.named_children if each.type != "comment"]
    texts = state.texts
    target = "".join(texts.cut(names[-1]).split())
    is_type = _TYPE_ALIAS.match(texts.data, node.start_byte) is not None
    return Import("", target, texts.cut(names[0]), is_type, is_exported, texts.line(node.start_byte))


# --- Exports ----------------------------------------------------------------------------------------------


def _export_statement(state: State, each: Documented, block: Block) -> None:
    node = each.node
    texts = state.texts
    line = texts.line(node.start_byte)
    parts = _export_parts(state, node)
    words, clause, target = parts.words, parts.clause, parts.target
    decorators = [*each.decorators, *parts.decorators]
    doc = each.doc
    source = node.child_by_field_name("source")
    module = unquoted(texts.cut(source)) if source is not None else ""
    # Of `export type *` the grammar sees no `type`.
    is_type = "type" in words or _TYPE_STAR.match(texts.data, node.start_byte) is not None
    base = Export("", "", module, is_type, line=line, doc=doc)
    if clause is not None:
        block.exports.extend(_clause_exports(state, clause, base))
    elif source is not None and "*" in words:
        block.exports.append(replace(base, name="*", local="*"))
    elif "namespace" in words and target is not None:
        block.exports.append(replace(base, name=texts.cut(target), local="", kind="umd"))
    elif target is not None:
        before = texts.data[node.start_byte : target.start_byte]
        if is_unnamed_default(texts.data, target):
            words.add("default")
        is_abstract = b"abstract" in before and target.type == "class"
        above = Above(doc, tuple(decorators), True, "default" in words, is_abstract)
        _exported(
            state,
            target,
            above,
            block,
            "=" if "=" in words else "default" if "default" in words else "",
            line,
        )


@dataclass(slots=True)
class _ExportParts:
    words: set[str] = field(default_factory=set)
    decorators: list[str] = field(default_factory=list)
    clause: Node | None = None
    target: Node | None = None


def _export_parts(state: State, node: Node) -> _ExportParts:
    parts = _ExportParts()
    has_source = node.child_by_field_name("source") is not None
    for child in node.children:
        kind = child.type
        if kind == "decorator":
            parts.decorators.append(decorator(state.texts, child))
        elif kind in ("export_clause", "namespace_export"):
            parts.clause = child
        elif kind == "ERROR":
            state.note_damage(child)
        elif not child.is_named:
            parts.words.add(kind)
        elif parts.target is None and kind != "comment" and not (kind == "string" and has_source):
            parts.target = child
    return parts


def _clause_exports(state: State, clause: Node, base: Export) -> Iterator[Export]:
    if clause.type == "namespace_export":
        yield replace(base, name=_exported_name(state, clause.named_children[-1]), local="*")
        return
    for each in documented(state.texts, clause.children):
        if each.node.type == "export_specifier":
            local, name, is_type = _specifier(state, each.node)
            doc = each.doc if each.doc is not None else base.doc
            yield replace(base, name=name, local=local, is_type=base.is_type or is_type, doc=doc)
    if not any(each.type == "export_specifier" for each in clause.named_children):
        yield base  # `export {}` makes a module, in which only what is exported is


def _exported(state: State, target: Node, above: Above, block: Block, sign: str, line: int) -> None:
    """``export`` in front of a declaration, or of an expression behind ``=`` or ``default``."""
    kind = target.type
    if kind == "import_alias":
        block.imports.append(_import_alias(state, target, is_exported=True))
    elif kind == "import_statement":
        block.imports.extend(replace(each, is_exported=True) for each in _imports(state, target))
    elif kind in ("identifier", "member_expression", "nested_identifier") and sign:
        local = "".join(state.texts.cut(target).split())
        block.exports.append(Export(sign, local, line=line, doc=above.doc))
    elif kind == "expression_statement":
        for child in target.named_children:
            _exported(state, child, above, block, sign, line)
    elif kind in KINDS and not (kind == "arrow_function" or sign == "="):
        block.declarations.extend(declared(state, target, above))
    elif sign:
        _exported_value(state, target, above, block, sign, line)


def _exported_value(state: State, target: Node, above: Above, block: Block, sign: str, line: int) -> None:
    """A value without a name gets the one that the compiler would give it."""
    inner = above._replace(is_exported=False, is_default=False, doc=above.doc)
    local = "_default"
    if target.type in KINDS and target.type != "arrow_function":
        made = [each if each.name else replace(each, name=local) for each in declared(state, target, inner)]
        block.declarations.extend(made)
        local = made[0].name if made else local
    else:
        block.declarations.append(reader_values.constant(state, target, local, "const", inner))
    block.exports.append(Export(sign, local, line=line))
