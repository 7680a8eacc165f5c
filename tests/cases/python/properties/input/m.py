import abc
import functools
from functools import cached_property, singledispatch, singledispatchmethod

class C:
    @property
    def x(self) -> int:
        """The x."""
    @x.setter
    def x(self, value: int) -> None:
        """Set it."""
    @x.deleter
    def x(self) -> None: ...

    def _get(self) -> int: ...
    def _set(self, v): ...
    y = property(_get, _set, doc="The y.")

    @cached_property
    def cached(self) -> str:
        """Computed once."""
    @functools.cached_property
    def cached2(self): return 1

    @property
    @abc.abstractmethod
    def must(self) -> int: ...

    @abc.abstractproperty
    def ancient(self): ...

    @classmethod
    @property
    def on_class(cls) -> int: ...

    @singledispatchmethod
    def dispatch(self, x): "Of anything."
    @dispatch.register
    def _(self, x: int): "Of an int."

@singledispatch
def convert(x) -> str:
    """Of anything."""
@convert.register
def _(x: int) -> str: ...
@convert.register(list)
def convert_list(x) -> str: ...
