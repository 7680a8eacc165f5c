"""What a module's source binds, as Python's own parser reads it; nothing of ifacegen.

Says by which means a name came about, so that what is public, and why something differs, can be decided by rules.
"""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

Means: TypeAlias = Literal["definition", "assignment", "annotation", "import", "loop", "deletion"]
Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Binding:
    """One place where a name is bound, or deleted."""

    means: Means
    #: Tests and statements that it stands in, outermost first: ``if TYPE_CHECKING``, ``try``, ``for``.
    inside: tuple[str, ...]
    node: ast.AST
    #: Of an import: the dotted name that is bound to it, and whether it is exported on purpose (``as`` itself).
    origin: str = ""
    explicit: bool = False


class Scope:
    """The body of a module or a class."""

    def __init__(self, body: Iterable[ast.stmt], package: str) -> None:
        self._package = package
        self.bindings: dict[str, list[Binding]] = defaultdict(list)
        #: Modules that ``from module import *`` names.
        self.stars: list[str] = []
        for name, binding in self._walk(body, ()):
            self.bindings[name].append(binding)

    def means(self, name: str) -> frozenset[Means]:
        """How a name is bound."""
        return frozenset(each.means for each in self.bindings.get(name, ()))

    def conditions(self, name: str) -> frozenset[str]:
        """Everything that the bindings of a name stand in; nothing where one of them stands in the open."""
        found = [each.inside for each in self.bindings.get(name, ()) if each.means != "deletion"]
        return frozenset(text for inside in found for text in inside) if all(found) else frozenset()

    @cached_property
    def classes(self) -> Mapping[str, list[ast.ClassDef]]:
        """Definitions of classes by name."""
        found: dict[str, list[ast.ClassDef]] = {}
        for name, bindings in self.bindings.items():
            if nodes := [each.node for each in bindings if isinstance(each.node, ast.ClassDef)]:
                found[name] = nodes
        return found

    def _walk(self, body: Iterable[ast.stmt], inside: tuple[str, ...]) -> Iterator[tuple[str, Binding]]:
        for node in body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, Binding("definition", inside, node)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                yield from self._imported(node, inside)
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete):
                yield from _assigned(node, inside)
            else:
                yield from self._nested(node, inside)

    def _nested(self, node: ast.stmt, inside: tuple[str, ...]) -> Iterator[tuple[str, Binding]]:
        if isinstance(node, ast.For | ast.AsyncFor | ast.With | ast.AsyncWith):
            targets = [node.target] if isinstance(node, ast.For | ast.AsyncFor) else _targets(node)
            within = (*inside, "loop")
            yield from ((name, Binding("loop", within, node)) for each in targets for name in _stored(each))
        for text, body in _blocks(node):
            yield from self._walk(body, (*inside, text))

    def _imported(
        self, node: ast.Import | ast.ImportFrom, inside: tuple[str, ...]
    ) -> Iterator[tuple[str, Binding]]:
        source = self._from(node) if isinstance(node, ast.ImportFrom) else ""
        for each in node.names:
            if each.name == "*":
                self.stars.append(source)
                continue
            bound = each.asname or each.name.partition(".")[0]
            origin = each.name if each.asname or source else bound
            dotted = f"{source}.{origin}" if source else origin
            yield bound, Binding("import", inside, node, dotted, explicit=each.asname == each.name)

    def _from(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._package.split(".")
        base = parts[: len(parts) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])


