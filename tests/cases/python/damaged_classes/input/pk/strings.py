class Unopened:
    def first(self): ...

    def damaged(self):
        Calculate the median.

        note: of more text
        """
        return 1

    def last(self):
        """Doc."""


class Unclosed:
    def first(self): ...

    def damaged(self):
        """Calculate the median.

        More text here.
        return 1

    def last(self):
        """Doc."""


class HeaderLost:
    def first(self): return 0

        self,
        context: int,
    ):
        """Doc."""
        return 1

    def bad(self, a, b:
        """Doc of bad."""

    class Inner:
        def deep(self)
            return 1

        def deeper(self): ...


def after(): ...
