from dataclasses import dataclass
from typing import Annotated, Optional
import typing_extensions as te
from typing_extensions import Doc
from annotated_types import Gt

def documented(
    a: Annotated[int, Doc("The first.")],
    b: Annotated[str, Doc(
        """
        The second,
        on two lines.

        With a paragraph.
        """
    )] = "x",
    *args: Annotated[int, Gt(0), Doc("Kept: Gt.")],
    c: te.Annotated[Optional[int], te.Doc("Through a module.")] = None,
    d: Annotated[dict[str, int], "no Doc", {"x": 1}] = {},
    **kwargs: Annotated[object, Doc("More.")],
) -> Annotated[int, Doc("What comes back.")]:
    """A function."""

def joined(x: Annotated[int, Doc("one " "two")]) -> None: ...
def computed(x: Annotated[int, Doc(f"not {1} literal")]) -> None: ...

@dataclass
class Fields:
    field: Annotated[int, Doc("A field.")] = 0
    other: Annotated[str, Gt(1), Doc("Another.")]
    """And a docstring."""

CONSTANT: Annotated[int, Doc("A constant.")] = 3
