"""What all parts of the reader know about the file that they are in.

Parts that need each other in turn (a namespace has statements, a default may be a function) know each other
through :class:`Parts` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ifacegen_adapters.typescript.facts import Export, Fact, Import, Text
from ifacegen_adapters.typescript.reader_comments import deprecation, is_internal
from ifacegen_adapters.typescript.reader_jsdoc import JsDoc, read_jsdoc
from ifacegen_adapters.typescript.reader_text import Texts

if TYPE_CHECKING:
    from tree_sitter import Node


class Above(NamedTuple):
    """What is known of a declaration before it is read."""

    doc: str | None = None
    decorators: tuple[str, ...] = ()
    is_exported: bool = False
    is_default: bool = False
    #: ``export default abstract class {``, of which the grammar doesn't see the word.
    is_abstract: bool = False


class Block(NamedTuple):
    """What stands in a file or between the braces of a namespace."""

    declarations: list[Fact]
    imports: list[Import]
    exports: list[Export]


class Parts(Protocol):
    """Parts of the reader for those that they use themselves."""

    def block(self, state: State, nodes: Sequence[Node]) -> Block:
        """Statements between two braces."""
        ...

    def type_of(self, state: State, node: Node, *, is_constant: bool = False) -> Text | None:
        """The type of an expression, where that is plain."""
        ...

    def returned(self, state: State, node: Node) -> Text | None:
        """The type of what a function returns that doesn't state it, where that is plain."""
        ...


@dataclass(slots=True)
class State:
    """One file while it is read."""

    texts: Texts
    parts: Parts
    #: No declaration file: there are bodies, initialisers and types that are not stated.
    is_source: bool
    is_javascript: bool
    #: Whether the tree has errors anywhere; else nobody looks for them.
    is_damaged: bool
    #: What decides how the file is read (``.d.ts``).
    suffix: str
    #: Classes of the file that cannot be named without type arguments.
    generic: set[str] = field(default_factory=set)
    #: Lines of what could not be parsed.
    damage: list[int] = field(default_factory=list)
    too_deep: list[int] = field(default_factory=list)
    #: Declarations that were looked at by themselves.
    rescued: int = 0
    #: The line at which the file ends too early; 0 where it doesn't.
    ends_in: int = 0
    #: Levels of expressions that are being read.
    depth: int = 0
    #: Namespaces that the reader is inside of.
    levels: int = 0
    #: How many ``declare`` it is inside of: there everything is exported that no export statement leaves out.
    ambient: int = 0
    #: Whether ``accessor`` is written anywhere; the grammar knows it without other modifiers only.
    has_accessors: bool = False

    def note_damage(self, node: Node) -> None:
        """A part of the file that is no TypeScript as the grammar knows it."""
        self.damage.append(self.texts.line(node.start_byte))

    def jsdoc(self, above: Above) -> JsDoc | None:
        """What the comment above something says about its types, where that counts."""
        doc = above.doc
        return read_jsdoc(doc) if self.is_javascript and doc is not None and "@" in doc else None

    def fact(self, node: Node, kind: str, name: str, above: Above, **fields: Any) -> Fact:
        """What a node declares; what its comment and its place say is filled in."""
        texts = self.texts
        doc = above.doc
        if doc is not None and "@" in doc:
            fields["is_internal"] = is_internal(doc)
            fields["deprecated"] = deprecation(doc)
        return Fact(
            kind,
            name,
            doc=doc,
            is_exported=above.is_exported,
            is_default=above.is_default,
            line=texts.line(node.start_byte),
            end_line=texts.end_line(node),
            **fields,
        )
