"""File descriptors as protoc makes them of a folder of protos, and where two differ; nothing of ifacegen."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorSet  # type: ignore[import-untyped]  # no stubs are installed
from google.protobuf.descriptor_pool import DescriptorPool  # type: ignore[import-untyped]  # no stubs are installed
from google.protobuf.message_factory import GetMessageClass  # type: ignore[import-untyped]  # no stubs are installed
from google.protobuf.unknown_fields import UnknownFieldSet  # type: ignore[import-untyped]  # no stubs are installed

#: Runs of as many files as can stand together, at most: some define the same names.
_MOST_RUNS = 6
#: Compiles files one by one: folder for the results, options, files, each after a null.
_ONE_BY_ONE = """
import sys
from grpc_tools import protoc
folder, options, paths = (each.split("\\0") for each in sys.stdin.read().split("\\0\\0"))
for number, path in enumerate(paths):
    protoc.main(["protoc", *options, f"--descriptor_set_out={folder[0]}/{number}", path])
"""
_AT = re.compile(r"^(?P<path>[^:\n]+\.proto):(?:\d+:\d+:)? (?!warning:)", re.MULTILINE)


@dataclass(slots=True)
class Compiled:
    """What protoc says of some files."""

    #: Path → file descriptor, with source info.
    files: dict[str, Any] = field(default_factory=dict)
    #: Path → first error.
    failed: dict[str, str] = field(default_factory=dict)
    #: What didn't go with the others.
    alone: set[str] = field(default_factory=set)


def compiled(
    folder: Path, paths: Iterable[str], roots: Sequence[str] = (".",), *, aside: Iterable[str] = ()
) -> Compiled:
    """Compile files of a folder.

    What defines the same names as another file, or doesn't compile, is set aside, and compiled in a later run.

    Args:
        folder: Where the files lie.
        paths: Relative to it.
        roots: Import roots, relative to it; inner ones first.
        aside: What is known not to go with the others; one by one at the end.
    """
    result, together, alone = Compiled(), set(paths) - set(aside), set(aside)
    for _ in range(_MOST_RUNS):
        errors = _run(folder, sorted(together), roots, result) if together else None
        if errors is None:
            break
        named = {match["path"] for match in _AT.finditer(errors)}
        guilty = {each for each in together if each in named or _within(each, roots) & named}
        together, alone = together - guilty, alone | guilty
    else:
        together, alone = set(), together | alone
    result.alone = alone
    _one_by_one(folder, sorted(alone), roots, result)
    return result


def _one_by_one(folder: Path, paths: Sequence[str], roots: Sequence[str], result: Compiled) -> None:
    with tempfile.TemporaryDirectory() as temporary, as_file(files("grpc_tools") / "_proto") as own:
        asked = "\0\0".join("\0".join(each) for each in ([temporary], _options(roots, own), paths))
        command = [sys.executable, "-c", _ONE_BY_ONE]
        subprocess.run(command, cwd=folder, input=asked.encode(), stderr=subprocess.DEVNULL, check=False)
        for number, path in enumerate(paths):
            output = Path(temporary, str(number))
            if output.is_file():
                _keep(output, result)
            else:
                said = _run(folder, [path], roots, result) or ""
                result.failed[path] = said.strip().partition("\n")[0]


def _options(roots: Sequence[str], own: Path) -> list[str]:
    return [*(f"-I{each}" for each in (*roots, own)), "--retain_options", "--include_source_info"]


def _keep(output: Path, result: Compiled) -> None:
    found = FileDescriptorSet.FromString(output.read_bytes()).file
    result.files.update((each.name, each) for each in found)


def _within(path: str, roots: Sequence[str]) -> set[str]:
    return {path.removeprefix(f"{root}/") for root in roots if root != "."}


def _run(folder: Path, paths: Sequence[str], roots: Sequence[str], result: Compiled) -> str | None:
    """One run of protoc; its errors, or None where there are none."""
    with tempfile.TemporaryDirectory() as temporary, as_file(files("grpc_tools") / "_proto") as own:
        output, arguments = Path(temporary, "set"), Path(temporary, "arguments")
        options = [*_options(roots, own), f"--descriptor_set_out={output}", *paths]
        arguments.write_text("\n".join(options), encoding="utf-8")
        command = [sys.executable, "-m", "grpc_tools.protoc", f"@{arguments}"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if done.returncode:
            return done.stderr.decode("utf-8", "replace") or f"exit code {done.returncode}"
        _keep(output, result)
    return None


def differences(path: str, one: Compiled, other: Compiled) -> Counter[str]:
    """Where two descriptors of a file differ, source info aside.

    Fields by their path (``message_type.field.options``), with how often; in what order the fields of a custom option
    are written is no difference.
    """
    found = Counter(_differing(one.files[path], other.files[path], ""))
    if any(each.endswith(_CUSTOM) for each in found):
        found = Counter(_differing(_typed(path, one), _typed(path, other), ""))
    return found


_CUSTOM = "custom options"


def _typed(path: str, compiled: Compiled) -> Any:
    """A file's descriptor in a pool that knows its options, so that they are messages, not bytes."""
    pool, added = DescriptorPool(), set[str]()

    def add(name: str) -> None:
        if name not in added:
            added.add(name)
            file = compiled.files.get(name) or _well_known(name)
            for each in file.dependency:
                add(each)
            pool.Add(file)

    add("google/protobuf/descriptor.proto")
    add(path)
    kind = GetMessageClass(pool.FindMessageTypeByName("google.protobuf.FileDescriptorProto"))
    return kind.FromString(compiled.files[path].SerializeToString())


