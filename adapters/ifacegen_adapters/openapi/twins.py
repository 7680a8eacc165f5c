"""Documents that are there twice: as they are written, and with every reference replaced by what it leads to."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen.model import Note
from ifacegen_adapters.openapi.encodings import utf8
from ifacegen_adapters.openapi.troubles import Troubles

_TITLE = re.compile(rb"""["']?title["']?\s*:\s*([^\n]{1,300}?)["',\r]*(?:\n|$|["'],)""")
_VERSION = re.compile(rb"""["']?version["']?\s*:\s*["']?([^\n"',}]{1,100})""")
_INFO = re.compile(rb"""(?:^|["'\s{,])info["']?\s*:""")
#: How names tell that a document was made of the one without these words.
_MADE = re.compile(
    r"[-_.](?:deref(?:erenced)?|bundled?|resolved|flat(?:tened)?|inlined?|expanded)$", re.IGNORECASE
)
#: A line of YAML that begins with a path, a method or what they are in: indentation, and what is left.
_LINE = re.compile(
    rb"""^([ \t]*)(["']?)(paths|/[^\n]*?|get|put|post|delete|options|head|patch|trace|query)\2[ \t]*:(?=[\s{])""",
    re.MULTILINE,
)
_ID = re.compile(rb"""["']?\boperationId["']?[ \t]*:[ \t]*["']?([^\n"',}]+)""")
_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"})


@dataclass(frozen=True)
class _Seen:
    """What a look at a document tells, without parsing it."""

    #: Title and version; empty where they are not found.
    about: bytes
    data: bytes

    @property
    def has_references(self) -> bool:
        return b"$ref" in self.data

    @functools.cached_property
    def operations(self) -> frozenset[str]:
        """Methods with their paths, and the ids of operations; empty where they are not found without effort."""
        found = frozenset(_of_json(self.data) if self.data.lstrip()[:1] == b"{" else _by_lines(self.data))
        ids = (match.group(1).strip().decode("utf-8", "replace") for match in _ID.finditer(self.data))
        return found.union(ids) if found else found


def without_twins(context: BuildContext, paths: Sequence[str], troubles: Troubles) -> tuple[str, ...]:
    """The documents without those that say what another one says with references."""
    if len(paths) < 2:
        return tuple(paths)
    seen = {path: _seen(context, path) for path in paths}
    kept: list[str] = []
    for path in paths:
        twin = _original(path, seen)
        if twin is None:
            kept.append(path)
        else:
            message = f"left out: {twin} has the same title, version and operations, and this was made of it"
            troubles.add(Note("info", "dereferenced-twin", message, path))
    return tuple(kept)


def _original(path: str, seen: Mapping[str, _Seen]) -> str | None:
    """The document that another one was made of: by its name, else by having references where this one has none.

    Services that take a framework's default for their title are told apart by their operations.
    """
    own = seen[path]
    if not own.about:
        return None
    alike = [each for each, other in seen.items() if each != path and other.about == own.about]
    stem = path.rpartition(".")[0]
    if (plain := _MADE.sub("", stem)) != stem:
        alike = [each for each in alike if each.rpartition(".")[0] == plain]
    elif own.has_references:
        return None
    else:
        alike = [each for each in alike if seen[each].has_references]
    return next((each for each in alike if own.operations and seen[each].operations == own.operations), None)


def _by_lines(data: bytes) -> list[str]:
    """Operations of YAML with a line to each: indentation tells which keys are paths, and which are methods."""
    found: dict[str, list[str]] = {}
    above: int | None = None
    levels: list[int] = []
    path = ""
    for match in _LINE.finditer(data):
        indent, key = len(match.group(1)), match.group(3).decode("utf-8", "replace")
        if above is None:
            above = indent if key == "paths" else None
        elif indent <= above:
            break
        elif key.startswith("/") and (not levels or indent == levels[0]):
            levels = levels or [indent]
            path = key
            found[path] = []
        elif key in _METHODS and levels and indent > levels[0]:
            levels = levels if len(levels) > 1 else [*levels, indent]
            if indent == levels[1]:
                found[path].append(f"{key} {path}")
    # What is written in another manner is not to be compared.
    return [each for own in found.values() for each in own] if all(found.values()) else []


def _of_json(data: bytes) -> Iterator[str]:
    try:
        top = json.loads(data)
    except (ValueError, RecursionError):
        return
    paths = top.get("paths") if isinstance(top, dict) else None
    for path, item in paths.items() if isinstance(paths, dict) else ():
        yield from (f"{key} {path}" for key in item if key in _METHODS) if isinstance(item, dict) else ()


def _seen(context: BuildContext, path: str) -> _Seen:
    try:
        data = utf8(context.tree.read(path).data)
    except ReadError:
        return _Seen(b"", b"")
    start = _INFO.search(data)
    about = data[start.end() : start.end() + 20_000] if start else b""
    title, version = _TITLE.search(about), _VERSION.search(about)
    both = [title.group(1).strip(b"\"' "), version.group(1).strip()] if title and version else []
    return _Seen(b"\0".join(both), data)
