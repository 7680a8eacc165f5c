class Sequence:
    """Not the one of typing."""
