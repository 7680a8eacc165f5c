"""What stands above a view's text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ifacegen.model import Interface, Note, TokenCounts

#: What begins the line of a note.
NOTE = "# note: "
#: Notes printed in a header; the rest is counted, and whole in the JSON.
_MOST_NOTES = 12


def header(
    package: str, tokens: TokenCounts, interfaces: Sequence[Interface], notes: Sequence[Note]
) -> tuple[str, ...]:
    """The lines above a view's body: its size, where it comes from, what to know about it."""
    return tuple(_header(package, tokens, interfaces, notes))


def _header(
    package: str, tokens: TokenCounts, interfaces: Sequence[Interface], notes: Sequence[Note]
) -> Iterator[str]:
    yield (
        f"# {package} — interface view, {tokens.view:,} tokens "
        f"(implementation: {tokens.implementation:,}; {tokens.encoding})"
    )
    for interface in interfaces:
        count = len(interface.paths)
        files = f"{count} {'file' if count == 1 else 'files'}"
        # Of what was generated, the versions of the tools are in the JSON: no caller reads them.
        by = f"; {interface.tool}" if interface.kind == "published" else ""
        yield f"# {interface.adapter}: {interface.kind} from {files}{by}"
    for note in notes[:_MOST_NOTES]:
        yield f"{NOTE}{_one_line(str(note))}"
    if len(notes) > _MOST_NOTES:
        yield f"{NOTE}{len(notes) - _MOST_NOTES} more notes; `--format json` has them all"


def part_header(package: str, address: str, module: str | None, tokens: int) -> str:
    """The header of a part of a package's view; ``module`` where one was asked for besides the address."""
    part = f"{address}, module {module}" if module else address
    view = "its interface view" if address == package else f"the interface view of {package}"
    return f"# {part} — from {view}, {tokens:,} tokens"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def joined(parts: Sequence[tuple[str, str, str]]) -> str:
    """The text of a view's interfaces: (what begins a comment, the ecosystem, its text) of each, in their order.

    Where there are several, each is a section with a line above it that says which it is.
    """
    parts = [each for each in parts if each[2]]
    if len(parts) < 2:
        return "".join(text for _, _, text in parts)
    sections = (f"{comment} === {name} ===\n\n{text}" for comment, name, text in parts)
    return "\n\n".join(sections)


def outline_header(
    title: str, tokens: int, package: str, view: TokenCounts, rest: Sequence[str]
) -> tuple[str, ...]:
    """The header of an outline: its size beside the whole view's.

    Args:
        title: What it is an outline of, as it was asked for.
        tokens: Its size.
        package: The package's path.
        view: The sizes of the package's whole view.
        rest: What the view's own header says below its first line.
    """
    whole = "the interface view" if title == package else f"the interface view of {package}"
    first = (
        f"# {title} — outline, {tokens:,} tokens, of {whole} "
        f"({view.view:,}; implementation: {view.implementation:,}; {view.encoding})"
    )
    return (first, *rest)


def without_notes(header: Sequence[str], count: int) -> tuple[str, ...]:
    """A header with the number of its notes in their place."""
    kept = tuple(line for line in header if not line.startswith(NOTE))
    return (
        (*kept, f"# {count} {'note' if count == 1 else 'notes'}: `--format json` has them") if count else kept
    )
