"""From the text of a file to its facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript import reader_values
from ifacegen_adapters.typescript.facts import Fact, FileFacts, Text, Trouble
from ifacegen_adapters.typescript.reader_comments import doc_text, is_doc
from ifacegen_adapters.typescript.reader_damage import parsed
from ifacegen_adapters.typescript.reader_docs import file_doc
from ifacegen_adapters.typescript.reader_jsdoc import declared_types
from ifacegen_adapters.typescript.reader_state import Block, State
from ifacegen_adapters.typescript.reader_statements import read_block
from ifacegen_adapters.typescript.reader_suffix import JAVASCRIPT
from ifacegen_adapters.typescript.reader_text import Texts

if TYPE_CHECKING:
    from tree_sitter import Node

_REFERENCE = re.compile(
    rb"^///[ \t]*<reference[ \t]+(path|types|lib)[ \t]*=[ \t]*[\"']([^\"'\n]+)[\"']", re.MULTILINE
)


class _Parts:
    """The parts of the reader that others use without knowing them."""

    block = staticmethod(read_block)
    type_of = staticmethod(reader_values.type_of)
    returned = staticmethod(reader_values.returned)


def read_facts(text: bytes, suffix: str) -> FileFacts:
    """The facts of a file's text: UTF-8, its lines ended as on Unix."""
    root, text, ends = parsed(text, suffix)
    texts = Texts(text)
    texts.head = next((each.start_byte for each in root.children if each.type != "comment"), len(text))
    state = State(
        texts,
        _Parts(),
        is_source=not suffix.startswith(".d."),
        is_javascript=suffix in JAVASCRIPT,
        is_damaged=root.has_error,
        suffix=suffix,
        has_accessors=b"accessor" in text,
        generic=_generic(texts, root),
    )
    if ends >= 0:
        state.ends_in = texts.line(ends)
    block = read_block(state, root.children)
    if state.is_javascript and b"@" in text:
        block.declarations.extend(_commented(texts, root))
    return FileFacts(
        declarations=tuple(block.declarations),
        imports=tuple(block.imports),
        exports=tuple(block.exports),
        doc=file_doc(texts, root),
        # The exports of bundled declarations stand at the end, which may be what is missing.
        is_module=state.ends_in > 0 or _is_module(block),
        references=_references(text),
        troubles=_troubles(state),
        is_inferred=state.is_source and _is_inferred(block),
    )


def _generic(texts: Texts, root: Node) -> set[str]:
    """Classes with type parameters that need not be given where they are made, but where they are named."""
    found: set[str] = set()
    for statement in root.children:
        node = statement.child_by_field_name("declaration") or statement
        if node.type.endswith("class_declaration"):
            name = node.child_by_field_name("name")
            if name is not None and node.child_by_field_name("type_parameters") is not None:
                found.add(texts.cut(name))
    return found


def _commented(texts: Texts, root: Node) -> Iterator[Fact]:
    """Types that comments between statements declare."""
    for node in root.children:
        if node.type == "comment" and is_doc(written := texts.cut(node)):
            yield from declared_types(doc_text(written), texts.line(node.start_byte))


def _is_module(block: Block) -> bool:
    return bool(
        block.exports
        or any(each.module or each.is_exported for each in block.imports)
        or any(each.is_exported for each in block.declarations)
    )


def _is_inferred(block: Block) -> bool:
    """Whether something that callers may see has a type that only a compiler could tell."""
    named = {each.local.partition(".")[0] for each in block.exports if not each.module}
    is_script = not block.exports and not any(each.is_exported for each in block.declarations)
    return any(
        _lacks_type(each)
        for each in block.declarations
        if each.is_exported or each.name in named or is_script
    )


def _lacks_type(fact: Fact) -> bool:
    kind = fact.kind
    if fact.access == "private":
        return False
    if kind in ("function", "method", "getter", "call"):
        return fact.returns is None
    if kind in ("variable", "property") and not fact.members:
        return fact.type is None
    is_calculated = kind == "class" and any(_is_expression(each) for each in fact.bases)
    return is_calculated or any(map(_lacks_type, fact.members))


def _is_expression(base: Text) -> bool:
    """Whether a base is no name, so that only a compiler could tell what is inherited."""
    return isinstance(base[0], str) and not base[0].startswith("implements ")


def _references(text: bytes) -> tuple[tuple[str, str], ...]:
    if b"<reference" not in text:
        return ()
    return tuple(
        (found[1].decode(), found[2].decode("utf-8", "replace")) for found in _REFERENCE.finditer(text)
    )


def _troubles(state: State) -> tuple[Trouble, ...]:
    found: list[Trouble] = []
    if state.ends_in:
        found.append(
            Trouble("parse-error", "ends in the middle; what stands before that line is shown", state.ends_in)
        )
    if state.damage:
        first = min(state.damage)
        more = len(set(state.damage)) - 1
        rest = f" (and {more} more place{'s' if more > 1 else ''})" if more else ""
        found.append(
            Trouble(
                "parse-error",
                f"syntax that cannot be read{rest}; what stands there is as written, or missing",
                first,
            )
        )
    if state.too_deep:
        found.append(Trouble("too-deep", "types nested too deep are left out", min(state.too_deep)))
    return tuple(found)
