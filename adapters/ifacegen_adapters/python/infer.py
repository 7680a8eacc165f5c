"""When stubgen's answer is taken for a type that the source doesn't state, and when it is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable

from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.mentions import mentioned

#: Decorators that leave what a function returns alone.
TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "property", "override", "final", "abc.abstractmethod"}
)
_ENUM = re.compile(r"(?:\w+\.)*(?:\w*Enum|\w*Flag)\Z")
_GENERATORS = ("Generator", "Iterator", "Iterable")
_BUILTINS = frozenset(
    {"int", "str", "float", "bool", "bytes", "complex", "list", "dict", "set", "tuple", "frozenset", "None"}
)


def is_enum(definition: Definition) -> bool:
    """Whether a class is an enumeration by the look of its bases."""
    return definition.kind == "class" and any(_ENUM.match(base) for base in definition.header.bases)


def returned_type(definition: Definition, answer: str | None) -> str | None:
    """What calling an unannotated function gives, where that is certain; None where it isn't."""
    flags = definition.flags
    if definition.header.returns is not None or definition.header.verbatim or definition.name == "__init__":
        return None
    if not TRANSPARENT.issuperset(definition.decorators):
        return None
    if "yields" in flags:
        if definition.header.is_async:
            return "AsyncGenerator"  # stubgen says `async def … -> Generator`, which is wrong twice
        return answer if answer and answer.startswith(_GENERATORS) else "Generator"
    if answer is None or answer.startswith(_GENERATORS):
        return None
    if answer == "None":
        certain = not flags & {"returns", "raises_last", "stub"}
        return answer if certain else None
    return answer if "stub" not in flags else None


def attribute_type(answer: str | None, is_bound: Callable[[str], bool], enum_member: bool) -> str | None:
    """The type of an unannotated variable; None where it is unknown or names something not in the module."""
    if answer is None or enum_member:
        return None
    known = all(
        name in _BUILTINS or is_bound(name.partition(".")[0]) for name in mentioned(answer, strings=True)
    )
    return answer if known else None
