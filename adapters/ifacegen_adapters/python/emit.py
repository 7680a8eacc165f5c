"""Prints declarations as Python: one text for a package, or a stub file for each module.

Everything printed comes from the declarations, and all of it parses as a stub.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.python.blocks import Conditional, Item, arranged
from ifacegen_adapters.python.headers import parameter_texts, signature_start
from ifacegen_adapters.python.infer import TRANSPARENT
from ifacegen_adapters.python.lines import INDENT, WIDTH, import_lines, value_lines
from ifacegen_adapters.python.merge import as_stated
from ifacegen_adapters.python.outline import heading, in_order, is_private, members_elided
from ifacegen_adapters.python.respell import free_name
from ifacegen_adapters.python.shadows import unshadowed
from ifacegen_adapters.python.variables import UNKNOWN, mentions_unknown, opened, variable, variable_in_stub

#: Kinds that are written without a block.
_ONE_LINERS = frozenset({"variable", "type_alias", "type_variable", "import", "alias"})
_FLUSH_LINE = re.compile(r"\n\S")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufeff\u2028\u2029\x85]")


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints with one policy for documentation: ``full``, ``first_paragraph`` or ``none``."""

    docs: str = "full"
    #: Whether it is for type checkers, who read an ``async def`` without a body as a coroutine.
    is_stub: bool = False
    #: Whether private declarations are marked; needless where the whole module is private.
    marks_private: bool = True

    def text(self, modules: Sequence[Module]) -> str:
        """All modules of a package, one section each; those that nobody imports from come last."""
        sections = ("\n".join(self._section(module)) for module in in_order(modules))
        return "\n\n\n".join(sections) + "\n" * bool(modules)

    def _section(self, module: Module) -> Iterator[str]:
        yield heading(module)
        # The doc of a private module speaks to its maintainers.
        if is_private(module):
            yield from replace(self, marks_private=False).module_lines(module, None)
        else:
            yield from self.module_lines(module, module.doc)

    def stub(self, module: Module) -> str:
        """One module as a stub file."""
        module = unshadowed(replace(module, declarations=tuple(map(opened, module.declarations))))
        return "\n".join(self.module_lines(module, module.doc)).strip("\n") + "\n"

    def _imports(self, module: Module) -> Iterator[str]:
        imports = [each for each in module.declarations if each.kind == "import" and not each.conditions]
        if not self.is_stub:
            yield from import_lines(each.signature for each in imports)
            return
        declarations = [inner for each in module.declarations for inner in each.walk()]
        more = [f"from _typeshed import {UNKNOWN}"] if any(map(mentions_unknown, declarations)) else []
        # Checkers order modules that import each other by those imports that are not for them alone.
        apart = [each.signature for each in imports if "type_checking" in each.extra]
        if apart and all(each.name != "TYPE_CHECKING" for each in module.declarations):
            more.append("from typing import TYPE_CHECKING")
        yield from import_lines(
            [*more, *(each.signature for each in imports if "type_checking" not in each.extra)]
        )
        if apart:
            yield "if TYPE_CHECKING:"
            yield from (INDENT + line for line in import_lines(apart))

    def module_lines(self, module: Module, doc: str | None) -> Iterator[str]:
        """All that is printed of a module, below this documentation."""
        above = [*self.docstring(doc, ""), *self._imports(module), *self._exports(module)]
        yield from above
        declared = [d for d in module.declarations if d.kind not in ("import", "alias") or d.conditions]
        lines = list(self._block(declared, "", False))
        if above and lines and lines[0]:
            yield ""
        yield from lines
        aliases = [d for d in module.declarations if d.kind == "alias" and not d.conditions]
        if aliases and declared:
            yield ""
        taken = {each.name for each in module.declarations}
        for visibility, mark in (
            ("public", ""),
            ("type_checking", "for type checkers only"),
            ("carried", "private"),
        ):
            statements = [each.signature for each in aliases if each.visibility == visibility]
            if statements and mark and (visibility != "carried" or self.marks_private):
                yield f"# {mark}"
            yield from _exporting(statements, taken) if self.is_stub else import_lines(statements)

    def _exports(self, module: Module) -> Iterator[str]:
        """``__all__`` for type checkers, whose stars would take every public name else, with what is there of it."""
        bound = {each.name for each in module.declarations}
        names = ", ".join(f'"{name}"' for name in module.exports if name in bound)
        if self.is_stub and names:
            yield from value_lines("__all__ = ", f"[{names}]", "")

    def declaration(self, declaration: Declaration) -> str:
        """One declaration with its members."""
        return "\n".join(self._lines(declaration, "")) + "\n"

    def _block(self, declarations: Sequence[Declaration], indent: str, in_class: bool) -> Iterator[str]:
        previous: Declaration | None = None
        origin: str | None = None
        is_open, before = in_class, 0
        for item in _joined(arranged(declarations)):
            if isinstance(item, Conditional):
                if item.opens and not is_open:
                    yield ""
                yield f"{indent}{INDENT * item.depth}{item.header}:"
                if item.is_empty:
                    yield f"{indent}{INDENT * (item.depth + 1)}..."
                previous, is_open, before = None, True, item.depth + 1
                continue
            declaration, depth = item
            moved = _origin_comment(declaration, in_class)
            leaves_block = depth < before
            if not is_open and (leaves_block or moved != origin or self._is_apart(previous, declaration)):
                yield ""
            if moved and moved != origin:
                yield f"{indent}{INDENT * depth}# {moved}"
            yield from self._lines(declaration, indent + INDENT * depth)
            previous, is_open, origin, before = declaration, in_class, moved, depth

    def _is_apart(self, previous: Declaration | None, declaration: Declaration) -> bool:
        """Whether a reader expects a blank line: around classes and functions, and below long documentation."""
        if previous is None or not {previous.kind, declaration.kind} <= _ONE_LINERS:
            return previous is not None or declaration.kind not in _ONE_LINERS
        return "\n" in self._chosen(previous.doc)

    def _lines(self, declaration: Declaration, indent: str) -> Iterator[str]:
        if self.is_stub:
            declaration = as_stated(declaration)
        if declaration.extra.get("degraded"):
            yield from _degraded(declaration, indent)
            if declaration.kind != "class":
                yield f"{indent}..."  # a block must hold a statement
                return
        for decorator in declaration.decorators:
            line = f"{indent}@{decorator}"
            yield from [line] if len(line) <= WIDTH else value_lines("@", decorator, indent)
        if declaration.kind == "class":
            yield from self._class(declaration, indent)
        elif declaration.kind in ("function", "method", "property"):
            yield from self._function(declaration, indent)
        else:
            *first, last = self._variable_lines(declaration, indent)
            yield from first
            yield f"{last}{self._mark(declaration)}"
            yield from self.docstring(declaration.doc, indent)

    def _mark(self, declaration: Declaration) -> str:
        if declaration.kind == "import":
            return ""
        if declaration.visibility == "type_checking" and not declaration.conditions:
            return "  # for type checkers only"
        return "  # private" if declaration.visibility == "carried" and self.marks_private else ""

    def _variable(self, declaration: Declaration) -> str:
        return variable_in_stub(declaration) if self.is_stub else variable(declaration)

    def _variable_lines(self, declaration: Declaration, indent: str) -> list[str]:
        text = self._variable(declaration)
        if declaration.kind == "alias":
            return [f"{indent}{line}" for line in import_lines(text.split("\n"))]
        head = text.removesuffix(declaration.value) if declaration.value else text
        if not declaration.value or not head.endswith(" = "):
            return [f"{indent}{text}"]
        return value_lines(head, declaration.value, indent)

    def _class(self, declaration: Declaration, indent: str) -> Iterator[str]:
        inner = indent + INDENT
        doc = list(self.docstring(declaration.doc, inner))
        head = f"class {declaration.name}" if declaration.extra.get("degraded") else declaration.signature
        if len(indent + head) > WIDTH and declaration.bases:
            start = head.removesuffix(f"({', '.join(declaration.bases)})")
            yield f"{indent}{start}("
            yield from (f"{inner}{base}," for base in declaration.bases)
            head = ")"
        count = declaration.extra.get("members_elided")
        elided = f"  # {members_elided(count)}" if count else ""
        if not doc and not declaration.members:
            yield f"{indent}{head}: ...{elided}{self._mark(declaration)}"
            return
        yield f"{indent}{head}:{self._mark(declaration)}"
        yield from doc
        if elided:
            yield f"{inner}...{elided}"
        yield from self._block(declaration.members, inner, True)

    def _function(self, declaration: Declaration, indent: str) -> Iterator[str]:
        doc = list(self.docstring(declaration.doc, indent + INDENT))
        *first, last = self._header(declaration, indent)
        yield from first
        inferred = f"  # -> {declaration.type}" if declaration.type and declaration.returns is None else ""
        if declaration.extra.get("async_generator"):
            inferred = "  # async generator" if TRANSPARENT.issuperset(declaration.decorators) else ""
        yield f"{last}:{'' if doc else ' ...'}{inferred}{self._mark(declaration)}"
        yield from doc

    def _header(self, declaration: Declaration, indent: str) -> list[str]:
        documented = self.docs != "none" and any(p.doc for p in declaration.parameters)
        signature = declaration.signature
        if self.is_stub and declaration.extra.get("async_generator"):
            signature = signature.removeprefix("async ")
        line = indent + signature
        fits = len(line) <= WIDTH and not documented and "\n" not in line
        if fits or not declaration.parameters:
            return [line]
        start = signature_start(signature, declaration.type_params)
        returns = f" -> {declaration.returns}" if declaration.returns is not None else ""
        return [
            f"{indent}{start}(",
            *self._parameters(declaration.parameters, indent + INDENT),
            f"{indent}){returns}",
        ]

    def _parameters(self, parameters: Iterable[Parameter], indent: str) -> Iterator[str]:
        docs = {p.name: self._chosen(p.doc) for p in parameters}
        for text in parameter_texts(parameters):
            name = re.split(r"[:=]", text.lstrip("*"))[0].strip()
            doc = docs.get(name) if text not in ("*", "/") else None
            yield from (f"{indent}# {_printable(line)}".rstrip() for line in doc.split("\n")) if doc else ()
            yield f"{indent}{text},"

    def _chosen(self, doc: str | None) -> str:
        if not doc or self.docs == "none":
            return ""
        return doc.partition("\n\n")[0] if self.docs == "first_paragraph" else doc

    def docstring(self, doc: str | None, indent: str) -> Iterator[str]:
        """A docstring's lines at an indent, as the policy wants it."""
        chosen = self._chosen(doc)
        if chosen:
            first, *rest = quoted(chosen).split("\n")
            yield indent + first
            yield from (indent + line if line else line for line in rest)


