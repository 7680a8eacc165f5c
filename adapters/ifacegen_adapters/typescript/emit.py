"""Prints declarations as TypeScript: one text for a package, each module of which parses as a declaration file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.docs import comment, one_line, remark, shorten, with_docs
from ifacegen_adapters.typescript.headings import heading, in_order, is_hidden, is_private, namespaces
from ifacegen_adapters.typescript.lines import INDENT, wrapped
from ifacegen_adapters.typescript.parameters import with_defaults
from ifacegen_adapters.typescript.prefixes import (
    BLOCKS,
    MEMBERS,
    STATEMENTS,
    Place,
    block_place,
    chooses,
    place_alone,
    place_of,
    prefix,
)
from ifacegen_adapters.typescript.rescue import guessed, with_any
from ifacegen_adapters.typescript.statements import joined

_CALLS = frozenset({"function", "method", "constructor", "call", "construct"})


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints with one policy for documentation: ``full``, ``first_paragraph`` or ``none``."""

    docs: str = "full"
    #: Whether it is for compilers: with private members, without what is only said in comments.
    is_stub: bool = False

    def text(self, modules: Sequence[Module]) -> str:
        """All modules of a package, one section each; those that nobody imports from come last."""
        owners = namespaces(modules)
        sections = ("\n".join(self._section(module, owners)) for module in in_order(modules))
        return "\n\n".join(sections) + "\n" * bool(modules)

    def declaration(self, declaration: Declaration) -> str:
        """One declaration with its members; nothing where a text has nothing of it."""
        lines = self._apart([declaration], "", place_alone(declaration))
        return "".join(f"{line}\n" for line in lines)

    def _section(self, module: Module, owners: Mapping[str, tuple[str, str]]) -> Iterator[str]:
        yield heading(module, owners)
        # The doc of a private module speaks to its maintainers.
        doc = [] if is_private(module) else self.doc(module.doc, "")
        yield from doc
        lines = list(self.body(module.declarations, "", place_of(module)))
        if doc and lines:
            yield ""
        yield from lines

    # -- declarations side by side ---------------------------------------------------------------------

    def body(self, declarations: Sequence[Declaration], indent: str, place: Place) -> Iterator[str]:
        """Declarations below one another, imports first, aliases last."""
        imports = [each for each in declarations if each.kind == "import"]
        aliases = [each for each in declarations if each.kind == "alias"]
        others = [each for each in declarations if each.kind not in STATEMENTS]
        parts = (
            joined((each.signature for each in imports), indent),
            self._apart(others, indent, place),
            self._aliases(aliases, indent),
        )
        before = False
        for lines in parts:
            for index, line in enumerate(lines):
                if before and index == 0:
                    yield ""
                before = True
                yield line

    def _aliases(self, aliases: Iterable[Declaration], indent: str) -> Iterator[str]:
        """Aliases, those without a documentation of their own together."""
        together: list[str] = []
        for each in aliases:
            doc = self._doc_of(each, indent)
            if not doc:
                together.append(each.signature)
                continue
            yield from joined(together, indent)
            together = []
            yield from doc
            yield from joined([each.signature], indent)
        yield from joined(together, indent)

    def _apart(self, declarations: Sequence[Declaration], indent: str, place: Place) -> Iterator[str]:
        """Declarations with a blank line around those that have several lines."""
        last = {each.name: each for each in declarations if each.name in place.apart}
        before: Declaration | None = None
        was_tall = False
        for each in declarations:
            if is_hidden(each) and not self.is_stub:
                continue
            lines = list(self.lines(each, indent, place))
            if last.get(each.name) is each:
                lines += [*[""] * (len(lines) > 1), f"{indent}export default {each.name};"]
            is_tall = len(lines) > 1
            if place.is_type:
                is_tall = bool(each.members) or len(self._doc_of(each, "")) > 1
            if before is not None and (is_tall or was_tall) and not (_is_next(before, each) and not each.doc):
                yield ""
            yield from lines
            before, was_tall = each, is_tall

    # -- one declaration -------------------------------------------------------------------------------

    def lines(self, declaration: Declaration, indent: str, place: Place) -> Iterator[str]:
        """A declaration with what is said about it."""
        if self.is_stub and not _is_named(declaration):
            return
        yield from self._doc_of(declaration, indent)
        if why := declaration.extra.get("degraded"):
            if not self.is_stub:
                yield remark(f"{why}, as in the source: {declaration.signature}", indent)
                return
            declaration = guessed(declaration)
        signature = with_docs(with_any(declaration) if self.is_stub else declaration.signature, self.docs)
        if not self.is_stub:
            yield from (remark(f"@{each}", indent) for each in declaration.decorators)
            signature = with_defaults(signature, declaration.parameters)
        start = prefix(declaration, place)
        if declaration.kind in STATEMENTS:
            yield from joined([signature], indent)
        elif _has_braces(declaration):
            yield from self._block(declaration, f"{start}{signature}", indent)
        else:
            end = "," if declaration.kind == "case" else ";"
            *lines, last = wrapped(f"{start}{signature}", indent, end)
            yield from lines
            yield f"{last}{'  // type not stated' * self._is_untyped(declaration)}"

    def _is_untyped(self, declaration: Declaration) -> bool:
        return "inferred" in declaration.extra and not self.is_stub

    def _block(self, declaration: Declaration, head: str, indent: str) -> Iterator[str]:
        ends = ";" if declaration.kind not in BLOCKS else ""
        inner = MEMBERS
        if declaration.kind in ("namespace", "global", "ambient"):
            inner = block_place(declaration.members)
        body = list(self.body(declaration.members, f"{indent}{INDENT}", inner))
        if (count := declaration.extra.get("members_elided")) and not self.is_stub:
            body.append(f"{indent}{INDENT}// {members_elided(count)}")
        if not inner.is_type and inner.exports and not chooses(declaration.members):
            body.append(f"{indent}{INDENT}export {{}};")
        if body:
            yield from wrapped(head, indent, " {")
            yield from body
            yield f"{indent}}}{ends}"
        else:
            yield from wrapped(head, indent, f" {{}}{ends}")

    # -- documentation ---------------------------------------------------------------------------------

    def doc(self, doc: str | None, indent: str) -> list[str]:
        """A documentation, as much of it as wanted."""
        if not doc or self.docs == "none":
            return []
        return comment(shorten(doc) if self.docs == "first_paragraph" else doc, indent)

    def _doc_of(self, declaration: Declaration, indent: str) -> list[str]:
        """What a caller must know remains where documentation is not wanted."""
        if self.docs == "none" and declaration.deprecated is not None:
            return comment(one_line(f"@deprecated {declaration.deprecated}"), indent)
        return self.doc(declaration.doc, indent)


def members_elided(count: object) -> str:
    """What stands where members would."""
    return f"{count} member{'' if count == 1 else 's'} elided"


def _has_braces(declaration: Declaration) -> bool:
    return (
        declaration.kind in BLOCKS
        or bool(declaration.members)
        or "members_elided" in declaration.extra
        or (
            declaration.kind in ("type", "variable", "property")
            and declaration.signature.endswith(("=", ":"))
        )
    )


def _is_named(declaration: Declaration) -> bool:
    """Whether something can be made of a declaration that could not be read."""
    return bool(declaration.name) or "degraded" not in declaration.extra


def _is_next(before: Declaration, declaration: Declaration) -> bool:
    """Whether two are overloads of one another."""
    return before.name == declaration.name and before.kind == declaration.kind and before.kind in _CALLS
