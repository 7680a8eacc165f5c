class Slotted:
    __slots__ = ("a", "b", "_c")
    a: int
    def __init__(self, a: int, b=None, *rest: str, **more: int) -> None:
        self.a = a
        self.b = b
        self._c = 1
        self.rest = rest
        self.more = more

class Dictionary:
    __slots__ = {"x": "documented slot"}

class Instance:
    #: On the class.
    first = 1

    def __init__(self, name: str, maybe: "int | None" = None):
        """Set it up."""
        self.name = name
        #: Documented by comment.
        self.commented = 0
        self.documented: dict[str, int] = {}
        """Documented by string."""
        self.trailing = []  #: Documented behind.
        self.maybe = maybe
        self.name = name.upper()
        self.call = compute()
        self.other.attribute = 1
        self.items[0] = 1
        self.number, (self.text, self.rest) = 1, ("x", None)
        self._private = 1
        def nested(self):
            self.not_ours = 1
        if name:
            self.conditional = 1.5
        other.foreign = 1

    def start(self):
        self.later: bytes = b""
        self.first = 2

    @classmethod
    def make(cls):
        cls.on_class = 1

    @staticmethod
    def static(self):
        self.not_instance = 1

    async def run(this):
        this.receiver_of_any_name = True
