"""What Python's own parser says about a source, held against a view. Shares no code with the product."""

from __future__ import annotations

import ast
import copy
import inspect
import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from ifacegen import Workspace
from ifacegen.model import Declaration, View

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Underscores before a name, and a number behind it, by which one that would clash is told apart.
_SPELLING = re.compile(r"\b_+(\w+?)(?:_\d+)?\b")
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)


class Subject:
    """A repository with one package, and the package's view; says little when pytest prints it."""

    def __init__(self, root: Path, package: str) -> None:
        self.root = root
        self.package = root / package
        self.workspace = Workspace.open(root)
        self.view = self.workspace.view(package)

    def __repr__(self) -> str:
        return f"<view of {self.view.package}>"

    def unreadable(self) -> list[str]:
        """What of text and stubs is no Python."""
        texts = {"the text": self.view.text, **self.workspace.stubs(self.view)}
        return [name for name, text in texts.items() if not reads(text)]

    def errors(self) -> list[str]:
        """Notes that say that something is missing."""
        return [str(note) for note in self.view.notes if note.severity == "error"]


def parsed(path: Path) -> ast.Module | None:
    """A file's tree; None where the running Python cannot read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the sources, which are other people's
        for type_comments in (True, False):  # a comment that is no type is a syntax error
            try:
                return ast.parse(path.read_bytes(), type_comments=type_comments)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
    return None


def reads(text: str) -> bool:
    """Whether the running Python reads a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError:
            return False
    return True


def public_names(module: ast.Module) -> frozenset[str]:
    """Functions and classes at the top of a module that lists no names itself."""
    names = {name for name in defined_names(module) if name[0] != "_"}
    stored = {
        node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    deleted = {
        node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
    }
    imported = {
        alias.name for node in ast.walk(module) if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    return frozenset() if "__all__" in stored | imported else frozenset(names - deleted)


def defined_names(module: ast.Module) -> frozenset[str]:
    """Functions and classes at the top of a module, private ones too."""
    return frozenset(node.name for node in module.body if isinstance(node, _DEFINITIONS))


def differences(view: View, root: Path) -> Iterator[str]:
    """Functions and classes whose header, place or documentation is not what the source says.

    What a source adds to an existing stub is left to tests/evaluation/exactness.py, and so is whether a name that
    is spelled anew where it would clash (``_T`` for ``T``) leads to the same definition.
    """
    nodes: dict[str, Mapping[tuple[str, int], Definition]] = {}
    for _, declaration in view.declarations():
        if declaration.kind not in ("class", "function", "method", "property"):
            continue
        if declaration.extra.get("degraded") or declaration.path.endswith(".pyi"):
            continue
        if declaration.path not in nodes:
            nodes[declaration.path] = _located(parsed(root / declaration.path))
        if nodes[declaration.path]:
            node = nodes[declaration.path].get((_source_name(declaration), declaration.line))
            yield from (f"{declaration.id}: {each}" for each in _compared(declaration, node))


def _located(module: ast.Module | None) -> Mapping[tuple[str, int], Definition]:
    """Every definition by name and first line, decorators included."""
    nodes = (node for node in ast.walk(module) if isinstance(node, _DEFINITIONS)) if module else ()
    return {
        (node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])): node
        for node in nodes
    }


def _source_name(declaration: Declaration) -> str:
    """The name in the source, where a private definition is shown under another."""
    origin = declaration.origin or ""
    return origin.rpartition(":")[2] if ":" in origin else declaration.name


def _compared(declaration: Declaration, node: Definition | None) -> Iterator[str]:
    if node is None:
        yield f"no definition of that name at line {declaration.line}"
        return
    if node.end_lineno != declaration.end_line:
        yield f"ends at line {node.end_lineno}, not {declaration.end_line}"
    decorators = [_unspelled(_dump_text(each)) for each in declaration.decorators]
    if [_unspelled(_dump(each)) for each in node.decorator_list] != decorators:
        yield f"decorators {declaration.decorators}"
    written = ast.get_docstring(node, clean=False)
    # Carried names are shown in brief; overloads have the documentation of what implements them.
    excused = declaration.visibility == "carried" if written else _is_overload(node)
    if _clean(written) != declaration.doc and not excused:
        yield f"documentation {declaration.doc!r}"
    if not declaration.inherited_from:  # there type variables are replaced
        yield from _header(declaration, node)


def _is_overload(node: Definition) -> bool:
    return any(_dump(each).count("overload") for each in node.decorator_list)


def _clean(written: str | None) -> str | None:
    """A docstring dedented, without lines of white space only at its ends."""
    if written is None or not written.strip():
        return None
    return re.sub(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z", "", inspect.cleandoc(written))


def _header(declaration: Declaration, node: Definition) -> Iterator[str]:
    try:
        (shown,) = ast.parse(f"{declaration.signature}: ...").body
    except (SyntaxError, ValueError):
        yield f"signature {declaration.signature!r} is no header"
        return
    types = () if _is_commented(node) else ("args", "returns")
    for field in (*types, "bases", "keywords", "type_params"):
        written = _dump(_without_doc(getattr(node, field, None)))
        if _unspelled(_dump(getattr(shown, field, None))) != _unspelled(written):
            yield f"{field} of {declaration.signature!r}"
    if type(shown) is not type(node) or declaration.is_async is not isinstance(node, ast.AsyncFunctionDef):
        yield f"{declaration.signature!r} is no {type(node).__name__}"


def _is_commented(node: Definition) -> bool:
    """Whether types stand in comments (PEP 484): they are shown as annotations."""
    if isinstance(node, ast.ClassDef):
        return False
    arguments = (each for each in ast.walk(node.args) if isinstance(each, ast.arg))
    return bool(node.type_comment or any(each.type_comment for each in arguments))


class _DocRemover(ast.NodeTransformer):
    """``Annotated[int, Doc("…")]`` as ``int``: views show the text as documentation."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Tuple) or _last(node.value) != "Annotated":
            return node
        kept = [
            each for each in node.slice.elts if not (isinstance(each, ast.Call) and _last(each.func) == "Doc")
        ]
        if len(kept) == 1:
            return kept[0]
        return ast.Subscript(node.value, ast.Tuple(kept, node.slice.ctx), node.ctx)


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _without_doc(value: object) -> object:
    values = value if isinstance(value, list) else [value]
    return [
        _DocRemover().visit(copy.deepcopy(each)) if isinstance(each, ast.AST) else each for each in values
    ]


def _dump(value: object) -> str:
    values = value if isinstance(value, list) else [value]
    return "; ".join(ast.dump(each) if isinstance(each, ast.AST) else repr(each) for each in values)


def _unspelled(dump: str) -> str:
    return _SPELLING.sub(r"\1", dump)


def _dump_text(text: str) -> str:
    return _dump(ast.parse(text, mode="eval").body)
