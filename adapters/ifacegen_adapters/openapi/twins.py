"""Documents that are there twice, once with every reference replaced by what it leads to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen.model import Note
from ifacegen_adapters.openapi.encodings import utf8
from ifacegen_adapters.openapi.troubles import Troubles

_TITLE = re.compile(rb"""["']?title["']?\s*:\s*([^\n]{1,300}?)["',\r]*(?:\n|$|["'],)""")
_VERSION = re.compile(rb"""["']?version["']?\s*:\s*["']?([^\n"',}]{1,100})""")
_INFO = re.compile(rb"""(?:^|["'\s{,])info["']?\s*:""")


def without_twins(context: BuildContext, paths: Sequence[str], troubles: Troubles) -> tuple[str, ...]:
    """The documents without those that say what another one says with references."""
    if len(paths) < 2:
        return tuple(paths)
    described = {path: _described(context, path) for path in paths}
    originals = {about: path for path, (about, refers) in reversed(described.items()) if refers and about}
    kept: list[str] = []
    for path, (about, refers) in described.items():
        twin = originals.get(about) if about and not refers else None
        if twin is None:
            kept.append(path)
        else:
            message = f"left out: {twin} has the same title and version, and references instead of copies"
            troubles.add(Note("info", "dereferenced-twin", message, path))
    return tuple(kept)


def _described(context: BuildContext, path: str) -> tuple[bytes, bool]:
    """Title and version of a document, and whether it has references; found without parsing it."""
    try:
        data = utf8(context.tree.read(path).data)
    except ReadError:
        return b"", False
    start = _INFO.search(data)
    about = data[start.end() : start.end() + 20_000] if start else b""
    title, version = _TITLE.search(about), _VERSION.search(about)
    if not title or not version:
        return b"", False
    return title.group(1).strip() + b"\0" + version.group(1).strip(), b"$ref" in data
