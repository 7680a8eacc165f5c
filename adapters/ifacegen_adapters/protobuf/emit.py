"""Prints declarations as protobuf."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ifacegen.model import Declaration, Module
from ifacegen_adapters.protobuf.outline import shorten_doc

_INDENT = "  "
#: Statements about the file, printed without a blank line between two of a kind.
_HEAD = frozenset({"syntax", "package", "import", "option"})
#: Options that only code generators of single languages read.
_GENERATORS = (
    "java_", "go_package", "objc_class_prefix", "csharp_namespace", "php_", "ruby_package", "swift_prefix", "cc_",
    "py_generic_services", "optimize_for",
)  # fmt: skip
_BLOCKS = frozenset({"message", "oneof", "enum", "service", "extend"})


class Printer:
    """Prints with as much documentation as wanted."""

    def __init__(self, docs: str = "full", *, is_whole: bool = False) -> None:
        """``is_whole`` prints the options, too, that only code generators read."""
        self._docs = docs
        self._is_whole = is_whole

    def text(self, modules: Sequence[Module]) -> str:
        """All modules, each under a line with its name."""
        return "\n".join(f"// {module.name}\n{self.module(module)}" for module in modules)

    def module(self, module: Module) -> str:
        """One module as a file."""
        return "".join(f"{line}\n" for line in self._module(module))

    def declaration(self, declaration: Declaration) -> str:
        """One declaration with its members."""
        return "".join(f"{line}\n" for line in self._lines(declaration, ""))

    def _module(self, module: Module) -> Iterator[str]:
        doc = list(self._doc(module.doc, ""))
        if doc:
            yield from doc
            yield ""
        degraded = next((each.extra.get("degraded") for each in module.declarations[:1]), None)
        if degraded:
            yield f"// read alone, not compiled: {degraded}"
        before = ""
        for declaration in module.declarations:
            if not self._is_shown(declaration):
                continue
            if before and not (declaration.kind in _HEAD and before in (declaration.kind, "syntax")):
                yield ""
            yield from self._lines(declaration, "")
            before = declaration.kind

    def _is_shown(self, declaration: Declaration) -> bool:
        return self._is_whole or declaration.kind != "option" or not declaration.name.startswith(_GENERATORS)

    def _lines(self, declaration: Declaration, indent: str) -> Iterator[str]:
        doc = list(self._doc(declaration.doc, indent))
        behind = ""
        if len(doc) == 1 and declaration.extra.get("doc_behind") and not _has_body(declaration):
            behind, doc = "  " + doc[0].strip(), []
        yield from doc
        head = indent + declaration.signature
        if not _has_body(declaration):
            yield f"{head};{behind}"
            return
        body = list(self._body(declaration, indent + _INDENT))
        if not body:
            yield f"{head} {{}}"
            return
        if declaration.kind == "rpc" and len(body) == 1 and len(head) + len(body[0]) < 110:
            yield f"{head} {{ {body[0].strip()} }}"
            return
        yield f"{head} {{"
        yield from body
        yield f"{indent}}}"

    def _body(self, declaration: Declaration, indent: str) -> Iterator[str]:
        for option in declaration.decorators:
            yield f"{indent}{option};"
        yield from self._members(declaration.members, indent)
        if count := declaration.extra.get("members_elided"):
            yield f"{indent}// {count} {'member' if count == 1 else 'members'} elided"

    def _members(self, members: Iterable[Declaration], indent: str) -> Iterator[str]:
        """Members with more than one line stand apart from others."""
        after_block = False
        is_first = True
        for member in members:
            lines = list(self._lines(member, indent))
            is_block = len(lines) > 1
            if not is_first and (after_block or (is_block and member.kind in _BLOCKS)):
                yield ""
            yield from lines
            after_block = is_block and member.kind in _BLOCKS
            is_first = False

    def _doc(self, doc: str | None, indent: str) -> Iterator[str]:
        if not doc or self._docs == "none":
            return
        text = shorten_doc(doc) if self._docs == "first_paragraph" else doc
        for line in text.split("\n"):
            yield f"{indent}// {line}".rstrip()


def _has_body(declaration: Declaration) -> bool:
    return bool(
        declaration.kind in _BLOCKS
        or declaration.decorators
        or declaration.members
        or "group" in declaration.extra
        or "braces" in declaration.extra
        or declaration.extra.get("members_elided")
    )
