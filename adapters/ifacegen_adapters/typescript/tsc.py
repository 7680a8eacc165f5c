"""Declarations by the TypeScript compiler, without a type check: of what leaves types to inference, and of JavaScript.

It sees a scratch directory with the files that a package leads to, and a configuration of ours. Several packages are
one start with a program each, so that none sees the globals of another; if it dies they are tried apart, and then
the file is looked for that it dies of.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ifacegen.errors import ReadError
from ifacegen_adapters import _tool
from ifacegen_adapters.typescript.inputs import Inputs, emitted_path

if TYPE_CHECKING:
    from ifacegen.adapter import Facts
    from ifacegen_adapters.typescript.toolchain import Compiler

#: Raised whenever the same inputs give other declarations than before.
_VERSION = "1"
#: CPU seconds for a start, and bytes of source that earn it one more; it takes a tenth of that.
_SECONDS, _BYTES_A_SECOND = 20.0, 100_000
#: The same while the file is looked for that the compiler dies of.
_SECONDS_SEARCHING = 6.0
_MEMORY = 3 * 1024**3
#: Programs and files for one start.
_MOST_PROGRAMS, _MOST_FILES = 50, 3_000
#: Files of one package that the compiler may die of.
_MOST_CRASHES = 3


@dataclass(frozen=True, slots=True)
class Emitted:
    """What came of one package."""

    texts: Mapping[str, str]
    #: Path → why it has no text.
    failed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Program:
    """A package's files, and how their bytes are had; that raises :class:`ReadError`."""

    inputs: Inputs
    read: Callable[[str], bytes]


def emitted(compiler: Compiler, facts: Facts, program: Program) -> Emitted:
    """Declarations of all roots of a program; what is known starts nothing."""
    key = _fields(compiler, program)
    result = _restored(facts.get(**key))
    if result is None:
        result, death = _alone(compiler, program)
        if death:  # perhaps because of the machine: never kept
            return _searched(compiler, program, death)
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


def _alone(compiler: Compiler, program: Program) -> tuple[Emitted, str]:
    (found,), death = _run(compiler, [program], _SECONDS)
    return found, death


def _together(compiler: Compiler, programs: Sequence[Program]) -> Iterator[tuple[Program, Emitted]]:
    """What comes of some programs, of as many as it can be had of."""
    found, death = _run(compiler, programs, _SECONDS)
    if not death:
        yield from zip(programs, found, strict=True)
    elif len(programs) > 1:
        half = len(programs) // 2
        yield from _together(compiler, programs[:half])
        yield from _together(compiler, programs[half:])


def _searched(compiler: Compiler, program: Program, death: str) -> Emitted:
    """A package without the files that the compiler dies of."""
    culprits: dict[str, str] = {}
    while len(culprits) < _MOST_CRASHES:
        culprit = _culprit(compiler, program, list(culprits))
        if culprit is None:
            break
        culprits[culprit] = f"the compiler {death}"
        rest = Program(program.inputs.without(culprits), program.read)
        (found,), death_of_rest = _run(compiler, [rest], _SECONDS_SEARCHING)
        if not death_of_rest:
            failed = {path: why for path, why in culprits.items() if path in program.inputs.roots}
            return Emitted(found.texts, {**found.failed, **failed})
        death = death_of_rest
    return Emitted({}, dict.fromkeys(program.inputs.roots, f"the compiler {death}"))


def _culprit(compiler: Compiler, program: Program, known: Sequence[str]) -> str | None:
    """A file without which, the others left in, it does not die; None if there is no such one."""
    suspects = [path for path in program.inputs.files if path not in known]
    while len(suspects) > 1:
        half = suspects[: len(suspects) // 2]
        rest = Program(program.inputs.without([*known, *half]), program.read)
        _, death = _run(compiler, [rest], _SECONDS_SEARCHING)
        suspects = suspects[len(half) :] if death else half
    return suspects[0] if suspects else None


def _run(compiler: Compiler, programs: Sequence[Program], seconds: float) -> tuple[list[Emitted], str]:
    """What one start gives of each program; and what it died of."""
    with tempfile.TemporaryDirectory(prefix="ifacegen-") as directory:
        places = [Path(directory, f"p{number}") for number in range(len(programs))]
        size = sum(_lay_out(place, program) for place, program in zip(places, programs, strict=True))
        result = _tool.run(
            [*compiler.command, "--build", *(place.name for place in places)],
            directory=directory,
            seconds=seconds + size / _BYTES_A_SECOND,
            memory=_MEMORY,
        )
        # It complains about types on standard output; what it says on the other one are its last words.
        death = result.problem if result.stderr or not result.problem.startswith("ended") else ""
        found = [
            _collected(place, program, directory) for place, program in zip(places, programs, strict=True)
        ]
        return found, death


def _lay_out(place: Path, program: Program) -> int:
    """Write the files of a program; how many bytes."""
    size = 0
    for path in program.inputs.files:
        try:
            data = program.read(path)
            target = place / "root" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            size += len(data)
        except (
            ReadError,
            OSError,
        ):  # vanished, or a name that this file system does not take: as if it were not there
            continue
    place.mkdir(exist_ok=True)
    (place / "tsconfig.json").write_text(program.inputs.configuration(), "ascii")
    return size


def _collected(place: Path, program: Program, scratch: str) -> Emitted:
    texts: dict[str, str] = {}
    failed: dict[str, str] = {}
    owners: dict[str, str] = {}
    for path in program.inputs.roots:
        target = emitted_path(path)
        owner = owners.setdefault(target, path)
        text = _text(place / "out" / target) if owner == path else None
        if owner != path:
            failed[path] = f"its declarations would be those of {owner.rpartition('/')[2]}"
        elif text is None:
            failed[path] = "the compiler emits none for it"
        elif scratch in text:
            failed[path] = "they mention a path of this machine"
        else:
            texts[path] = text
    return Emitted(texts, failed)


def _text(path: Path) -> str | None:
    # Nothing but the compiler writes there, and a link would be none of its doing.
    if not path.is_file() or path.is_symlink():
        return None
    return path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
