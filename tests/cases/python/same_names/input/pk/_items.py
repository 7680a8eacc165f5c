from typing import Literal, Sequence


def items(names: Sequence[str], kind: "Literal['Sequence']" = "Sequence") -> Sequence[int]: ...
