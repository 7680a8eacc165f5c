class Loop:
    """Of Linux."""
