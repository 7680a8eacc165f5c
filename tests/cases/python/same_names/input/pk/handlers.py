"""What takes a name still mentions what the name meant before."""
from .registry import handle
from . import registry


@handle.for_kind("x")
def handle(kind: str) -> int: ...


@registry.Wrapper
def wrapped() -> int: ...
