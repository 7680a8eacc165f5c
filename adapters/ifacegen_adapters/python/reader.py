"""Reads facts out of a file's tree: statement by statement at module and class level, never into bodies."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from tree_sitter import Node, Query

from ifacegen_adapters._treesitter import captures
from ifacegen_adapters.python.assignments import (
    Assignment,
    read_assignment,
    read_self_attribute,
    read_type_alias,
)
from ifacegen_adapters.python.bodies import Bodies
from ifacegen_adapters.python.conditions import LOOP, asserted_platform, branches
from ifacegen_adapters.python.exports import (
    AllOperation,
    LazyName,
    all_operation,
    attached,
    lazy_table,
    names_of,
)
from ifacegen_adapters.python.facts import Definition, FileFacts, Import, Problem
from ifacegen_adapters.python.headers import (
    DamagedHeader,
    Header,
    decorators,
    deprecation,
    read_class,
    read_function,
)
from ifacegen_adapters.python.imports import read_import, starred_module
from ifacegen_adapters.python.methods import Method
from ifacegen_adapters.python.recovery import Piece, checked, parsed
from ifacegen_adapters.python.scope import Scope, settled
from ifacegen_adapters.python.syntax import (
    Text,
    block_doc,
    comment_doc,
    doc_comment,
    doc_text,
    first_part,
    grammar,
    last_part,
    parts_of,
)
from ifacegen_adapters.python.type_comments import stated_behind
from ifacegen_adapters.python.values import UNKNOWN

#: Levels of a tree beyond which parsers that recurse in C are not given the file.
DEEPEST = 400
#: Blocks nested deeper than this are left out, with a note.
_DEEPEST = 60
_PROPERTY = frozenset({"property", "cached_property", "functools.cached_property", "abc.abstractproperty"})
_WORD = re.compile(r"\w+")
#: Code that binds names of its own module which are written nowhere.
_GLOBAL = re.compile(rb"^[ \t]+global[ \t]+([\w, \t]+)", re.MULTILINE)
_BINDING = re.compile(
    rb"\b(?:globals|vars)\(\)\s*(?:\[[^\]\n]*\]\s*=(?!=)|\.(?:update|setdefault)\()"
    rb"|\bsetattr\(\s*sys\.modules\[__name__\]|\bsys\.modules\[__name__\]\s*(?:=(?!=)|\.__(?:dict|class)__)"
)


def read_facts(source: bytes) -> FileFacts:
    """The facts of a file's text as :func:`read_source` gives it; damage becomes problems, never an exception."""
    found = parsed(source, DEEPEST)
    reader = _Reader(problems=list(found.problems))
    for piece in found.pieces:
        if reader.doc is None and not reader.scope.definitions and not reader.imports:
            reader.doc = block_doc(piece.root, piece.text)
        reader.read(piece, reader.scope)
    facts = reader.facts()
    binds_names = _BINDING.search(source) is not None
    found_names = (each.decode("utf-8", "replace") for each in _GLOBAL.findall(source))
    names = sorted({name.strip() for each in found_names for name in each.split(",")})
    return replace(facts, deep=found.deep, binds_names=binds_names, global_names=tuple(names))


