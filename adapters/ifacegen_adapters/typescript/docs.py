"""Documentation comments: made short, and laid out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ifacegen_adapters.typescript.brackets import is_doc, tokens

_TAG = re.compile(r"[ \t]*@([A-Za-z][\w-]*)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
#: Tags that say something a caller must know.
_KEPT = frozenset({"deprecated", "throws", "throw", "exception"})
#: Tags that hold what others write in front of all tags, and the tag that is shown where there is nothing of that.
_SUMMARIES, _INSTEAD = ("summary", "description", "desc", "classdesc", "remarks"), ("returns", "return")
#: What ends a line, or shows nothing, in the eyes of JavaScript or of a terminal.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
_BLANKS = re.compile(r"\s+")


def shorten(doc: str) -> str:
    """The first paragraph, and what ``@deprecated`` and ``@throws`` say; the same text if there is no more."""
    passages = list(_passages(doc))
    kept = [text for tag, text in passages if tag in _KEPT and text]
    first = _first_paragraph(_said(passages))
    short = "\n\n".join(each for each in (first, *kept) if each)
    return doc if _same(short, doc) else short


def _same(short: str, doc: str) -> bool:
    return _BLANKS.sub("", short) == _BLANKS.sub("", doc)


def _said(passages: list[tuple[str, str]]) -> str:
    """What is said in front of all tags; without that, what the tags say that stand for it."""
    if passages[0][1]:
        return passages[0][1]
    tagged = dict(reversed(passages))  # of several, the first
    said = (_TAG.sub("", tagged[tag], count=1).strip() for tag in _SUMMARIES if tag in tagged)
    return next(filter(None, said), "") or next((tagged[tag] for tag in _INSTEAD if tag in tagged), "")


def _first_paragraph(text: str) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        if not line.strip() or (lines and _FENCE.match(line)):
            break
        lines.append(line)
    return "\n".join(lines)


def _passages(doc: str) -> Iterator[tuple[str, str]]:
    """What stands in front of all tags, under the name ``""``, then each tag with what belongs to it."""
    tag, lines, is_code = "", list[str](), False
    for line in doc.split("\n"):
        is_code ^= _FENCE.match(line) is not None
        found = None if is_code else _TAG.match(line)
        if found is not None:
            yield tag, "\n".join(lines).strip("\n").rstrip()
            tag, lines = found[1].lower(), []
        lines.append(line)
    yield tag, "\n".join(lines).strip("\n").rstrip()


def comment(doc: str, indent: str = "") -> list[str]:
    """A documentation as the lines of a comment."""
    lines = [_CONTROL.sub(" ", line).rstrip() for line in doc.strip().replace("*/", "*\\/").split("\n")]
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"] if lines[0] else []
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def remark(text: str, indent: str = "") -> str:
    """A text as a comment up to the end of the line."""
    return f"{indent}// {one_line(text)}"


def one_line(text: str) -> str:
    """A text without what would end a line."""
    return _BLANKS.sub(" ", _CONTROL.sub(" ", text)).strip()


def content(text: str) -> str:
    """What a ``/** … */`` comment inside a signature says: its lines have no stars."""
    return text.removeprefix("/**").removesuffix("*/").strip()


def with_docs(signature: str, docs: str) -> str:
    """A signature with as much of the documentation inside it as wanted."""
    if docs == "full" or "/**" not in signature:
        return signature
    pieces: list[str] = []
    end = 0
    for start, stop in _inner_docs(signature):
        pieces.append(signature[end:start])
        said = shorten(content(signature[start:stop])) if docs == "first_paragraph" else ""
        end = stop
        if said:
            pieces.append(f"/** {said} */")
        elif signature.startswith(" ", stop):
            end += 1
    return "".join([*pieces, signature[end:]])


def _inner_docs(signature: str) -> Iterable[tuple[int, int]]:
    return (
        (start, end)
        for kind, start, end in tokens(signature)
        if kind == "comment" and is_doc(signature, start)
    )
