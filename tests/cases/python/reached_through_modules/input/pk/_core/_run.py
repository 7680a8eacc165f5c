class Task:
    """A task."""
