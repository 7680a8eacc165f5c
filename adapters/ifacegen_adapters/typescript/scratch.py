"""One start of the TypeScript compiler on files of ours in a scratch directory.

The compiler reads whatever a file of a program names, wherever that lies, and writes declarations *beside* a source
that lies outside. So it is asked first what it would read, which writes nothing, and is not started if that is more
than the files that it was given.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ifacegen.errors import ReadError
from ifacegen_adapters import _tool
from ifacegen_adapters.typescript.inputs import JSX, JSX_FILE, RESOLUTION, Inputs, emitted_path

if TYPE_CHECKING:
    from ifacegen_adapters.typescript.toolchain_values import Compiler

#: CPU seconds for each program, and bytes of source that earn one more; it takes a tenth of that.
_SECONDS_A_PROGRAM, _BYTES_A_SECOND = 2.0, 100_000
#: How much longer a compiler takes that is no program of its own.
_SLOWNESS = 5
_MEMORY = 3 * 1024**3
_LONGEST_COMPLAINT = 120
_FOREIGN = "would read files outside of the repository"


@dataclass(frozen=True, slots=True)
class Program:
    """A package's files, and how their bytes are had; that raises :class:`ReadError`."""

    inputs: Inputs
    read: Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Emitted:
    """What came of one package."""

    texts: Mapping[str, str]
    #: Path → why it has no text; of files of other packages, why the compiler was not given them.
    failed: Mapping[str, str]


def compiled(
    compiler: Compiler, programs: Sequence[Program], seconds: float
) -> tuple[Sequence[Emitted], str]:
    """What one start gives of each program; and why it cannot be relied on, where that is so.

    Args:
        compiler: What is started.
        programs: Whose declarations are wanted.
        seconds: CPU seconds that it gets beside those that it earns by its input.
    """
    try:
        with _tool.scratch_directory(_quiet_place()) as scratch:
            start = _Start(compiler, Path(scratch), programs, seconds)
            death = start.look() or start.build()
            return ([] if death else start.collected()), death
    except OSError as error:
        return [], f"cannot be run: {error.strerror or error}"


def _quiet_place() -> str | None:
    """Where no package that somebody has installed lies above: the compiler would find it; None if nowhere."""
    for each in (tempfile.gettempdir(), "/var/tmp", "/dev/shm"):
        place = Path(each).resolve()
        above = (place, *place.parents)
        if os.access(place, os.W_OK) and not any((folder / "node_modules").exists() for folder in above):
            return os.fspath(place)
    return None


class _Start:
    def __init__(
        self, compiler: Compiler, scratch: Path, programs: Sequence[Program], seconds: float
    ) -> None:
        self._compiler = compiler
        self._scratch = scratch
        self._programs = programs
        # Names that no file can have guessed: programs don't see one another.
        self._places = [scratch / secrets.token_hex(8) for _ in programs]
        size = sum(_lay_out(place, program) for place, program in zip(self._places, programs, strict=True))
        total = seconds + _SECONDS_A_PROGRAM * len(programs) + size / _BYTES_A_SECOND
        self._seconds = total if compiler.is_native else total * _SLOWNESS

    def look(self) -> str:
        """Ask what it would read of all files together, by the most that any program could: JSX imports, too."""
        files = [
            os.fspath(place / "root" / path)
            for place, program in zip(self._places, self._programs, strict=True)
            for path in program.inputs.files
            if not path.endswith(".json")
        ]
        options = {**RESOLUTION, "jsx": "react-jsx", "noLib": True, "noEmit": True}
        configuration = {"compilerOptions": options, "files": files}
        (self._scratch / "look.json").write_text(json.dumps(configuration), "ascii")
        return self._ran("--project", "look.json", "--listFilesOnly")

    def build(self) -> str:
        """Have it emit."""
        return self._ran("--build", *(place.name for place in self._places))

    def _ran(self, *arguments: str) -> str:
        result = _tool.run(
            [*self._compiler.command, *arguments],
            directory=os.fspath(self._scratch),
            seconds=self._seconds,
            memory=_MEMORY,
        )
        # It complains about types on standard output; what it says on the other one are its last words.
        if result.problem and (result.stderr or not result.problem.startswith("ended")):
            return f"{result.problem}{_last_words(result.stderr, self._scratch)}"
        read = [
            line for line in result.stdout.decode("utf-8", "replace").splitlines() if Path(line).is_absolute()
        ]
        return "" if all(map(self._is_ours, read)) else _FOREIGN

    def _is_ours(self, path: str) -> bool:
        return Path(path).is_relative_to(self._scratch) or Path(path).is_relative_to(self._compiler.library)

    def collected(self) -> list[Emitted]:
        """What it wrote."""
        return [
            _collected(place / "out", program, os.fspath(self._scratch))
            for place, program in zip(self._places, self._programs, strict=True)
        ]


def _last_words(complaint: str, scratch: Path) -> str:
    """The first line of them, in brackets."""
    line = next((each.strip() for each in complaint.splitlines() if each.strip()), "")
    return f" ({line[:_LONGEST_COMPLAINT]})" if line and os.fspath(scratch) not in line else ""


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
        except (ReadError, OSError):  # vanished, or no name for a file here: as if it were not there
            continue
    place.mkdir(exist_ok=True)
    if program.inputs.lacks_jsx:
        (place / JSX_FILE).write_text(JSX, "ascii")
    (place / "tsconfig.json").write_text(program.inputs.configuration(), "ascii")
    return size


def _collected(out: Path, program: Program, scratch: str) -> Emitted:
    texts: dict[str, str] = {}
    failed: dict[str, str] = {}
    for path in program.inputs.roots:
        text = _text(out / emitted_path(path))
        if text is None:
            failed[path] = "the compiler emits none for it"
        elif scratch in text:
            failed[path] = "they mention a path of this machine"
        else:
            texts[path] = text
    return Emitted(texts, failed)


def _text(path: Path) -> str | None:
    if not path.is_file():
        return None
    return path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
