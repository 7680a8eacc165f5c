"""What readers of a view are told: of files that could not be read as they are, and of names that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ifacegen.model import Note
from ifacegen_adapters.typescript.facts import Trouble
from ifacegen_adapters.typescript.names import Names
from ifacegen_adapters.typescript.program import File, Program


def file_notes(program: Program) -> Iterator[Note]:
    """Of each file, one note for each kind of trouble that reading it made."""
    for path, file in sorted(program.files.items()):
        found = sorted(file.facts.troubles, key=lambda each: each.code)
        for code, group in groupby(found, key=lambda each: each.code):
            yield _note(code, list(group), path)


def _note(code: str, troubles: list[Trouble], path: str) -> Note:
    first = min(troubles, key=lambda each: each.line)
    others = len(troubles) - 1
    more = f", and {others} more in this file" if others else ""
    return Note("warning", code, f"{first.message}{more}", path, first.line)


def name_notes(program: Program, names: Names) -> Iterator[Note]:
    """Of names that lead nowhere, or to several things."""
    for file in program.files.values():
        yield from _stars(program, file)
        yield from _exports(program, names, file)
    for space, name in names.ambiguous:
        message = f"two `export *` give {name} different meanings: nobody can import it from here"
        yield Note("warning", "name-clash", message, space.path)


def internal_note(names: Iterable[str], path: str) -> Iterator[Note]:
    """Of names that nobody outside is to use, as their tags say."""
    found = sorted(set(names))
    if found:
        shown = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        count = f"{len(found)} exported name{'s' if len(found) > 1 else ''}"
        message = f"{count} tagged @internal {'are' if len(found) > 1 else 'is'} left out: {shown}"
        yield Note("info", "internal-left-out", message, path)


#: Names of what is left out that a note lists.
_SHOWN = 8


def _stars(program: Program, file: File) -> Iterator[Note]:
    for export in file.facts.exports:
        if export.name == "*" and export.module and program.target(export.module, file.path) is None:
            message = f"export * from {export.module!r}: no such file, so its names are not listed"
            yield Note("warning", "star-unresolved", message, file.path, export.line)


def _exports(program: Program, names: Names, file: File) -> Iterator[Note]:
    for export in file.facts.exports:
        if export.name in ("*", "") or export.kind == "umd":
            continue
        if export.module and program.target(export.module, file.path) is None:
            message = f"{export.name} is exported from {export.module!r}, where nothing is"
            yield Note("warning", "unresolved-name", message, file.path, export.line)
        elif file.facts.is_module and not names.links(file.unit.space, export.name):
            message = f"{export.name} is exported, but declared nowhere in the package"
            yield Note("warning", "unresolved-name", message, file.path, export.line)
