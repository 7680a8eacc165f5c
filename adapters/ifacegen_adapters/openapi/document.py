"""One file of an interface: its bytes parsed, whatever is wrong with it kept as problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen.model import Severity
from ifacegen_adapters.openapi.encodings import decoded
from ifacegen_adapters.openapi.texts import Numeral, name_text
from ifacegen_adapters.openapi.values import MOST_LEVELS, integer

#: Characters that no YAML text may hold.
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_TOO_DEEP = f"nested too deep: what is over {MOST_LEVELS} levels down is left out"
#: Duplicate keys that are named; the rest is counted.
_MOST_NAMED = 5
#: Bytes of a file that is still read.
_LARGEST = 128 << 20


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file."""

    code: str
    message: str
    line: int = 0
    severity: Severity = "warning"


@dataclass(slots=True)
class Document:
    """A parsed file."""

    path: str
    blob: str = ""
    value: Any = None
    problems: tuple[Problem, ...] = ()
    #: id of a mapping or list → its line, for what YAML had.
    lines: Mapping[int, int] = field(default_factory=dict)
    #: Whether a value may be in several places, or in itself.
    has_aliases: bool = False
    #: The text, for counting it.
    text: str = ""

    def line(self, node: object) -> int:
        """Where a part of it stands; 0 if that is not known."""
        return self.lines.get(id(node), 0)


def read_document(context: BuildContext, path: str) -> Document:
    """Read and parse a file; what cannot be read has problems and no value."""
    try:
        blob_id = context.tree.id(path)
        if reason := context.unreadable.get(blob_id):
            return Document(path, blob_id, problems=(Problem("crashed", reason, severity="error"),))
        blob = context.tree.read(path)
    except ReadError as error:
        return Document(path, problems=(Problem("read-failed", error.reason, severity="error"),))
    if len(blob.data) > _LARGEST:
        reason = f"{len(blob.data):,} bytes, over {_LARGEST:,}: not read"
        return Document(path, blob.id, problems=(Problem("unreadable", reason, severity="error"),))
    return parse(path, blob.id, blob.data)


def parse(path: str, blob_id: str, data: bytes) -> Document:
    """Parse the bytes of a file, as JSON if they look like it, else as YAML."""
    text, assumed = decoded(data)
    problems = [Problem("encoding", assumed)] if assumed else []
    document = Document(path, blob_id, text=text)
    is_json = text[:1_000].lstrip()[:1] in ("{", "[")
    strict = _json(text, document, problems) if is_json else "not tried"
    is_yaml = not is_json or (not path.endswith(".json") and strict != _TOO_DEEP)
    if strict and is_yaml:
        _yaml(text, document, problems)
    elif strict:
        _broken_json(text, document, strict, problems)
    document.problems = tuple(problems)
    return document


def _json(text: str, document: Document, problems: list[Problem]) -> str:
    """Fill the document from JSON; what is wrong with it where it is none."""
    twice: list[str] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            keys = [key for key, _ in pairs]
            twice.extend(key for key in made if keys.count(key) > 1) if len(keys) < 1_000 else twice.append(
                "…"
            )
        return made

    try:
        document.value = json.loads(
            text, object_pairs_hook=mapping, parse_float=Numeral, parse_int=integer, parse_constant=Numeral
        )
    except RecursionError:
        return _TOO_DEEP
    except json.JSONDecodeError as error:
        return f"{error.lineno}:{error.msg}"
    problems.extend(_duplicates((key, 0) for key in twice))
    return ""


def _duplicates(found: Iterator[tuple[str, int]] | list[tuple[str, int]]) -> Iterator[Problem]:
    for number, (key, line) in enumerate(found):
        if number < _MOST_NAMED:
            message = f"the key {name_text(key)} is there twice in one mapping; the last one counts"
            yield Problem("duplicate-key", message, line)
        elif number == _MOST_NAMED:
            yield Problem("duplicate-key", "more keys are there twice", line)


def _broken_json(text: str, document: Document, why: str, problems: list[Problem]) -> None:
    from ifacegen_adapters.openapi.rescue import rescue

    document.value, stopped = rescue(text)
    if why == _TOO_DEEP:
        problems.append(Problem("too-deep", why))
        return
    line, _, reason = why.partition(":")
    if stopped < 0:
        message = f"no JSON by its standard ({reason}), read nevertheless"
        problems.append(Problem("parse-error", message, int(line)))
        return
    # Within a string that has no end, or within a word.
    is_cut = len(text) - stopped < len("false") or text[stopped] == '"'
    if is_cut:
        message = (
            "the file ends in the middle of JSON: what it holds is shown, the last of it may be incomplete"
        )
    else:
        message = f"broken JSON ({reason}): what stands before is shown, nothing of what follows"
    at = text.count("\n", 0, len(text) if is_cut else stopped) + 1
    problems.append(Problem("parse-error", message, at, "error"))


def _yaml(text: str, document: Document, problems: list[Problem]) -> None:
    from ifacegen_adapters.openapi.yamlvalues import load

    text, replaced = _NOT_YAML.subn("\ufffd", text)
    if replaced:
        problems.append(
            Problem("encoding", f"{replaced:,} control characters, which YAML may not hold, replaced")
        )
    loaded = load(text)
    mappings = [root for root in loaded.roots if isinstance(root, dict)]
    described = [root for root in mappings if "openapi" in root or "swagger" in root]
    document.value = next(iter(described or mappings or loaded.roots), None)
    document.lines, document.has_aliases = loaded.lines, loaded.has_aliases
    problems.extend(_duplicates(loaded.duplicates))
    problems.extend(
        Problem("complex-key", "a key that is a mapping or a list cannot be named", line)
        for line in loaded.odd_keys[:_MOST_NAMED]
    )
    if loaded.is_too_deep:
        problems.append(Problem("too-deep", _TOO_DEEP))
    if len(loaded.roots) > 1:
        message = f"{len(loaded.roots)} YAML documents in one file: only one is shown"
        problems.append(Problem("several-documents", message))
    if loaded.fault:
        is_cut = loaded.fault_line > text.count("\n")
        what = "the file ends in the middle of YAML" if is_cut else f"broken YAML ({loaded.fault})"
        message = f"{what}: what stands before is shown, the last of it may be incomplete"
        problems.append(Problem("parse-error", message, loaded.fault_line, "error"))
