from pk import more
from pk._impl import delta, epsilon
from pk.more import *
from pk.names import __all__ as _names
from pk.names import *

alpha = 1
beta = 2
gamma = 3
hidden = 4

__all__ = ["alpha", *more.__all__] + ["beta", "delta"]
__all__ += ("gamma", "removed")
__all__.extend(_names)
__all__.append("epsilon")
__all__.remove("removed")
