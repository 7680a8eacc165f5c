"""Each kind of merge."""
import contextlib
import functools
import json as _json
import os
from enum import Enum
from ._impl import Client as Aliased, LIMIT

SIZE = 4 * LIMIT
TABLE = {"a": 1}
__all__ = ["SIZE", "TABLE", "Color", "session", "read", "cached", "plain", "made", "not_in_stub", "Aliased", "platform"]


class Color(Enum):
    """Colors."""

    RED = 1
    #: Like grass.
    GREEN = 2


@contextlib.contextmanager
def session(name=os.sep):
    """A session."""
    yield


def read(mode="r"):
    """Read it."""


@functools.lru_cache(maxsize=None)
def cached(key, encoder=_json.dumps):
    """Cached."""


def _decorate(function):
    return function


@_decorate
def plain(a, b=1, *args, c=[1, 2], **kwargs):
    """Doc in the source."""


def _make(n):
    def made():
        """Not seen."""
    return made


made = _make(3)


def not_in_stub():
    """Runtime only."""


if os.name == "nt":
    def platform(a=1):
        """Of Windows."""
else:
    def platform(a=2):
        """Of others."""