def _joined(items: Iterable[Item]) -> Iterator[Item]:
    """Imports from one module that follow one another in a branch as one: its statements are lines of the signature."""
    waiting: tuple[Declaration, int] | None = None
    for item in items:
        if waiting is not None and not isinstance(item, Conditional) and _is_alike(waiting, item):
            signature = f"{waiting[0].signature}\n{item[0].signature}"
            waiting = replace(waiting[0], signature=signature), waiting[1]
            continue
        if waiting is not None:
            yield waiting
        waiting = None if isinstance(item, Conditional) else item
        if isinstance(item, Conditional):
            yield item
    if waiting is not None:
        yield waiting


def _is_alike(one: tuple[Declaration, int], other: tuple[Declaration, int]) -> bool:
    first, second = one[0], other[0]
    return (
        one[1] == other[1]
        and first.kind == second.kind == "alias"
        and first.visibility == second.visibility
        and first.signature.partition(" import ")[0] == second.signature.partition(" import ")[0]
    )


def _origin_comment(declaration: Declaration, in_class: bool) -> str | None:
    if in_class:
        return f"from {declaration.inherited_from.rpartition(':')[2]}" if declaration.inherited_from else None
    if declaration.origin is None or declaration.kind in ("alias", "import"):
        return None
    module, _, name = declaration.origin.partition(":")
    return f"defined in {module}" + (f" as {name}" if name != declaration.name else "")


