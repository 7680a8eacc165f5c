"""Which comment belongs to which declaration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ifacegen_adapters.typescript.reader_comments import doc_text, is_doc, is_licence, is_of_file

if TYPE_CHECKING:
    from tree_sitter import Node

    from ifacegen_adapters.typescript.reader_text import Texts


class Documented(NamedTuple):
    """Something between two brackets, and the comment above it."""

    node: Node
    doc: str | None
    #: Decorators that stand before it.
    decorators: tuple[str, ...]


_SEPARATORS = frozenset(("{", "}", ";", ",", "{|", "|}", "empty_statement"))


def documented(texts: Texts, nodes: Sequence[Node]) -> Iterator[Documented]:
    """All but comments, decorators and what separates them, each with its own."""
    comment: str | None = None
    is_head = False
    decorators: list[str] = []
    for node in nodes:
        kind = node.type
        if kind == "comment":
            written = texts.cut(node)
            if is_doc(written):
                comment, is_head = written, node.start_byte < texts.head
        elif kind == "decorator":
            decorators.append(decorator(texts, node))
        elif kind not in _SEPARATORS:
            yield Documented(node, own_doc(comment, is_head=is_head), tuple(decorators))
            comment = None
            decorators.clear()


def own_doc(comment: str | None, *, is_head: bool) -> str | None:
    """The text of a comment, unless it is the file's or says nothing; at its head stand licences, too."""
    if comment is None:
        return None
    text = doc_text(comment)
    return None if not text or is_of_file(text) or (is_head and is_licence(text)) else text


def decorator(texts: Texts, node: Node) -> str:
    """A decorator as written, without ``@``."""
    return texts.plain(node).removeprefix("@").lstrip()


def file_doc(texts: Texts, root: Node) -> str | None:
    """The comment that says of itself that it is about the file."""
    for node in root.children:
        if node.type == "comment":
            written = texts.cut(node)
            if is_doc(written) and is_of_file(text := doc_text(written)):
                return text
    return None
