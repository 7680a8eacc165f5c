"""What a Python text states, by Python's own parser: every definition whole, as written. Nothing of the product.

The same reader reads sources, single declarations and stubs, so that one thing can be held against another:
expressions are equal when their trees are and every literal is spelled alike (``0xff`` is not ``255``).
"""

from __future__ import annotations

import ast
import functools
import inspect
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from evaluation import _oracle_syntax as syntax
from evaluation._oracle_syntax import FUNCTIONS, Condition, Import

Sort: TypeAlias = Literal["function", "class", "variable"]


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression: its tree, and its literals as they are spelled."""

    dump: str
    literals: tuple[str, ...]
    node: ast.expr = field(compare=False, repr=False)
    text: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter."""

    name: str
    kind: str
    annotation: Expr | None = None
    default: Expr | None = None
    #: Text of ``Doc("…")``, taken out of the annotation.
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    """A definition: what is stated about one name in one place."""

    name: str
    qualname: str
    sort: Sort
    #: First line, decorators included, and last.
    line: int
    end_line: int
    conditions: tuple[Condition, ...] = ()
    #: Those without what the module asserts.
    unasserted: tuple[Condition, ...] = ()
    decorators: tuple[Expr, ...] = ()
    arguments: tuple[Argument, ...] = ()
    returns: Expr | None = None
    type_params: tuple[str, ...] = ()
    #: Bases and keywords of a class, as ``(keyword or "", value)``.
    bases: tuple[tuple[str, Expr], ...] = ()
    is_async: bool = False
    annotation: Expr | None = None
    value: Expr | None = None
    doc: str | None = None
    #: ``self.x = …`` in a method.
    hoisted: bool = False
    #: Bound by a loop or a ``with``.
    loose: bool = False
    #: Characters of the value as it is written, parentheses around it included; 0 where it is a part of one.
    size: int = 0
    yields: bool = False
    members: tuple[Thing, ...] = ()

    def walk(self) -> Iterator[Thing]:
        """This and all members."""
        yield self
        for member in self.members:
            yield from member.walk()


@dataclass(frozen=True, slots=True)
class Source:
    """A text, read."""

    doc: str | None
    things: tuple[Thing, ...]
    #: What imports bind at module level, by name.
    imported: Mapping[str, list[Import]]
    #: Names that ``del`` takes away again, qualified; names that ``x += …`` changes, at module level.
    deleted: frozenset[str]
    augmented: frozenset[str]
    #: The strings in ``__all__``; None where there is none.
    exported: frozenset[str] | None
    #: Whether a part of ``__all__`` is computed.
    computed: bool
    comments: frozenset[str]
    #: Whether it makes names while it runs: by ``__getattr__``, or through ``globals()``.
    is_lazy: bool = False

    def walk(self) -> Iterator[Thing]:
        """All things, members after owners."""
        for thing in self.things:
            yield from thing.walk()


