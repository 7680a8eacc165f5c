"""The members of classes: those of a view held against those at run time, each difference with its reason.

A class that the view shows is to show what its own dictionary has at run time without leading underscore, its
annotations, its slots and fields, the special methods that its source writes, and all that of its private bases
(the package's own that no public module offers), which nobody else shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evaluation._names import AT_RUN_TIME, CONDITIONAL, UNEXPLAINED, Comparison, Difference
from evaluation._runtime import ImportedClass, Runtime

from ifacegen.model import Declaration, View

#: Special names that say how a class works, not what it offers.
_MACHINERY = frozenset(
    {
        *("__slots__", "__doc__", "__module__", "__qualname__", "__annotations__", "__dict__", "__weakref__"),
        *("__match_args__", "__orig_bases__", "__test__"),
    }
)
#: What the types of methods and attributes are called that no Python source defines.
_COMPILED = frozenset(
    {
        *("builtin_function_or_method", "classmethod_descriptor", "cython_function_or_method"),
        *("getset_descriptor", "member_descriptor", "method_descriptor", "wrapper_descriptor"),
    }
)
_QUOTED = re.compile(r"""["'](\w+)["']""")


def expected(runtime: Runtime, key: str) -> Mapping[str, str]:
    """Member → key of the class that has it: the class itself, or a private base."""
    found: dict[str, str] = {}
    for each in (key, *private_bases(runtime, key)):
        found = dict.fromkeys(_own(runtime, runtime.classes[each]), each) | found
    return found


def private_bases(runtime: Runtime, key: str) -> Iterator[str]:
    """The package's own classes that a class inherits from and no public module offers, the nearest first."""
    for base in runtime.classes[key].bases:
        if base not in runtime.public_classes:
            yield base
            yield from private_bases(runtime, base)


def _own(runtime: Runtime, cls: ImportedClass) -> Iterator[str]:
    written = cls.source.written if cls.source else frozenset()
    imports = {name for name in written if cls.source and cls.source.means(name) == {"import"}}
    for name in {*cls.vars, *cls.annotations, *cls.fields} - imports:
        if name[:1] != "_":
            # What a base has and machinery repeats here (`model_config`, slots, keys of a TypedDict) is the base's.
            repeated = cls.source and name not in written and _is_inherited(runtime, cls, name)
            if not repeated:
                yield name
        elif name in written and name in cls.vars and _is_special(name):
            yield name


def _is_inherited(runtime: Runtime, cls: ImportedClass, name: str) -> bool:
    if cls.is_typed_dict or name in cls.inherited:
        return True
    return any(name in runtime.classes[base].attributes for base in cls.bases)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _MACHINERY


class ShownClasses:
    """The classes of a view by what they are called where they are defined, the carried ones too."""

    def __init__(self, view: View) -> None:
        self._found: dict[str, set[str]] = {}
        for module, declaration in view.declarations():
            origin = declaration.origin or f"{module.name}:{declaration.qualname}"
            names = {each.name for each in declaration.members} | set(_quoted(declaration))
            self._found.setdefault(origin, set()).update(names)
            if declaration.kind != "class":  # the name that it is called by need not be the variable's
                self._found.setdefault(origin.partition(":")[0], set()).update(names)

    def members(self, cls: ImportedClass) -> frozenset[str]:
        """What the view says a class has."""
        keys = (f"{cls.home}:{cls.qualname}", cls.home)
        return frozenset(name for key in keys for name in self._found.get(key, ()))


def _quoted(declaration: Declaration) -> Iterator[str]:
    """Members that a declaration states as text: in ``__slots__``, or where it calls ``namedtuple``."""
    slots = (each.value for each in declaration.members if each.name == "__slots__")
    calls = (each for each in (declaration.value, *declaration.bases) if each and "namedtuple" in each)
    for text in (*slots, *calls):
        yield from _QUOTED.findall(text or "")


def shown_classes(view: View, runtime: Runtime) -> Iterator[tuple[str, Declaration, str | None]]:
    """Every public class of a view: its address, itself, and its key at run time (None where it is no class)."""
    for module in view.modules:
        if module.name not in runtime.modules:
            continue
        values = runtime.modules[module.name].values
        for each in module.declarations:
            if each.kind == "class" and each.visibility == "public" and each.name in values:
                yield from _with_nested(runtime, f"{module.name}.{each.name}", each, values[each.name].key)


def _with_nested(
    runtime: Runtime, dotted: str, declaration: Declaration, key: str | None
) -> Iterator[tuple[str, Declaration, str | None]]:
    yield dotted, declaration, key
    for each in declaration.members:
        if key and each.kind == "class" and each.visibility == "public":
            inner = runtime.classes[key].vars.get(each.name, {}).get("class")
            yield from _with_nested(runtime, f"{dotted}.{each.name}", each, inner)


def compare(
    runtime: Runtime, classes: ShownClasses, dotted: str, declaration: Declaration, key: str | None
) -> Comparison:
    """One class; what a private base has may be shown there, where the view carries it."""
    if key is None:
        return Comparison(0, (Difference("shown as a class", "another's, or none, at run time", dotted),))
    names = expected(runtime, key)
    shown = {each.name: each for each in declaration.members if each.visibility != "carried"}
    bases = [runtime.classes[base] for base in private_bases(runtime, key)]
    carried = {name for base in bases for name in classes.members(base)}
    stated = shown.keys() | set(_quoted(declaration))
    missing = (
        _missing(runtime.classes[owner], declaration, dotted, name)
        for name, owner in names.items()
        if name not in stated and (owner == key or name not in carried)
    )
    return Comparison(len(names), tuple(sorted((*missing, *_superfluous(runtime, dotted, key, shown)))))


def _missing(owner: ImportedClass, declaration: Declaration, dotted: str, name: str) -> Difference:
    is_compiled = owner.source is None and declaration.path.endswith(".pyi")
    if reason := "C extension" if is_compiled else _made_at_run_time(owner, name):
        return Difference(AT_RUN_TIME, reason, f"{dotted}.{name}")
    if declaration.path.endswith(".pyi"):
        return Difference("missing", "published stub doesn't state it", f"{dotted}.{name}")
    return Difference("missing", UNEXPLAINED, f"{dotted}.{name}")


def _made_at_run_time(owner: ImportedClass, name: str) -> str:
    """By what a member is made that no reading of the class could know; nothing where one could."""
    module = owner.sources.find(owner.home)
    if module is None or (owner.source is None and owner.vars.get(name, {}).get("type") in _COMPILED):
        return "C extension"
    if owner.source is None:
        return "its class is made by a call"
    if "loop" in owner.source.conditions(name):
        return "bound by a loop"
    if name in owner.source.written or name in owner.fields:
        return ""
    if owner.source.decorators:
        return f"made by a decorator ({', '.join(sorted(set(owner.source.decorators)))})"
    if owner.metaclass and not owner.metaclass.startswith(("abc.", "enum.", "typing.")):
        return f"made by the metaclass {owner.metaclass}"
    return (
        "set on the class by a call (setattr)" if module.writes_globals else "set on the class from elsewhere"
    )


def _superfluous(
    runtime: Runtime, dotted: str, key: str, shown: Mapping[str, Declaration]
) -> Iterator[Difference]:
    cls = runtime.classes[key]
    absent = {name: each for name, each in shown.items() if name not in cls.attributes}
    assigned = _assigned(runtime, key)
    for name, each in absent.items():
        if name in assigned or (cls.source and "annotation" in cls.source.means(name)):
            continue
        if each.visibility == "type_checking" or each.conditions:
            text = " and ".join(each.conditions) or "for type checkers only"
            yield Difference(CONDITIONAL, text, f"{dotted}.{name}")
        else:
            yield Difference("extra", _why_absent(cls, each), f"{dotted}.{name}")


def _assigned(runtime: Runtime, key: str) -> frozenset[str]:
    """Attributes that a class's methods, and those of its own bases, set."""
    cls = runtime.classes[key]
    found = cls.source.assigned if cls.source else frozenset()
    return found.union(*(_assigned(runtime, base) for base in cls.bases))


def _why_absent(cls: ImportedClass, declaration: Declaration) -> str:
    name = declaration.name
    if declaration.path.endswith(".pyi"):
        return "stated by the published stub alone"
    conditions = cls.source.conditions(name) if cls.source else frozenset()
    if any("TYPE_CHECKING" in text for text in conditions):
        return f"{UNEXPLAINED}: for type checkers only, not marked"
    if conditions:
        return f"{UNEXPLAINED}: under a condition that is not shown"
    if cls.source and "deletion" in cls.source.means(name):
        return "deleted in the class body"
    return UNEXPLAINED
