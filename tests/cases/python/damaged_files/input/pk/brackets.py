class Stray:
    def first(self) -> None: ...

    def closed(self) -> int:
        if self:
          }  # here
            x = {"a": 1}
        return x

    @property
   ] def decorated(self) -> int:
        return 1

    def between(self) -> None: ...

    def opened(self) -> int:
        if self:
            return 1
      (  else:
            return 2

    def last(self, a: int) -> str: ...

    attribute: int = 1


def after() -> None: ...
