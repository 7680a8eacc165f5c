"""Comments of a file: where protoc found them, without the licence and without the stars in front."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

#: Where something is in a descriptor, as in ``SourceCodeInfo.Location.path``.
Path: TypeAlias = tuple[int, ...]

_LICENCE = re.compile(
    r"copyright|\(c\) \d{4}|licen[sc]e|spdx-|all rights reserved|warrant|redistribut|permission is hereby"
    r"|liab(le|ility)|apache\.org",
    re.IGNORECASE,
)
_HEAD = re.compile(r"copyright|\(c\) \d{4}|licen[sc]ed? |spdx-|all rights reserved", re.IGNORECASE)


class Places:
    """Spans and comments of the parts of a file."""

    def __init__(self, info: Any, text: str) -> None:
        """``info`` is a SourceCodeInfo of the text."""
        self._found: dict[Path, Any] = {}
        self._more: dict[Path, list[Any]] = {}
        self._starts: dict[Path, list[tuple[int, int]]] = {}
        for location in info.location:
            path = tuple(location.path)
            if path in self._found:  # statements that a list is spread over
                self._more.setdefault(path, []).append(location)
            else:
                self._found[path] = location
        self._lines = text.encode("utf-8", "replace").split(b"\n")

    def span(self, path: Path) -> tuple[int, int, int]:
        """First line, column and last line, from 0; the end of all lines where nothing is known."""
        location = self._found.get(path)
        if location is None:
            return len(self._lines), 0, len(self._lines)
        span = location.span
        return span[0], span[1], span[2] if len(span) == 4 else span[0]

    def text(self, path: Path) -> str:
        """The source of something, without the white space where it goes over lines; empty if it isn't known."""
        location = self._found.get(path)
        if location is None:
            return ""
        span = location.span
        first, start, last, end = span if len(span) == 4 else (span[0], span[1], span[0], span[2])
        if last >= len(self._lines):
            return ""
        if first == last:
            line = self._lines[first]
            cut = line[_offset(line, start) : _offset(line, end)] if b"\t" in line else line[start:end]
            return str(cut, "utf-8", "replace")
        lines = self._lines[first : last + 1]
        lines[-1] = lines[-1][: _offset(lines[-1], end)]
        lines[0] = lines[0][_offset(lines[0], start) :]
        return str(b"".join(line.strip() for line in lines), "utf-8", "replace")

    def block(self, path: Path, place: tuple[int, int, int]) -> int:
        """Which of the statements of one path something stands in, which stands in one."""
        starts = self._starts.get(path)
        if starts is None:
            spans = (each.span for each in self.statements(path))
            starts = self._starts[path] = [(span[0], span[1]) for span in spans]
        return bisect_right(starts, place[:2]) - 1

    def block_doc(self, path: Path, block: int) -> str | None:
        """The comments on one of the statements of one path."""
        location = self.statements(path)[block : block + 1]
        found = [
            cleaned(text) for each in location for text in (each.leading_comments, each.trailing_comments)
        ]
        return "\n\n".join(filter(None, found)) or None

    def doc(self, path: Path) -> tuple[str | None, bool]:
        """The comments on something, and whether they stand behind it."""
        location = self._found.get(path)
        if location is None:
            return None, False
        above = cleaned(location.leading_comments)
        behind = cleaned(location.trailing_comments)
        for each in self._more.get(path, ()):
            above = "\n".join(
                filter(None, (above, cleaned(each.leading_comments), cleaned(each.trailing_comments)))
            )
        if above and behind:
            return f"{above}\n\n{behind}", False
        return above or behind or None, bool(behind)

    def statements(self, path: Path) -> Sequence[Any]:
        """All locations of one path."""
        location = self._found.get(path)
        return () if location is None else (location, *self._more.get(path, ()))

    def file_doc(self, paths: Iterable[Path]) -> str | None:
        """What is said of the file: the comments on its first statements, without the licence."""
        blocks = [block for path in paths for each in self.statements(path) for block in _blocks(each)]
        found = [text for block in blocks if (text := without_licence(cleaned(block)))]
        return "\n\n".join(dict.fromkeys(found)) or None


def _blocks(location: Any) -> Iterator[str]:
    yield from location.leading_detached_comments
    yield location.leading_comments


def _offset(line: bytes, column: int) -> int:
    """Where in a line a column is, as protoc counts tabs."""
    seen = 0
    for at, byte in enumerate(line):
        if seen >= column:
            return at
        seen += 8 - seen % 8 if byte == 9 else 1
    return len(line)


def cleaned(comment: str) -> str:
    """A comment's text without the space or the star that each line starts with."""
    if not comment:
        return ""
    lines = [line.rstrip() for line in comment.split("\n")]
    if lines[0] == "*" or lines[0].startswith("* "):  # what is left of `/**`
        lines[0] = lines[0][1:]
    elif lines[0].startswith("/"):  # and of `///`
        lines = [line.removeprefix("/") for line in lines]
    filled = [line for line in lines if line]
    margin = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0)
    if margin == 0:  # most lines have a space in front all the same
        return "\n".join(line.removeprefix(" ") for line in lines).strip("\n")
    return "\n".join(line[margin:] for line in lines).strip("\n")


def without_licence(comment: str) -> str:
    """A comment without its paragraphs from the first that is about the licence to the last."""
    if not _HEAD.search(comment):
        return comment
    paragraphs = comment.split("\n\n")
    about = [at for at, each in enumerate(paragraphs) if _LICENCE.search(each)]
    return "\n\n".join((*paragraphs[: about[0]], *paragraphs[about[-1] + 1 :])).strip("\n")
