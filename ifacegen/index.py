"""The index of views: where a tree's views lie, as line records that any language can read.

``index/<configuration id>/<tree id>-<16 hex of sha256(package path)>`` holds candidates, the newest last::

    view GENERATOR
    json KEY
    text KEY
    layout ID           one line for each package layout it was found right under
    input ID MODULE PATH  a module outside the package that it was made from (`%20` for a space in its name)
    absent PATH         nothing may be there
    unknown MODULE      a module that was looked for and that no package of the repository has
    around DIGEST       it depends on more than these lines tell (links and sources outside its directory)

``docs/cache-format.md`` spells it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

#: Candidates kept in one record, and layouts kept of one candidate.
MOST_CANDIDATES, MOST_LAYOUTS = 8, 6
_KEY = re.compile(r"[0-9a-f]{64}\Z")
_QUOTED = (("%", "%25"), (" ", "%20"), ("\n", "%0A"))
_WORDS = ("view", "json", "text", "layout", "input", "absent", "unknown", "around")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A view that fits a package's tree if its inputs are what they were."""

    generator: str
    json_key: str
    text_key: str
    layouts: tuple[str, ...] = ()
    #: Module → (path, git id), or None where no package has it.
    consulted: Mapping[str, tuple[str, str] | None] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    #: Digest of what else lies around the package and bears on its view; empty for most packages.
    around: str = ""

    def inputs(self) -> Iterator[tuple[str, str]]:
        """(path, git id) of all that lies outside the package."""
        yield from (each for each in self.consulted.values() if each is not None)


def format_record(candidates: Iterable[Candidate]) -> bytes:
    """A record's text, the newest candidate last.

    Raises:
        ValueError: A path or name has a line end in it, which no line record can hold.
    """
    lines = [line for each in [*candidates][-MOST_CANDIDATES:] for line in _lines(each)]
    if any("\n" in line for line in lines):
        raise ValueError("a line end in a name")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def quote(name: str) -> str:
    """A consulted name as one word: not every ecosystem's names are words."""
    for each, code in _QUOTED:
        name = name.replace(each, code)
    return name


def _unquoted(name: str) -> str:
    for each, code in reversed(_QUOTED):
        name = name.replace(code, each)
    return name


def _lines(candidate: Candidate) -> Iterator[str]:
    yield f"view {candidate.generator}"
    yield f"json {candidate.json_key}"
    yield f"text {candidate.text_key}"
    yield from (f"layout {each}" for each in candidate.layouts[-MOST_LAYOUTS:])
    for module, found in sorted(candidate.consulted.items()):
        name = quote(module)
        yield f"input {found[1]} {name} {found[0]}" if found is not None else f"unknown {name}"
    if candidate.around:
        yield f"around {candidate.around}"
    yield from (f"absent {path}" for path in candidate.absent)


def parse_record(data: bytes) -> list[Candidate]:
    """The candidates of a record, the newest first; one with a line that is not understood is none."""
    blocks: list[list[str]] = []
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        if line.startswith("view "):
            blocks.append([])
        if line and blocks:
            blocks[-1].append(line)
    found: list[Candidate] = []
    for block in reversed(blocks):
        with suppress(ValueError, IndexError, KeyError):
            found.append(_candidate(block))
    return found


def _candidate(lines: list[str]) -> Candidate:
    fields: dict[str, list[str]] = {word: [] for word in _WORDS}
    for line in lines:
        word, _, rest = line.partition(" ")
        fields[word].append(rest)
    consulted: dict[str, tuple[str, str] | None] = dict.fromkeys(map(_unquoted, fields["unknown"]))
    for each in fields["input"]:
        object_id, module, path = each.split(" ", 2)
        consulted[_unquoted(module)] = (path, object_id)
    if not all(_KEY.match(each[0]) for each in (fields["json"], fields["text"])):
        raise ValueError("no key")
    return Candidate(
        fields["view"][0],
        fields["json"][0],
        fields["text"][0],
        tuple(fields["layout"]),
        consulted,
        tuple(fields["absent"]),
        fields["around"][0] if fields["around"] else "",
    )
