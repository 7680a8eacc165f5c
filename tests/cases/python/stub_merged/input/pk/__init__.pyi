from . import kinds as kinds
from ._impl import Client as Client, connect as connect
from typing import Final

LIMIT: Final[int]
