"""Doc of the stub."""
from ._core import compute as compute
from .typed import f as f

VERSION: str
