"""Files that the grammar cannot read: what else is tried before they are called damaged.

Semicolons that nobody must write are written, and files that end in the middle are read up to the fault, with
their brackets closed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ifacegen_adapters.typescript.grammar import PLAIN, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = rb"(?:\s++|/\*(?:[^*]|\*(?!/))*+\*/|//[^\n]*+\n){0,40}+"
#: A line that begins with what would go on with the type in the line before, if that were not forbidden.
_NEXT_MEMBER = re.compile(
    rb"(?:[\w$\])}\"'`]|(?<!=)>)[ \t]*(?:\n|//[^\n]*\n)%b(?<=[ \t\n])(?:<(?:[A-Za-z_$]|[ \t]*\n)|\[(?:[\w$]+\s*:|[\w$]+\s+in\s|[\w$.'\"]+\]\s*[?:(<]))"
    % _COMMENTS
)

_TOKEN = re.compile(
    rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|//[^\n]*|/\*[\s\S]*?\*/"
    rb"|[()\[\]{};,]|`|/\*"
)
#: `{{` stands for the brace of a type or a value, of which half would be another one.
_CLOSES = {b"{": b"}", b"{{": b"}", b"(": b")", b"[": b"]"}
_OPENED = frozenset(_CLOSES.values())
#: What goes on with a type in the next line.
_CONTINUED = re.compile(rb"[ \t]*\n\s*[|&?:.)=>\],\[]")


def completed(text: bytes) -> tuple[bytes, int] | None:
    """The whole members and statements of a file that ends too early, and the offset of the first that isn't whole.

    None where every bracket is closed, or more are.
    """
    stack: list[bytes] = []
    parts = 0  # how many of them are no braces of declarations
    end, depth = 0, 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in _CLOSES:
            if token != b"{" or _is_part(text, found.start()):
                token = b"{{" if token == b"{" else token
                parts += 1
            stack.append(token)
        elif token in _OPENED:
            if not stack or _CLOSES[opened := stack.pop()] != token:
                return None
            parts -= opened != b"{"
            if not parts and token == b"}" and _ends_here(text, found.end()):
                end, depth = found.end(), len(stack)
        elif token in (b";", b","):
            if not parts and (stack or token == b";"):
                end, depth = found.end(), len(stack)
        elif token in (b"`", b"/*"):  # never closed
            stack.append(b"{")
            break
    return (text[:end] + b"}" * depth, end) if stack else None


def _is_part(text: bytes, start: int) -> bool:
    """Whether a brace opens a type or a value inside of a declaration."""
    before = text[max(0, start - 80) : start].rstrip()
    return before.endswith((b":", b"|", b"&", b",", b"(", b"<", b"?", b"=>"))


def _ends_here(text: bytes, end: int) -> bool:
    """Whether a brace is the last of what it closes."""
    rest = text[end : end + 200]
    return rest.lstrip(b" \t").startswith(b"\n") and _CONTINUED.match(rest) is None


class Parsed(NamedTuple):
    """A tree, and the text that it is of."""

    root: Node
    text: bytes
    #: Where the file ends too early; negative where it doesn't.
    ends: int = -1


def parsed(text: bytes, suffix: str) -> Parsed:
    """The best tree of a file's text."""
    best = Parsed(parse(text, suffix), text)
    if not best.root.has_error:
        return best
    best = _better(best, Parsed(parse(text, suffix, is_odd=True), text))
    if not best.root.has_error:
        return best
    if suffix.endswith(PLAIN):
        spelled = _with_semicolons(text)
        if spelled != text:
            best = _better(best, Parsed(parse(spelled, suffix, is_odd=True), text))
    if best.root.has_error and (whole := completed(text)) is not None:
        closed, end = whole
        spelled = _with_semicolons(closed) if suffix.endswith(PLAIN) else closed
        best = _better(best, Parsed(parse(spelled, suffix, is_odd=True), closed, end))
    return best


def _better(first: Parsed, second: Parsed) -> Parsed:
    return second if _damage(second.root) < _damage(first.root) else first


def _damage(root: Node) -> int:
    """How many bytes lie in parts that cannot be parsed."""
    size = 0
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "ERROR" or node.is_missing:
            size += node.end_byte - node.start_byte + 1
        elif node.has_error:
            pending.extend(node.children)
    return size


def _with_semicolons(text: bytes) -> bytes:
    """A copy in which a semicolon takes the place of the blank in front of such a line's first sign."""
    copy = bytearray(text)
    position = 0
    while (found := _NEXT_MEMBER.search(text, position)) is not None:
        sign = max(found[0].rfind(b"<"), found[0].rfind(b"["))
        at = found.start() + sign
        if text[at - 1 : at] in (b" ", b"\t", b"\n"):
            copy[at - 1] = ord(";")
        position = at
    return bytes(copy)


#: What nobody sees of a declaration, or what its members answer for by themselves.
_UNSEEN = frozenset(
    ("statement_block", "class_body", "interface_body", "enum_body", "arguments", "array", "object", "class_static_block",
     "template_string", "jsx_element", "jsx_self_closing_element")
)  # fmt: skip


def has_damaged_header(node: Node, apart: Node | None = None) -> bool:
    """Whether an error lies where a declaration is read: not in its body, nor in a part that is looked at apart."""
    pending = list(node.children)
    while pending:
        each = pending.pop()
        if each.type == "ERROR" or each.is_missing:
            return True
        if each.has_error and each.type not in _UNSEEN and each != apart:
            pending.extend(each.children)
    return False
