from base import *
from base._impl import _Hidden, _SENTINEL
import base

class Mine(_Hidden[int]):
    """Inherits privately."""

class Public(base.Base):
    """Inherits publicly."""

def f(x: base.Base = _SENTINEL) -> Mine: ...
