from typing import TypeVar

T = TypeVar("T", bound="B")


class B:
    def __enter__(self: T, t: "dict[str, T]" = {"T": 1}) -> T: ...
