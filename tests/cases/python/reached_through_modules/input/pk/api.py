"""Names reached through modules and classes are where they are looked for."""
from . import _core, tools


class Thing(tools._Base):
    @tools.requires.feature
    def run(self, task: _core._run.Task) -> _core.Var: ...


PLACE = tools.where()
PATTERN = Thing2._pattern if (Thing2 := tools.Public) else None
BIND = tools.Public._pattern


def nested(x: "tools.Public._Nested") -> None: ...
