"""Declarations of single files by oxc: what a file states of its own interface, if it states all of it.

On a file that leaves something to inference oxc emits something, too, with errors; that is never used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ifacegen.errors import ReadError
from ifacegen_adapters import _tool
from ifacegen_adapters.typescript.inputs import LARGEST

if TYPE_CHECKING:
    from ifacegen.adapter import Facts
    from ifacegen_adapters.typescript.toolchain_values import Isolated

SUFFIXES = (".ts", ".tsx", ".mts", ".cts")

_DRIVER = Path(__file__).with_name("emit_declarations.mjs")
#: Bytes of source that one process is given.
_BYTES_A_RUN = 32_000_000
#: CPU seconds for a run, and bytes that earn it one more: it takes a hundredth of that.
_SECONDS, _BYTES_A_SECOND = 10.0, 500_000
_MEMORY = 2 * 1024**3
#: Files that may kill a process before it is not started any more.
_MOST_CRASHES = 8


@dataclass(frozen=True, slots=True)
class Source:
    """A file to emit declarations for."""

    blob: str
    suffix: str
    #: Its bytes; raises :class:`ReadError`.
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a file: ``text``, or why it has none."""

    text: str | None
    reason: str = ""
    #: Whether it killed the process: nobody else should be given it.
    is_deadly: bool = False


def emitted(isolated: Isolated, facts: Facts, sources: Sequence[Source]) -> Mapping[tuple[str, str], Answer]:
    """Blob and suffix → declarations, of all sources with as few starts as can be; what is known starts nothing."""
    answers: _Answers = {}
    unknown: dict[tuple[str, str], Source] = {}
    for each in sources:
        key = each.blob, each.suffix
        if key not in answers and key not in unknown:
            known = _restored(facts.get(**_fields(isolated, key)))
            if known is None:
                unknown[key] = each
            else:
                answers[key] = known
    for batch in _batches(unknown.values(), answers):
        found, died = _answered(isolated, batch)
        answers.update(died)  # perhaps because of the machine: not kept
        answers.update(found)
        for key, answer in found.items():
            facts.put(json.dumps([answer.text, answer.reason]).encode("ascii"), **_fields(isolated, key))
    return answers


def _fields(isolated: Isolated, key: tuple[str, str]) -> dict[str, str]:
    blob, suffix = key
    return {"kind": "typescript-isolated", "oxc": isolated.version, "blob": blob, "suffix": suffix}


def _restored(data: bytes | None) -> Answer | None:
    try:
        text, reason = json.loads(data or b"")
    except (ValueError, TypeError):
        return None
    return Answer(text, reason) if isinstance(text, str | None) and isinstance(reason, str) else None


_Batch = list[tuple[tuple[str, str], str]]
_Answers = dict[tuple[str, str], Answer]


def _batches(sources: Iterable[Source], answers: _Answers) -> Iterator[_Batch]:
    """Texts by their keys, as many as one process is given; what is no text is answered at once."""
    batch: _Batch = []
    size = 0
    for each in sources:
        key = each.blob, each.suffix
        try:
            data = each.read()
            text = data.decode("utf-8-sig") if len(data) <= LARGEST else ""
        except ReadError as error:
            answers[key] = Answer(None, error.reason)
            continue
        except UnicodeDecodeError:
            answers[key] = Answer(None, "not UTF-8")
            continue
        if len(data) > LARGEST:
            answers[key] = Answer(None, "too large")
            continue
        batch.append((key, text))
        size += len(text)
        if size > _BYTES_A_RUN:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _answered(isolated: Isolated, batch: _Batch) -> tuple[_Answers, _Answers]:
    """Answers; and those of files that killed the process, after which another one is given the rest."""
    found: _Answers = {}
    died: _Answers = {}
    while batch and len(died) < _MOST_CRASHES:
        is_ready, lines, problem = _run(isolated, batch)
        if not is_ready:
            died.update((key, Answer(None, f"oxc {problem}")) for key, _ in batch)
            return found, died
        found.update((key, _answer(line)) for (key, _), line in zip(batch, lines, strict=False))
        batch = batch[len(lines) :]
        if batch:
            died[batch[0][0]] = Answer(None, f"oxc {problem or 'gave no answer'}", is_deadly=True)
            batch = batch[1:]
    died.update((key, Answer(None, "oxc died of too many other files")) for key, _ in batch)
    return found, died


def _run(isolated: Isolated, batch: _Batch) -> tuple[bool, list[bytes], str]:
    """Whether the process came to reading, the lines that it answered, and what was wrong with it."""
    given = "".join(json.dumps([f"file{key[1]}", text]) + "\n" for key, text in batch).encode("ascii")
    try:
        with _tool.scratch_directory() as directory:
            result = _tool.run(
                [isolated.node, str(_DRIVER), isolated.binding],
                directory=directory,
                seconds=_SECONDS + len(given) / _BYTES_A_SECOND,
                memory=_MEMORY,
                stdin=given,
            )
    except OSError as error:
        return False, [], f"cannot be run: {error.strerror or error}"
    ready, *lines = result.stdout.split(b"\n")
    return ready == b"ready", lines[: min(len(lines) - 1, len(batch))], result.problem


def _answer(line: bytes) -> Answer:
    code, error = json.loads(line)
    if error is not None:
        return Answer(None, str(error))
    return Answer(str(code).replace("\r\n", "\n"))
