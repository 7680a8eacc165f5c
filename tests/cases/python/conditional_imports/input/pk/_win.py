def only_windows() -> int:
    """Shown under the condition of the import that makes it public."""


class Loop:
    """Of Windows."""
