class _Store[K, V: int = int]:
    def get(self, key: K) -> V: ...
    def items(self) -> list[tuple[K, V]]: ...
    def convert[U](self, key: K, to: U) -> U: ...

class Store(_Store[str, bool]):
    """K is str, V is bool."""

class Generic[Q](_Store[Q, int]):
    """K is Q."""

class Defaulted(_Store[str]):
    """V has a default."""

class \
 _Broken[K, V: int = int]:
    def get(self, key: K) -> V: ...

class Broken(_Broken[str, bool]):
    """The header of the base is on two lines."""
