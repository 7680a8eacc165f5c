import sys

if sys.platform == "linux":
    from ._generated_linux import *
else:
    from ._generated_others import *
