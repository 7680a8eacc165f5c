"""A method is half typed: what stands around it is intact."""


class Shape:
    """Doc of the class, with what looks like a statement at its indent:

    name = value
    """

    sides: int = 0

    def first(self) -> int:
        return 0

    def damaged(self, a: int) -> str
        """Its own doc."""
        return str(a)

    @property
    def last(self) -> int:
        """Doc."""
        return 2


class Base(Shape, metaclass=type)
    """Doc of Base."""

    def method(self): ...


def function(a: int) -> int
    """Doc of the function."""
    return 1


def after(): ...
