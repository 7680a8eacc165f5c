"""What readers of a view are told: of files that could not be read as they are, and of names that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ifacegen.model import Note
from ifacegen_adapters.typescript.facts import Trouble
from ifacegen_adapters.typescript.names import Names
from ifacegen_adapters.typescript.program import File, Program
from ifacegen_adapters.typescript.shelves import Places
from ifacegen_adapters.typescript.spaces import Space


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


def name_notes(program: Program, names: Names, places: Places) -> Iterator[Note]:
    """Of names that lead nowhere, or to several things."""
    told: set[str] = set()
    for file in program.files.values():
        yield from _stars(program, file)
        for note in _exports(program, names, file):
            told.add(note.message.partition(" ")[0])
            yield note
    for space, name in places.nowhere:
        if (space, name) not in names.ambiguous and name not in told:
            yield Note("warning", "unresolved-name", f"{name} is exported, but declared nowhere", space.path)
    for (path, specifier), line in program.missing.items():
        if not _is_exported_from(program, path, specifier):
            message = (
                f"{specifier!r} is imported, but not there: names from it are spelled as they are written"
            )
            yield Note("warning", "unresolved-name", message, path, line)
    for space, name in names.ambiguous:
        if space not in places.of_space:
            continue
        message = f"two `export *` give {name} different meanings: nobody can import it from here"
        yield Note("warning", "name-clash", message, space.path)


def _is_exported_from(program: Program, path: str, specifier: str) -> bool:
    """Whether a statement re-exports from there, which is told by itself."""
    file = program.files.get(path)
    return file is not None and any(each.module == specifier for each in file.facts.exports)


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
        if export.module:
            target = program.target(export.module, file.path)
            if target is None:
                message = f"{export.name} is exported from {export.module!r}, where nothing is"
            elif isinstance(target, Space) and export.local != "*" and not names.has(target, export.local):
                message = f"{export.name} is exported from {export.module!r}, which has no {export.local}"
            else:
                continue
        elif not file.facts.is_module or names.is_known(file.unit, export.local.partition(".")[0]):
            continue
        else:
            message = f"{export.name} is exported, but {export.local} is declared nowhere in the file"
        yield Note("warning", "unresolved-name", message, file.path, export.line)