@dataclass(slots=True)
class _Reader:
    problems: list[Problem]
    doc: str | None = None
    scope: Scope = field(default_factory=Scope)
    imports: list[Import] = field(default_factory=list)
    stars: list[str] = field(default_factory=list)
    operations: list[AllOperation] = field(default_factory=list)
    lazy: list[LazyName] = field(default_factory=list)
    lazy_imports: list[Import] = field(default_factory=list)
    #: Module-level literal lists and dicts, as (node, its text).
    literals: dict[str, tuple[Node, Text]] = field(default_factory=dict)
    getattr_words: set[str] = field(default_factory=set)
    asserted: list[str] = field(default_factory=list)

    def read(self, piece: Piece, scope: Scope, depth: int = 0) -> None:
        """Read a piece's statements into a scope."""
        before = len(scope.definitions)
        block = _Block(self, piece.text, Bodies(piece.root, piece.text), scope, column=piece.column)
        block.read(piece.root, (), depth)
        self.problems.extend(
            Problem("too-long", "an expression too long, too deep or not Python 3 is shown as `...`", line)
            for line in dict.fromkeys(piece.text.elided)
        )
        if piece.end_line and len(scope.definitions) > before:
            scope.definitions[-1] = self._completed(scope.definitions[-1], piece, depth + 1)

    def _completed(self, found: Definition, piece: Piece, depth: int) -> Definition:
        """A definition of which only the start could be read, with what could be read of the rest."""
        if piece.verbatim is not None:
            header = Header(found.name, bases=found.header.bases, verbatim=piece.verbatim)
            found = replace(found, header=header, decorators=())
        found = replace(found, end_line=piece.end_line)
        if found.kind != "class":
            return found
        members = Scope(in_class=True)
        for each in piece.members:
            self.read(each, members, depth)
        doc = block_doc(piece.members[0].root, piece.members[0].text) if piece.members else None
        return replace(found, doc=doc or found.doc, members=_settled_members(members))

    def facts(self) -> FileFacts:
        mentioned = {item[1:] for op in self.operations for item in op.items if item.startswith("*")}
        tables = {name: names_of(*self.literals[name]) for name in sorted(mentioned & self.literals.keys())}
        for name in sorted(self.getattr_words & self.literals.keys()):
            self.lazy.extend(lazy_table(*self.literals[name]))
        listed = {item for op in self.operations for item in op.items}
        kept = [each for each in self.scope.definitions if "loop" not in each.flags or each.name in listed]
        damaged = any(problem.code == "parse-error" for problem in self.problems)
        return FileFacts(
            doc=self.doc,
            definitions=settled(map(checked, kept) if damaged else kept),
            imports=tuple(self.imports),
            stars=tuple(dict.fromkeys(self.stars)),
            all_operations=tuple(self.operations),
            tables=tables,
            lazy=tuple(self.lazy),
            lazy_imports=tuple(self.lazy_imports),
            problems=tuple(self.problems),
            has_getattr="__getattr__" in self.getattr_words,
            asserted=tuple(self.asserted),
        )


