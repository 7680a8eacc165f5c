"""The package that the other builds on."""
from ._impl import helper, Base

def here() -> int: ...
