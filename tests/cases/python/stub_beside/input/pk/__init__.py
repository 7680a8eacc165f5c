from ._core import compute
from .typed import f
