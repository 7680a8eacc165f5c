"""An attribute of instances hides nothing in the class body of the source; printed there, it would."""
from typing_extensions import deprecated


class Router:
    def __init__(self, deprecated: bool | None = None, type: str = "", id: int = 0):
        self.deprecated = deprecated
        self.type = type
        self.id = id

    @deprecated("deprecated: use lifespan")
    def on_event(self, kind: type[int]) -> "deprecated": ...


class Kinds:
    defaults = {1}
    defaults = defaults.union({2})
    text = "a"
    text = text.join("""of
several lines""")
