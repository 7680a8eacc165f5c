from typing import TypeVar

T = TypeVar("T", bound="A")


class A:
    def __enter__(self: T) -> T: ...
