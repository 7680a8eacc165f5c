"""What documents are made of once they are parsed: plain values, the same whether JSON or YAML held them."""

from __future__ import annotations

from ifacegen_adapters.openapi.texts import Numeral

#: Levels of mappings and lists; real documents have under 40.
MOST_LEVELS = 200
#: Digits that a whole number may have to be read as one.
_MOST_DIGITS = 18


class TooDeep(dict[str, object]):
    """Stands for what is nested deeper than anybody reads."""


def integer(text: str) -> int | Numeral:
    """A whole number; as it is written where Python would write it otherwise, or take long over it."""
    if len(text) > _MOST_DIGITS or (len(text) > 1 and text.lstrip("+-").startswith("0")) or text[0] == "+":
        return Numeral(text)
    return int(text)
