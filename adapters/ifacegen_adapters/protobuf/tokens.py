"""Tokens of a ``.proto`` file with the comments around them, attached as protoc attaches them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<line>//[^\n]*\n?)|(?P<block>/\*.*?(?:\*/|\Z))"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<word>[^\W\d]\w*)|(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[fF]?)"""
    r"""|(?P<other>.)""",
    re.DOTALL,
)
_STAR = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)


@dataclass(slots=True)
class Token:
    """A word, a number, a string or one other character."""

    kind: str
    text: str
    #: From 0.
    line: int
    end_line: int
    #: Its place among all tokens: what orders those of one line.
    at: int
    #: Comments that belong to what begins with it.
    leading: str = ""
    detached: list[str] = field(default_factory=list)
    #: The comment that belongs to what ends with it.
    trailing: str = ""


@dataclass(slots=True)
class _Comment:
    text: str
    line: int
    end_line: int
    is_block: bool


def tokens(text: str) -> list[Token]:
    """All tokens, and an empty one for the end."""
    found: list[Token] = []
    comments: list[_Comment] = []
    line = 0
    for match in _TOKEN.finditer(text):
        kind, written = str(match.lastgroup), match.group()
        end = line + written.count("\n")
        if kind in ("line", "block"):
            comments.append(_comment(written, line))
        elif kind != "space":
            token = Token(kind, written, line, end, len(found))
            _attach(found[-1] if found else None, comments, token)
            found.append(token)
            comments = []
        line = end
    last = Token("end", "", line + 2, line + 2, len(found))
    _attach(found[-1] if found else None, comments, last)
    found.append(last)
    return found


def _comment(written: str, line: int) -> _Comment:
    if written.startswith("//"):
        return _Comment(written[2:].rstrip("\n"), line, line, False)
    body = written[2:].removesuffix("*/")
    return _Comment(_STAR.sub("", body), line, line + written.count("\n"), True)


def _attach(before: Token | None, comments: list[_Comment], token: Token) -> None:
    """Give each comment between two tokens to the one that it is about."""
    rest = list(comments)
    if before is not None and rest and rest[0].line == before.end_line:
        first = rest.pop(0)
        if first.end_line < token.line:
            before.trailing = first.text
        else:
            rest = []  # in the middle of a line
    blocks = list(_blocks(rest))
    if not blocks:
        return
    if before is not None and not before.trailing and blocks[0].line == before.end_line + 1:
        following = blocks[1].line if len(blocks) > 1 else token.line
        if following > blocks[0].end_line + 1 or token.text == "}":
            before.trailing = blocks.pop(0).text
    if blocks and blocks[-1].end_line + 1 >= token.line and token.text != "}":
        token.leading = blocks.pop().text
    token.detached = [each.text for each in blocks]


def _blocks(comments: list[_Comment]) -> Iterator[_Comment]:
    """Lines of comment that follow one another are one."""
    block: _Comment | None = None
    for each in comments:
        if block and not block.is_block and not each.is_block and each.line == block.end_line + 1:
            block = _Comment(f"{block.text}\n{each.text}", block.line, each.end_line, False)
            continue
        if block:
            yield block
        block = each
    if block:
        yield block
