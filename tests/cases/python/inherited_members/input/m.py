from abc import ABC, abstractmethod


class Template(ABC):
    @abstractmethod
    def _parse(self) -> int: ...

    @abstractmethod
    def run(self) -> None: ...

    def _help(self) -> None: ...


class Filled(Template):
    def _parse(self) -> int:
        return 1

    def run(self) -> None: ...

    def _help(self) -> None: ...


class Again(Filled):
    def _parse(self) -> int:
        return 2


class Command:
    limit: int = 1

    def __init__(self, no_args: bool = False, name=None):
        self.no_args = no_args
        self.name = name
        self.other = name

    @property
    def pointer(self) -> int: ...

    @pointer.setter
    def pointer(self, value: int) -> None: ...


class Group(Command):
    def __init__(self, no_args: bool | None = None, other: str = ""):
        if no_args is None:
            no_args = True
        self.no_args = no_args
        self.name = compute()
        self.other = other
        self.pointer = compute()
        self.limit = compute()
        self.own = compute()
        self.stated: int = 0


class Documented(Command):
    def __init__(self):
        self.name = compute()
        """Has a meaning of its own."""


class _Folded:
    def __init__(self, size: int):
        self.size = size


class Unfolded(_Folded):
    def __init__(self):
        self.size = compute()


class Outer:
    hint = 1

    class Inner:
        hint: str = ""


class FromInner(Outer.Inner):
    def __init__(self):
        self.hint = compute()


class Circular(Circular):
    def __init__(self):
        self.hint = compute()
