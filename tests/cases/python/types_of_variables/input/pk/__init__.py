import re
import threading
from enum import Enum, Flag, auto

from . import states
from .states import Color, Path, connect, hidden

LONG_TABLE = {"0123456789": 1, "1123456789": 2, "2123456789": 3, "3123456789": 4, "4123456789": 5, "5123456789": 6, "6123456789": 7, "7123456789": 8, "8123456789": 9}
LONG_MIXED = [1, "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789", None]
LONG_PATHS = ("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789")
LONG_MADE = Path("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789")
LONG_CALL = compute("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789")
empty_set = set()
empty_list = []
empty_dict = {}
FLAGS = re.I | re.M
number = 1 | 2
Default = Color.RED | Color.BLUE
mixed = Color.RED | compute()
toggled = (re.I | re.M) ^ re.X
path_like = str | bytes | Path | None
Alias = Path | None
a_string = "a | b"


class Op(Flag):
    BASE = auto()
    MATH = auto()
    NUM = BASE | MATH
    LONG = 0x10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000


class Computed:
    __slots__ = ("0123456789", "0123456789", "0123456789", "0123456789", "0123456789", "0123456789", "0123456789", "0123456789", *Op)
    seen = set()
    default = Op.BASE | Op.MATH


class Client:
    def __init__(self, host, *, verbose=False):
        self.state = Color.RED
        self.other_state = states.Color.RED
        self.path = Path(host)
        self.by_module = states.Path(host)
        self.connection = connect(host)
        self.hidden = hidden(host)
        self.lock = threading.Lock()
        self.limit = states.LIMIT
        self.timeout = states.TIMEOUT
        self.host = host
        self.port = host.port
        self.local = local = compute()
        self.again = local
        self.own = self.host
        self.name = str(host)
        self.items = list(host)
        self.pairs = [each for each in host]
        self.text = f"{host}"
        self.joined = ", ".join(host)
        self.formatted = "%s" % host
        self.is_open = host is not None
        self.odd = Odd()
        self.meta = Meta()
        self._private = 1
        self.private = _Private()
        self.one = two()
        self.long_call = compute(host, verbose, host, verbose, host)

    def close(self):
        self.state = Color.BLUE


class Odd:
    def __new__(cls): ...


class Meta(metaclass=type): ...


class _Private: ...


def two(): ...


class Combined(Flag):
    A = 1
    B = A | 2
    C = B ^ A
    D = ~A


class Response:
    media_type = None
    charset = None
    __slots__ = ("listed", "kept", "_hidden")

    def __init__(self, media_type: str | None = None):
        if media_type is not None:
            self.media_type = media_type
        self.kept = Made.make(media_type)


class Stream(Response):
    media_type = None

    def __init__(self):
        self.media_type = 1


class Made:
    @classmethod
    def make(cls, *of) -> "Made | None": ...
