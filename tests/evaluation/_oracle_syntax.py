"""Parts of the oracle that need nothing but a tree: scopes, targets, conditions, what a module exports."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: The word of conditions that hold for a program, never for a module.
MAIN = "main"
_LAYOUT = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT})


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for a definition to be there: ``if`` and its tests, ``try``, ``except`` and what it catches."""

    word: str
    tests: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    #: Line of the statement.
    at: int = field(default=0, compare=False)
    #: Whether it is an ``assert``, which says nothing of a name that another module gives as well.
    is_assert: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return " and ".join([self.word, *self.tests])


def all_of(tests: Sequence[ast.expr], literals: Sequence[str], at: int = 0) -> Condition:
    """An ``if`` whose tests must all hold."""
    if any(_is_main(each) for test in tests for each in (test, *_conjuncts(test))):
        return Condition(MAIN, at=at)
    pending = [each for each in tests if not (isinstance(each, ast.UnaryOp) and _is_main(each.operand))]
    flat: list[str] = []
    while pending:
        test = pending.pop(0)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            pending = [*test.values, *pending]
        else:
            flat.append(ast.dump(test))
    return Condition("if", tuple(flat), tuple(literals), at)


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else []


def joined(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """A chain with each ``if`` directly inside another made one: ``else: if x`` says the same as ``elif x``."""
    chain: list[Condition] = []
    for each in conditions:
        if each.word == "if" and not each.tests:
            continue  # `else` of what only a program runs
        if chain and each.word == chain[-1].word == "if":
            last = chain.pop()
            # An `elif` repeats the literals of the tests before it; inside an `else` it needn't.
            chain.append(Condition("if", last.tests + each.tests, last.literals + each.literals, last.at))
        else:
            chain.append(each)
    return tuple(chain)


def _is_main(node: ast.expr) -> bool:
    return ast.unparse(node) in ("__name__ == '__main__'", "'__main__' == __name__")


def slots(node: ast.ClassDef) -> Iterator[tuple[str, int, int]]:
    """Public names that a class has a place for, with the lines of the statement that says so."""
    for each in node.body:
        is_named = isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
        if is_named and isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "__slots__":
            for value in ast.walk(each.value):
                name = value.value if isinstance(value, ast.Constant) else None
                if isinstance(name, str) and not name.startswith("_"):
                    yield name, each.lineno, each.end_lineno or 0


def own(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a function that are not another's."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield child
            yield from own(child)


def bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a function, those of nested definitions left out."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
            for each in block:
                if not isinstance(each, (*FUNCTIONS, ast.ClassDef)):
                    yield from bodies(each)
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from bodies(part)


def assigned(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr | None, ast.expr | None]]:
    """Target, annotation and value of each name that a statement binds by itself."""
    if isinstance(node, ast.AnnAssign):
        yield node.target, node.annotation, node.value
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from ((name, None, value) for name, value in pairs(target, node.value))
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield from ((name, None, None) for name, _ in pairs(node.target, None))
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            if item.optional_vars is not None:
                yield from ((name, None, None) for name, _ in pairs(item.optional_vars, None))


def pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The single targets, each with its part of the value; None where that cannot be seen."""
    if isinstance(target, ast.Starred):
        yield from pairs(target.value, None)
    elif isinstance(target, ast.Tuple | ast.List):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        starred = any(isinstance(each, ast.Starred) for each in (*target.elts, *parts))
        aligned = len(parts) == len(target.elts) and not starred
        for index, each in enumerate(target.elts):
            yield from pairs(each, parts[index] if aligned else None)
    else:
        yield target, value


def undocumented(node: ast.expr | None) -> tuple[ast.expr | None, str | None]:
    """An annotation without ``Doc("…")`` in its metadata, and that text."""
    if not isinstance(node, ast.Subscript) or not ast.unparse(node.value).endswith("Annotated"):
        return node, None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    docs = [each for each in parts[1:] if _doc_text(each) is not None]
    rest = [each for each in parts if each not in docs]
    if not docs:
        return node, None
    text = inspect.cleandoc(_doc_text(docs[0]) or "")
    if len(rest) == 1:
        return rest[0], text
    inner = ast.copy_location(ast.Tuple(rest, ast.Load()), node.slice)
    return ast.copy_location(ast.Subscript(node.value, inner, ast.Load()), node), text


def _doc_text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func).endswith("Doc"):
        value = node.args[0]
        return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
    return None


def docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """The documentation, dedented; None where there is none or it says nothing."""
    raw = ast.get_docstring(node, clean=False)
    return (inspect.cleandoc(raw) or None) if raw is not None else None


def type_params(node: ast.AST) -> tuple[str, ...]:
    """Type parameters by their trees."""
    return tuple(ast.dump(each) for each in getattr(node, "type_params", ()))


def spelled(text: str) -> str:
    """String literals without what lies between them."""
    if "\n" not in text and " " not in text:
        return text
    tokens = tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline)
    strings = [each.string for each in tokens if each.type not in _LAYOUT]
    return " ".join(strings[1:]).rpartition(" )")[0]


def lines(text: str) -> list[bytes]:
    """The lines that Python's parser counts, each with its end."""
    return [line.encode() for line in io.StringIO(text, newline="\n")]


# --- modules ---


@dataclass(frozen=True, slots=True)
class Import:
    """One name that an import binds; ``*`` for all of a module."""

    name: str
    #: ``module:name`` or ``module``; relative ones begin with dots.
    origin: str
    conditions: tuple[Condition, ...] = ()


def imported(node: ast.stmt, conditions: tuple[Condition, ...]) -> Iterator[Import]:
    """What an import binds; nothing of another statement."""
    if isinstance(node, ast.Import):
        for each in node.names:
            top = each.name.partition(".")[0]
            yield Import(each.asname or top, each.name if each.asname else top, conditions)
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            origin = f"{'.' * node.level}{node.module or ''}:{each.name}"
            yield Import(each.asname or each.name, origin, conditions)


def deleted(body: Iterable[ast.stmt], prefix: str) -> Iterator[str]:
    """Names that a module and its classes delete, qualified."""
    for node in body:
        if isinstance(node, ast.Delete):
            for target in node.targets:
                names = (name for name, _ in pairs(target, None) if isinstance(name, ast.Name))
                yield from (prefix + name.id for name in names)
        elif isinstance(node, ast.ClassDef):
            yield from deleted(node.body, f"{prefix}{node.name}.")
        elif not isinstance(node, FUNCTIONS):
            for block in ("body", "orelse", "finalbody"):
                yield from deleted(getattr(node, block, []), prefix)


def is_lazy(tree: ast.Module) -> bool:
    """Whether a module makes names while it runs: by ``__getattr__``, or through ``globals()``."""
    return any(isinstance(node, FUNCTIONS) and node.name == "__getattr__" for node in tree.body) or any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == "globals()"
        for node in ast.walk(tree)
    )


def exports(tree: ast.Module) -> tuple[frozenset[str] | None, bool]:
    """The names in ``__all__``, None where there is none, and whether some of it is computed."""
    names: set[str] | None = None
    computed = False
    for node in ast.walk(tree):
        value: ast.expr | None = None
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = node.value if any(_is_all(each) for each in targets) else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_all(node.func.value):
            value = node.args[0] if node.args else None
        if value is not None:
            names = names or set()
            strings = [each.value for each in ast.walk(value) if isinstance(each, ast.Constant)]
            names.update(each for each in strings if isinstance(each, str))
            computed = computed or any(isinstance(each, ast.Name | ast.Call) for each in ast.walk(value))
    return (frozenset(names) if names is not None else None), computed


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"
