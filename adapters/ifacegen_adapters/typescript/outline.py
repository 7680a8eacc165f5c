"""Outlines: one line a declaration, short enough to be read at a glance, and honest about what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.typescript.docs import one_line, with_docs
from ifacegen_adapters.typescript.eliding import cut, elided
from ifacegen_adapters.typescript.headings import heading, in_order, is_hidden, is_private, namespaces
from ifacegen_adapters.typescript.lines import INDENT, WIDTH
from ifacegen_adapters.typescript.parameters import with_defaults
from ifacegen_adapters.typescript.statements import joined

#: Characters of a default and of a remark that a line has room for.
_DEFAULT, _REMARK = 12, 60


def outline(modules: Sequence[Module]) -> str:
    """Modules as one line a declaration, in the order of the view."""
    owners = namespaces(modules)
    return "\n\n".join("\n".join(_module(each, owners)) for each in in_order(modules)) + "\n" * bool(modules)


def _module(module: Module, owners: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    yield heading(module, owners)
    yield from _body(module.declarations, "", not is_private(module))


def _body(declarations: Sequence[Declaration], indent: str, marks_private: bool) -> Iterator[str]:
    aliases: dict[str, list[str]] = {}
    for each in declarations:
        if each.kind == "alias":
            aliases.setdefault(_remarks(each, marks_private), []).append(each.signature)
        elif each.kind != "import" and not is_hidden(each):
            yield from _declaration(each, indent, marks_private)
    for remarks, statements in aliases.items():
        yield from (f"{each.removesuffix(';')}{remarks}" for each in joined(statements, indent, is_line=True))


def _declaration(declaration: Declaration, indent: str, marks_private: bool) -> Iterator[str]:
    room = WIDTH - len(indent)
    if declaration.kind == "enum" and declaration.members:
        names = ", ".join(one_line(each.name) for each in declaration.members if not is_hidden(each))
        line = cut(f"{declaration.signature}: {names}", room)
        yield f"{indent}{line}{_remarks(declaration, marks_private)}"
        return
    start = "default " if declaration.extra.get("export") == "default" else ""
    line, is_short = _signature(declaration, room - len(start))
    yield f"{indent}{start}{line}{_remarks(declaration, marks_private, ['types elided'] * is_short)}"
    inner = marks_private and declaration.visibility != "carried"
    yield from _body(declaration.members, f"{indent}{INDENT}", inner)


def _signature(declaration: Declaration, room: int) -> tuple[str, bool]:
    """The longest of the ways to write a signature that a line has room for, and whether it lacks types."""
    signature = one_line(with_docs(declaration.signature, "none"))
    if declaration.kind in ("type", "variable", "property"):
        signature = signature.removesuffix(" =").removesuffix(":")
    short = [_shortened(each) for each in declaration.parameters]
    for parameters in (declaration.parameters, short):
        line = with_defaults(signature, parameters)
        if len(line) <= room:
            return line, False
    return (signature, False) if len(signature) <= room else elided(signature, room)


def _shortened(parameter: Parameter) -> Parameter:
    if parameter.default is None or len(parameter.default) <= _DEFAULT:
        return parameter
    return Parameter(parameter.name, parameter.kind, default="…")


def _remarks(declaration: Declaration, marks_private: bool, more: Sequence[str] = ()) -> str:
    remarks = [*more, *_marks(declaration, marks_private)]
    return f"  // {'; '.join(remarks)}" if remarks else ""


def _marks(declaration: Declaration, marks_private: bool) -> Iterator[str]:
    if elided := declaration.extra.get("members_elided"):
        yield f"{elided} member{'' if elided == 1 else 's'} elided"
    if declaration.visibility == "carried" and marks_private:
        yield "private"
    if declaration.extra.get("degraded"):
        yield "not understood, as in the source"
    if declaration.deprecated is not None:
        yield cut(f"deprecated: {one_line(declaration.deprecated)}".removesuffix(": "), _REMARK)
