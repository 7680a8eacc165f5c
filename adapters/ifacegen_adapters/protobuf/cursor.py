"""A place in the tokens of a ``.proto`` file, and what can be passed from there."""

from __future__ import annotations

from collections.abc import Sequence

from ifacegen_adapters.protobuf.parse_options import text_of, unquoted
from ifacegen_adapters.protobuf.tokens import Token


class Bad(Exception):
    """A statement that is none, with the token that shows it."""

    def __init__(self, token: Token, wanted: str) -> None:
        text = token.text[:40] if token.text.isprintable() else ascii(token.text[:40])[1:-1]
        found = f"`{text}`" if token.kind != "end" else "the end of the file"
        super().__init__(f"expected {wanted}, found {found}")
        self.line = token.line + (1 if token.kind != "end" else -1)


class Cursor:
    """What parsers have alike: the next token, and words, names and values that begin with it."""

    def __init__(self, found: Sequence[Token]) -> None:
        """``found`` ends with a token for the end."""
        self._tokens = found
        self._at = 0

    @property
    def token(self) -> Token:
        """The next one."""
        return self._tokens[self._at]

    def take(self) -> Token:
        """The next one, which is passed."""
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def passes(self, text: str) -> bool:
        """Pass a token if it is this."""
        if self.token.text == text and self.token.kind != "string":
            self.take()
            return True
        return False

    def expect(self, text: str) -> Token:
        """Pass a token that must be this."""
        if self.token.text != text or self.token.kind == "string":
            raise Bad(self.token, f"`{text}`")
        return self.take()

    def word(self) -> str:
        """Pass a name."""
        if self.token.kind != "word":
            raise Bad(self.token, "a name")
        return self.take().text

    def name(self) -> str:
        """Pass a name with dots."""
        made = "." if self.passes(".") else ""
        made += self.word()
        while self.passes("."):
            made += "." + self.word()
        return made

    def string(self) -> bytes:
        """Pass a string, which may be several next to each other."""
        if self.token.kind != "string":
            raise Bad(self.token, "a string")
        made = b""
        while self.token.kind == "string":
            made += unquoted(self.take().text)
        return made

    def text(self) -> str:
        """Pass a string that is text."""
        return self.string().decode("utf-8", "replace")

    def number(self) -> int:
        """Pass a whole number."""
        sign = -1 if self.passes("-") else 1
        token = self.token
        try:
            value = sign * int(
                token.text, 16 if token.text[:2] in ("0x", "0X") else 8 if _is_octal(token) else 10
            )
        except ValueError:
            raise Bad(token, "a number") from None
        self.take()
        if not -(2**31) <= value < 2**31:
            raise Bad(token, "a smaller number")
        return value

    def skip(self) -> None:
        """Pass the rest of a statement that makes no sense: to its semicolon, or over its block."""
        depth = 0
        while self.token.kind != "end":
            text = self.token.text if self.token.kind == "other" else ""
            if text == "}" and depth == 0:
                return
            self.take()
            depth += (text in ("{", "[")) - (text in ("}", "]"))
            if depth <= 0 and text in (";", "}"):
                return

    def value(self) -> str:
        """Pass the value of an option; its text."""
        taken: list[Token] = []
        depth = 0
        while self.token.kind != "end":
            text = self.token.text if self.token.kind == "other" else ""
            if depth == 0 and text in (";", ",", "]", "}"):
                break
            depth += (text in ("{", "[", "<")) - (text in ("}", "]", ">"))
            taken.append(self.take())
            if depth < 0:
                break
        if not taken or depth:
            raise Bad(self.token, "a value")
        return text_of(taken)


def _is_octal(token: Token) -> bool:
    return len(token.text) > 1 and token.text.startswith("0") and token.text.isdigit()
