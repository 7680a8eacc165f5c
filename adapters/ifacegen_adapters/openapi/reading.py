"""What all readers of one document share: checked access to its parts, and small things printed in one way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ifacegen.model import Note, Severity
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.library import Library
from ifacegen_adapters.openapi.naming import Names, Root
from ifacegen_adapters.openapi.texts import kind_of, name_text, one_line, quoted, word
from ifacegen_adapters.openapi.troubles import Place, Troubles
from ifacegen_adapters.openapi.types import Types


@dataclass(frozen=True, slots=True)
class Reading:
    """One document that is read."""

    root: Root
    names: Names
    library: Library
    troubles: Troubles
    types: Types

    def note(
        self, code: str, message: str, document: Document, place: Place, severity: Severity = "warning"
    ) -> None:
        """Say what is wrong with a place in a document."""
        self.troubles.at(Note(severity, code, message), document, place)

    def mapping(self, value: Any, document: Document, place: Place) -> dict[str, Any]:
        """A mapping that should be there; an empty one, and a note, for anything else."""
        if isinstance(value, dict):
            return value
        if value is not None:
            self.note("invalid", f"must be a mapping, not {kind_of(value)}", document, place)
        return {}

    def sequence(self, value: Any, document: Document, place: Place) -> list[Any]:
        """A list that should be there; an empty one, and a note, for anything else."""
        if isinstance(value, list):
            return value
        if value is not None:
            self.note("invalid", f"must be a list, not {kind_of(value)}", document, place)
        return []

    def security(self, value: Any, document: Document, place: Place) -> str:
        """What has to be presented, any one of several: ``bearer | oauth[read, write]``; ``none`` if nothing."""
        ways: list[str] = []
        for number, each in enumerate(self.sequence(value, document, place)):
            schemes = self.mapping(each, document, (place, number))
            ways.append(" & ".join(_scheme(name, scopes) for name, scopes in schemes.items()) or "none")
        return " | ".join(dict.fromkeys(ways)) or "none"

    def servers(self, value: Any, document: Document, place: Place) -> tuple[str, ...]:
        """The addresses at which the service is to be found."""
        urls: list[str] = []
        for number, each in enumerate(self.sequence(value, document, (place, "servers"))):
            server = self.mapping(each, document, ((place, "servers"), number))
            if isinstance(server.get("url"), str):
                urls.append(name_text(server["url"]) + _variables(server.get("variables")))
        return tuple(dict.fromkeys(urls))


def _variables(value: Any) -> str:
    """What the braces of an address stand for."""
    texts: list[str] = []
    for name, each in value.items() if isinstance(value, dict) else ():
        node = each if isinstance(each, dict) else {}
        choices = node.get("enum")
        choice = (
            " | ".join(map(name_text, choices)) if isinstance(choices, list) and len(choices) < 20 else ""
        )
        default = (
            f" = {name_text(node['default']) if node['default'] != '' else quoted('')}"
            if "default" in node
            else ""
        )
        texts.append(f"{name_text(name)}{f': {choice}' if choice else ''}{default}")
    return f" ({', '.join(texts)})" if texts else ""


def _scheme(name: str, scopes: Any) -> str:
    words = [one_line(each) for each in scopes if isinstance(each, str)] if isinstance(scopes, list) else []
    return word(name_text(name)) + (f"[{', '.join(words)}]" if words else "")
