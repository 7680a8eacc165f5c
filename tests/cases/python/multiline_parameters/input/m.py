from typing import Annotated
from typing_extensions import Doc, deprecated


def f(
    a: Annotated[int, Doc("The first.")] = 1,
    b: Annotated[str, Doc("The second."), deprecated(
        """
        Don't.
        """
    )] = "",
): ...


class C:
    def __init__(self):
        self.state: Annotated[int, Doc("A state object.")] = 0


first, *rest = [1, 2, 3]
