"""What a ``.proto`` file says of others, without compiling it: its package and its imports.

Cheap enough for every file of a repository's largest package; protoc has the last word on all else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Files larger than this are not read: nobody writes them, and whoever generates them reads something else.
LARGEST = 10_000_000

_COMMENT = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", re.DOTALL)
_IMPORT = re.compile(
    r"""^[ \t]*import\s+(?:(?:public|weak|option)\s+)?["']([^"'\n]*)["']\s*;""", re.MULTILINE
)
_SAME_LINE = re.compile(r"""[;{}][ \t]*import\s+(?:(?:public|weak|option)\s+)?["']([^"'\n]*)["']\s*;""")
_PACKAGE = re.compile(r"^[ \t]*package\s+([A-Za-z_][\w.]*)\s*;", re.MULTILINE)
_SAME_LINE_PACKAGE = re.compile(r";[ \t]*package\s+([A-Za-z_][\w.]*)\s*;")


class Unreadable(Exception):
    """A file that is no text, or too much of it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text."""

    text: str
    #: What was wrong with its encoding, where it could be read all the same.
    problem: str | None = None


def decoded(data: bytes) -> Source:
    """The text of a file.

    Raises:
        Unreadable: It is no text that protoc could take, or too large.
    """
    if len(data) > LARGEST:
        raise Unreadable(f"{len(data):,} bytes, over {LARGEST:,}; not read")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, problem = (
            data.decode("utf-16", "replace"),
            "UTF-16, which protoc does not read; save it as UTF-8",
        )
    else:
        try:
            text, problem = data.decode("utf-8-sig"), None
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            text, problem = data.decode("latin-1"), f"not UTF-8 (line {line}); read as Latin-1"
    if "\0" in text:
        raise Unreadable("holds NUL characters; it is no text")
    return Source(text.replace("\r\n", "\n"), problem)


def imports(text: str) -> tuple[str, ...]:
    """The names of the files that it imports, in their order."""
    bare = _bare(text)
    found = [*_IMPORT.findall(bare), *_SAME_LINE.findall(bare)]
    return tuple(dict.fromkeys(found))


def package(text: str) -> str:
    """Its package; empty where it has none."""
    bare = _bare(text)
    found = _PACKAGE.search(bare) or _SAME_LINE_PACKAGE.search(bare)
    return found.group(1) if found else ""


def _bare(text: str) -> str:
    """Without comments, where a statement could stand in one or behind one."""
    if "/*" in text or _SAME_LINE.search(text) or _SAME_LINE_PACKAGE.search(text):
        return _COMMENT.sub(lambda found: found.group(1) or " ", text)
    return text
