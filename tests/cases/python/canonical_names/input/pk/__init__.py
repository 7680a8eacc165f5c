from ._a import Thing
from .api import get as get
from .api import get as fetch
