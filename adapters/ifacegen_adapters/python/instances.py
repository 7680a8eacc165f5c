"""Types of variables that other definitions tell: the class that is called, the enumeration of a member.

Only what is certain: a class that may make something else, a name of two meanings, a type that cannot be written
where the variable is shown give none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ifacegen_adapters.python.ancestry import Ancestry, definition_at
from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.infer import TRANSPARENT, is_enum, is_enum_member, makes_fields
from ifacegen_adapters.python.mentions import mentioned
from ifacegen_adapters.python.names import Program
from ifacegen_adapters.python.values import BUILTIN_CALLS, UNKNOWN, combined

#: Definitions that lead to others are followed so far.
_DEEPEST = 4
_QUALIFIER = re.compile(r"(?:\w+\.)*(?:ClassVar|Final)(?:\[(.*)\])?\Z", re.DOTALL)
#: Generic types that mean something else, or nothing, without their arguments.
_BOUND_TO_ARGUMENTS = frozenset({"Union", "Optional", "Annotated", "Literal", "ClassVar", "Final", "Unpack"})
_HEAD = re.compile(r"([\w.]+)\[.*\]\Z", re.DOTALL)
_TYPE_NAME = re.compile(r"_*[A-Z]\w*[a-z]\w*\Z")
_BUILTIN_TYPES = frozenset({"None", "type", "memoryview", "range", *BUILTIN_CALLS.values()})
#: Methods that are called on the class itself.
_OF_CLASS = frozenset({"classmethod", "staticmethod"})
#: What the members of a module of the standard library are combined to.
_FLAGS = {"re": "RegexFlag"}


@dataclass(frozen=True, slots=True)
class Instances:
    """Completes the definitions of one module."""

    program: Program
    ancestry: Ancestry
    module: str

    def settled(self, definition: Definition) -> Definition:
        """A variable with its type, or a class whose own variables have theirs, as far as they are certain."""
        if definition.kind != "class":
            return self._variable(definition, None)
        members = tuple(self._variable(each, definition) for each in definition.members)
        return replace(definition, members=members)

    def _variable(self, each: Definition, owner: Definition | None) -> Definition:
        if each.type is not None or is_enum_member(each, owner):
            return each
        if each.value is not None and "|" in each.value and "statement" not in each.flags:
            each = self._told_apart(each, owner)
        in_method = "hoisted" in each.flags
        if not each.hints or (owner is not None and not in_method and makes_fields(owner.decorators)):
            return each  # annotated, it would be a field
        if each.value == "None" and owner is not None and self._is_above(each.name, owner):
            return each  # whose type counts
        type_ = combined([self._looked_up(hint, 0) for hint in each.hints])
        if type_ is not None and owner is not None:
            type_ = self._in_class(type_, each, owner)
        return replace(each, type=type_, type_origin="inferred") if type_ is not None else each

    def _is_above(self, name: str, owner: Definition) -> bool:
        return name in self.ancestry.above(self.module, owner).members

    def _in_class(self, type_: str, each: Definition, owner: Definition) -> str | None:
        """A type as it can be written in a class body, where members hide names of the module."""
        looked_up = any(hint[0] != ":" for hint in each.hints)
        if looked_up and not {member.name for member in owner.members}.isdisjoint(_names(type_)):
            return None
        return self._without_unbound(type_, owner) if "hoisted" in each.flags else type_

    def _looked_up(self, hint: str, depth: int) -> str | None:
        if hint[0] == ":":
            return hint[1:]
        if hint == UNKNOWN or depth > _DEEPEST:
            return None
        chain = hint.removesuffix("()")
        if "." not in chain and self.program.resolve(self.module, chain) is None:
            return BUILTIN_CALLS.get(chain) if chain != hint else None
        found = definition_at(self.program, self.module, chain)
        if found is None:
            return None
        where, definition = found
        if chain == hint:
            return self._of_value(where, definition, chain, depth)
        if definition.kind == "class":
            # A private class would be shown with all its members, for callers who have no use for its name.
            private = any(part.startswith("_") for part in chain.split("."))
            return chain if not private and self._makes_itself(where, definition) else None
        header = definition.header
        of_class = definition.kind == "method" and _OF_CLASS.intersection(definition.decorators)
        settled = (definition.kind == "function" or of_class) and not header.is_async
        plain = settled and header.type_params is None and TRANSPARENT.issuperset(definition.decorators)
        return self._portable(header.returns, where) if plain else None

    def _of_value(self, where: str, definition: Definition, chain: str, depth: int) -> str | None:
        """The type of what a name stands for."""
        if definition.kind not in ("variable", "attribute") or definition.conditions:
            return None
        outer, _, _ = chain.rpartition(".")
        owner = self.ancestry.class_at(self.module, outer) if outer else None
        if owner is not None and is_enum(owner[1]):
            return outer if is_enum_member(definition, owner[1]) else None
        stated = definition.type
        if stated is not None and (found := _QUALIFIER.match(stated)):
            stated = found[1]
        if stated is not None:
            return self._portable(stated, where)
        there = Instances(self.program, self.ancestry, where)
        types = [there._looked_up(hint, depth + 1) for hint in definition.hints]
        return self._portable(combined(types), where)

    def _makes_itself(self, where: str, definition: Definition) -> bool:
        """Whether calling a class gives an instance of it, as far as its bases are known."""
        classes = (definition, *(base for _, base in self.ancestry.bases(where, definition)))
        for each in classes:
            metaclass = any(
                base.startswith("metaclass") and "ABCMeta" not in base for base in each.header.bases
            )
            if metaclass or any(member.name == "__new__" for member in each.members):
                return False
        return True

    def _portable(self, type_: str | None, where: str) -> str | None:
        """A type written in another module, if it means the same in this one."""
        if type_ is None:
            return None
        for name in _names(type_):
            there = self.program.resolve(where, name)
            if there != self.program.resolve(self.module, name) or self._is_type_variable(where, name):
                return None
        return type_

    def _is_type_variable(self, where: str, name: str) -> bool:
        found = definition_at(self.program, where, name)
        if found is not None:
            return found[1].kind == "type_variable"
        target = self.program.resolve(where, name)
        return target is not None and target.kind == "external" and target.name in ("AnyStr", "Self")

    def _without_unbound(self, type_: str, owner: Definition) -> str | None:
        """A type without type variables that only a method binds; None where nothing is left of it."""
        bound = {
            name.partition(".")[0] for each in owner.header.bases for name in mentioned(each, strings=True)
        }
        bound.update(re.findall(r"\w+", owner.header.type_params or ""))
        names = (name for name in _names(type_) if name not in bound and name != "Self")
        if not any(self._is_type_variable(self.module, name) for name in names):
            return type_
        head = _HEAD.match(type_)
        if (
            head is None
            or head[1].rpartition(".")[2] in _BOUND_TO_ARGUMENTS
            or " | " in re.sub(r"\[.*\]", "", type_)
        ):
            return None
        return head[1] if not self._is_type_variable(self.module, head[1].partition(".")[0]) else None

    def _told_apart(self, each: Definition, owner: Definition | None) -> Definition:
        """``A | B``: a union of types, or flags that are combined."""
        leaves = list(_operands(each.value or ""))
        if not leaves:
            return each
        if all(self._is_type(leaf) for leaf in leaves):
            return replace(each, kind="type_alias", keep_value=True, hints=())
        kind = "attribute" if owner is not None else "variable"
        types = [self._flag(leaf) for leaf in leaves]
        hint = f":{types[0]}" if len(set(types)) == 1 and types[0] is not None else UNKNOWN
        known = each.hints if each.hints and UNKNOWN not in each.hints else (hint,)
        return replace(each, kind=kind, hints=known)

    def _is_type(self, leaf: ast.expr) -> bool:
        if isinstance(leaf, ast.Constant):
            return leaf.value is None or isinstance(leaf.value, str)
        if isinstance(leaf, ast.Subscript):
            return self._is_type(leaf.value)
        if not isinstance(leaf, ast.Name | ast.Attribute):
            return False
        chain = ast.unparse(leaf)
        found = definition_at(self.program, self.module, chain)
        if found is not None:
            return found[1].kind in ("class", "type_alias", "type_variable")
        first, _, _ = chain.partition(".")
        if self.program.resolve(self.module, first) is None:
            return chain in _BUILTIN_TYPES
        return _TYPE_NAME.match(chain.rpartition(".")[2]) is not None

    def _flag(self, leaf: ast.expr) -> str | None:
        """The enumeration that a combined flag is a member of."""
        if not isinstance(leaf, ast.Attribute):
            return None
        chain, owner = ast.unparse(leaf), ast.unparse(leaf.value)
        target = self.program.resolve_chain(self.module, owner)
        if target is not None and target.kind == "external" and target.dotted in _FLAGS:
            return f"{owner}.{_FLAGS[target.dotted]}"
        return self._looked_up(chain, 0)


def _names(type_: str) -> Iterator[str]:
    yield from dict.fromkeys(chain.partition(".")[0] for chain in mentioned(type_, strings=True))


def _operands(value: str) -> Iterator[ast.expr]:
    """The operands of ``|`` in an expression; none if it is no such."""
    try:
        tree = ast.parse(value.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    if not (isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr)):
        return
    pending = [tree.left, tree.right]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.BitOr):
            pending.extend((each.left, each.right))
        else:
            yield each
