"""What ``ast`` says about one file whose names are all public, held against what ifacegen shows of it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from corpus.oracle import _compared, _located

from ifacegen.adapter import Surface
from ifacegen.model import Declaration

_Assignment: TypeAlias = ast.Assign | ast.AnnAssign
_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

#: Functions that say how a module works, not what it offers.
_MACHINERY = frozenset({"__getattr__", "__dir__"})
_DEFINED = frozenset({"class", "function", "method", "property"})
#: Blocks whose statements belong to the body around them; what a loop binds is a leftover.
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def top_names(tree: ast.Module) -> list[str]:
    """Names to declare public, so that nothing of a file is hidden."""
    return sorted({each.name for each in _defined(tree.body)} | set(_variables(tree.body)))


def compared(surface: Surface) -> int:
    """How many declarations there are to compare."""
    return sum(each.kind != "import" for each in _declarations(surface))


def disagreements(surface: Surface, tree: ast.Module) -> Iterator[str]:
    """What is shown and isn't so, then what is so and isn't shown."""
    declarations = _declarations(surface)
    located, assigned = _located(tree), _assigned(tree)
    for each in declarations:
        place = ((each.origin or each.name).rpartition(":")[2], each.line)
        if each.kind in _DEFINED:
            found = _compared(_without_type_parameters(each), located.get(place))
            yield from (f"{each.qualname}: {text}" for text in found)
        elif each.kind == "variable" and place in assigned:
            # Of a name that is annotated twice the last annotation counts, wherever it is first bound.
            nodes = [node for (name, _), node in assigned.items() if name == place[0]]
            found_wrong = [list(_compared_variable(each, node)) for node in (assigned[place], *nodes)]
            yield from (f"{each.qualname}: {text}" for text in min(found_wrong, key=len))
    shown = {each.qualname for each in declarations}
    yield from (f"{name} is missing" for name in sorted(set(_qualnames(tree.body, "")) - shown))


def is_for_scripts(node: ast.AST) -> bool:
    """Whether it needs ``__name__ == "__main__"``: nothing in it is there for importers."""
    test = node.test if isinstance(node, ast.If) else None
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(each is not None and ast.unparse(each) == "__name__ == '__main__'" for each in parts)


def _declarations(surface: Surface) -> list[Declaration]:
    return [each for module in surface.modules for top in module.declarations for each in top.walk()]


def _without_type_parameters(declaration: Declaration) -> Declaration:
    """Not every Python that runs this can read them."""
    if not declaration.type_params:
        return declaration
    return replace(declaration, signature=declaration.signature.replace(declaration.type_params, "", 1))


def _compared_variable(declaration: Declaration, node: _Assignment) -> Iterator[str]:
    if declaration.value is not None and not _is_same(declaration.value, node.value):
        yield f"value {declaration.value!r}"
    stated = declaration.type if declaration.type_origin == "stated" else None
    if isinstance(node, ast.AnnAssign) and (stated is None or not _is_same(stated, node.annotation)):
        yield f"annotation {stated!r}"


def _is_same(text: str, node: ast.expr | None) -> bool:
    try:
        shown = ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError:
        return False
    return node is not None and ast.dump(shown) == ast.dump(node)


def _assigned(tree: ast.Module) -> Mapping[tuple[str, int], _Assignment]:
    """Assignments to one name, by that and their line."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign)]
    targets = [node.targets if isinstance(node, ast.Assign) else [node.target] for node in nodes]
    return {
        (found[0].id, node.lineno): node
        for node, found in zip(nodes, targets, strict=True)
        if len(found) == 1 and isinstance(found[0], ast.Name)
    }


def _defined(body: Iterable[ast.AST]) -> Iterator[_Definition]:
    """Definitions in a body and in the blocks in it."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
        elif not is_for_scripts(node):
            for block in _BLOCKS:
                yield from _defined(getattr(node, block, ()))


def _variables(body: Iterable[ast.AST]) -> Iterator[str]:
    """Names without an underscore that are assigned to in a body and in the blocks in it, loops aside."""
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (name for name in _targets(target) if name[0] != "_")
        elif isinstance(node, ast.If | ast.Try | ast.TryStar | ast.With | ast.ExceptHandler):
            for block in () if is_for_scripts(node) else _BLOCKS:
                yield from _variables(getattr(node, block, ()))


def _targets(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Tuple(elts=inner) | ast.List(elts=inner):
            for each in inner:
                yield from _targets(each)
        case ast.Starred(value=inner_target):
            yield from _targets(inner_target)
        case _:
            pass


def _qualnames(body: Sequence[ast.stmt], prefix: str) -> Iterator[str]:
    """What must be shown: every name that is not taken away again, private members aside."""
    names = Counter((*(each.name for each in _defined(body)), *_variables(body)))
    nodes = [each for each in body if isinstance(each, ast.Delete)]
    deleted = {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
    yield from (f"{prefix}{name}" for name in _variables(body) if name not in deleted)
    for node in _defined(body):
        is_private = node.name[0] == "_" and (bool(prefix) or node.name in _MACHINERY)
        if not is_private and node.name not in deleted:
            yield f"{prefix}{node.name}"
            # Of several bindings of a name one is left, and need not be the class.
            if isinstance(node, ast.ClassDef) and names[node.name] == 1:
                yield from _qualnames(node.body, f"{prefix}{node.name}.")
