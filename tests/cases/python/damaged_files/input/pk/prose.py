Documentation without its first line, that has a
class mapping events to automatically:
:func:`composite`
ref: `level`
and then an end.
"""


class Kept:
    def method(self) -> None: ...
