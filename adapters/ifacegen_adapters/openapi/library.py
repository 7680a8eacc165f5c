"""The files that documents are made of, and what their references lead to.

References stay inside the repository: what lies elsewhere is named and never fetched.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from ifacegen.adapter import BuildContext
from ifacegen.model import Note
from ifacegen_adapters.openapi.consulted import input_name
from ifacegen_adapters.openapi.document import Document, read_document
from ifacegen_adapters.openapi.texts import kind_of, name_text
from ifacegen_adapters.openapi.troubles import Place, Troubles

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
#: References that may lead to each other in a row.
_MOST_HOPS = 50
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Found:
    """Where a reference leads."""

    node: Any
    document: Document
    place: Place
    #: File and pointer in one: the same for every spelling of the reference.
    key: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A reference that leads to nothing that can be shown."""

    #: What is printed instead.
    text: str


class Library:
    """Documents by path, each read once."""

    def __init__(self, context: BuildContext, troubles: Troubles) -> None:
        self._context = context
        self._troubles = troubles
        self._documents: dict[str, Document | None] = {}
        self._found: dict[tuple[str, str], Found | Elsewhere] = {}
        owner = context.package.path
        self._prefix = "" if owner == "." else f"{owner}/"
        self._nested = tuple(
            f"{each.path}/"
            for each in context.packages
            if each.path not in (".", owner) and f"{each.path}/".startswith(self._prefix)
        )
        self.consulted: dict[str, tuple[str, str] | None] = {}
        self.absent: dict[str, None] = {}

    def document(self, path: str) -> Document | None:
        """A file of the repository, parsed; None where there is none."""
        if path not in self._documents:
            self._documents[path] = self._read(path)
        return self._documents[path]

    def own(self) -> Mapping[str, Document]:
        """The files of the package that were read, by path."""
        return {
            path: document
            for path, document in sorted(self._documents.items())
            if document is not None and self.is_own(path)
        }

    def is_own(self, path: str) -> bool:
        """Whether a file belongs to the package."""
        return path.startswith(self._prefix) and not path.startswith(self._nested)

    def _read(self, path: str) -> Document | None:
        is_there = path in self._context.tree
        document = read_document(self._context, path) if is_there else None
        if not self.is_own(path):
            self.consulted[input_name(path)] = (path, document.blob) if document else None
            if not is_there:
                self.absent[path] = None
        for problem in document.problems if document else ():
            self._troubles.add(Note(problem.severity, problem.code, problem.message, path, problem.line))
        return document

    def resolve(self, reference: object, document: Document, place: Place) -> Found | Elsewhere:
        """What a reference leads to; ``place`` is its own, for the note on what is wrong with it."""
        if not isinstance(reference, str):
            message = f"a reference must be a string, not {kind_of(reference)}"
            self._note("ref-unresolved", message, document, place)
            return Elsewhere("unknown")
        known = self._found.get((document.path, reference))
        if known is None:
            known = self._resolved(reference, document, place)
            if isinstance(known, Found):
                self._found[document.path, reference] = known
        return known

    def follow(self, node: Any, document: Document, place: Place) -> Found | None:
        """A node, or whatever its ``$ref`` leads to in the end; None where that is nothing."""
        found = Found(node, document, place, (document.path, ""))
        for _ in range(_MOST_HOPS):
            if not isinstance(found.node, dict) or "$ref" not in found.node:
                return found
            next_ = self.resolve(found.node["$ref"], found.document, (found.place, "$ref"))
            if isinstance(next_, Elsewhere):
                return None
            found = next_
        self._note("ref-unresolved", "the reference leads back to itself", document, place)
        return None

    def _resolved(self, reference: str, document: Document, place: Place) -> Found | Elsewhere:
        file, _, fragment = reference.partition("#")
        if _SCHEME.match(file):
            message = f"{name_text(reference)} is not in the repository: shown by its address, never fetched"
            self._note("ref-remote", message, document, place, "info")
            return Elsewhere(f"<{name_text(reference)}>")
        target: Document | None = document
        if file:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), unquote(file)))
            if path.startswith(("/", "../")) or path == "..":
                self._note(
                    "ref-unresolved", f"{name_text(reference)} leads out of the repository", document, place
                )
                return Elsewhere("unknown")
            target = self.document(path)
        if target is None:
            self._note("ref-unresolved", f"{name_text(reference)}: there is no such file", document, place)
            return Elsewhere("unknown")
        node, parts = self._part(target, unquote(fragment))
        if node is _MISSING:
            where = f" in {target.path}" if file else ""
            self._note("ref-unresolved", f"{name_text(reference)} names nothing{where}", document, place)
            return Elsewhere("unknown")
        at: Place = None
        for part in parts:
            at = at, part
        key = target.path, "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in parts)
        return Found(node, target, at, key)

    def _part(self, document: Document, fragment: str) -> tuple[Any, list[str]]:
        if not fragment.startswith("/"):
            return self._anchored(document, fragment) if fragment else (document.value, [])
        parts = [part.replace("~1", "/").replace("~0", "~") for part in fragment[1:].split("/")]
        node = document.value
        for part in parts:
            if isinstance(node, dict):
                node = node.get(part, _MISSING)
            elif isinstance(node, list) and part.isdecimal() and len(part) < 9:
                node = node[int(part)] if int(part) < len(node) else _MISSING
            else:
                node = _MISSING
            if node is _MISSING:
                return _MISSING, parts
        return node, parts

    @staticmethod
    def _anchored(document: Document, name: str) -> tuple[Any, list[str]]:
        """The schema with that ``$anchor`` among the named ones."""
        top = document.value if isinstance(document.value, dict) else {}
        components = top.get("components")
        named = components.get("schemas") if isinstance(components, dict) else None
        places = [(["components", "schemas"], named)]
        places += [([word], top.get(word)) for word in ("$defs", "definitions")]
        for above, schemas in places:
            for key, schema in schemas.items() if isinstance(schemas, dict) else ():
                if isinstance(schema, dict) and name in (schema.get("$anchor"), schema.get("$dynamicAnchor")):
                    return schema, [*above, key]
        return _MISSING, []

    def _note(
        self, code: str, message: str, document: Document, place: Place, severity: Any = "warning"
    ) -> None:
        self._troubles.at(Note(severity, code, message), document, place)
