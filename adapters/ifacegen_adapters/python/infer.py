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


def is_question(definition: Definition, inside: Definition | None = None) -> bool:
    """Whether stubgen's answer could show in a definition, one of its members included.

    So could its refusal, where a parameter is there twice: nothing else here knows that Python refuses that.
    """
    if definition.kind == "class":
        return any(is_question(member, definition) for member in definition.members)
    if definition.kind in ("function", "method", "property"):
        settled = "stub" in definition.flags or ("yields" in definition.flags and definition.header.is_async)
        parameters = definition.header.parameters
        twice = len({each.name for each in parameters}) < len(parameters)
        return twice or (_is_unannotated(definition) and not settled)
    return definition.type is None and not definition.keep_value and not is_enum_member(definition, inside)


def is_enum_member(definition: Definition, inside: Definition | None) -> bool:
    """Whether a variable is a member of the enumeration that it lies in."""
    return inside is not None and is_enum(inside) and "hoisted" not in definition.flags


def _is_unannotated(definition: Definition) -> bool:
    header = definition.header
    stated = header.returns is not None or header.verbatim or definition.name == "__init__"
    return not stated and TRANSPARENT.issuperset(definition.decorators)


def returned_type(definition: Definition, answer: str | None) -> str | None:
    """What calling an unannotated function gives, where that is certain; None where it isn't."""
    flags = definition.flags
    if not _is_unannotated(definition):
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


def attribute_type(answer: str | None, is_bound: Callable[[str], bool]) -> str | None:
    """The type of an unannotated variable; None where it is unknown or names something not in the module."""
    if answer is None:
        return None
    known = all(
        name in _BUILTINS or is_bound(name.partition(".")[0]) for name in mentioned(answer, strings=True)
    )
    return answer if known else None
