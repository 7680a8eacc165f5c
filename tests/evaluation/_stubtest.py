"""What stubtest has against stubs that it hasn't against the sources, and why.

stubtest holds stubs against the modules as imported. It reads a typed source as if it were a stub, so that what it
finds there too (an enum whose members are made by ``__new__``, a decorator that changes a signature) is a matter
between the source and its run time, and no fault of a view.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation._mypy import Finding

#: Reason of what is found in the source as well.
OWN = "the source's own: found when the source itself is taken for the stub"
_PRIVATE_MODULE = "private module: shown where a public one takes from it, and only what is taken"
_PRIVATE_NAME = (
    "private name, carried because something mentions it: its members are those that are mentioned"
)
_LEFT_OVER = "left over at run time by a loop, `with`, `except` or comprehension of the module"
_INHERITED = "the source's own, of the base that the member comes from"
_OUTSIDE = "class outside of its module's `__all__`, carried for its name, as a private one is"
_OVERLOADS = "overloads of the source; of a source, stubtest reads the implementation below them instead"
_CHECKERS = "declared under `if TYPE_CHECKING`"
_UNBOUND = "listed in `__all__`, and bound by nothing in the sources"
_RENAMED = "alias under another name: an assignment in a stub, which stubtest takes for a variable"
_PLUGIN = "no declaration: mypy's attrs plugin adds it, with the class's place in its name"
_ABSENT = ("is not present in stub", "failed to find stubs")


@dataclass(frozen=True, slots=True)
class Explained:
    """A finding, and what explains it, if anything does."""

    finding: Finding
    reason: str


class Reasons:
    """What may explain a finding about the stubs of one package."""

    def __init__(self, sources: Path, findings: Iterable[Finding]) -> None:
        self._modules = dict(_modules(sources))
        self._own = {(self._qualname(each.name), each.text) for each in findings}
        self._own_members = {(_last(each.name), each.text) for each in findings}
        trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in self._modules.items()}
        self._checkers = frozenset(name for tree in trees.values() for name in _for_checkers(tree, "", False))
        self._listed = {name: _in_all(tree) for name, tree in trees.items()}
        self._left_over = {name: _left_over(tree) for name, tree in trees.items()}
        self._renamed = {name: frozenset(_renamed(tree)) for name, tree in trees.items()}

    def explained(self, finding: Finding) -> Explained:
        """A finding with the first reason that holds."""
        return Explained(finding, next(self._found(finding), ""))

    def _found(self, finding: Finding) -> Iterator[str]:
        module, qualname = self._split(finding.name)
        if (qualname, finding.text) in self._own:
            yield OWN
        if "." in qualname and (_last(qualname), finding.text) in self._own_members:
            yield _INHERITED
        yield from self._carried(module, qualname, finding.text)
        if qualname in self._checkers:
            yield _CHECKERS
        if finding.text == "is not present at runtime" and qualname in self._listed.get(module, ()):
            yield _UNBOUND
        if "overloads failing to account for" in finding.text:
            yield _OVERLOADS
        if qualname.endswith("_AttrsAttributes__"):
            yield _PLUGIN
        if qualname in self._renamed.get(module, ()):
            yield _RENAMED
        if finding.text.startswith(_ABSENT) and qualname in self._left_over.get(module, ()):
            yield _LEFT_OVER

    def _carried(self, module: str, qualname: str, text: str) -> Iterator[str]:
        """Reasons why a view shows no more than a part."""
        if any(map(_is_private, qualname.split("."))):
            yield _PRIVATE_NAME
        if any(map(_is_private, module.split("."))) and ("." in qualname or text.startswith(_ABSENT)):
            yield _PRIVATE_MODULE
        listed = self._listed.get(module, frozenset())
        if listed and "." in qualname and qualname.partition(".")[0] not in listed:
            yield _OUTSIDE

    def _split(self, name: str) -> tuple[str, str]:
        """A dotted name as module and qualified name in it."""
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            if module in self._modules:
                return module, ".".join(parts[end:])
        return name, ""

    def _qualname(self, name: str) -> str:
        return self._split(name)[1]


def _modules(sources: Path) -> Iterator[tuple[str, Path]]:
    # Where a stub lies beside the source, the source comes last and counts.
    for path in sorted(sources.rglob("*.py*"), key=lambda path: (path.suffix != ".pyi", path)):
        if path.suffix in {".py", ".pyi"}:
            parts = path.relative_to(sources).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), path


def _renamed(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (each.asname for each in node.names if each.asname and each.asname != each.name)


def _is_private(part: str) -> bool:
    """By an underscore, or because it can't be imported by name."""
    return part.startswith("_") or not part.isidentifier()


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _for_checkers(node: ast.AST, above: str, inside: bool) -> Iterator[str]:
    """Qualified names of what is declared under a test of ``TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        under = inside or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if inside:
                yield f"{above}{child.name}"
            if isinstance(child, ast.ClassDef):
                yield from _for_checkers(child, f"{above}{child.name}.", inside)
        elif isinstance(child, ast.stmt):
            yield from _for_checkers(child, above, under)


def _in_all(tree: ast.Module) -> frozenset[str]:
    """The strings in the assignments to a module's ``__all__``."""
    assigned = [each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign)]
    targets = [(each, each.targets[0] if isinstance(each, ast.Assign) else each.target) for each in assigned]
    chosen = [each for each, target in targets if isinstance(target, ast.Name) and target.id == "__all__"]
    nodes = [node for each in chosen for node in ast.walk(each) if isinstance(node, ast.Constant)]
    return frozenset(node.value for node in nodes if isinstance(node.value, str))


def _left_over(tree: ast.Module) -> frozenset[str]:
    """Names that only the inner workings of a module bind, at its top level."""
    inner: set[str] = set()
    stated: set[str] = set()
    for node in _statements(tree.body):
        loop = isinstance(node, ast.For | ast.With)
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                (inner if loop else stated).add(each.id)
    return frozenset(inner - stated)


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            handlers = [each for handler in getattr(node, "handlers", ()) for each in handler.body]
            yield from _statements([*node.body, *handlers, *node.orelse])
        else:
            yield node
