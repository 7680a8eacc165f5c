from . import _fast as engine
from . import public
from .public import inner as public_inner
import pk.public.inner as same_inner
