"""Runs protoc, in this process, over files written to a folder of its own.

Names come from the repository, so none may lead out of the folder; protoc sees nothing of the repository itself.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ifacegen_adapters._tool import scratch_directory
from ifacegen_adapters.protobuf.places import is_import_name

_PREFIX = "ifacegen-protoc-"
_LONGEST = 300
#: Times that files which clash with others are compiled without those.
_ROUNDS = 8
#: The file that imports what is asked for.
ASKED = "ifacegen asks for.proto"
#: Only files for the lite runtime may import files for it.
_HEAD = 'syntax = "proto3";\noption optimize_for = LITE_RUNTIME;\n'
_MESSAGE = re.compile(
    r"(?P<name>.*?):(?:(?P<line>\d+):\d+:)?\s+(?P<warning>warning: )?(?P<text>.*)", re.DOTALL
)
_CLASH = re.compile(r'is already defined(?: in file)?|"[^"]*" is already defined')
_FOLLOWS = re.compile(r'Import "([^"]*)" was not found or had errors')
#: What only follows from a file that could not be imported.
_CASCADE = re.compile(r"is not defined|seems to be defined in|unresolved|is resolved to")


@dataclass(frozen=True, slots=True)
class Complaint:
    """What protoc says of a file."""

    text: str
    line: int = 0


@dataclass(slots=True)
class Compiled:
    """What became of some files."""

    #: Serialised FileDescriptorSets, each complete in itself, with the names that were asked for of each.
    sets: list[tuple[bytes, tuple[str, ...]]] = field(default_factory=list)
    #: Name → what is wrong with it.
    refused: dict[str, Complaint] = field(default_factory=dict)


def compile_files(sources: Mapping[str, str], wanted: Sequence[str]) -> Compiled:
    """Compile some of the sources (import name → text), which may import all of them and the well-known types.

    A file that protoc refuses costs itself and those that import it, not the others.
    """
    result = Compiled()
    with _folder() as folder:
        _write(folder, sources, result.refused)
        pending = [name for name in wanted if name in sources and name not in result.refused]
        for _ in range(_ROUNDS):
            pending = _round(folder, pending, result)
        _one_by_one(folder, pending, result)
    return result


def _round(folder: Path, pending: Sequence[str], result: Compiled) -> list[str]:
    """Compile what can be; what is left may do better without the others."""
    if not pending:
        return []
    complaints = _run(folder, pending, result)
    if complaints is None:
        return []
    good = [name for name in pending if name not in complaints]
    if len(good) == len(pending) or (good and _run(folder, good, result) is not None):
        return _one_by_one(folder, pending, result)
    again: list[str] = []
    causes = _Causes(complaints)
    for name in pending:
        if found := complaints.get(name):
            result.refused[name] = causes.of(name)
            if good and any(_CLASH.search(each.text) or _FOLLOWS.search(each.text) for each in found):
                again.append(name)
    return again


def _one_by_one(folder: Path, pending: Sequence[str], result: Compiled) -> list[str]:
    """Where protoc's complaints about all of them do not tell which it would refuse."""
    for name in pending:
        complaints = _run(folder, [name], result)
        if complaints is not None:
            result.refused[name] = _Causes(complaints).of(name)
    return []


class _Causes:
    """What is wrong with files, or with those that they import."""

    def __init__(self, complaints: Mapping[str, Sequence[Complaint]]) -> None:
        self._complaints = complaints
        #: Name → the file that is to blame, with what is wrong with it; None where nothing tells.
        self._culprits: dict[str, tuple[str, Complaint] | None] = {}

    def of(self, name: str) -> Complaint:
        """What is to be said of a file that was refused."""
        own = self._complaints.get(name) or [each for found in self._complaints.values() for each in found]
        first = own[0] if own else Complaint("refused without a reason")
        culprit = self._culprit(name)
        if culprit is None:
            return first
        if culprit[0] == name:
            return culprit[1]
        line = next((each.line for each in own if _FOLLOWS.search(each.text)), 0)
        where = f"imports {culprit[0]}, which has an error in line {culprit[1].line}"
        return Complaint(f"{where}: {culprit[1].text}", line)

    def _culprit(self, name: str) -> tuple[str, Complaint] | None:
        way: dict[str, None] = {}
        while name not in self._culprits and name not in way:
            way[name] = None
            own = self._complaints.get(name, ())
            direct = [each for each in own if not (_FOLLOWS.search(each.text) or _CASCADE.search(each.text))]
            follows = [match[1] for each in own if (match := _FOLLOWS.search(each.text))]
            if direct or not follows:
                found = direct or own
                self._culprits[name] = (name, found[0]) if found else None
            else:
                name = follows[0]
        culprit = self._culprits.get(name)
        self._culprits.update(dict.fromkeys(way, culprit))
        return culprit


