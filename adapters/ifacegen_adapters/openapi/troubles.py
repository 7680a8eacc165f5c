"""Gathers notes: each with its JSON pointer, none twice, and never more than anybody reads."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from ifacegen.model import Note
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.texts import name_text

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Where in a document something stands: the place above it and its key there. None is the document.
Place: TypeAlias = "tuple[Place | None, str | int] | None"

#: Notes of one code on one file; the rest is counted. Of what is no fault one is enough.
_MOST_OF_A_KIND, _MOST_INFOS = 50, 1
_SHOWN_PARTS, _SHOWN_CHARACTERS = 14, 200


def pointer(place: Place) -> str:
    """The JSON pointer of a place (``#/paths/~1x/get``)."""
    parts: list[str] = []
    while place is not None:
        place, key = place
        parts.append(name_text(key, _SHOWN_CHARACTERS).replace("~", "~0").replace("/", "~1"))
    if len(parts) > _SHOWN_PARTS:
        parts[4:-4] = ["…"]
    return "#" + "".join(f"/{part}" for part in reversed(parts))


class Troubles:
    """What is wrong with the documents of one package."""

    def __init__(self) -> None:
        self._notes: dict[Note, None] = {}
        self._seen: set[Note] = set()
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, note: Note) -> None:
        """Keep a note, or count it where there are many like it."""
        kind = note.path, note.code
        if note in self._seen:
            return
        self._seen.add(note)
        self._counts[kind] += 1
        if self._counts[kind] <= _most(note):
            self._notes[note] = None

    def at(self, note: Note, document: Document, place: Place, node: object = None) -> None:
        """Keep a note on a place in a document; the place goes in front of its message."""
        message = f"{pointer(place)}: {note.message}"
        self.add(Note(note.severity, note.code, message, document.path, document.line(node)))

    def notes(self) -> tuple[Note, ...]:
        """All of them, in the order in which they were found."""
        return (*self._notes, *self._rest())

    def _rest(self) -> Iterator[Note]:
        shown = Counter((note.path, note.code) for note in self._notes)
        for (path, code), count in sorted(self._counts.items()):
            if count > shown[path, code]:
                more = f"{count - shown[path, code]:,} more of this kind in the file"
                yield Note("info", code, more, path)


def _most(note: Note) -> int:
    return _MOST_INFOS if note.severity == "info" else _MOST_OF_A_KIND
