"""Types as text in pieces: what is cut from a file between two offsets, with its mentions of names apart.

Only nodes that open a scope or that are printed otherwise than written are recursed into; everything else is
stepped over with a cursor, so unions of thousands of members cost no stack.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.facts import Doc, Meaning, Piece, Ref, Text
from ifacegen_adapters.typescript.grammar import IMPORT_TYPE
from ifacegen_adapters.typescript.reader_comments import doc_text, is_doc

if TYPE_CHECKING:
    from tree_sitter import Node

#: Levels of types with scopes or members inside each other that are followed.
_DEEPEST = 150

_SPACES = re.compile(r"\s{2,}|[^\S ]")
_OPENED = re.compile(r"([(\[<]) ")
_CLOSED = re.compile(r"(?:, ?| )([)\]>])")
_NAME = re.compile(r"[\w$]+|#\w+")
#: White space and brackets that would not survive between tokens.
_DELICATE = re.compile(r"\s{2,}|[^\S ]|[\s,][)\]>]|[(\[<]\s")


class TooDeep(Exception):
    """A type with more levels than anybody writes."""

    def __init__(self, node: Node) -> None:
        super().__init__("nested too deep")
        self.line = node.start_point[0] + 1


class _Verbatim(str):
    """Text of which nothing may be normalised."""

    __slots__ = ()


def join(*parts: str | Text) -> Text:
    """Texts one after another, with as few pieces as possible."""
    pieces: list[Piece] = []
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        for piece in part:
            if isinstance(piece, str):
                text += piece
                continue
            if text:
                pieces.append(text)
                text = ""
            pieces.append(piece)
    if text:
        pieces.append(text)
    return tuple(pieces)


def separated(separator: str, parts: Iterable[Text]) -> Text:
    """Texts with a separator between them."""
    joined: list[str | Text] = []
    for part in parts:
        if joined:
            joined.append(separator)
        joined.append(part)
    return join(*joined)


def normal(text: str) -> str:
    """Code without strings and comments, its white space normalised."""
    if _SPACES.search(text):
        text = " ".join(f"|{text}|".split())[1:-1]
    if "( " in text or "[ " in text or "< " in text:
        text = _OPENED.sub(r"\1", text)
    if " )" in text or " ]" in text or " >" in text or ",)" in text or ",]" in text or ",>" in text:
        text = _CLOSED.sub(r"\1", text)
    return text


def spelled(piece: Ref | Doc) -> str:
    """A piece as it is written in a file."""
    if isinstance(piece, Doc):
        return f"/** {piece.text} */"
    if piece.module:
        return ".".join((f'import("{piece.module}")', *piece.path))
    return ".".join((piece.name, *piece.path))


class Texts:
    """Cuts texts out of one file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        #: Where the first statement begins; before it stand comments about the whole file.
        self.head = 0
        self._starts = [0]
        self._starts.extend(found.end() for found in re.finditer(b"\n", data))
        #: Names of types that are bound where the reader is, and how often.
        self._bound: dict[str, int] = {}
        #: Nodes with parameters that the reader is inside of.
        self._callables: list[Node] = []
        self._depth = 0
        self._out: list[Piece] = []
        self._at = 0

    # --- Plain pieces -----------------------------------------------------------------------------

    def cut(self, node: Node) -> str:
        """What is written at a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8")

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def end_line(self, node: Node) -> int:
        """The last line of a node."""
        return bisect_right(self._starts, max(node.end_byte - 1, node.start_byte))

    # --- Scopes -----------------------------------------------------------------------------------

    def enter(self, node: Node, names: Iterable[str]) -> None:
        """From now on names are bound, and so are the parameters among a node's children."""
        self._callables.append(node)
        bound = self._bound
        for name in names:
            bound[name] = bound.get(name, 0) + 1

    def leave(self, names: Iterable[str]) -> None:
        """Ends what :meth:`enter` began."""
        self._callables.pop()
        bound = self._bound
        for name in names:
            if bound[name] == 1:
                del bound[name]
            else:
                bound[name] -= 1

    def forget(self) -> None:
        """Nothing is bound any more: what was being read between statements is given up."""
        self._bound.clear()
        self._callables.clear()
        self._depth = 0

    def type_parameter_names(self, node: Node | None) -> tuple[str, ...]:
        """The names in ``<T, U extends T>``."""
        if node is None:
            return ()
        named = (
            each.child_by_field_name("name") for each in node.named_children if each.type == "type_parameter"
        )
        return tuple(self.cut(each) for each in named if each is not None)

    def _is_parameter(self, name: str) -> bool:
        return any(name in self._parameter_names(node) for node in self._callables)

    def _parameter_names(self, node: Node) -> set[str]:
        names: set[str] = set()
        for child in node.named_children:
            if child.type == "formal_parameters":
                pending = [each.child_by_field_name("pattern") for each in child.named_children]
                while pending:
                    pattern = pending.pop()
                    if pattern is None:
                        continue
                    if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
                        names.add(self.cut(pattern))
                    pending.extend(pattern.named_children)
        return names

    # --- Texts ------------------------------------------------------------------------------------

    def text(self, node: Node) -> Text:
        """A type (or anything that consists of types) in pieces."""
        kind = node.type
        if kind == "predefined_type" and node.child_count < 2:
            return (self.cut(node),)
        if kind == "type_identifier":
            name = self.cut(node)
            if not name.startswith("import"):
                return (name,) if name in self._bound else (Ref(name),)
        return self.between(node, node.start_byte, node.end_byte)

    def between(self, node: Node, start: int, end: int) -> Text:
        """What stands between two offsets, of which the first is in the node or before it."""
        self._out, self._at = [], start
        self._walk(node, start)
        self._flush(end)
        return _finished(self._out)

    def plain(self, node: Node) -> str:
        """An expression in one line, without comments."""
        pieces = self.between(node, node.start_byte, node.end_byte)
        return "".join(each if isinstance(each, str) else spelled(each) for each in pieces)

    def value(self, node: Node) -> Text:
        """A name or a dotted one where a value is meant; anything else as written."""
        written = self.cut(node)
        reference = self._reference(written, "value")
        if reference is None or self._is_parameter(reference.name):
            return (normal(written),)
        return (reference,)

    def _flush(self, to: int) -> None:
        if to > self._at:
            self._out.append(self.data[self._at : to].decode("utf-8"))
            self._at = to

    def _put(self, piece: Piece, end: int) -> None:
        self._out.append(piece)
        self._at = end

    def _walk(self, node: Node, start: int = 0) -> None:
        """A node and all below it, from an offset on."""
        handlers = _HANDLERS
        handler = handlers.get(node.type)
        if handler is not None:
            handler(self, node)
            return
        cursor = node.walk()
        if not cursor.goto_first_child():
            return
        is_first = True
        while (current := cursor.node) is not None:
            kind = current.type
            handler = handlers.get(kind)
            if current.start_byte < start:
                pass
            elif handler is not None:
                handler(self, current)
            elif is_first and kind in ("|", "&"):
                # In front of the first member nobody needs it.
                self._flush(current.start_byte)
                self._at = current.end_byte
            elif cursor.goto_first_child():
                is_first = True
                continue
            is_first = False
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return

    def _children(self, nodes: Iterable[Node]) -> None:
        self._depth += 1
        try:
            for each in nodes:
                if self._depth > _DEEPEST:
                    raise TooDeep(each)
                self._walk(each)
        finally:
            self._depth -= 1

    def _comment(self, node: Node) -> None:
        self._flush(node.start_byte)
        written = self.cut(node)
        if is_doc(written):
            self._put(Doc(doc_text(written)), node.end_byte)
            self._out.append(" ")
        else:
            self._put(" ", node.end_byte)

    def _string(self, node: Node) -> None:
        written = self.cut(node)
        if _DELICATE.search(written):
            self._flush(node.start_byte)
            self._put(_Verbatim(written), node.end_byte)

    def _type_name(self, node: Node) -> None:
        name = self.cut(node)
        if name in self._bound:
            return
        self._mention(name, node, "type")

    def _mention(self, written: str, node: Node, meaning: Meaning) -> None:
        reference = self._reference(written, meaning)
        if reference is not None:
            self._flush(node.start_byte)
            self._put(reference, node.end_byte)

    def _reference(self, written: str, meaning: Meaning) -> Ref | None:
        """``a.b.C`` or ``import("x").C`` as a mention; None if it is neither."""
        if written.isidentifier():
            return None if written in ("this", "super") else Ref(written, meaning=meaning)
        module = ""
        if written.startswith("import") and (found := IMPORT_TYPE.match(written.encode())):
            module = found[1][1:-1].decode()
            written = "." + written.encode()[found.end() :].decode().lstrip(". \t\r\n")
        parts = [each.strip() for each in written.split(".")]
        if module and parts == ["", ""]:
            return Ref("", (), meaning, module)
        if not all(_NAME.fullmatch(each) for each in parts[1 if module else 0 :]):
            return None
        if parts[0] in ("this", "super"):
            return None
        return Ref(parts[0], tuple(parts[1:]), meaning, module)

    def _nested_name(self, node: Node) -> None:
        self._mention(self.cut(node), node, "type")

    def _value_name(self, node: Node) -> None:
        """``x`` or ``x.y`` behind ``typeof`` or in a computed key."""
        written = self.cut(node)
        reference = self._reference(written, "value")
        if reference is None:
            for each in node.named_children:
                self._value_walk(each)
        elif not self._is_parameter(reference.name):
            self._flush(node.start_byte)
            self._put(reference, node.end_byte)

    def _value_walk(self, node: Node) -> None:
        if node.type in ("identifier", "member_expression"):
            self._value_name(node)
        elif node.type in (
            "subscript_expression",
            "instantiation_expression",
            "call_expression",
            "unary_expression",
        ):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise TooDeep(node)
            for each in node.named_children:
                self._value_walk(each)
            self._depth -= 1
        else:
            self._walk(node)

    def _values(self, node: Node) -> None:
        for each in node.named_children:
            self._value_walk(each)

    def _scoped(self, node: Node) -> None:
        children = node.children
        names: tuple[str, ...] = ()
        for each in children:
            if each.type == "type_parameters":
                names = self.type_parameter_names(each)
        self.enter(node, names)
        self._children(children)
        self.leave(names)

    def _index(self, node: Node) -> None:
        names: tuple[str, ...] = ()
        children = node.children
        for each in children:
            if each.type == "mapped_type_clause" and (name := each.child_by_field_name("name")) is not None:
                names = (self.cut(name),)
        self.enter(node, names)
        self._children(children)
        self.leave(names)

    def _conditional(self, node: Node) -> None:
        current: Node | None = node
        while current is not None and current.type == "conditional_type":
            left, right = current.child_by_field_name("left"), current.child_by_field_name("right")
            consequence = current.child_by_field_name("consequence")
            if left is None or right is None or consequence is None:
                self._children(current.children)
                return
            before = [each for each in current.children if each.end_byte <= right.start_byte]
            self._children(before)
            names = tuple(self._inferred(right))
            self.enter(node, names)
            inner = [
                each
                for each in current.children
                if right.start_byte <= each.start_byte < consequence.end_byte
            ]
            self._children(inner)
            self.leave(names)
            after = [each for each in current.children if each.start_byte >= consequence.end_byte]
            current = after.pop() if after else None
            self._children(after)
        if current is not None:
            self._children((current,))

    def _inferred(self, node: Node) -> Iterator[str]:
        """Names that ``infer`` binds below a node."""
        if b"infer" not in self.data[node.start_byte : node.end_byte]:
            return
        pending = [node]
        while pending:
            each = pending.pop()
            if each.type == "infer_type" and each.named_child_count:
                yield self.cut(each.named_children[0])
            if each.type == "conditional_type":  # what its own clause infers is its own
                pending.extend(
                    child for name in ("left", "consequence", "alternative")
                    if (child := each.child_by_field_name(name)) is not None
                )  # fmt: skip
            else:
                pending.extend(each.named_children)

    def _object(self, node: Node) -> None:
        self._flush(node.start_byte)
        self._out.append("{")
        separator = " "
        for child in node.children:
            kind = child.type
            if kind in _PUNCTUATION:
                continue
            self._out.append(separator)
            self._at = child.start_byte
            self._children((child,))
            self._flush(child.end_byte)
            separator = " " if kind == "comment" else "; "
        self._out.append("}" if separator == " " and self._out[-1] == "{" else " }")
        self._at = node.end_byte


