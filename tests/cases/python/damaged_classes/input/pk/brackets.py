class Open:
    def first(self): ...

    def damaged(self):
        """Doc."""
        if self:
            self.x = 1
      (  else:
            self.y = 2

    @staticmethod
    def last(a: int) -> int: ...


class Stray:
    def first(self): ...

(    @property
    def damaged(self) -> int:
        return 1

    def last(self): ...


def after(): ...
