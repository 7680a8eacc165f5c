"""From text to a syntax tree: which grammar a file needs, and what the grammars don't know yet.

Repairs keep every byte where it is and change only the copy that is parsed; texts are cut from the original.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ifacegen_adapters._treesitter import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

#: Endings of files that the grammar without JSX reads: there ``<T>x`` is an assertion.
_PLAIN = (".ts", ".mts", ".cts")

_STRING = rb"(?:\"[^\"\n]*\"|'[^'\n]*')"
_ATTRIBUTES = rb"\{(?:[^{}]|\{[^{}]*\})*\}"
#: ``import("x")`` and ``import("x", { with: { … } })``.
IMPORT_TYPE = re.compile(rb"\bimport\s*\(\s*(%b)\s*(?:,\s*%b\s*)?,?\s*\)" % (_STRING, _ATTRIBUTES))


@functools.cache
def _grammar(has_jsx: bool) -> Grammar:
    import tree_sitter_typescript

    make = tree_sitter_typescript.language_tsx if has_jsx else tree_sitter_typescript.language_typescript
    return Grammar(make())


def parse(text: bytes, suffix: str) -> Node:
    """The tree of a file's text; ``suffix`` is that of its name (``.d.ts``, ``.tsx``, ``.js``)."""
    return _grammar(not suffix.endswith(_PLAIN)).parse(repaired(text))


def repaired(text: bytes) -> bytes:
    """A copy of the same length in which everything is written so that the grammars know it."""
    for sign, pattern, replacement in _REPAIRS:
        if sign in text:
            text = pattern.sub(replacement, text)
    return text


def _as_name(found: re.Match[bytes]) -> bytes:
    """One name in place of ``import("x")``: then what follows it may have type arguments."""
    return b"import" + b"_" * (len(found[0]) - 6)


def _blank_group(found: re.Match[bytes]) -> bytes:
    """The match with its first group blanked out, line ends kept."""
    start, end = found.span(1)
    offset = found.start()
    blanks = re.sub(rb"[^\n]", b" ", found[1])
    return found[0][: start - offset] + blanks + found[0][end - offset :]


#: A sign to look for first, what to find, what to write in its place.
_REPAIRS = (
    (b"import", IMPORT_TYPE, _as_name),
    (b"export", re.compile(rb"\bexport\s+(type)\s*\*"), _blank_group),
    (
        b"global",
        re.compile(rb"(?:^|[;{}\n])[ \t]*(?:export[ \t]+)?(global)\s*\{"),
        _blank_group,
    ),
    # Variance: of type parameters, and nothing else has such words behind `<` or a comma.
    *(
        (
            sign,
            re.compile(
                rb"[<,]\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*|//[^\n]*\n\s*)*(?:const\s+)?"
                rb"((?:in\s+out|in|out)\s)(?=\s*[\w$])(?!\s*extends\b)"
            ),
            _blank_group,
        )
        for sign in (b"in ", b"out ", b"in\n", b"out\n")
    ),
    (
        b"accessor",
        re.compile(
            rb"(?:^|[;{}\n]|\b(?:public|private|protected|static|abstract|override|readonly|declare))[ \t]*\b(accessor)[ \t]+(?=[\w$#\[\"'])"
        ),
        _blank_group,
    ),
)
