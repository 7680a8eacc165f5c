"""What a package without __all__ re-exports."""
import json
import os.path
from typing import Any

from ._impl import own, Own
from ._impl import _private_too
from pk._impl import absolute
from collections import OrderedDict
from collections import ChainMap as ChainMap
import logging as logging
from . import sub
from .sub import thing as renamed
from .sub import deep as deep_module

__version__ = "1.0"
