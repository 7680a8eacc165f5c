"""The view as text: a header composed when read, then the body as it is stored."""

from __future__ import annotations

from collections.abc import Iterator

from ifacegen.model import Declaration, View

#: Notes printed in a header; the rest is counted, and whole in the JSON.
_MOST_NOTES = 12


def view_text(view: View) -> str:
    """Header, a blank line, body. All of it is valid in the view's own language where ``#`` starts a comment."""
    return "\n".join(_header(view)) + "\n\n" + view.body


def _header(view: View) -> Iterator[str]:
    tokens = view.tokens
    yield (
        f"# {view.package} — interface view, {tokens.view:,} tokens "
        f"(implementation: {tokens.implementation:,}; {tokens.encoding})"
    )
    for interface in view.interfaces:
        count = len(interface.paths)
        files = f"{count} {'file' if count == 1 else 'files'}"
        yield f"# {interface.adapter}: {interface.kind} from {files}; {interface.tool}"
    if view.commit:
        yield f"# at commit {view.commit}"
    for note in view.notes[:_MOST_NOTES]:
        yield f"# note: {_one_line(str(note))}"
    if len(view.notes) > _MOST_NOTES:
        yield f"# note: {len(view.notes) - _MOST_NOTES} more notes; `--format json` has them all"


def part_header(view: View, address: str, declarations: tuple[Declaration, ...]) -> str:
    """The header of a part of a view."""
    tokens = sum(each.tokens for each in declarations)
    return f"# {address} — from the interface view of {view.package}, {tokens:,} tokens"


def _one_line(text: str) -> str:
    return " ".join(text.split())
