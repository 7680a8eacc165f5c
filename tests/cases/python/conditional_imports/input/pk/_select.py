class SelectLoop:
    """Of others."""
