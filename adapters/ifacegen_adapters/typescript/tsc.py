"""Declarations by the TypeScript compiler, without a type check: of what leaves types to inference, and of JavaScript.

Several packages are one start with a program each, so that none sees the globals of another. If it dies, or would
read what is none of the repository, they are tried apart, and then the file is looked for that is at fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ifacegen_adapters.typescript.scratch import Emitted, Program, compiled

if TYPE_CHECKING:
    from ifacegen.adapter import Facts
    from ifacegen_adapters.typescript.toolchain_values import Compiler

#: Raised whenever the same inputs give other declarations than before.
_VERSION = "2"
#: CPU seconds that a start gets beside what it earns by its input; and while a file at fault is looked for.
_SECONDS, _SECONDS_SEARCHING = 8.0, 3.0
#: Programs and files for one start.
_MOST_PROGRAMS, _MOST_FILES = 50, 3_000
#: Starts that looking for files at fault is worth: enough for three among five hundred.
_MOST_STARTS = 32


def emitted(compiler: Compiler, facts: Facts, program: Program) -> Emitted:
    """Declarations of all roots of a program; what is known starts nothing."""
    key = _fields(compiler, program)
    result = _restored(facts.get(**key))
    if result is None:
        results, death = compiled(compiler, [program], _SECONDS)
        if death:  # perhaps because of the machine: never kept
            return _Search(compiler, program).emitted(death)
        (result,) = results
        facts.put(_stored(result), **key)
    return result


def prepare(compiler: Compiler, facts: Facts, programs: Iterable[Program]) -> None:
    """Keep in the facts what :func:`emitted` will ask for, with few starts; what the compiler dies of is left to it."""
    waiting = (each for each in programs if _restored(facts.get(**_fields(compiler, each))) is None)
    for chunk in _chunks(waiting):
        for program, result in _together(compiler, chunk):
            facts.put(_stored(result), **_fields(compiler, program))


def _fields(compiler: Compiler, program: Program) -> dict[str, str]:
    return {
        "kind": "typescript-program",
        "layout": _VERSION,
        "compiler": compiler.version,
        "inputs": program.inputs.digest(),
    }


def _stored(result: Emitted) -> bytes:
    return json.dumps([dict(result.texts), dict(result.failed)]).encode("ascii")


def _restored(data: bytes | None) -> Emitted | None:
    try:
        texts, failed = json.loads(data or b"")
    except (ValueError, TypeError):
        return None
    if not (isinstance(texts, dict) and isinstance(failed, dict)):
        return None
    return Emitted(texts, failed)


def _chunks(programs: Iterable[Program]) -> Iterator[list[Program]]:
    chunk: list[Program] = []
    files = 0
    for each in programs:
        chunk.append(each)
        files += len(each.inputs.files)
        if len(chunk) == _MOST_PROGRAMS or files > _MOST_FILES:
            yield chunk
            chunk, files = [], 0
    if chunk:
        yield chunk


# -- one start after the other -----------------------------------------------------------------------


def _together(compiler: Compiler, programs: Sequence[Program]) -> Iterator[tuple[Program, Emitted]]:
    """What comes of some programs, of as many as it can be had of."""
    found, death = compiled(compiler, programs, _SECONDS)
    if not death:
        yield from zip(programs, found, strict=True)
    elif len(programs) > 1:
        half = len(programs) // 2
        yield from _together(compiler, programs[:half])
        yield from _together(compiler, programs[half:])


class _Search:
    """What can be had of a package although the compiler dies of some of its files."""

    def __init__(self, compiler: Compiler, program: Program) -> None:
        self._compiler = compiler
        self._program = program
        self._starts = 0

    def emitted(self, death: str) -> Emitted:
        """What the rest gives without the files at fault; nothing where those cannot be found."""
        inputs = self._program.inputs
        culprits: dict[str, str] = {}
        _, death_of_nothing = self._without(inputs.files)
        while not death_of_nothing and self._starts < _MOST_STARTS:
            culprit = self._culprit(list(culprits))
            if culprit is None:
                break
            culprits[culprit] = f"the compiler {death}"
            found, death_of_rest = self._without(culprits)
            if not death_of_rest:
                return Emitted(found[0].texts, {**found[0].failed, **culprits})
            death = death_of_rest
        return Emitted({}, {**dict.fromkeys(inputs.roots, f"the compiler {death}"), **culprits})

    def _culprit(self, known: Sequence[str]) -> str | None:
        """A file that is at fault, or None if there is none: halved, and what is no suspect any more stays out."""
        suspects = [path for path in self._program.inputs.files if path not in known]
        left_out = list(known)
        while len(suspects) > 1:
            half = suspects[: len(suspects) // 2]
            _, death = self._without([*left_out, *half])
            if death:
                left_out += half
                suspects = suspects[len(half) :]
            else:
                suspects = half
        return suspects[0] if suspects else None

    def _without(self, left_out: Iterable[str]) -> tuple[Sequence[Emitted], str]:
        self._starts += 1
        rest = Program(self._program.inputs.without(left_out), self._program.read)
        return compiled(self._compiler, [rest], _SECONDS_SEARCHING)
