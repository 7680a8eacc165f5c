"""Prints variables: for readers as the source has them, for type checkers so that none is misled.

Without an annotation a type checker takes a stub's value at its word: ``...`` for an ellipsis, ``A | B`` for a
union of types, ``[]`` for an error.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ifacegen.model import Declaration
from ifacegen_adapters.python.infer import makes_fields
from ifacegen_adapters.python.mentions import mentioned

#: What a stub gives for a type that nobody knows; as stubgen does.
UNKNOWN = "Incomplete"
#: Generic types → how a stub states that their arguments aren't known.
_ARGUMENTS = {
    "list": f"list[{UNKNOWN}]",
    "set": f"set[{UNKNOWN}]",
    "frozenset": f"frozenset[{UNKNOWN}]",
    "dict": f"dict[{UNKNOWN}, {UNKNOWN}]",
    "tuple": f"tuple[{UNKNOWN}, ...]",
}
#: Values that say too little of the type: empty containers, None where methods assign more.
_OPEN = re.compile(r"None\Z|\[\]\Z|\{\}\Z|(?:set|list|dict|frozenset)\(\)\Z")
#: Members of an enumeration that are made of others, which are ellipses to type checkers.
_COMBINED = re.compile(r"[|&^~]")
#: Classes whose annotated variables are fields.
_RECORD = re.compile(r"(?:\w+\.)*(?:NamedTuple|TypedDict)\b")
#: Strings, which may hold any character.
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")


def variable(declaration: Declaration) -> str:
    """A variable as readers are shown it."""
    is_import = declaration.kind in ("alias", "import")
    if is_import or declaration.extra.get("statement") or declaration.value is not None:
        return declaration.signature
    return _without_value(declaration, declaration.type)


def variable_in_stub(declaration: Declaration) -> str:
    """A variable as type checkers are shown it."""
    if not _is_plain(declaration):
        return variable(declaration)
    if declaration.extra.get("enum_member"):
        hides = declaration.value is None or _COMBINED.search(_QUOTED.sub("", declaration.value)) is not None
        return f"{declaration.name} = ...{_comment(declaration)}" if hides else declaration.signature
    type_ = _type_in_stub(declaration)
    if declaration.value is None or _takes_its_name(declaration):
        return _without_value(declaration, type_)
    return (
        f"{declaration.name}: {type_} = {declaration.value}" if type_ is not None else declaration.signature
    )


def opened(declaration: Declaration) -> Declaration:
    """A class with attributes that are ``None`` until somebody sets them, for type checkers: of any type."""
    if declaration.kind != "class":
        return declaration
    is_record = makes_fields(declaration.decorators) or any(map(_RECORD.match, declaration.bases))
    members = (
        opened(each) if is_record or not _is_none(each) else replace(each, type=UNKNOWN)
        for each in declaration.members
    )
    return replace(declaration, members=tuple(members))


def _is_none(declaration: Declaration) -> bool:
    is_open = declaration.value == "None" and declaration.type is None and _is_plain(declaration)
    return is_open and not declaration.extra.get("enum_member")


def mentions_unknown(declaration: Declaration) -> bool:
    """Whether a stub prints :data:`UNKNOWN` for a variable."""
    if not _is_plain(declaration) or declaration.extra.get("enum_member"):
        return False
    return UNKNOWN in (_type_in_stub(declaration) or "")


def _is_plain(declaration: Declaration) -> bool:
    """Whether a variable has no annotation of its own, nor another meaning."""
    is_variable = declaration.kind in ("variable", "attribute") and not declaration.extra.get("statement")
    return is_variable and declaration.type_origin != "stated"


def _takes_its_name(declaration: Declaration) -> bool:
    """Whether the value mentions what the name meant before: ``cc = cc.union(…)``; ``str = str`` is the builtin."""
    value = declaration.value or ""
    return value != declaration.name and declaration.name in (
        chain.partition(".")[0] for chain in mentioned(value, strings=False)
    )


def _type_in_stub(declaration: Declaration) -> str | None:
    """The annotation that a stub needs; None where the value tells the type."""
    type_, value = declaration.type, declaration.value
    if (
        value is not None
        and not _takes_its_name(declaration)
        and not (_is_union(declaration) or (_OPEN.match(value) and type_))
    ):
        return None
    if type_ is None:
        return "tuple[str, ...]" if declaration.name == "__slots__" else UNKNOWN
    if re.search(rf"(?<![\w.]){declaration.name}\b", type_) and "." in declaration.qualname:
        return UNKNOWN  # in the class body, the name is the attribute's own
    return _ARGUMENTS.get(type_, type_)


def _is_union(declaration: Declaration) -> bool:
    return declaration.value is not None and "|" in _QUOTED.sub("", declaration.value)


def _without_value(declaration: Declaration, type_: str | None) -> str:
    """A variable whose value isn't printed: ``...`` stands for one, and for a type that isn't known."""
    annotated = f": {type_}" if type_ else ""
    has_value = declaration.extra.get("elided") and type_ != UNKNOWN
    return (
        f"{declaration.name}{annotated}{'' if type_ and not has_value else ' = ...'}{_comment(declaration)}"
    )


def _comment(declaration: Declaration) -> str:
    if size := declaration.extra.get("elided"):
        return f"  # {size} elided"
    if declaration.extra.get("unresolved"):
        return "  # listed in __all__, not found in the sources"
    if set_to := declaration.extra.get("set_to"):
        return f"  # = {set_to}"
    value = declaration.value or ""
    return f"  # {value}" if value and "\n" not in value else ""
