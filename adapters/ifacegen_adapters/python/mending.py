"""Rewrites damaged definitions line for line, so that what is intact before and behind an error can be read.

Statements are told by their indent alone, because that is what survives an unclosed bracket or string. Each is
read by itself; of one that cannot be read the header is kept, verbatim where not even that is Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

_STARTS = re.compile(
    r"[ \t]*(?:@|(?:async[ \t]+)?def\b|class\b|from\b|import\b|if\b|try\b|\w+[ \t]*(?::[^=\n]+)?=[^=])"
)
_HEADER = re.compile(r"[ \t]*((?:async[ \t]+)?def|class)[ \t]+([^\W\d]\w*)")
_DOC = re.compile(r"\s*[rRuU]?(?:\"{3}.*?\"{3}|'{3}.*?'{3}|\"[^\"\n]*\"|'[^'\n]*')[ \t]*(?=\n|\Z)", re.DOTALL)
#: A decorator, perhaps with a bracket before it that does not belong there.
_DECORATES = re.compile(r"[ \t]*[\[\](){}]?[ \t]*@[ \t]*\w")
#: Lines that a header may have, and statements that a string or bracket may reach over.
_LONGEST_HEADER = 30
_LONGEST_REACH = 12
#: Columns beyond which no member is looked for.
_DEEPEST = 100


@dataclass(slots=True)
class Mender:
    """Mends one text. ``reads`` tells whether lines are Python by themselves."""

    reads: Callable[[str], bool]
    #: Row → the header that stood there and is no Python.
    verbatim: dict[int, str] = field(default_factory=dict)

    def mended(self, text: str) -> str:
        """The text with as many lines, in which everything can be read."""
        return "\n".join(self._block(text.split("\n"), 0))

    def _block(self, lines: Sequence[str], row: int) -> list[str]:
        """The statements of one block, whose first line is row ``row``."""
        starts = _starts(lines)
        mended: list[str] = []
        while len(mended) < len(lines):
            following = [each for each in starts if each > len(mended)]
            chunk = self._whole(lines, len(mended), [*following, len(lines)])
            mended += chunk or self._statement(
                lines[len(mended) : [*following, len(lines)][0]], row + len(mended)
            )
        return mended

    def _whole(self, lines: Sequence[str], start: int, ends: Sequence[int]) -> Sequence[str] | None:
        """A statement that can be read, with what a string or bracket of it reaches over."""
        for end in ends[:_LONGEST_REACH]:
            if self._is_readable(lines[start:end]):
                return lines[start:end]
        return None

    def _is_readable(self, lines: Sequence[str]) -> bool:
        indented = next((line[:1].isspace() for line in lines if line.strip()), False)
        return self.reads("\n".join([*(["class _:"] if indented else []), *lines, ""]))

    def _statement(self, lines: Sequence[str], row: int) -> list[str]:
        index, found = next(
            ((i, found) for i, line in enumerate(lines) if (found := _HEADER.match(line))), (0, None)
        )
        if found is None:
            return [""] * len(lines)
        is_decorated = self._is_readable([*lines[:index], f"{_indent(lines[index])}def f(): ..."])
        before = lines[:index] if is_decorated else [""] * index
        header, body = self._header(lines[index:])
        if not header and self._is_readable([*before, lines[index]]):  # all on one line
            return [*before, lines[index], *[""] * (len(lines) - index - 1)]
        if not (header and is_decorated):
            self.verbatim[row + index] = " ".join(lines[index].split())
            colon = "" if found[1] == "class" else "()"
            header, body = [f"{found[0]}{colon}:"], lines[index + 1 :]
        if self._is_readable([*before, *header, *body]):
            return [*before, *header, *body]
        if found[1] == "class":
            kept = self._members(body, row + len(lines) - len(body), _indent(lines[index]))
        else:
            kept = self._documentation([*before, *header], body)
        if not any(line.strip() for line in kept):
            header = [*header[:-1], f"{header[-1]} ..."]
        return [*before, *header, *kept]

    def _header(self, lines: Sequence[str]) -> tuple[list[str], Sequence[str]]:
        """The lines of a header, with the colon that it may lack, and what follows; no lines if it cannot be read."""
        for end in range(1, min(len(lines), _LONGEST_HEADER) + 1):
            for colon in ("", ":"):
                header = [*lines[: end - 1], _uncommented(lines[end - 1]) + colon]
                if header[-1].endswith(":") and self._is_readable([*header[:-1], f"{header[-1]} ..."]):
                    return header, lines[end:]
            written = "".join(lines[:end])
            if sum(map(written.count, "([{")) <= sum(map(written.count, ")]}")):
                break
        return [], lines

    def _members(self, body: Sequence[str], row: int, outer: str) -> list[str]:
        inner = next((_indent(line) for line in body if line.strip()), "")
        if not len(outer) < len(inner) < _DEEPEST:
            return [""] * len(body)
        return self._block(body, row)

    def _documentation(self, header: Sequence[str], body: Sequence[str]) -> list[str]:
        """A body that holds its docstring alone."""
        found = _DOC.match("\n".join(body))
        lines = found[0].split("\n") if found else []
        if not lines or not self._is_readable([*header, *lines]):
            lines = []
        return [*lines, *[""] * (len(body) - len(lines))]


def _starts(lines: Sequence[str]) -> list[int]:
    """Where statements start that are indented like the first one; a decorator starts what it decorates."""
    indent = next((_indent(line) for line in lines if line.strip()), "")
    starts: list[int] = []
    decorated = False
    for index, line in enumerate(lines):
        if not _is_start(line, indent):
            continue
        if not decorated:
            starts.append(index)
        decorated = _DECORATES.match(line) is not None
    return starts


def _is_start(line: str, indent: str) -> bool:
    if _indent(line) == indent and _STARTS.match(line):
        return True
    return len(_indent(line)) <= len(indent) and _DECORATES.match(line) is not None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _uncommented(line: str) -> str:
    """A header's last line without the comment behind it."""
    return re.sub(r"[ \t]+#[^\"']*\Z", "", line).rstrip()