def _run(folder: Path, names: Sequence[str], result: Compiled) -> Mapping[str, Sequence[Complaint]] | None:
    """None if all went well, and the descriptors are in the result; else protoc's complaints by file."""
    import grpc_tools
    from grpc_tools import protoc

    output = folder.with_name("descriptors")
    bundled = Path(grpc_tools.__file__).with_name("_proto")
    # Names are never arguments: one that starts with `-` or `@` would tell protoc what to do. And protoc ends at
    # the first argument that it refuses; of a file's imports it tells what is wrong with each.
    asked = Path(folder, ASKED)
    asked.write_text("".join((_HEAD, *(f'import "{_quoted(name)}";\n' for name in names))), "utf-8")
    arguments = ["protoc", f"-I{folder}", f"-I{bundled}", "--include_source_info", "--include_imports"]
    arguments += ["--retain_options", f"--descriptor_set_out={output}", ASKED]
    with _caught(folder.with_name("log")) as log:
        failed = protoc.main(arguments)
    if failed:
        found = _complaints(log.read_bytes().decode("utf-8", "replace"), str(folder))
        return {name: each for name, each in found.items() if name != ASKED}
    result.sets.append((output.read_bytes(), tuple(names)))
    for name in names:
        result.refused.pop(name, None)
    return None


def _complaints(log: str, folder: str) -> dict[str, list[Complaint]]:
    found: dict[str, list[Complaint]] = {}
    for line in log.splitlines():
        match = _MESSAGE.match(line.removeprefix(folder + "/"))
        if match and not match["warning"]:
            found.setdefault(match["name"], []).append(
                Complaint(_short(match["text"]), int(match["line"] or 0))
            )
    return found


def _short(text: str) -> str:
    """A message without what a hostile file could make of it."""
    plain = "".join(char if char.isprintable() else "?" for char in text)
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}…"


@contextlib.contextmanager
def _caught(log: Path) -> Iterator[Path]:
    """Let what C code writes to standard error go to a file."""
    kept = os.dup(2)
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.dup2(target, 2)
        yield log
    finally:
        os.dup2(kept, 2)
        os.close(target)
        os.close(kept)


@functools.cache
def bundled() -> frozenset[str]:
    """Import names of the files that protoc brings along."""
    import importlib.util

    spec = importlib.util.find_spec("grpc_tools")
    if spec is None or spec.origin is None:
        return frozenset()
    top = Path(spec.origin).with_name("_proto")
    return frozenset(path.relative_to(top).as_posix() for path in top.rglob("*.proto"))


# -- the folder ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with scratch_directory(prefix=_PREFIX) as top:
        place = Path(top, "files")
        place.mkdir()
        yield place


def _write(folder: Path, sources: Mapping[str, str], refused: dict[str, Complaint]) -> None:
    made: set[Path] = set()
    for name, text in sources.items():
        if not is_import_name(name) or name == ASKED:
            refused[name] = Complaint("its name is none that a file can be imported by")
            continue
        path = folder / name
        try:
            if path.parent not in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                made.add(path.parent)
            path.write_text(text, "utf-8", errors="replace", newline="\n")
        except OSError as error:
            refused[name] = Complaint(f"cannot be written for protoc: {error.strerror}")


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def files_of(descriptor_set: bytes) -> Iterable[memoryview]:
    """The serialised FileDescriptorProtos in a FileDescriptorSet, dependencies first, without parsing them."""
    view = memoryview(descriptor_set)
    at = 0
    while at < len(view):
        size, shift = 0, 0
        at += 1  # the tag of its only field
        while True:
            byte = view[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        yield view[at : at + size]
        at += size
