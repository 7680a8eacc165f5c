import typing
from . import mapperlib
from .tools import helper as typing_helper

KEYS = typing.Union[int, "Hidden"]


class Hidden: ...


class Table:
    def get(self, key: KEYS, mapper: mapperlib.Mapper) -> typing.Any: ...


def cached(x: typing.Any) -> typing.Any: ...
