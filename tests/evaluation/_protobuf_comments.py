"""Which comments of a proto file are in another one: by protoc's source info."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

#: Numbers of ``FileDescriptorProto``'s messages, enums, services and extensions.
_DECLARATIONS = {4, 5, 6, 7}
_LICENCE = re.compile(r"copyright|licen[cs]e|all rights reserved", re.IGNORECASE)
KINDS = ("on declarations", "on the file", "detached", "licence")


def comments(file: Any) -> Iterator[tuple[str, str]]:
    """Kind and text of every comment, white space normalised."""
    for location in file.source_code_info.location:
        where = KINDS[0] if location.path and location.path[0] in _DECLARATIONS else KINDS[1]
        for text in (location.leading_comments, location.trailing_comments):
            if text.strip():
                yield _licence_or(where, text), _normalised(text)
        for text in location.leading_detached_comments:
            if text.strip():
                yield _licence_or(KINDS[2], text), _normalised(text)


def counted(source: Any, shown: Any) -> tuple[Counter[str], Counter[str]]:
    """By kind: comments of the source, and those of them that the other file has."""
    there = "\n".join(text for _, text in comments(shown))
    every, kept = Counter[str](), Counter[str]()
    for kind, text in comments(source):
        every[kind] += 1
        kept[kind] += text in there
    return every, kept


def _licence_or(kind: str, text: str) -> str:
    is_licence = kind != KINDS[0] and _LICENCE.search(text)
    return KINDS[3] if is_licence else kind


def _normalised(text: str | bytes) -> str:
    if isinstance(text, bytes):  # what isn't UTF-8, protoc takes as it is
        text = text.decode("latin-1")
    # `/// text` and ` * text` are styles of writing one.
    return " ".join(" ".join(line.strip().lstrip("/*") for line in text.splitlines()).split())
