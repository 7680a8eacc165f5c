"""Types that are stated in comments (PEP 484)."""

from typing import Dict, List, Optional

x = []  # type: List[int]
y = 1  # type: ignore[assignment]
a, b = 1, "2"  # type: int, str
placeholder = None  # type: Dict[str, int]  # filled later
prose = 1  # type: what you like
table = {
    "a": 1,
}  # type: Dict[str, int]


def whole(a, b=1, *rest, **more):
    # type: (int, str, *bytes, **Optional[int]) -> bool
    """Documentation."""
    return True


def each(
    a,  # type: int
    b=None,  # type: Optional[str]
    *,
    c=2,  # no type
    d  # type: List[int]
):
    # type: (...) -> str
    return str(a)


def annotated(a: int, b):
    # type: (str, str) -> str
    return b


def mistaken(a, b):
    # type: (int) -> str
    return b


def nothing(a):
    # type: of whatever you pass
    return a


class C:
    y = None  # type: str
    """Documentation."""

    def __init__(self, a):
        # type: (int) -> None
        self.a = a
        self.b = []  # type: List[str]
        self.c = self.d = None  # type: Optional[int]

    @staticmethod
    def static(a):  # type: (int) -> int
        return a

    def method(
        self,
        a,  # type: int
    ):
        # type: (...) -> str
        return str(a)

    def itself(self, a):
        # type: (C, int) -> str
        return str(a)

    last = 1  # type: int