def read(text: str | bytes) -> Source | None:
    """Read a text; None where the running Python cannot."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the sources, which are other people's
        try:
            tree = ast.parse(text)
            return _Reader(text if isinstance(text, str) else _decoded(text)).source(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
            return None


def _decoded(raw: bytes) -> str:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    return raw.decode(encoding).replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


@functools.lru_cache(maxsize=65536)
def expression(text: str) -> Expr | None:
    """An expression that stands alone; None if it is none."""
    star = text.lstrip().startswith("*")
    found = read(f"_ = ({text}\n{',' if star else ''})")
    value = found.things[0].value if found and len(found.things) == 1 else None
    if value is not None and star and isinstance(value.node, ast.Tuple):
        node = value.node.elts[0]
        return Expr(ast.dump(node), value.literals, node, text)
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = syntax.lines(text)
        self._comments = dict(self._read_comments(text))

    def _read_comments(self, text: str) -> Iterator[tuple[int, tuple[str, bool]]]:
        """Comments by line, and whether each has the line to itself."""
        if "#" in text:
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type == tokenize.COMMENT:
                    yield token.start[0], (token.string, not token.line[: token.start[1]].strip())

    def source(self, tree: ast.Module) -> Source:
        exported, computed = syntax.exports(tree)
        changed: set[str] = set()
        imports: dict[str, list[Import]] = {}
        for node, _, conditions in self._statements(tree.body, ()):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                changed.add(node.target.id)
            for each in syntax.imported(node, conditions):
                imports.setdefault(each.name, []).append(each)
        return Source(
            syntax.docstring(tree),
            tuple(self._things(tree.body, "")),
            imports,
            frozenset(syntax.deleted(tree.body, "")),
            frozenset(changed),
            exported,
            computed,
            frozenset(comment for comment, _ in self._comments.values()),
            syntax.is_lazy(tree),
        )

    # --- statements ---

    def _statements(
        self, body: Sequence[ast.stmt], conditions: tuple[Condition, ...]
    ) -> Iterator[tuple[ast.stmt, ast.stmt | None, tuple[Condition, ...]]]:
        """Statements of a scope with the one that follows, and the conditions that each stands under."""
        for index, node in enumerate(body):
            if isinstance(node, ast.Assert) and "sys.platform" in ast.unparse(node.test):
                # Type checkers stop there: what follows is there only where it holds.
                literals = list(self._literals(node.test))
                asserted = replace(syntax.all_of([node.test], literals, node.lineno), is_assert=True)
                conditions = (*conditions, asserted)
            blocks = list(self._blocks(node))
            if not blocks:
                yield node, body[index + 1] if index + 1 < len(body) else None, conditions
            elif isinstance(node, ast.For | ast.AsyncFor):
                yield node, None, (*conditions, Condition("for", at=node.lineno))
            elif isinstance(node, ast.With | ast.AsyncWith):
                yield node, None, conditions
            for block, condition in blocks:
                yield from self._statements(block, (*conditions, *condition))

    def _blocks(self, node: ast.stmt) -> Iterator[tuple[list[ast.stmt], tuple[Condition, ...]]]:
        if isinstance(node, ast.If):
            yield from self._branches(node)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            yield from self._parts(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            yield node.body, ()
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
            yield from ((block, (Condition("for", at=node.lineno),)) for block in (node.body, node.orelse))
        elif isinstance(node, ast.Match):
            yield from self._cases(node)

    def _cases(self, node: ast.Match) -> Iterator[tuple[list[ast.stmt], tuple[Condition, ...]]]:
        """Cases as the comparisons that they are; ``...`` stands for a test that is none."""
        failed: list[ast.expr] | None = []
        literals = list(self._literals(node.subject))
        for case in node.cases:
            value = case.pattern.value if isinstance(case.pattern, ast.MatchValue) else None
            is_rest = isinstance(case.pattern, ast.MatchAs) and case.pattern.name is None
            tests = failed
            if case.guard is not None or failed is None or not (is_rest or isinstance(value, ast.Constant)):
                tests = failed = None
            elif value is not None:
                literals.extend(self._literals(value))
                test = ast.Compare(node.subject, [ast.Eq()], [value])
                tests, failed = [*failed, test], [*failed, ast.UnaryOp(ast.Not(), test)]
            yield case.body, (syntax.all_of(tests or [ast.Constant(...)], literals, node.lineno),)

    def _branches(self, node: ast.If) -> Iterator[tuple[list[ast.stmt], tuple[Condition, ...]]]:
        failed: list[ast.expr] = []
        literals: list[str] = []
        branch: ast.If | None = node
        while branch is not None:
            literals.extend(self._literals(branch.test))
            yield branch.body, (syntax.all_of([*failed, branch.test], literals, node.lineno),)
            failed.append(ast.UnaryOp(ast.Not(), branch.test))
            orelse = branch.orelse
            is_elif = len(orelse) == 1 and isinstance(orelse[0], ast.If)
            is_elif = is_elif and self._lines[orelse[0].lineno - 1][orelse[0].col_offset :].startswith(
                b"elif"
            )
            branch = orelse[0] if is_elif and isinstance(orelse[0], ast.If) else None
            if branch is None and orelse:
                yield orelse, (syntax.all_of(failed, literals, node.lineno),)

    def _parts(self, node: ast.stmt) -> Iterator[tuple[list[ast.stmt], tuple[Condition, ...]]]:
        parts = node if isinstance(node, ast.Try) else ast.Try(**dict(ast.iter_fields(node)))
        yield parts.body, (Condition("try", at=node.lineno),)
        for handler in parts.handlers:
            caught = (ast.dump(handler.type),) if handler.type else ()
            yield handler.body, (Condition("except", caught, at=node.lineno),)
        yield parts.orelse, (Condition("else", at=node.lineno),)
        yield parts.finalbody, ()

    # --- definitions ---

    def _things(self, body: Sequence[ast.stmt], prefix: str) -> Iterator[Thing]:
        for node, after, chain in self._statements(body, ()):
            conditions = syntax.joined(chain)
            unasserted = syntax.joined([each for each in chain if not each.is_assert])
            if isinstance(node, FUNCTIONS):
                yield replace(self._function(node, prefix), conditions=conditions, unasserted=unasserted)
            elif isinstance(node, ast.ClassDef):
                yield replace(self._class(node, prefix), conditions=conditions, unasserted=unasserted)
            else:
                for thing in self._variables(node, after, prefix):
                    yield replace(thing, conditions=conditions, unasserted=unasserted)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str) -> Thing:
        return Thing(
            node.name,
            prefix + node.name,
            "function",
            min([node.lineno, *(each.lineno for each in node.decorator_list)]),
            node.end_lineno or 0,
            decorators=tuple(map(self._expr, node.decorator_list)),
            arguments=tuple(self._arguments(node.args)),
            returns=self._expr(node.returns) if node.returns else None,
            type_params=syntax.type_params(node),
            is_async=isinstance(node, ast.AsyncFunctionDef),
            doc=syntax.docstring(node),
            yields=any(isinstance(each, ast.Yield | ast.YieldFrom) for each in syntax.own(node)),
        )

    def _class(self, node: ast.ClassDef, prefix: str) -> Thing:
        inner = f"{prefix}{node.name}."
        methods = [each for each, _, _ in self._statements(node.body, ()) if isinstance(each, FUNCTIONS)]
        members = (
            *self._things(node.body, inner),
            *(thing for each in methods for thing in self._hoisted(each, inner)),
        )
        there = {each.name for each in members}
        slots = [each for each in syntax.slots(node) if each[0] not in there]
        return Thing(
            node.name,
            prefix + node.name,
            "class",
            min([node.lineno, *(each.lineno for each in node.decorator_list)]),
            node.end_lineno or 0,
            decorators=tuple(map(self._expr, node.decorator_list)),
            type_params=syntax.type_params(node),
            bases=(
                *(("", self._expr(each)) for each in node.bases),
                *((each.arg or "**", self._expr(each.value)) for each in node.keywords),
            ),
            doc=syntax.docstring(node),
            members=(
                *members,
                *(Thing(name, inner + name, "variable", at, end, hoisted=True) for name, at, end in slots),
            ),
        )

    def _arguments(self, node: ast.arguments) -> Iterator[Argument]:
        positional = [*node.posonlyargs, *node.args]
        defaults = [*[None] * (len(positional) - len(node.defaults)), *node.defaults]
        for index, (each, default) in enumerate(zip(positional, defaults, strict=True)):
            kind = "positional_only" if index < len(node.posonlyargs) else "positional_or_keyword"
            yield self._argument(each, kind, default)
        if node.vararg:
            yield self._argument(node.vararg, "var_positional", None)
        for each, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            yield self._argument(each, "keyword_only", default)
        if node.kwarg:
            yield self._argument(node.kwarg, "var_keyword", None)

    def _argument(self, node: ast.arg, kind: str, default: ast.expr | None) -> Argument:
        annotation, doc = syntax.undocumented(node.annotation)
        return Argument(node.arg, kind, self._maybe(annotation), self._maybe(default), doc)

    # --- variables ---

    def _variables(self, node: ast.stmt, after: ast.stmt | None, prefix: str) -> Iterator[Thing]:
        if type(node).__name__ == "TypeAlias":  # newer than the oldest Python that runs this
            parts = dict(ast.iter_fields(node))
            made = self._variable(parts["name"], None, parts["value"], node, after, prefix)
            yield from (replace(each, type_params=syntax.type_params(node)) for each in made)
            return
        for target, annotation, value in syntax.assigned(node):
            yield from self._variable(target, annotation, value, node, after, prefix)

    def _variable(
        self,
        target: ast.expr,
        annotation: ast.expr | None,
        value: ast.expr | None,
        node: ast.stmt,
        after: ast.stmt | None,
        prefix: str,
        receiver: str | None = None,
    ) -> Iterator[Thing]:
        """What binds one target; nothing where it is no name, or none of the receiver's."""
        if receiver is None:
            name = target.id if isinstance(target, ast.Name) else None
        else:
            owner = target.value if isinstance(target, ast.Attribute) else None
            own = isinstance(target, ast.Attribute) and isinstance(owner, ast.Name) and owner.id == receiver
            name = target.attr if own and isinstance(target, ast.Attribute) else None
        if name is None:
            return
        stated, text = syntax.undocumented(annotation)
        is_assignment = not isinstance(node, ast.For | ast.AsyncFor | ast.With | ast.AsyncWith)
        below = self._attribute_doc(node, after) if is_assignment else None
        yield Thing(
            name,
            prefix + name,
            "variable",
            node.lineno,
            node.end_lineno or 0,
            annotation=self._maybe(stated) or self._commented(node),
            value=self._maybe(value),
            size=self._size(node, value),
            doc="\n\n".join(filter(None, (text, below))) or None,
            hoisted=receiver is not None,
            loose=not is_assignment,
        )

    def _commented(self, node: ast.stmt) -> Expr | None:
        """The type in a comment behind an assignment to one target (PEP 484)."""
        if (
            not isinstance(node, ast.Assign)
            or len(node.targets) != 1
            or isinstance(node.targets[0], ast.Tuple)
        ):
            return None
        written, _ = self._comments.get(node.end_lineno or 0, ("", True))
        found = re.match(r"#\s*type:(?!\s*ignore\b)([^#]+)", written)
        return expression(found[1].strip()) if found else None

    def _size(self, node: ast.stmt, value: ast.expr | None) -> int:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or value is None or value is not node.value:
            return 0
        before = node.targets[-1] if isinstance(node, ast.Assign) else node.annotation
        span = ast.Constant(
            None,
            lineno=before.end_lineno or 0,
            col_offset=before.end_col_offset or 0,
            end_lineno=node.end_lineno,
            end_col_offset=node.end_col_offset,
        )
        _, _, written = self._segment(span).partition("=")
        return len(written.strip().removeprefix("\\\n").strip())

    def _hoisted(self, function: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str) -> Iterator[Thing]:
        """What a method assigns to its instance."""
        plain = [each.id for each in function.decorator_list if isinstance(each, ast.Name)]
        parameters = [*function.args.posonlyargs, *function.args.args]
        if "staticmethod" in plain or "classmethod" in plain or not parameters:
            return
        receiver = parameters[0].arg
        for body in syntax.bodies(function):
            for index, node in enumerate(body):
                after = body[index + 1] if index + 1 < len(body) else None
                for target, annotation, value in syntax.assigned(node):
                    yield from self._variable(target, annotation, value, node, after, prefix, receiver)

    def _attribute_doc(self, node: ast.stmt, after: ast.stmt | None) -> str | None:
        """The string below it, else the ``#:`` comments before it and behind it."""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            value = after.value.value
            if isinstance(value, str):
                return inspect.cleandoc(value) or None
        behind, _ = self._comments.get(node.end_lineno or 0, ("", True))
        above: list[str] = []
        line = node.lineno - 1
        while self._comments.get(line, ("", False))[0].startswith("#:") and self._comments[line][1]:
            above.insert(0, self._comments[line][0][2:].removeprefix(" ").rstrip())
            line -= 1
        texts = ("\n".join(above).strip("\n"), behind[2:].strip() if behind.startswith("#:") else "")
        return "\n\n".join(filter(None, texts)) or None

    # --- expressions ---

    def _maybe(self, node: ast.expr | None) -> Expr | None:
        return self._expr(node) if node is not None else None

    def _expr(self, node: ast.expr) -> Expr:
        return Expr(ast.dump(node), tuple(self._literals(node)), node, self._segment(node))

    def _literals(self, node: ast.AST) -> Iterator[str]:
        """Every literal as it is spelled, layout aside."""
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            yield syntax.spelled(self._segment(node))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, int | float | complex) and not isinstance(node.value, bool):
                yield self._segment(node)
        else:
            for child in ast.iter_child_nodes(node):
                yield from self._literals(child)

    def _segment(self, node: ast.expr) -> str:
        """The source of an expression."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if first == last:
            return self._lines[first][node.col_offset : node.end_col_offset].decode()
        start, end = self._lines[first][node.col_offset :], self._lines[last][: node.end_col_offset]
        return b"".join([start, *self._lines[first + 1 : last], end]).decode()
