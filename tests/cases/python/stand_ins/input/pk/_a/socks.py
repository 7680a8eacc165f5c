class Proxy:
    """The real one."""

    def connect(self, url: str) -> int: ...
