"""From text to a syntax tree: which grammar a file needs, and what the grammars don't know yet.

Repairs keep every byte where it is and change only the copy that is parsed; texts are cut from the original.
They need not know what is a comment or a string: what they change there nobody sees.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ifacegen_adapters._treesitter import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

#: Endings of files that the grammar without JSX reads: there ``<T>x`` is an assertion.
PLAIN = (".ts", ".mts", ".cts")

_STRING = rb"(?:\"[^\"\n]*\"|'[^'\n]*')"
_ATTRIBUTES = rb"\{(?:[^{}]|\{[^{}]*\})*\}"
#: ``import("x")`` and ``import("x", { with: { … } })``.
IMPORT_TYPE = re.compile(rb"\bimport\s*\(\s*(%b)\s*(?:,\s*%b\s*)?,?\s*\)" % (_STRING, _ATTRIBUTES))
_TYPES = rb"(?:string|number|object|unknown|any|boolean|symbol|never|bigint|void)"
_COMMENTS = rb"(?:/\*(?:[^*]|\*(?!/))*+\*/\s*|//[^\n]*+\n\s*){0,5}"


@functools.cache
def _grammar(has_jsx: bool) -> Grammar:
    import tree_sitter_typescript

    make = tree_sitter_typescript.language_tsx if has_jsx else tree_sitter_typescript.language_typescript
    return Grammar(make())


def parse(text: bytes, suffix: str, *, is_odd: bool = False) -> Node:
    """The tree of a file's text.

    Args:
        text: UTF-8.
        suffix: That of its name (``.d.ts``, ``.tsx``, ``.js``).
        is_odd: The tree had errors, and all that the grammars don't know is to be respelled.
    """
    return _grammar(not suffix.endswith(PLAIN)).parse(repaired(text, is_odd=is_odd))


def is_unnamed_default(text: bytes, node: Node) -> bool:
    """Whether a function's place was taken for that of ``export default function (``, which has no name."""
    return text.startswith(b"default", node.start_byte)


def repaired(text: bytes, *, is_odd: bool = True) -> bytes:
    """A copy of the same length in which everything is written so that the grammars know it."""
    for signs, pattern, replacement in (*_ALWAYS, *_REPAIRS) if is_odd else _ALWAYS:
        if any(sign in text for sign in signs):
            text = pattern.sub(replacement, text)
    return text


def _as_name(found: re.Match[bytes]) -> bytes:
    """One name in place of ``import("x")``: then what follows it may have type arguments."""
    return b"import" + b"_" * (len(found[0]) - 6)


def _blank(found: re.Match[bytes]) -> bytes:
    """The match with its first group blanked out, line ends kept."""
    return _replaced(found, re.sub(rb"[^\n]", b" ", found[1]))


def _respelled(found: re.Match[bytes]) -> bytes:
    """The match with the word of its first group as a name that is no keyword."""
    return _replaced(found, found[1][:-1] + b"_")


def _replaced(found: re.Match[bytes], replacement: bytes) -> bytes:
    start, end = found.span(1)
    offset = found.start()
    return found[0][: start - offset] + replacement + found[0][end - offset :]


def _named(found: re.Match[bytes]) -> bytes:
    """``export function default_(`` for ``export default function (``."""
    room = len(found[0]) - len(b"export function ") - 1
    return b"export function " + b"default_".ljust(room, b"_")[:room] + found[0][-1:]


def _unescaped(found: re.Match[bytes]) -> bytes:
    """What a template cannot have in front of a backtick, a dollar sign or a brace."""
    return b"__" if found[0][1:] in (b"`", b"$", b"{", b"}") else found[0]


#: What gives no error, but another tree.
_ALWAYS = (
    ((b"import",), IMPORT_TYPE, _as_name),
    # `declare` in front is not needed inside of an ambient module: the braces alone are left.
    ((b"global",), re.compile(rb"^[ \t]*(?:export[ \t]+)?(global)\s*\{", re.MULTILINE), _blank),
    ((b"global",), re.compile(rb"[;{}][ \t]*(global)\s*\{"), _blank),
)

#: Signs of which one must be there, what to find, what to write in its place.
_REPAIRS = (
    ((b"type",), re.compile(rb"\bexport\s+(type)\s*\*"), _blank),
    # A name `type` among exports and imports.
    ((b"type",), re.compile(rb"[{,]\s*(type)(?=\s*[,}])"), _respelled),
    ((b"defer", b"source"), re.compile(rb"\bimport\s+(defer|source)\s+(?=\*|[\w$]+\s+from\b)(?!from\b)"), _blank),
    ((b"with", b"assert"), re.compile(rb"\bfrom\s*%b\s*((?:with|assert)\s*%b)" % (_STRING, _ATTRIBUTES)), _blank),
    # Variance: of type parameters, and nothing else has such words behind `<` or a comma.
    (
        (b"in ", b"out ", b"in\n", b"out\n"),
        re.compile(
            rb"[<,]\s*%b(?:const\s+)?((?:in\s+out|in|out)\s)(?=\s*[\w$])(?!\s*(?:extends|as|of|instanceof)\b)" % _COMMENTS
        ),
        _blank,
    ),
    (
        (b"accessor",),
        re.compile(
            rb"(?:(?:^|[;{}\n])[ \t]*|\b(?:public|private|protected|static|abstract|override|readonly|declare)[ \t]+)"
            rb"\b(accessor)[ \t]+(?=[\w$#\[\"'])"
        ),
        _blank,
    ),
    ((b"static",), re.compile(rb"\b(static)\s+(?:readonly\s+)?\[\s*[\w$]+\s*:"), _blank),
    ((b"require",), re.compile(rb"\b(export)\s+import\s+(?:type\s+)?[\w$]+\s*=\s*require\b"), _blank),
    ((b"import",), re.compile(rb"\bimport\s+(type)\s+[\w$]+\s*=\s*(?!require\b)[\w$]"), _blank),
    # As names of members.
    ((b"abstract", b"accessor"), re.compile(rb"\b(abstract|accessor)(?=\s*[?:(<!=;}])"), _respelled),
    ((b"readonly",), re.compile(rb"\bkeyof\s+(readonly)\b"), _blank),
    # Names of types as names of namespaces: `string.Matching`.
    ((b"string", b"number", b"object", b"unknown", b"any", b"boolean", b"symbol", b"never", b"bigint"),
     re.compile(rb"(?<![.\w$])(%b)(?=\.[A-Za-z_$])" % _TYPES), _respelled),
    ((b"namespace",), re.compile(rb"\bnamespace\s+(%b)\b" % _TYPES), _respelled),
    ((b".infer",), re.compile(rb"(?<=[\w$]\.)(infer|is|keyof|unique|readonly|asserts)\b"), _respelled),
    ((b"using",), re.compile(rb"\b(using)(?=\s*[:?(,)])"), _respelled),
    ((b"default",), re.compile(rb"\bexport[ \t]+default[ \t]+function[ \t]*[(<]"), _named),
    # The constructor of a class without a name, and its modifier.
    ((b"abstract",), re.compile(rb"\bexport\s+default\s+(abstract)\s+class\b(?=\s*(?:extends\b|implements\b|\{))"), _blank),
    ((b"\\`", b"\\$", b"\\{"), re.compile(rb"\\[\s\S]"), _unescaped),
)  # fmt: skip
