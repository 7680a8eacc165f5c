"""Modules and scans as bytes and back, exactly: what is kept about a file whose path others decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ifacegen.model import Declaration, Module

ADAPTER = "protobuf"


class Malformed(Exception):
    """Bytes that are no such facts."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a file, without its path."""

    code: str
    message: str
    line: int = 0
    severity: str = "warning"


@dataclass(frozen=True, slots=True)
class Scan:
    """What a file says of others."""

    imports: tuple[str, ...] = ()
    package: str = ""
    #: Why nothing else can be said of it; then ``imports`` are none.
    unreadable: str = ""
    problem: str = ""


def encode_scan(scan: Scan) -> bytes:
    """A scan as bytes."""
    return json.dumps([scan.imports, scan.package, scan.unreadable, scan.problem]).encode("ascii")


def decode_scan(data: bytes) -> Scan:
    """A scan from bytes; raises :class:`Malformed`."""
    try:
        imports, package, unreadable, problem = json.loads(data)
        return Scan(tuple(map(str, imports)), str(package), str(unreadable), str(problem))
    except (ValueError, TypeError) as error:
        raise Malformed(str(error)) from error


def encode(module: Module, problems: Sequence[Problem]) -> bytes:
    """A module without its path, and what was wrong with it."""
    rows = [_row(each) for each in module.declarations]
    noted = [[each.code, each.message, each.line, each.severity] for each in problems]
    value = [module.name, module.doc, rows, noted]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def decode(data: bytes, path: str) -> tuple[Module, tuple[Problem, ...]]:
    """A module at a path; raises :class:`Malformed`."""
    try:
        name, doc, rows, noted = json.loads(data.decode("utf-8", "surrogatepass"))
        declarations = tuple(_declaration(row, path) for row in rows)
        problems = tuple(Problem(*each) for each in noted)
        return Module(name, ADAPTER, path, doc, declarations), problems
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Malformed(str(error)) from error


def _row(each: Declaration) -> list[Any]:
    return [
        each.id,
        each.name,
        each.qualname,
        each.kind,
        each.signature,
        each.returns,
        each.decorators,
        each.value,
        each.type,
        each.doc,
        each.deprecated,
        each.import_paths,
        each.line,
        each.end_line,
        each.extra,
        [_row(member) for member in each.members],
    ]


def _declaration(row: list[Any], path: str) -> Declaration:
    (
        id_,
        name,
        qualname,
        kind,
        signature,
        returns,
        decorators,
        value,
        type_,
        doc,
        deprecated,
        paths,
        line,
        end,
    ) = row[:14]
    extra = {key: tuple(each) if isinstance(each, list) else each for key, each in row[14].items()}
    return Declaration(
        id=id_,
        name=name,
        qualname=qualname,
        kind=kind,
        signature=signature,
        returns=returns,
        decorators=tuple(decorators),
        value=value,
        type=type_,
        doc=doc,
        deprecated=deprecated,
        import_paths=tuple(paths),
        path=path,
        line=line,
        end_line=end,
        members=tuple(_declaration(each, path) for each in row[15]),
        extra=extra,
    )
