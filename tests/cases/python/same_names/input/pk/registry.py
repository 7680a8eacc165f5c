__all__ = ["handle"]


class Wrapper:
    def __init__(self, function): ...


class _Handle:
    def for_kind(self, kind: str): ...


handle = _Handle()
