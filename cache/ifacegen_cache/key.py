"""The action key: one digest of everything a result depends on.

A field forgotten here is a stale result somewhere else, so callers pass *all* of them (tool versions
included) by name, and nothing is left to concatenation: the encoding below can be decoded, hence two
different sets of fields never share their bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


def action_key(fields: Mapping[str, str | bytes]) -> str:
    """The key of a result that depends on ``fields`` and nothing else.

    Args:
        fields: What the result depends on. Their order doesn't matter; names, values and whether
            a value is text or bytes do.

    Returns:
        64 lower-case hexadecimal digits: the SHA-256 of :func:`encode_fields`.
    """
    return hashlib.sha256(encode_fields(fields)).hexdigest()


def encode_fields(fields: Mapping[str, str | bytes]) -> bytes:
    """The bytes that :func:`action_key` digests.

    For each field, in the order of the names' code points: the name, ``:``, the type of the value
    (``s`` for text, ``b`` for bytes), ``:``, the value. Name and value are each preceded by
    their length in bytes, in decimal, and a colon; text is UTF-8, lone surrogates included (as in
    file names that are not UTF-8). ``{"tool": "mypy"}`` is ``4:tool:s:4:mypy:``.
    """
    return b"".join(_sized(name) + _tagged(fields[name]) for name in sorted(fields))


def _tagged(value: str | bytes) -> bytes:
    return (b"s:" if isinstance(value, str) else b"b:") + _sized(value)


def _sized(value: str | bytes) -> bytes:
    data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return b"%d:%b:" % (len(data), data)
