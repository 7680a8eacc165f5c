from ._decorators import final, Handle


@final
class C:
    def get(self) -> "Handle": ...