@dataclass(slots=True)
class _Block:
    """Reads the statements of one module or class body, conditionals included."""

    reader: _Reader
    text: Text
    bodies: Bodies
    scope: Scope
    #: Documentation comments (``#:``) that wait for the next assignment, with the row of the last.
    waiting: list[str] = field(default_factory=list)
    waiting_row: int = -1
    #: How many definitions the previous statement made, and the row it ended on.
    assigned: int = 0
    assigned_row: int = -1
    #: What ``__slots__`` lists, and the first and last line of the statement.
    slots: tuple[str, ...] = ()
    slots_lines: tuple[int, int] = (0, 0)
    #: How deep the statement that is being read is nested.
    depth: int = 0
    #: In a damaged file, where its statements start: what is further in was cut off a body by an error.
    column: int | None = None

    def read(self, block: Node, conditions: tuple[str, ...], depth: int) -> None:
        if depth > _DEEPEST:
            line = self.text.line(block)
            self.reader.problems.append(
                Problem("too-deep", f"blocks nested over {_DEEPEST} deep left out", line)
            )
            return
        for node in block.named_children:
            kind = node.type
            if self.column is not None and self._was_cut_off(node):
                continue
            if kind == "comment":
                self._comment(node)
            elif kind == "expression_statement":
                self._expression(node, conditions)
            elif (handler := _HANDLERS.get(kind)) is not None:
                self._forget()
                self.depth = depth
                handler(self, node, conditions)
            elif kind == "assert_statement" and (asserted := asserted_platform(node, self.text)):
                conditions += asserted
                self.reader.asserted.extend(asserted)
            else:
                self._forget()
                for inner, extra in branches(node, self.text):
                    self.read(inner, conditions + extra, depth + 1)

    def _was_cut_off(self, node: Node) -> bool:
        """Whether a statement of a module, or beside an error, starts its line somewhere else than others do."""
        around, start = node.parent, node.start_point
        if around is None or around.type not in ("module", "ERROR") or start.column == self.column:
            return False
        return not self.text.source[node.start_byte - start.column : node.start_byte].strip()

    def _forget(self) -> None:
        self.waiting, self.assigned = [], 0

    def _comment(self, node: Node) -> None:
        content = doc_comment(node, self.text)
        row = node.start_point.row
        if content is None:
            return
        if self.assigned and row == self.assigned_row:
            if doc := comment_doc([content]):
                self.scope.document(self.assigned, doc)
            return
        if row != self.waiting_row + 1:
            self.waiting = []
        self.waiting.append(content)
        self.waiting_row = row

    def _expression(self, node: Node, conditions: tuple[str, ...]) -> None:
        if self.assigned and (doc := doc_text(node, self.text)):
            self.scope.document(self.assigned, doc)
            self._forget()
            return
        inner = first_part(node) or node
        doc = (
            comment_doc(self.waiting)
            if self.waiting and self.waiting_row + 1 == node.start_point.row
            else None
        )
        self._forget()
        if node.has_error:
            return  # the file's note says so; what it was meant to bind can only be guessed
        if inner.type == "assignment" and not _annotates_several(inner):
            self._assignment(inner, conditions, doc)
            self.assigned_row = node.end_point.row
        elif inner.type in ("augmented_assignment", "call"):
            self._changes_all(inner)
            self._changes_value(inner)

    def _assignment(self, node: Node, conditions: tuple[str, ...], doc: str | None) -> None:
        assignment = read_assignment(node, self.text, self.scope.in_class)
        if not self.scope.in_class:
            self._exports(assignment)
        elif assignment.names == ("__slots__",) and assignment.value is not None:
            self.slots = names_of(assignment.value, self.text)
            self.slots_lines = self.text.line(node), self.text.end_line(node)
        made = list(assignment.definitions)
        if types := stated_behind(node, self.text, len(made)):
            made = [_stated(each, type_) for each, type_ in zip(made, types, strict=True)]
        if LOOP in conditions:
            made = [replace(each, value=None, size=None, flags=frozenset({"loop"})) for each in made]
        if conditions or doc:
            made = [
                replace(each, conditions=_without_loops(conditions), doc=each.doc or doc) for each in made
            ]
        made = [
            each
            for each in made
            if each.name not in ("__all__", "__getattr__", "__dir__") or self.scope.in_class
        ]
        self.scope.definitions.extend(made)
        self.assigned = len(made)

    def _exports(self, assignment: Assignment) -> None:
        """Note ``__all__``, lazy tables and ``lazy_loader.attach``."""
        value = assignment.value
        if value is None:
            return
        for name in assignment.names:
            if value.type in ("dictionary", "list", "tuple", "set"):
                self.reader.literals[name] = value, self.text
        function = value.child_by_field_name("function") if value.type == "call" else None
        arguments = value.child_by_field_name("arguments") if value.type == "call" else None
        if function is not None and arguments is not None and self.text.dotted(function).endswith("attach"):
            served = tuple(attached(arguments, self.text))
            self.reader.lazy.extend(served)
            if served and "__all__" in assignment.names:
                self.reader.operations.append(
                    AllOperation("set", tuple(sorted({each.key for each in served})))
                )
        elif assignment.names == ("__all__",):
            self.reader.operations.append(all_operation("set", value, self.text))

    def _changes_all(self, node: Node) -> None:
        """``__all__ += …``, ``__all__.extend(…)``, ``.append(…)``, ``.remove(…)``."""
        if self.scope.in_class:
            return
        if node.type == "augmented_assignment":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and self.text.raw(left) == "__all__":
                self.reader.operations.append(all_operation("add", right, self.text))
            return
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        name, _, method = self.text.dotted(function).partition(".") if function is not None else ("", "", "")
        if name == "__all__" and method in ("extend", "append", "remove") and arguments is not None:
            for argument in parts_of(arguments)[:1]:
                kind = "remove" if method == "remove" else "add"
                self.reader.operations.append(all_operation(kind, argument, self.text))

    def _changes_value(self, node: Node) -> None:
        """``names += …``: the value that the name was given isn't the one that callers find."""
        left = node.child_by_field_name("left")
        if left is not None and left.type == "identifier":
            self.scope.forget_value(self.text.raw(left))

    def import_(self, node: Node, conditions: tuple[str, ...]) -> None:
        if self.scope.in_class or node.has_error:
            return
        if (module := starred_module(node, self.text)) is not None:
            self.reader.stars.append(module)
        self.reader.imports.extend(read_import(node, self.text, _without_loops(conditions)))

    def delete(self, node: Node, conditions: tuple[str, ...]) -> None:
        if conditions:
            return
        for name in _WORD.findall(self.text.raw(node).removeprefix("del")):
            self.scope.remove(name)
            if not self.scope.in_class:
                self.reader.imports[:] = [each for each in self.reader.imports if each.name != name]

    def type_alias(self, node: Node, conditions: tuple[str, ...]) -> None:
        conditions = _without_loops(conditions)
        made = read_type_alias(node, self.text)
        self.scope.definitions.extend(replace(each, conditions=conditions) for each in made)
        self.assigned, self.assigned_row = 1, node.end_point.row

    def definition(self, node: Node, conditions: tuple[str, ...]) -> None:
        inner = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        if inner is None:
            return
        try:
            read = self._class if inner.type == "class_definition" else self._function
            made = list(read(inner, node))
        except DamagedHeader:
            problem = Problem(
                "parse-error", "definition without a name or parameters left out", self.text.line(node)
            )
            self.reader.problems.append(problem)
            return
        conditions = _without_loops(conditions)
        self.scope.definitions.extend(replace(e, conditions=conditions) if conditions else e for e in made)

    def _class(self, node: Node, outer: Node) -> Iterator[Definition]:
        body = node.child_by_field_name("body")
        members = Scope(in_class=True)
        if body is not None:
            block = _Block(self.reader, self.text, self.bodies, members)
            block.read(body, (), self.depth + 1)
            members.definitions.extend(_slots(block, members.definitions))
        yield Definition(
            "class",
            read_class(node, self.text),
            self.text.line(outer),
            self.text.end_line(node),
            decorators=decorators(outer, self.text),
            deprecated=deprecation(outer, self.text),
            doc=block_doc(body, self.text),
            members=_settled_members(members),
        )

    def _function(self, node: Node, outer: Node) -> Iterator[Definition]:
        header = read_function(node, self.text)
        decorated = decorators(outer, self.text)
        if self.scope.in_class:
            yield from self._hoisted(node, header, decorated)
        elif header.name in ("__getattr__", "__dir__"):
            self._lazy_function(node)
            return
        body = node.child_by_field_name("body")
        yield Definition(
            self._function_kind(header.name, decorated),
            header,
            self.text.line(outer),
            self.text.end_line(node),
            decorators=decorated,
            deprecated=deprecation(outer, self.text),
            doc=block_doc(body, self.text),
            raises=self.bodies.raises(node),
            flags=self._flags(node, body),
        )

    def _function_kind(self, name: str, decorated: tuple[str, ...]) -> str:
        if not self.scope.in_class:
            return "function"
        accessors = (f"{name}.setter", f"{name}.deleter", f"{name}.getter")
        is_property = any(each in _PROPERTY or each in accessors for each in decorated)
        return "property" if is_property else "method"

    def _flags(self, node: Node, body: Node | None) -> frozenset[str]:
        last = last_part(body) if body is not None else None
        flags = {
            "yields": self.bodies.yields(node),
            "returns": self.bodies.returns_value(node),
            "raises_last": last is not None and last.type == "raise_statement",
            "stub": body is None
            or last is None
            or (_says_nothing(last) and all(map(_says_nothing, parts_of(body)))),
        }
        return frozenset(name for name, holds in flags.items() if holds)

    def _hoisted(self, node: Node, header: Header, decorated: tuple[str, ...]) -> Iterator[Definition]:
        """Attributes that a method sets on ``self``, ahead of the method."""
        if not header.parameters or "staticmethod" in decorated or "classmethod" in decorated:
            return
        receiver = header.parameters[0].name
        attributes = list(self.bodies.self_attributes(node, receiver))
        if any(each.annotation is not None for each in attributes):
            local = self._imports_in(node)
            self.reader.imports.extend(replace(each, local=True) for each in local)
        method = Method(node, header, self.text)
        for found in attributes:
            yield read_self_attribute(found, method, self.text)

    def _lazy_function(self, node: Node) -> None:
        self.reader.getattr_words.update(_WORD.findall(self.text.raw(node)))
        self.reader.lazy_imports.extend(self._imports_in(node))

    def _imports_in(self, function: Node) -> Iterator[Import]:
        for statement in captures(_imports_query(), function).get("import", []):
            yield from read_import(statement, self.text, ())


