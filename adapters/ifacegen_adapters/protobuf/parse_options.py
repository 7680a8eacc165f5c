"""Options that are read without knowing what they mean: names and values as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from ifacegen_adapters.protobuf.options import quoted_bytes
from ifacegen_adapters.protobuf.tokens import Token

_ESCAPE = re.compile(r"\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BYTES = 12
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Reader(Protocol):
    """What options need of a parser."""

    @property
    def token(self) -> Token:
        """The next one."""
        ...

    def take(self) -> Token:
        """The next one, which is passed."""
        ...

    def passes(self, text: str) -> bool:
        """Pass a token if it is this."""
        ...

    def expect(self, text: str) -> Token:
        """Pass a token that must be this."""
        ...

    def name(self) -> str:
        """Pass a name with dots."""
        ...

    def word(self) -> str:
        """Pass a name."""
        ...

    def value(self) -> str:
        """Pass the value of an option."""
        ...

    def string(self) -> bytes:
        """Pass a string, which may be several next to each other."""
        ...


class Options:
    """Reads options for a parser."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def statement(self, options: Any) -> None:
        """Pass ``option name = value;``."""
        self._reader.expect("option")
        self._setting(options)
        self._reader.expect(";")

    def brackets(self, options: Any) -> None:
        """Pass ``[name = value, …]``."""
        self._reader.expect("[")
        while True:
            self._setting(options)
            if not self._reader.passes(","):
                break
        self._reader.expect("]")

    def field(self, field: Any) -> None:
        """The same of a field, where two names are no options."""
        self._reader.expect("[")
        while True:
            if self._reader.token.text in ("default", "json_name"):
                word = self._reader.take().text
                self._reader.expect("=")
                self._known(field, word)
            else:
                self._setting(field.options)
            if not self._reader.passes(","):
                break
        self._reader.expect("]")

    def _known(self, field: Any, word: str) -> None:
        if self._reader.token.kind != "string":
            value = self._reader.value()
        elif word == "default" and field.type == _BYTES:  # has its escapes in descriptors
            value = quoted_bytes(self._reader.string())[1:-1]
        else:
            data = self._reader.string()
            try:
                value = data.decode("utf-8")
            except UnicodeDecodeError:  # Python's descriptors take text alone
                _uninterpreted(field.options, word, quoted_bytes(data))
                return
        setattr(field, "default_value" if word == "default" else word, value)

    def _setting(self, options: Any) -> None:
        name = self._part()
        while self._reader.passes("."):
            name += "." + self._part()
        self._reader.expect("=")
        value = self._reader.value()
        if name == "deprecated" and value in ("true", "false"):
            options.deprecated = value == "true"
            return
        _uninterpreted(options, name, value)

    def _part(self) -> str:
        if not self._reader.passes("("):
            return self._reader.word()
        name = self._reader.name()
        self._reader.expect(")")
        return f"({name})"


def _uninterpreted(options: Any, name: str, value: str) -> None:
    option = options.uninterpreted_option.add(identifier_value=value)
    option.name.add(name_part=name, is_extension=False)


def text_of(found: Iterable[Token]) -> str:
    """Tokens as text, spaced as one would."""
    made = ""
    before = ""
    for token in found:
        tight = token.text in (":", ",", ";", ".", "]", "/") or before in ("", "[", ".", "-", "/")
        made += token.text if tight else f" {token.text}"
        before = token.text
    return made


def unquoted(text: str) -> bytes:
    """The bytes that a string stands for."""
    return b"".join(_bytes(text[1:-1]))


def _bytes(text: str) -> Iterator[bytes]:
    at = 0
    for found in _ESCAPE.finditer(text):
        yield text[at : found.start()].encode("utf-8", "replace")
        at = found.end()
        if found[1] or found[2]:
            yield bytes([int(found[1], 16) if found[1] else int(found[2], 8) & 0xFF])
        else:
            char = chr(int(found[3], 16)) if found[3] else _SIMPLE.get(found[4], found[4])
            yield char.encode("utf-8", "replace")
    yield text[at:].encode("utf-8", "replace")
