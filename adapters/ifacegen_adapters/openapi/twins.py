"""Documents that are there twice: as they are written, and with every reference replaced by what it leads to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a look at a document tells, without parsing it."""

    #: Title and version; empty where they are not found.
    about: bytes
    has_references: bool


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
            message = f"left out: {twin} has the same title and version, and this was made of it"
            troubles.add(Note("info", "dereferenced-twin", message, path))
    return tuple(kept)


def _original(path: str, seen: Mapping[str, _Seen]) -> str | None:
    """The document that another one was made of: by its name, else by having references where this one has none."""
    own = seen[path]
    if not own.about:
        return None
    alike = [each for each, other in seen.items() if each != path and other.about == own.about]
    stem = path.rpartition(".")[0]
    if (plain := _MADE.sub("", stem)) != stem:
        return next((each for each in alike if each.rpartition(".")[0] == plain), None)
    return None if own.has_references else next((each for each in alike if seen[each].has_references), None)


def _seen(context: BuildContext, path: str) -> _Seen:
    try:
        data = utf8(context.tree.read(path).data)
    except ReadError:
        return _Seen(b"", False)
    start = _INFO.search(data)
    about = data[start.end() : start.end() + 20_000] if start else b""
    title, version = _TITLE.search(about), _VERSION.search(about)
    both = title.group(1).strip() + b"\0" + version.group(1).strip() if title and version else b""
    return _Seen(both, b"$ref" in data)
