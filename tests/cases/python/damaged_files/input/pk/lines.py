"""Lines that are missing."""


class Opening:
    def damaged(self) -> int:
        Computes something.

        At length.
        """
        return 1

    def whole(self) -> None:
        """Its own documentation."""


class Closing:
    """Documentation whose lines look like members:

    size: int
    def method():
    """

    def damaged(self) -> int:
        """Computes something.

        At length.
        return 1

    def whole(self) -> None:
        """Its own documentation."""


class Header:
    def first(self) -> None: ...

        self,
        context: int,
    ) -> None:
        """Of nobody."""
        self.context = context

    def last(self) -> None: ...
