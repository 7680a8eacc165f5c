"""From the bytes of a file to text that can be parsed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

#: Bytes of the largest declaration file and of the largest source that are read.
LARGEST_DECLARATIONS = 16 * 1024 * 1024
LARGEST_SOURCE = 5 * 1024 * 1024
#: Bytes of a line that nobody wrote by hand.
_LONGEST_LINE = 5_000
#: Bytes of a file below which nothing is called minified.
_SMALL = 20_000

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINGUIST = re.compile(rb"^\s*(?:<\?xml\b[^>]*>\s*)?(?:<!DOCTYPE\s+TS\b|<TS\b)")
#: A packet of an MPEG transport stream.
_PACKET = 188


class Unreadable(Exception):
    """The file is no TypeScript or JavaScript that could be read; ``str()`` is the reason, and what to do."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text."""

    #: UTF-8 with ``\\n`` at the ends of lines and no mark in front.
    text: bytes
    #: One sentence, where the file's encoding is not what everybody expects.
    problem: str = ""


def read_source(data: bytes, suffix: str) -> Source:
    """Decode a file; ``suffix`` says what it ought to be.

    Raises:
        Unreadable: It is none, or too large.
    """
    _check_size(data, suffix)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            problem = "" if encoding == "utf-8" else f"{encoding} instead of UTF-8; read all the same"
            return _checked(_decoded(data[len(mark) :], encoding), suffix, problem)
    if data[:1] == b"\x47" and data[_PACKET : _PACKET + 1] in (b"\x47", b"") and b"\0" in data[: 4 * _PACKET]:
        raise Unreadable("a video (MPEG transport stream), not TypeScript")
    if b"\0" in data:
        raise Unreadable(f"a null byte at offset {data.index(0):,}: a binary file, not TypeScript")
    if data.isascii():
        return _checked(data, suffix, "")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # What was right until here is damaged; what never was is most likely the encoding of old editors.
        is_damaged = not data[: error.start].isascii()
        decoded = data.decode("utf-8", "replace") if is_damaged else data.decode("latin-1")
        how = "with replacement characters" if is_damaged else "as latin-1"
        return _checked(decoded.encode("utf-8"), suffix, f"not UTF-8 at byte {error.start:,}; read {how}")
    return _checked(data, suffix, "")


def _decoded(data: bytes, encoding: str) -> bytes:
    return data.decode(encoding, "replace").encode("utf-8", "replace")


def _check_size(data: bytes, suffix: str) -> None:
    is_declaration = suffix.startswith(".d.")
    largest = LARGEST_DECLARATIONS if is_declaration else LARGEST_SOURCE
    if len(data) > largest:
        what = "declarations" if is_declaration else "source"
        raise Unreadable(
            f"{len(data):,} bytes; {what} over {largest:,} bytes is not read: split the file, or publish less of it"
        )


def _checked(text: bytes, suffix: str, problem: str) -> Source:
    if b"\0" in text:
        raise Unreadable("null bytes: a binary file, not TypeScript")
    if _LINGUIST.match(text):
        raise Unreadable("translations of Qt Linguist (XML), not TypeScript")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not suffix.startswith(".d.") and _is_minified(text):
        raise Unreadable(
            "minified: nothing in it was written by hand; publish declarations (.d.ts) beside it"
        )
    return Source(text, problem)


def _is_minified(text: bytes) -> bool:
    """Whether most of a source is in lines that nobody wrote."""
    if len(text) < _SMALL:
        return False
    longest = 0
    for line in text.split(b"\n"):
        if len(line) > _LONGEST_LINE:
            longest += len(line)
    return longest * 2 > len(text)