class Source:
    """One module's source."""

    def __init__(self, path: Path, module: str) -> None:
        self.path = path
        self.is_package = path.stem == "__init__"
        self._package = module if self.is_package else module.rpartition(".")[0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the sources, which are other people's
            self._tree = ast.parse(path.read_bytes())
        self.scope = Scope(self._tree.body, self._package)

    @cached_property
    def listed(self) -> frozenset[str]:
        """The strings in what is assigned to ``__all__``."""
        nodes = (each.node for each in self.scope.bindings.get("__all__", ()))
        strings = (each.value for node in nodes for each in ast.walk(node) if isinstance(each, ast.Constant))
        return frozenset(each for each in strings if isinstance(each, str))

    @cached_property
    def updates_globals(self) -> bool:
        """Whether a statement at its top sets names from a table: ``globals().update(…)``."""
        texts = (ast.unparse(each) for each in self._tree.body if isinstance(each, ast.Expr | ast.Assign))
        return any(text.startswith(("globals()", "locals()", "vars()")) for text in texts)

    @cached_property
    def writes_globals(self) -> bool:
        """Whether it sets names by other means than naming them."""
        calls = (node.func for node in ast.walk(self._tree) if isinstance(node, ast.Call))
        return any(isinstance(each, ast.Name) and each.id in _WRITERS for each in calls)

    @cached_property
    def _classes(self) -> dict[str, Class | None]:
        return {}

    def class_named(self, qualname: str) -> Class | None:
        """A class by its qualified name; None where the source has no such statement at its top."""
        if qualname not in self._classes:
            self._classes[qualname] = self._find(qualname)
        return self._classes[qualname]

    def _find(self, qualname: str) -> Class | None:
        scopes, nodes = [self.scope], list[ast.ClassDef]()
        for part in qualname.split("."):
            nodes = [node for scope in scopes for node in scope.classes.get(part, ())]
            scopes = [Scope(node.body, self._package) for node in nodes]
        return Class(nodes, scopes) if nodes else None


class Class:
    """A class, or all that are written under one name."""

    def __init__(self, nodes: list[ast.ClassDef], scopes: list[Scope]) -> None:
        self._nodes = nodes
        self._scopes = scopes
        #: Names that stand in the body.
        self.written = frozenset(name for scope in scopes for name in scope.bindings)

    @property
    def decorators(self) -> tuple[str, ...]:
        """Its decorators, without arguments."""
        return tuple(
            ast.unparse(each.func if isinstance(each, ast.Call) else each)
            for node in self._nodes
            for each in node.decorator_list
        )

    def conditions(self, name: str) -> frozenset[str]:
        """As :meth:`Scope.conditions`."""
        return frozenset(text for scope in self._scopes for text in scope.conditions(name))

    def means(self, name: str) -> frozenset[Means]:
        """As :meth:`Scope.means`."""
        return frozenset(each for scope in self._scopes for each in scope.means(name))

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Attributes that methods give to their first parameter."""
        methods = (node for each in self._nodes for node in ast.walk(each) if _is_function(node))
        return frozenset(name for method in methods for name in _attributes(method))


_WRITERS = frozenset({"globals", "vars", "setattr", "locals"})


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _attributes(method: ast.AST) -> Iterator[str]:
    assert isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
    parameters = [*method.args.posonlyargs, *method.args.args]
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            owner = node.value
            if parameters and isinstance(owner, ast.Name) and owner.id == parameters[0].arg:
                yield node.attr


def _assigned(
    node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete, inside: tuple[str, ...]
) -> Iterator[tuple[str, Binding]]:
    means: Means = "assignment"
    if isinstance(node, ast.Delete):
        means = "deletion"
    elif isinstance(node, ast.AnnAssign) and node.value is None:
        means = "annotation"
    targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
    yield from ((name, Binding(means, inside, node)) for each in targets for name in _stored(each))


def _targets(node: ast.With | ast.AsyncWith) -> Iterator[ast.expr]:
    yield from (each.optional_vars for each in node.items if each.optional_vars is not None)


def _stored(target: ast.expr) -> Iterator[str]:
    """Names of a target, inside tuples too; not those inside of `a[b]` or `a.b`."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _stored(each)
    elif isinstance(target, ast.Starred):
        yield from _stored(target.value)


def _blocks(node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The blocks of a compound statement that share its scope, each with what it stands in."""
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            text = ast.unparse(test)
            yield from ((f"if {text}", body), (f"else of {text}", orelse))
        case ast.Try() | ast.TryStar():
            yield from (("try", node.body), ("try", node.orelse), ("finally", node.finalbody))
            yield from (("except", each.body) for each in node.handlers)
        case ast.For() | ast.AsyncFor() | ast.While():
            yield from (("loop", node.body), ("loop", node.orelse))
        case ast.With() | ast.AsyncWith():
            yield "with", node.body
        case ast.Match(cases=cases):
            yield from (("match", each.body) for each in cases)
        case _:
            pass
