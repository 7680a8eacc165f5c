"""Outlines: one line a declaration, short enough to be read at a glance, and honest about what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.typescript.brackets import parameter_list
from ifacegen_adapters.typescript.docs import one_line, with_docs
from ifacegen_adapters.typescript.headings import heading, in_order, is_hidden, is_private
from ifacegen_adapters.typescript.lines import INDENT, WIDTH
from ifacegen_adapters.typescript.parameters import with_defaults
from ifacegen_adapters.typescript.statements import joined

#: Characters of a default, of what a function returns, and of a remark that a line has room for.
_DEFAULT, _RETURNS, _REMARK = 12, 40, 60


def outline(modules: Sequence[Module]) -> str:
    """Modules as one line a declaration, in the order of the view."""
    return "\n\n".join("\n".join(_module(module)) for module in in_order(modules)) + "\n" * bool(modules)


def _module(module: Module) -> Iterator[str]:
    yield heading(module)
    marks_private = not is_private(module)
    aliases: dict[str, list[str]] = {}
    for each in module.declarations:
        if each.kind == "alias":
            aliases.setdefault(_remarks(each, marks_private), []).append(each.signature)
        elif each.kind != "import":
            yield from _declaration(each, "", marks_private)
    for remarks, statements in aliases.items():
        yield from (f"{each.removesuffix(';')}{remarks}" for each in joined(statements, is_line=True))


def _declaration(declaration: Declaration, indent: str, marks_private: bool) -> Iterator[str]:
    if is_hidden(declaration):
        return
    remarks = _remarks(declaration, marks_private)
    if declaration.kind == "enum" and declaration.members:
        names = ", ".join(one_line(each.name) for each in declaration.members if not is_hidden(each))
        line = f"{_signature(declaration, WIDTH)}: {names}"
        yield f"{indent}{_cut(line, WIDTH - len(indent))}{remarks}"
        return
    yield f"{indent}{_signature(declaration, WIDTH - len(indent))}{remarks}"
    for each in declaration.members:
        if each.kind == "alias":
            yield from (f"{indent}{INDENT}{line}" for line in joined([each.signature], is_line=True))
        elif each.kind != "import":
            yield from _declaration(each, f"{indent}{INDENT}", marks_private)


def _signature(declaration: Declaration, room: int) -> str:
    """The longest of the ways to write a signature that a line has room for."""
    start = "default " if declaration.extra.get("export") == "default" else ""
    signature = one_line(with_docs(declaration.signature, "none"))
    if declaration.kind in ("type", "variable", "property"):
        signature = signature.removesuffix(" =").removesuffix(":")
    room -= len(start)
    if declaration.parameters:
        short = [_shortened(each) for each in declaration.parameters]
        for parameters in (declaration.parameters, short):
            line = with_defaults(signature, parameters)
            if len(line) <= room:
                return start + line
    if len(signature) <= room:
        return start + signature
    return start + _elided(signature, room)


def _shortened(parameter: Parameter) -> Parameter:
    if parameter.default is None or len(parameter.default) <= _DEFAULT:
        return parameter
    return Parameter(parameter.name, parameter.kind, default="…")


def _elided(signature: str, room: int) -> str:
    """A signature without the types of its parameters, and without as many of these as it takes."""
    found = parameter_list(signature)
    if found is None or not found.names:
        return _cut(signature, room)
    head, tail = signature[: found.start], _cut(signature[found.end :], _RETURNS)
    for kept in range(len(found.names), 0, -1):
        more = [f"… {len(found.names) - kept} more"] if kept < len(found.names) else []
        line = f"{head}({', '.join([*found.names[:kept], *more])}){tail}"
        if len(line) <= room:
            return f"{line}  // types elided"
    return f"{_cut(f'{_cut(head, _RETURNS)}(…){tail}', room)}  // types elided"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(0, room - 1)]}…"


def _remarks(declaration: Declaration, marks_private: bool) -> str:
    remarks = list(_marks(declaration, marks_private))
    return f"  // {'; '.join(remarks)}" if remarks else ""


def _marks(declaration: Declaration, marks_private: bool) -> Iterator[str]:
    if elided := declaration.extra.get("members_elided"):
        yield f"{elided} member{'' if elided == 1 else 's'} elided"
    if declaration.visibility == "carried" and marks_private:
        yield "private"
    if declaration.extra.get("degraded"):
        yield "not understood, as in the source"
    if declaration.deprecated is not None:
        yield _cut(f"deprecated: {one_line(declaration.deprecated)}".removesuffix(": "), _REMARK)
