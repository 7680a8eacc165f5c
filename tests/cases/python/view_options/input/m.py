"""First paragraph
on two lines.

Second paragraph.
"""
from typing import Annotated
from typing_extensions import Doc

SHORT = "a" * 10
LONG = {"one": 1, "two": 2, "three": 3}
"""About LONG.

More about LONG.
"""

def f(x: Annotated[int, Doc("The x.\n\nMore on x.")]) -> int:
    """First.

    Second.
    """
