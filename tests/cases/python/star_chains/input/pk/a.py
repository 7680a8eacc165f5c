from .b import *
from ._c import *

def in_a() -> int: ...
