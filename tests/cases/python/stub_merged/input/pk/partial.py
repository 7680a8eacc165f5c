def stated(a):
    """Stated."""


def other(b):
    """The stub leaves it to the source."""