@functools.cache
def _imports_query() -> Query:
    return grammar().query("[(import_from_statement) (import_statement)] @import")


def _slots(block: _Block, others: Iterable[Definition]) -> Iterator[Definition]:
    """Attributes that a class has a place for, and that neither its body nor its methods set."""
    there = {*block.slots} - {each.name for each in others}
    for name in dict.fromkeys(block.slots):
        if name in there and name.isidentifier() and not name.startswith("__"):
            flags = frozenset({"hoisted"})
            yield Definition("attribute", Header(name), *block.slots_lines, flags=flags, hints=(UNKNOWN,))


def _without_loops(conditions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in conditions if each != LOOP) if LOOP in conditions else conditions


def _annotates_several(assignment: Node) -> bool:
    """``a, b: int``, which the grammar takes and Python does not."""
    left, typed = assignment.child_by_field_name("left"), assignment.child_by_field_name("type")
    return typed is not None and left is not None and left.type.endswith(("_list", "_pattern"))


def _stated(definition: Definition, commented: str) -> Definition:
    """A variable with the type of a comment (PEP 484), for which ``None`` may stand until there is a value."""
    if definition.type is not None or definition.kind not in ("variable", "attribute"):
        return definition
    value, size = (None, None) if definition.value == "None" else (definition.value, definition.size)
    return replace(definition, type=commented, type_origin="stated", value=value, size=size, hints=())


def _settled_members(scope: Scope) -> tuple[Definition, ...]:
    return settled(each for each in scope.definitions if "loop" not in each.flags)


def _says_nothing(statement: Node) -> bool:
    """``pass``, ``...`` or a docstring."""
    if statement.type != "expression_statement" or len(parts := parts_of(statement)) != 1:
        return statement.type == "pass_statement"
    return parts[0].type in ("ellipsis", "string", "concatenated_string")


_HANDLERS: dict[str, Callable[[_Block, Node, tuple[str, ...]], None]] = {
    "function_definition": _Block.definition,
    "class_definition": _Block.definition,
    "decorated_definition": _Block.definition,
    "import_statement": _Block.import_,
    "import_from_statement": _Block.import_,
    "future_import_statement": _Block.import_,
    "delete_statement": _Block.delete,
    "type_alias_statement": _Block.type_alias,
}
