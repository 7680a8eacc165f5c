"""When stubgen's answer is taken for a type that the source doesn't state, and when it is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ifacegen_adapters.python.facts import Definition

#: Decorators that leave what a function returns alone.
TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "property", "override", "final", "abc.abstractmethod"}
)
_ENUM = re.compile(r"(?:\w+\.)*(?:\w*Enum|\w*Flag)\Z")
#: Decorators that make a constructor of annotated fields, private ones included.
_FIELD_DECORATORS = frozenset(
    {"dataclass", "define", "frozen", "mutable", "attrs", "s", "dataclasses.dataclass"}
)


def is_enum(definition: Definition) -> bool:
    """Whether a class is an enumeration by the look of its bases."""
    return definition.kind == "class" and any(_ENUM.match(base) for base in definition.header.bases)


def is_question(definition: Definition) -> bool:
    """Whether stubgen's answer could show in a definition, one of its members included.

    It is asked what special methods give, as that goes by their names. Its refusal shows too, where a parameter is
    there twice: nothing else here knows that Python refuses that.
    """
    if definition.kind == "class":
        return any(map(is_question, definition.members))
    if definition.kind not in ("function", "method", "property"):
        return False
    parameters = definition.header.parameters
    return len({each.name for each in parameters}) < len(parameters) or _is_asked(definition)


def _is_asked(definition: Definition) -> bool:
    """Whether a function's name may say what it gives: ``__len__``."""
    is_special = definition.name[:2] == "__"
    return is_special and _is_unannotated(definition) and not definition.flags & {"stub", "yields"}


def makes_fields(decorators: Iterable[str]) -> bool:
    """Whether a class's decorators make parameters of its constructor of what is annotated in it."""
    return any(each.partition("(")[0].rpartition(".")[2] in _FIELD_DECORATORS for each in decorators)


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
        return "AsyncGenerator" if definition.header.is_async else "Generator"
    if answer is not None and answer != "None" and _is_asked(definition):
        return answer
    return "None" if not flags & {"returns", "raises_last", "stub"} else None
