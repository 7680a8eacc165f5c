"""Outlines: one line a declaration, short enough to be read at a glance, and honest about what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ifacegen.model import Declaration, Module, Parameter
from ifacegen_adapters.python.headers import parameter_texts, signature_start
from ifacegen_adapters.python.lines import INDENT, WIDTH
from ifacegen_adapters.python.variables import variable

#: Decorators that change what a name is; others are left to the view.
_KINDS = {
    "abstractmethod": "@abstractmethod",
    "asynccontextmanager": "@asynccontextmanager",
    "cached_property": "@cached_property",
    "classmethod": "@classmethod",
    "contextmanager": "@contextmanager",
    "dataclass": "@dataclass",
    "deleter": "@deleter",
    "overload": "@overload",
    "property": "@property",
    "setter": "@setter",
    "staticmethod": "@staticmethod",
}
#: Characters of a default, a type, a value, a condition that a line has room for.
_DEFAULT, _TYPE, _VALUE, _REMARK = 12, 40, 40, 60


def outline(modules: Sequence[Module]) -> str:
    """Modules as one line a declaration, in the order of the view."""
    return "\n\n".join("\n".join(_module(module)) for module in in_order(modules)) + "\n" * bool(modules)


def in_order(modules: Sequence[Module]) -> list[Module]:
    """Modules as they are printed: those that nobody imports from come last."""
    return sorted(modules, key=is_private)


def is_private(module: Module) -> bool:
    """Whether a module is shown for the sake of others only."""
    named_so = any(part.startswith("_") for part in module.name.split("."))
    return named_so and all(each.visibility == "carried" for each in module.declarations)


def heading(module: Module) -> str:
    """The line above a module."""
    return f"# module {module.name}{'  (private: carried names only)' if is_private(module) else ''}"


def _module(module: Module) -> Iterator[str]:
    yield heading(module)
    marks_private = not is_private(module)
    aliases: dict[tuple[str, str], list[str]] = {}
    for each in module.declarations:
        if each.kind == "alias":
            origin, name = _imported(each.signature)
            aliases.setdefault((origin, _remarks(each, marks_private)), []).append(name)
        elif each.kind != "import":
            yield from _declaration(each, "", marks_private)
    for (origin, remarks), names in aliases.items():
        yield f"{origin}{', '.join(names)}{remarks}"


def _imported(statement: str) -> tuple[str, str]:
    """An import up to the name that it takes, and that name; told once where it keeps it."""
    origin, keyword, names = statement.partition("import ")
    name, _, local = names.partition(" as ")
    return f"{origin}{keyword}", name if name == local else names


def _declaration(declaration: Declaration, indent: str, marks_private: bool) -> Iterator[str]:
    room = WIDTH - len(indent)
    yield f"{indent}{_line(declaration, room)}{_remarks(declaration, marks_private)}"
    for each in declaration.members:
        if each.kind != "import":
            yield from _declaration(each, indent + INDENT, marks_private)


def _line(declaration: Declaration, room: int) -> str:
    if declaration.extra.get("degraded"):
        return f"# syntax error in the source: {_cut(declaration.signature, room)}"
    kinds = "".join(f"{word} " for word in _prefixes(declaration))
    if declaration.kind in ("function", "method", "property"):
        return kinds + _function(declaration, room - len(kinds))
    if declaration.kind == "class":
        return kinds + _cut(declaration.signature, room)
    return _variable(declaration, room)


def _prefixes(declaration: Declaration) -> Iterator[str]:
    for decorator in declaration.decorators:
        word = decorator.partition("(")[0].rpartition(".")[2]
        if word in _KINDS:
            yield _KINDS[word]


def _function(declaration: Declaration, room: int) -> str:
    """The longest of the ways to write a signature that a line has room for."""
    if not declaration.parameters:
        return _cut(declaration.signature, room)
    short = [replace(each, default=_short(each.default)) for each in declaration.parameters]
    for parameters in (declaration.parameters, short):
        line = _signature(declaration, parameter_texts(parameters))
        if len(line) <= room and "\n" not in line:
            return line
    untyped = parameter_texts(replace(each, annotation=None) for each in short)
    for kept in range(len(untyped), 0, -1):
        more = [f"… {len(untyped) - kept} more"] if kept < len(untyped) else []
        line = _signature(declaration, [*untyped[:kept], *more])
        if len(line) <= room:
            break
    else:
        line = _cut(_signature(declaration, ["…"]), room)
    return f"{line}  # types elided" if _has_types(declaration.parameters) else line


def _has_types(parameters: Sequence[Parameter]) -> bool:
    return any(each.annotation for each in parameters)


def _signature(declaration: Declaration, parameters: Sequence[str]) -> str:
    start = signature_start(declaration.signature, declaration.type_params)
    returns = f" -> {_cut(declaration.returns, _TYPE)}" if declaration.returns is not None else ""
    return f"{_cut(start, WIDTH)}({', '.join(parameters)}){returns}"


def _short(default: str | None) -> str | None:
    return "..." if default is not None and len(default) > _DEFAULT else default


def _variable(declaration: Declaration, room: int) -> str:
    value = declaration.value
    if value is None or declaration.kind == "alias":
        return _cut(variable(declaration), room)
    head = variable(declaration).removesuffix(value)
    return _cut(f"{head}{value if len(value) <= _VALUE and _is_line(value) else '...'}", room)


def _is_line(text: str) -> bool:
    return "\n" not in text


def _cut(text: str, room: int) -> str:
    """A text on one line, of this many characters at most."""
    line = " ".join(each.strip() for each in text.split("\n")) if "\n" in text else text
    return line if len(line) <= room else f"{line[: room - 1]}…"


def _remarks(declaration: Declaration, marks_private: bool) -> str:
    remarks = [*_marks(declaration, marks_private), *(_cut(each, _REMARK) for each in declaration.conditions)]
    if declaration.deprecated is not None:
        remarks.append(_cut(f"deprecated: {declaration.deprecated}".removesuffix(": "), _REMARK))
    return f"  # {'; '.join(remarks)}" if remarks else ""


def _marks(declaration: Declaration, marks_private: bool) -> Iterator[str]:
    if elided := declaration.extra.get("members_elided"):
        yield members_elided(elided)
    if declaration.visibility == "carried" and marks_private:
        yield "private"
    if declaration.visibility == "type_checking" and not declaration.conditions:
        yield "for type checkers only"


def members_elided(count: object) -> str:
    """What stands where a class's members would."""
    return f"{count} member{'' if count == 1 else 's'} elided"
