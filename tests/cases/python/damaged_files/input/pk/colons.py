"""Colons that are missing."""


def function(a: int) -> int
    """What it says."""
    return a


def wrapped(
    a: int,
) -> str
    return str(a)


class Base(Exception)
    """A class."""

    def method(self, a: int) -> int: ...


class Members:
    """A class whose members are there, but for one."""

    size: int = 1

    def before(self) -> None:
        """Before the error."""

    @property
    def edited(self) -> int
        """What is being written."""
        return 1

    @property
    def after(self) -> str:
        """After the error."""

    class Inner:
        def damaged(self, a
            return a

        def whole(self, a: int) -> None: ...

    def last(self) -> None: ...


if Members.size
    def conditional() -> None: ...
else:
    def conditional(a: int) -> None: ...


def last() -> None: ...
