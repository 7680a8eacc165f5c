import re
from certifi import where
from ._require import requires
from ._require import Hidden as _Base


class Public:
    _pattern = re.compile("x")
    _other = 1

    class _Nested:
        def get(self) -> int: ...
