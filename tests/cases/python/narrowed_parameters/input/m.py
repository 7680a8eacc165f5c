from collections.abc import Callable
from typing import AnyStr, Generic, Optional, TypeVar

T = TypeVar("T")
K = TypeVar("K")


def stream() -> str: ...


class Narrowed:
    def __init__(
        self,
        replaced: int | None,
        by_or: Optional[list[str]] = None,
        quoted: "Narrowed | None" = None,
        implicit: int = None,
        made: str | None = None,
        unknown: int | None = None,
        guarded: float | None = None,
        raised: str | None = None,
        asserted: str | None = None,
        chosen: int | None = None,
        reset: int = 0,
        tested: str | bytes = "",
        checked: str = "",
        rebound: int = 0,
        inner: int = 0,
        *rest: str,
        **more: int,
    ):
        if replaced is None:
            replaced = 1
        self.replaced = replaced
        self.by_or = by_or or []
        self.quoted = quoted
        self.implicit = implicit
        if made is None:
            made = stream()
        self.made = made
        if unknown is None:
            unknown = compute()
        self.unknown = unknown
        if guarded is not None:
            self.guarded = guarded
        if not raised:
            raise ValueError("raised")
        self.raised = raised
        assert asserted is not None
        self.asserted = asserted
        self.chosen = chosen if chosen is not None else 3
        if isinstance(tested, str):
            self.text = tested
        else:
            self.data = tested
        if checked not in ("a", "b"):
            raise ValueError(checked)
        self.checked = checked
        for rebound in range(3):
            pass
        self.rebound = rebound

        def later(inner):
            self.inner = inner

        self.rest = rest
        self.more = more
        self.one = self.two = 1
        self.empty = None
        self.filled = None
        self.counted = 0
        self.changed = 0
        self.grown = []

    def fill(self):
        self.filled = "text"
        self.changed = compute()
        self.reset = 1

    def count(self, n: int) -> None:
        self.counted = compute()


class Bound(Generic[K]):
    def __init__(self, f: Callable[[T], T], one: T, many: dict[str, T], key: K, any_: AnyStr, maybe: T | None):
        self.f = f
        self.one = one
        self.many = many
        self.key = key
        self.any = any_
        self.maybe = maybe


class date: ...


class Shadowing:
    def __init__(self, date: date):
        self.date = date
        self.other = date()


class Tested:
    def __init__(self, socket: Tested, other: Tested, parent: Tested, compared: int):
        if not isinstance(socket, Tested):
            raise TypeError
        if not isinstance(other, Bound):
            raise TypeError
        assert isinstance(parent, (Bound, Narrowed))
        if compared < 0:
            raise ValueError
        self.socket = socket
        self.other = other
        self.parent = parent
        self.compared = compared
