import sys

assert sys.platform == "darwin"


def wait() -> int:
    """Shown where others import it: they get it on every platform, from some module."""
