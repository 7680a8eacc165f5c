"""A submodule and a name of one spelling."""
from . import mapper as mapperlib
from ._make import _mapper as mapper
from ._impl import Table, cached
