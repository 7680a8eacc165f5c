from typing import Any


class Session:
    """A session."""

    def __init__(self, name: str) -> None:
        self.name = name

    def client(self, name: str) -> Any:
        """A client."""

    def resource(self, name: str) -> Any:
        """A resource of
