"""Bytes → text, whatever encoding: documents are UTF-8 by their standard, and not always in fact."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decoded(data: bytes) -> tuple[str, str]:
    """The text, and what had to be assumed to have it; empty where it is plain UTF-8."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding)
    encoding = _wide(data)
    return _decoded(data, encoding or "utf-8")


def utf8(data: bytes) -> bytes:
    """The text as UTF-8 where it is in a wider encoding; the bytes themselves everywhere else."""
    wide = data[:4].count(0) or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide:
        return data.removeprefix(codecs.BOM_UTF8)
    return decoded(data)[0].encode("utf-8", "replace")


def _wide(data: bytes) -> str:
    """The encoding that null bytes among the first four tell, as JSON's first standard has it."""
    nulls = "".join("0" if byte == 0 else "x" for byte in data[:4])
    return {"000x": "utf-32-be", "x000": "utf-32-le", "0x0x": "utf-16-be", "x0x0": "utf-16-le"}.get(nulls, "")


def _decoded(data: bytes, encoding: str) -> tuple[str, str]:
    stated = "" if encoding == "utf-8" else f"encoded as {encoding.upper()}, not as UTF-8"
    try:
        return data.decode(encoding), stated
    except UnicodeDecodeError as error:
        if (
            error.reason == "unexpected end of data" or encoding != "utf-8"
        ):  # cut within a character, or hopeless
            return data.decode(encoding, "replace"), stated
        line = data.count(b"\n", 0, error.start) + 1
        return data.decode(
            "latin-1"
        ), f"byte 0x{data[error.start]:02x} in line {line} is not UTF-8: read as Latin-1"
