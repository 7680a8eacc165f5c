"""From paths to facts: each file read, decoded and compiled once, its troubles kept as problems."""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen_adapters.python.facts import FACTS_VERSION, FileFacts, FileTypes, Problem
from ifacegen_adapters.python.infer import is_question
from ifacegen_adapters.python.reader import read_facts
from ifacegen_adapters.python.source import Unreadable, read_source
from ifacegen_adapters.python.stored import Malformed, decode, encode, layout
from ifacegen_adapters.python.stubgen import LARGEST, StubgenFailed, check, inferred_types, tool

_T = TypeVar("_T", FileFacts, FileTypes)


class Compiler:
    """The facts of files: from memory, else as they are stored, else from the source.

    Of a file whose facts are known nothing is read but its id.
    """

    def __init__(self, context: BuildContext) -> None:
        self._context = context
        self._facts: dict[str, FileFacts] = {}
        #: path → blob id of every file that was asked for; empty where it could not be read.
        self.blobs: dict[str, str] = {}

    def blob(self, path: str) -> str:
        """The id of a file; empty if it cannot be read."""
        if path not in self.blobs:
            try:
                self.blobs[path] = self._context.tree.id(path)
            except ReadError:
                self.blobs[path] = ""
        return self.blobs[path]

    def facts(self, path: str) -> FileFacts:
        """The facts of a file; an unreadable one has none but a problem."""
        known = self._facts.get(path)
        if known is None and (reason := self._context.unreadable.get(self.blob(path))):
            known = FileFacts(problems=(Problem("crashed", reason, severity="error"),))
            self._facts[path] = known
        if known is None:
            try:
                known = self._known(FileFacts, path, _facts_key(path.rpartition(".")[2]), self._compiled)
            except ReadError as error:
                self.blobs[path] = ""
                known = FileFacts(problems=(Problem("read-failed", error.reason, severity="error"),))
            self._facts[path] = known
        return known

    def types(self, path: str, facts: FileFacts) -> FileTypes:
        """What stubgen infers for a file."""
        damaged = any(problem.code == "parse-error" for problem in facts.problems)
        if path.endswith(".pyi") or not facts.definitions or damaged:
            return FileTypes()
        if facts.deep:
            reason = "nested too deep for mypy; no types inferred"
            return FileTypes(problem=Problem("stubgen-skipped", reason, severity="info"))
        try:
            infer = functools.partial(_inferred, asked=any(map(is_question, facts.definitions)))
            return self._known(FileTypes, path, _types_key(), infer)
        except ReadError as error:  # it was there when its facts were read
            return FileTypes(problem=Problem("read-failed", error.reason, severity="error"))

    def _known(
        self, kind: type[_T], path: str, key: Mapping[str, str], make: Callable[[str, bytes], _T]
    ) -> _T:
        """One entry on a file: remembered, stored, or made and kept in both places."""
        tree, memory, facts = self._context.tree, self._context.memory, self._context.facts
        blob_id = self.blobs.get(path) or tree.id(path)
        remembered = f"{' '.join(key.values())} {blob_id}"
        known: _T | None = memory.get(remembered)
        if known is None:
            known = _restored(kind, facts.get(blob=blob_id, **key))
            if known is None:
                blob = tree.read(path)
                known, blob_id = make(path, blob.data), blob.id
                facts.put(encode(known), blob=blob_id, **key)
            memory[f"{' '.join(key.values())} {blob_id}"] = known
        self.blobs[path] = blob_id
        return known

    def _compiled(self, path: str, data: bytes) -> FileFacts:
        facts = _facts_of(data)
        if path.endswith(".pyi"):
            return facts
        return replace(facts, tokens=self._context.count_tokens(data.decode("utf-8", "replace")))


def _restored(kind: type[_T], data: bytes | None) -> _T | None:
    if data is None:
        return None
    try:
        return decode(kind, data)
    except Malformed:  # made anew, and better
        return None


def _facts_of(data: bytes) -> FileFacts:
    try:
        source = read_source(data)
    except Unreadable as error:
        return FileFacts(problems=(Problem("unreadable", str(error), severity="error"),))
    try:
        facts = read_facts(source.text)
    except RecursionError:  # whatever else nests that nobody thought of: it costs this file alone
        return FileFacts(problems=(Problem("unreadable", "nested too deep to read", severity="error"),))
    if source.problem is None:
        return facts
    return replace(facts, problems=(Problem("encoding", source.problem), *facts.problems))


def _inferred(_: str, data: bytes, *, asked: bool) -> FileTypes:
    try:
        text = read_source(data).text
        if len(text) > LARGEST:
            reason = f"{len(text):,} bytes, over {LARGEST:,}; no types inferred"
            return FileTypes(problem=Problem("stubgen-skipped", reason, severity="info"))
        if asked:
            return FileTypes(inferred_types(text.decode("utf-8")))
        check(text.decode("utf-8"))  # a file that Python refuses is named, whether or not types are missing
        return FileTypes()
    except (Unreadable, StubgenFailed) as error:
        reason = f"stubgen gave no types: {error}"
        return FileTypes(problem=Problem("stubgen-failed", reason, severity="info"))


@functools.cache
def _facts_key(suffix: str) -> Mapping[str, str]:
    grammar = importlib.metadata.version("tree-sitter-python")
    maker = f"{FACTS_VERSION} {layout(FileFacts)} tree-sitter-python {grammar}"
    return {"kind": "python-facts", "maker": maker, "suffix": suffix}


@functools.cache
def _types_key() -> Mapping[str, str]:
    return {"kind": "python-types", "maker": f"{FACTS_VERSION} {layout(FileTypes)} {tool()}"}
