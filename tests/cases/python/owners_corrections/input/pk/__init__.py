from .legacy import old
from .api import internal_but_named_public