def _degraded(declaration: Declaration, indent: str) -> Iterator[str]:
    yield f"{indent}# syntax error in the source: {_printable(declaration.signature)}"


def _exporting(statements: Sequence[str], taken: set[str]) -> Iterator[str]:
    """Aliases that a stub gives to others: of imports, only ``X as X`` does (PEP 484)."""
    assigned: list[str] = []
    imports: list[str] = []
    for statement in statements:
        start, _, local = statement.rpartition(" as ")
        if start.rpartition(" ")[2] == local or not start:
            imports.append(statement)
            continue
        private = free_name(f"_{local.lstrip('_')}", taken)
        taken.add(private)
        imports.append(f"{start} as {private}")
        assigned.append(f"{local} = {private}")
    yield from import_lines(imports)
    yield from assigned


def quoted(doc: str) -> str:
    """A docstring literal with exactly this text: raw where that reads better, escaped where it must be."""
    end = "\n" if "\n" in doc else ""  # which dedenting takes away again
    if end and not _is_flush(doc) and inspect.cleandoc(doc) != doc:
        doc = f"\n{doc}"  # else dedenting would take an indent that is part of the text
    if '"""' not in doc and (end or not doc.endswith(("\\", '"'))) and not _CONTROL.search(doc):
        return f'r"""{doc}{end}"""' if "\\" in doc else f'"""{doc}{end}"""'
    body = doc.rstrip('"')  # quotes at the end would run into the delimiter
    text = body.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') + '\\"' * (len(doc) - len(body))
    text = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return f'"""{text}{end}"""'


def _is_flush(doc: str) -> bool:
    """Whether dedenting leaves a text of several lines alone, as far as that can be told at a glance."""
    edges = doc[0].isspace() or doc[-1] == "\n"
    return not edges and "\t" not in doc and _FLUSH_LINE.search(doc) is not None


def _printable(text: str) -> str:
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def stub_paths(modules: Sequence[Module]) -> Mapping[str, Module]:
    """The stub file of each module, relative to the import root."""
    packages = {module.name for module in modules if module.path.rpartition("/")[2].startswith("__init__.")}
    return {
        f"{module.name.replace('.', '/')}{'/__init__' if module.name in packages else ''}.pyi": module
        for module in modules
    }
