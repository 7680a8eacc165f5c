import math as _math
one = 1
_two = 2
__all__ = [name for name in dir(_math) if name] + ["_two"]
