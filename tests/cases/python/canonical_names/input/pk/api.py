from ._a import Thing as Thing
from ._b import Same as Same

def get(thing: Thing) -> Thing:
    """Lives here."""
