"""Doc of the source."""
from ._impl import Client, connect, LIMIT
from . import kinds
