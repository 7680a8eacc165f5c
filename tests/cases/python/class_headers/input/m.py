import abc
from typing import Any, Generic, TypeVar

T = TypeVar("T")

class Meta(type):
    def __call__(cls, *args: Any) -> Any: ...
    def __instancecheck__(cls, o: object) -> bool: ...

class A(metaclass=Meta): ...
class B(A, Generic[T], flag=True, **{"name": "b"}): ...
class C(
    B[int],  # a comment
    metaclass=abc.ABCMeta,
    option="x",
):
    """Docs."""
class D(make_base(1, "x"), *BASES): pass
class E():
    pass
class F(object): x = 1; y = 2
@final
class G: ...
class Outer:
    class Inner(A):
        class Innermost:
            """Deep."""
            def m(self) -> "Outer.Inner": ...
    def __init_subclass__(cls, /, flag: bool = False, **kw: Any) -> None: ...
    def __class_getitem__(cls, item: Any) -> Any: ...
