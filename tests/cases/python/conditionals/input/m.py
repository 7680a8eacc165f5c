import os
import sys

if sys.platform == "win32":
    SEP = "\\"
    def home() -> str:
        """On Windows."""
elif sys.platform == "darwin":
    SEP = "/"
    def home() -> str:
        """On a Mac."""
elif os.environ.get("X"):
    if sys.version_info >= (3, 12):
        def home() -> bytes:
            """Nested."""
    else:
        def home(old: bool = True) -> bytes: ...
else:
    SEP = "/"
    def home() -> str:
        """Elsewhere."""

try:
    import fast as _fast
except ImportError:
    _fast = None
    SPEED = "slow"
except (OSError, ValueError) as error:
    SPEED = "broken"
else:
    SPEED = "fast"
finally:
    CHECKED = True

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

try:
    from functools import cache
except ImportError:
    def cache(f):
        """A fallback."""

try:
    only_in_try = 1
except Exception:
    pass

with open(os.devnull) as handle:
    inside_with = 1

for i in range(3):
    in_loop = i

while False:
    in_while = 1

match sys.platform:
    case "linux":
        matched = 1

if True:
    always = 1

if __name__ == "__main__":
    main_only = 1

class C:
    if sys.version_info >= (3, 11):
        def new(self) -> int: ...
        NEW = True
    elif sys.version_info >= (3, 10):
        def new(self, x: int) -> int: ...
    else:
        NEW = False
    def between(self) -> None: ...
    if sys.version_info >= (3, 13):
        def newest(self) -> int: ...
    try:
        from x import y
    except ImportError:
        y = None

def redefined(a): "first"
def redefined(a, b): "second"
if redefined:
    def redefined(c): "third"

X = 1
if sys.flags.debug:
    X = 2

if sys.platform == "win32":
    from ntpath import join as join, split as split
    SLASH = "\\"
    """Of Windows.

    With a second paragraph.
    """
    DRIVE = "C:"
else:
    from posixpath import join as join, split as split
    SLASH = "/"
    DRIVE = ""

if (X == 1):
    CHAIN = 1
elif only_in_try or inside_with:
    CHAIN = 2
elif matched if X else always:
    CHAIN = 3
elif (X or "(" in sys.argv):
    CHAIN = 4
else:
    CHAIN = 5

if X:
    ...
elif only_in_try or inside_with:
    ALONE = 2
elif (X) and (matched):
    ALONE = 3

match sys.platform:
    case "linux":
        MATCHED = 1
    case "win32":
        MATCHED = 2
    case _:
        MATCHED = 3

match sys.argv:
    case [first_argument]:
        UNPACKED = 1
    case _ if X:
        UNPACKED = 2
    case _:
        UNPACKED = 3

try:
    EITHER = 1
except (OSError, ValueError) as error:
    EITHER = 2
except KeyError, IndexError:
    EITHER = 3

CHANGED = ["a"]
CHANGED += ["b"]
COUNTED: int = 1
if X:
    COUNTED += 1
