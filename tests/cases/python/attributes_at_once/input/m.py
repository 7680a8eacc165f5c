class C:
    """Attributes that one statement sets."""

    def __init__(self, pair: tuple[int, int]) -> None:
        self.a, self.b = 1, 2
        """Of both."""
        self.c = self.d = 3  #: Of each.
        #: Above.
        [self.e, (self.f, self.g)] = pair
        for self.h, self.i in [pair]:
            """Of nothing."""
        with open("f") as self.j:
            """Of nothing."""
