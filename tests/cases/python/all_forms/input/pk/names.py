__all__ = []
__all__ += ["from_names"]

def from_names() -> int: ...
