"""Prints declarations: an operation, what it takes, what it answers; a schema as its one-line type.

Everything printed comes from the declarations, which hold nothing that could break a line. What follows
``#`` up to the end of a line is said, not meant: it could be left out without changing the interface.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ifacegen.model import Declaration, Extra, Module, Parameter
from ifacegen_adapters.openapi.bodies import JSON
from ifacegen_adapters.openapi.texts import said_name
from ifacegen_adapters.openapi.types import key_text

INDENT = "  "
_REQUESTS = frozenset({"operation", "webhook", "callback"})


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints with one policy for documentation: ``full``, ``first_paragraph`` or ``none``."""

    docs: str = "full"

    def text(self, modules: Sequence[Module]) -> str:
        """All modules of a package, one section each."""
        sections = ("\n".join(self._section(module)) for module in modules)
        return "\n\n".join(sections) + "\n" * bool(modules)

    def _section(self, module: Module) -> Iterator[str]:
        said = f": {module.doc}" if module.doc and self.docs != "none" else ""
        yield f"# module {module.name}{said}"
        known: set[str] = set()
        for each in module.declarations:
            yield from (
                _without_repeated(self._lines(each, ""), known)
                if each.kind in _REQUESTS
                else self._lines(each, "")
            )

    def declaration(self, declaration: Declaration) -> str:
        """One declaration with its members."""
        return "\n".join(self._lines(declaration, "")) + "\n"

    def _lines(self, declaration: Declaration, indent: str) -> Iterator[str]:
        if declaration.kind in _REQUESTS:
            yield from self._request(declaration, indent)
        elif declaration.kind == "response":
            yield indent + response_line([declaration]) + self._said(declaration, "")
        elif declaration.kind == "api":
            yield from self._service(declaration, indent)
        else:
            flag = "deprecated " if declaration.deprecated else ""
            default = f" = {declaration.value}" if declaration.value is not None else ""
            said = self._said(declaration, "")
            yield f"{indent}{flag}{declaration.signature} = {declaration.type}{default}{said}"
            yield from self._parts(declaration, indent + INDENT)

    def _said(self, declaration: Declaration, label: str) -> str:
        """What ends a declaration's first line: what it is called, and what it is for."""
        summary = "" if self.docs == "none" else (declaration.doc or "").partition("\n")[0]
        summary = "" if summary == "…" else summary
        said = ": ".join(each for each in (label, summary) if each)
        return f"  # {said}" if said else ""

    def _parts(self, declaration: Declaration, indent: str) -> Iterator[str]:
        """What is said of parameters and properties, a line each."""
        if self.docs == "full":
            _, _, parts = (declaration.doc or "").partition("\n\n")
            yield from (f"{indent}# {line}" for line in parts.split("\n") if line)

    def _service(self, declaration: Declaration, indent: str) -> Iterator[str]:
        yield f"{indent}{declaration.signature}{self._said(declaration, '')}"
        yield from _facts(declaration, indent + INDENT)

    def _request(self, declaration: Declaration, indent: str) -> Iterator[str]:
        label = said_name(declaration.name) if declaration.name != declaration.signature else ""
        if declaration.kind == "callback" or declaration.signature.startswith(f"webhook {declaration.name} "):
            label = ""
        if declaration.deprecated:
            label = ", ".join(each for each in (label, "deprecated") if each)
        inner = indent + INDENT
        start = f"callback {key_text(declaration.name)}: " if declaration.kind == "callback" else ""
        yield f"{indent}{start}{declaration.signature}{self._said(declaration, label)}"
        yield from _facts(declaration, inner)
        yield from _parameter_lines(declaration, inner)
        yield from self._parts(declaration, inner)
        for group in _together(declaration.members, self.docs):
            if group[0].kind == "response":
                yield inner + response_line(group) + self._said(group[0], "")
            else:
                yield from self._lines(group[0], inner)
        if elided := declaration.extra.get("members_elided"):
            what = "response or callback" if elided == 1 else "responses and callbacks"
            yield f"{inner}… {elided} {what} not shown"


def _without_repeated(lines: Iterator[str], known: set[str]) -> Iterator[str]:
    """Lines without those that say of a parameter what was said of that of another operation."""
    for line in lines:
        if not line.lstrip().startswith("# "):
            yield line
        elif line not in known:
            known.add(line)
            yield line


def _facts(declaration: Declaration, indent: str) -> Iterator[str]:
    for key, word in (("servers", "server"), ("security", "security")):
        if value := declaration.extra.get(key):
            yield f"{indent}{word}: {_plain(value)}"


def _plain(value: Extra) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _parameter_lines(declaration: Declaration, indent: str) -> Iterator[str]:
    """A line for each place that parameters are in."""
    required, deprecated = named_in(declaration, "required"), named_in(declaration, "deprecated_parameters")
    places: dict[str, list[str]] = {}
    for each in declaration.parameters:
        key = f"{each.kind}:{each.name}"
        is_required = key in required
        if each.kind == "body":
            media = "" if each.name == JSON else f" {each.name}"
            yield_ = f"body{'' if is_required else '?'}{media}: {each.annotation}"
            places.setdefault(f"body {each.name}", []).append(yield_)
        else:
            places.setdefault(each.kind, []).append(parameter_text(each, is_required, key in deprecated))
    for place, texts in places.items():
        yield indent + (texts[0] if place.startswith("body ") else f"{place}: {', '.join(texts)}")


def named_in(declaration: Declaration, key: str) -> frozenset[str]:
    """The parameters that a list of a declaration names, as ``place:name``."""
    stated = declaration.extra.get(key)
    return frozenset(stated) if isinstance(stated, tuple) else frozenset()


def parameter_text(parameter: Parameter, is_required: bool, is_deprecated: bool) -> str:
    """A parameter as ``name?: type = default``."""
    flag = "deprecated " if is_deprecated else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    name = key_text(parameter.name)
    return f"{flag}{name}{'' if is_required else '?'}: {parameter.annotation or 'any'}{default}"


def response_line(group: Sequence[Declaration]) -> str:
    """Responses that bring the same, on one line."""
    first = group[0]
    media = first.extra.get("media")
    line = ", ".join(each.name for each in group) + (f" {media}" if media else "")
    parts = [first.type] if first.type is not None else []
    parts += [f"{word}: {first.extra[word]}" for word in ("headers", "links") if word in first.extra]
    return f"{line}: {'; '.join(parts)}" if parts else line


def _together(members: Sequence[Declaration], docs: str) -> Iterator[list[Declaration]]:
    """Members, those responses together that print the same."""
    groups: dict[object, list[Declaration]] = {}
    for each in members:
        doc = each.doc if docs != "none" else None
        key: object = id(each)
        if each.kind == "response":
            key = (each.type, doc, *(each.extra.get(word) for word in ("media", "headers", "links")))
        groups.setdefault(key, []).append(each)
    yield from groups.values()
