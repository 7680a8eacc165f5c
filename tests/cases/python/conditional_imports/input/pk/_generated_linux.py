import sys

assert sys.platform == "linux"


def wait() -> int:
    """Shown where others import it: they get it on every platform, from some module."""
