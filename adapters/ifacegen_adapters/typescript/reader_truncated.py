"""Files that end in the middle: what stands before the fault, with its brackets closed."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|//[^\n]*|/\*[\s\S]*?\*/"
    rb"|[()\[\]{};,]|`|/\*"
)
_CLOSES = {b"{": b"}", b"(": b")", b"[": b"]"}
#: What goes on with a type in the next line.
_CONTINUED = re.compile(rb"[ \t]*\n\s*[|&?:.)=>\],\[]")


def completed(text: bytes) -> tuple[bytes, int] | None:
    """The whole members and statements of a file that ends too early, and the offset of the first that isn't whole.

    None where every bracket is closed, or more are.
    """
    stack: list[bytes] = []
    safe: tuple[int, tuple[bytes, ...]] = (0, ())
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in _CLOSES:
            stack.append(token)
        elif token in (b"}", b")", b"]"):
            if not stack or _CLOSES[stack.pop()] != token:
                return None
            if token == b"}" and _ends_here(text, found.end()) and (not stack or stack[-1] == b"{"):
                safe = (found.end(), tuple(stack))
        elif token in (b";", b","):
            if (stack and stack[-1] == b"{") or (not stack and token == b";"):
                safe = (found.end(), tuple(stack))
        elif token in (b"`", b"/*"):  # never closed
            stack.append(b"{")
            break
    if not stack:
        return None
    end, opened = safe
    return text[:end] + b"".join(_CLOSES[each] for each in reversed(opened)), end


def _ends_here(text: bytes, end: int) -> bool:
    """Whether a brace is the last of what it closes."""
    rest = text[end : end + 200]
    return rest.lstrip(b" \t").startswith(b"\n") and _CONTINUED.match(rest) is None