@cache
def _well_known(name: str) -> Any:
    result = Compiled()
    with as_file(files("grpc_tools") / "_proto") as own:
        _run(own, [name], ["."], result)
    return result.files[name]


def _differing(one: Any, other: Any, at: str) -> Iterator[str]:
    if _unknown(one) != _unknown(other):
        yield f"{at}{_CUSTOM}"
    values = {field.full_name: value for field, value in one.ListFields()}
    others = {field.full_name: value for field, value in other.ListFields()}
    fields = {field.full_name: field for message in (one, other) for field, _ in message.ListFields()}
    for name, each in fields.items():
        here = f"{at}({name})" if each.is_extension else f"{at}{each.name}"
        mine, theirs = values.get(name), others.get(name)
        if each.name == "source_code_info":
            continue
        if (mine is None or theirs is None) and each.message_type is not None and not each.is_repeated:
            # All that the one has, by name; an empty message is a difference, too.
            present: Any = mine if theirs is None else theirs
            yield from list(_differing(present, type(present)(), f"{here}.")) or [here]
        elif mine is None or theirs is None:
            yield here
        else:
            yield from _differing_values(each, mine, theirs, here)


def _differing_values(field: Any, mine: Any, theirs: Any, here: str) -> Iterator[str]:
    if not field.is_repeated:
        mine, theirs = [mine], [theirs]
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        keys = sorted(set(mine) | set(theirs))
        mine, theirs = ([str(each[key]) if key in each else None for key in keys] for each in (mine, theirs))
    if len(mine) != len(theirs):
        yield here
    elif field.message_type is None or isinstance(next(iter(mine), ""), str | None):
        if list(mine) != list(theirs):
            yield here
    else:
        for left, right in zip(mine, theirs, strict=True):
            yield from _differing(left, right, f"{here}.")


def _unknown(message: Any) -> list[tuple[int, int, object]]:
    """Custom options: their numbers and values, in the order of their numbers."""
    found = ((each.field_number, each.wire_type, _value(each.data)) for each in UnknownFieldSet(message))
    return sorted(found, key=lambda each: each[0])


def _value(data: object) -> object:
    if isinstance(data, UnknownFieldSet):
        return [(each.field_number, each.wire_type, _value(each.data)) for each in data]
    return data
