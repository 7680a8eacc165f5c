"""Facts as bytes and back, exactly: JSON lists, one value after another in the order of the fields.

A list ends where only defaults would follow. Texts are lists of their pieces: a string, a list with a mention's
values, a list with one comment.
"""

from __future__ import annotations

import json
from typing import Any

from ifacegen_adapters.typescript.facts import (
    Doc,
    Export,
    Fact,
    FileFacts,
    Import,
    Meaning,
    ParameterFact,
    Ref,
    Text,
    Trouble,
)

#: Raised whenever the layout changes.
LAYOUT = 5

_MEANINGS: tuple[Meaning, ...] = ("type", "value", "namespace")
_MEANING_NUMBERS = {"type": 0, "value": 1, "namespace": 2}


class Malformed(Exception):
    """Bytes that are no facts of a file."""


def encode(facts: FileFacts) -> bytes:
    """Facts as bytes; equal facts give equal bytes."""
    row = [
        [_fact(each) for each in facts.declarations],
        [_import(each) for each in facts.imports],
        [_export(each) for each in facts.exports],
        facts.doc,
        facts.is_module,
        facts.references,
        [[each.code, each.message, each.line] for each in facts.troubles],
        facts.is_inferred,
        facts.extra,
    ]
    return json.dumps(row, ensure_ascii=False, check_circular=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def decode(data: bytes) -> FileFacts:
    """Facts from bytes.

    Raises:
        Malformed: The bytes are anything else.
    """
    try:
        row = json.loads(data.decode("utf-8", "surrogatepass"))
        declarations, imports, exports, doc, is_module, references, troubles, is_inferred, extra = row
        return FileFacts(
            tuple([_read_fact(each) for each in declarations]),
            tuple([Import(*each) for each in imports]),
            tuple([Export(*each) for each in exports]),
            _text_or_none(doc),
            bool(is_module),
            tuple([(str(kind), str(value)) for kind, value in references]),
            tuple([Trouble(str(code), str(message), int(line)) for code, message, line in troubles]),
            bool(is_inferred),
            {str(key): str(value) for key, value in extra.items()},
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Malformed(str(error)) from error


def _text_or_none(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


# --- Writing ----------------------------------------------------------------------------------------


def _text(text: Text | None) -> Any:
    """A text; of one string, the string itself."""
    if text is None:
        return None
    if len(text) == 1 and type(text[0]) is str:
        return text[0]
    return [_piece(each) for each in text]


def _piece(piece: Any) -> Any:
    if isinstance(piece, Doc):
        return [piece.text]
    if isinstance(piece, Ref):
        number = _MEANING_NUMBERS[piece.meaning]
        if piece.module:
            return [number, piece.name, piece.module, *piece.path]
        return [number + 3, piece.name, *piece.path]
    return piece


def _trimmed(row: list[Any], defaults: tuple[Any, ...], start: int) -> list[Any]:
    end = len(row)
    while end > start and row[end - 1] == defaults[end - 1 - start]:
        end -= 1
    del row[end:]
    return row


_FLAGS = (
    "is_exported",
    "is_default",
    "is_static",
    "is_abstract",
    "is_async",
    "is_optional",
    "is_internal",
)
_FACT_DEFAULTS: tuple[Any, ...] = (0, None, [], [], None, None, [], None, None, (), "", None, "", [], [])


def _fact(fact: Fact) -> list[Any]:
    flags = 0
    for bit, name in enumerate(_FLAGS):
        if getattr(fact, name):
            flags |= 1 << bit
    row = [
        fact.kind,
        fact.name,
        _text(fact.header),
        fact.line,
        fact.end_line,
        flags,
        fact.doc,
        [_fact(each) for each in fact.members],
        [_parameter(each) for each in fact.parameters],
        _text(fact.returns),
        _text(fact.type),
        [_text(each) for each in fact.bases],
        _text(fact.type_params),
        fact.value,
        fact.decorators,
        fact.access,
        fact.deprecated,
        fact.degraded,
        [_import(each) for each in fact.imports],
        [_export(each) for each in fact.exports],
    ]
    return _trimmed(row, _FACT_DEFAULTS, 5)


def _parameter(each: ParameterFact) -> list[Any]:
    return _trimmed([each.name, each.kind, _text(each.annotation), each.default], (None, None), 2)


def _import(each: Import) -> list[Any]:
    row = [each.module, each.name, each.local, each.is_type, each.is_exported, each.line]
    return _trimmed(row, (False, False, 0), 3)


def _export(each: Export) -> list[Any]:
    row = [each.name, each.local, each.module, each.is_type, each.kind, each.line, each.doc]
    return _trimmed(row, ("", False, "", 0, None), 2)


# --- Reading ----------------------------------------------------------------------------------------


def _read_text(value: Any) -> Text | None:
    if value is None:
        return None
    if type(value) is str:
        return (value,)
    return tuple([each if type(each) is str else _read_piece(each) for each in value])


def _read_piece(value: list[Any]) -> Ref | Doc:
    first = value[0]
    if type(first) is str:
        return Doc(first)
    if first >= 3:
        return Ref(value[1], tuple(value[2:]), _MEANINGS[first - 3])
    return Ref(value[1], tuple(value[3:]), _MEANINGS[first], value[2])


def _read_parameter(kind: Any, name: Any, annotation: Any = None, default: Any = None) -> ParameterFact:
    return ParameterFact(kind, name, _read_text(annotation), default)


def _read_fact(row: list[Any]) -> Fact:
    kind, name, header, line, end_line, *rest = row
    flags, doc, members, parameters, returns, type_, bases, type_params, value, decorators, access, *last = (
        *rest, *_FACT_DEFAULTS[len(rest) :],
    )  # fmt: skip
    deprecated, degraded, imports, exports = last
    text = _read_text(header)
    if type(kind) is not str or type(name) is not str or text is None:
        raise TypeError("no kind, name or header")
    return Fact(
        kind,
        name,
        text,
        tuple([_read_parameter(*each) for each in parameters]) if parameters else (),
        _read_text(returns),
        _read_text(type_params),
        tuple([_read_text(each) or () for each in bases]) if bases else (),
        _read_text(type_),
        value,
        doc,
        tuple(decorators),
        bool(flags & 1),
        bool(flags & 2),
        access,
        bool(flags & 4),
        bool(flags & 8),
        bool(flags & 16),
        bool(flags & 32),
        bool(flags & 64),
        deprecated,
        degraded,
        line,
        end_line,
        tuple([_read_fact(each) for each in members]) if members else (),
        tuple([Import(*each) for each in imports]) if imports else (),
        tuple([Export(*each) for each in exports]) if exports else (),
    )
