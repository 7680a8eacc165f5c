"""Names of a module that an attribute hides in a stub, though in the source it does not.

What methods set on ``self`` is printed in the class body, where an annotation or a decorator that mentions a name
of the module would find the attribute instead: ``self.type = …`` beside ``def get(kind: type[int])``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.python.headers import with_parameters
from ifacegen_adapters.python.mentions import mentioned, substituted
from ifacegen_adapters.python.respell import free_name

#: Builtins that annotations and decorators name; attributes are called like them.
_BUILTINS = frozenset(
    {"bytes", "dict", "filter", "float", "frozenset", "int", "list", "map", "object", "property", "range"}
    | {"set", "slice", "str", "super", "tuple", "type"}
)


def unshadowed(module: Module) -> Module:
    """A module whose classes mention what their attributes hide by other names, which are imported first."""
    declared = frozenset(each.name for each in module.declarations)
    spelled: dict[str, str] = {}
    declarations = tuple(_unshadowed(each, declared, spelled) for each in module.declarations)
    if not spelled:
        return module
    imports = (_import(module.name, old, new) for old, new in sorted(spelled.items()))
    return replace(module, declarations=(*imports, *declarations))


def _import(module: str, old: str, new: str) -> Declaration:
    name, dot, _ = new.partition(".")
    statement = f"import {name}" if dot else f"{new} = {old}"
    return Declaration(f"{module}:import {new}", name, name, "import", statement, visibility="carried")


def _unshadowed(each: Declaration, declared: frozenset[str], spelled: dict[str, str]) -> Declaration:
    if each.kind != "class":
        return each
    bound = declared | _BUILTINS
    hidden = {member.name for member in each.members if "instance" in member.extra} & bound
    names = {name for member in each.members for name in _mentions(member)} & hidden if hidden else hidden
    for name in sorted(names):
        new = free_name(f"_{name}", bound)
        # An alias of a builtin takes no type arguments.
        is_builtin = name in _BUILTINS and name not in declared
        spelled.setdefault(name, f"builtins.{name}" if is_builtin else new)
    spelling = {name: spelled[name] for name in names}
    members = (_unshadowed(member, declared, spelled) for member in each.members)
    return replace(each, members=tuple(_respelled(member, spelling) for member in members))


def _mentions(member: Declaration) -> Iterator[str]:
    for text in (*(each.annotation for each in member.parameters), member.returns, member.type):
        for chain in mentioned(text or "", strings=True):
            yield chain.partition(".")[0]
    for text in member.decorators:
        for chain in mentioned(text, strings=False):
            yield chain.partition(".")[0]


def _respelled(member: Declaration, spelling: Mapping[str, str]) -> Declaration:
    if not spelling:
        return member

    def annotation(text: str | None) -> str | None:
        return substituted(text, spelling) if text is not None else None

    def parameter(each: Parameter) -> Parameter:
        return replace(each, annotation=annotation(each.annotation))

    decorators = tuple(substituted(each, spelling, strings=False) for each in member.decorators)
    made = replace(member, decorators=decorators)
    if member.kind in ("function", "method", "property") and "degraded" not in member.extra:
        return with_parameters(made, tuple(map(parameter, member.parameters)), annotation(member.returns))
    if member.type is None:
        return made
    type_ = annotation(member.type) or ""
    signature = made.signature.replace(f"{member.name}: {member.type}", f"{member.name}: {type_}", 1)
    return replace(made, type=type_, signature=signature)