_PUNCTUATION = frozenset(("{", "}", ";", ",", "{|", "|}"))

_HANDLERS: dict[str, Callable[[Texts, Node], None]] = {
    "comment": Texts._comment,  # noqa: SLF001  # the table is the class's own
    "string": Texts._string,  # noqa: SLF001
    "string_fragment": Texts._string,  # noqa: SLF001
    "type_identifier": Texts._type_name,  # noqa: SLF001
    "nested_type_identifier": Texts._nested_name,  # noqa: SLF001
    "type_query": Texts._values,  # noqa: SLF001
    "computed_property_name": Texts._values,  # noqa: SLF001
    "function_type": Texts._scoped,  # noqa: SLF001
    "constructor_type": Texts._scoped,  # noqa: SLF001
    "call_signature": Texts._scoped,  # noqa: SLF001
    "construct_signature": Texts._scoped,  # noqa: SLF001
    "method_signature": Texts._scoped,  # noqa: SLF001
    "index_signature": Texts._index,  # noqa: SLF001
    "conditional_type": Texts._conditional,  # noqa: SLF001
    "object_type": Texts._object,  # noqa: SLF001
}


def _finished(out: list[Piece]) -> Text:
    """Pieces with their white space normalised, as few as possible."""
    pieces: list[Piece] = []
    raw = text = ""
    for each in out:
        if type(each) is str:
            raw += each
            continue
        if raw:
            text += normal(raw)
            raw = ""
        if isinstance(each, str):
            text += str(each)
            continue
        if text:
            pieces.append(text)
            text = ""
        pieces.append(each)
    text += normal(raw)
    if text:
        pieces.append(text)
    return _stripped(pieces)


def _stripped(pieces: list[Piece]) -> Text:
    if pieces and isinstance(pieces[0], str):
        pieces[0] = pieces[0].lstrip()
    if pieces and isinstance(pieces[-1], str):
        pieces[-1] = pieces[-1].rstrip()
    return tuple(each for each in pieces if each)
