"""Names in other shapes of their letters are the same names (NFKC); strings are as they are written."""

from pk.inner import ﬁnder

__all__ = ["fin", "value", "finder", "f", "C"]


class ﬁn:
    """Written with a ligature."""


𝐯𝐚𝐥𝐮𝐞: ﬁn = ﬁn()


def f(ﬁrst: list[ﬁn], second: str = "ﬁ") -> "ﬁn": ...


class C(ﬁn):
    def __init__(self, ª: int) -> None:
        self.ﬁeld = ª
