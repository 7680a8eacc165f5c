from .._a import Deep as Deep
from .._a import Same as Same
