"""From paths to facts: each file read, decoded and compiled once, its troubles kept as problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen_adapters.python.facts import FACTS_VERSION, FileFacts, Problem
from ifacegen_adapters.python.reader import read_facts
from ifacegen_adapters.python.source import Unreadable, read_source
from ifacegen_adapters.python.stubgen import LARGEST, StubgenFailed, inferred_types, tool

_NOTHING: Mapping[str, str] = MappingProxyType({})


class Compiler:
    """The facts of files, through the shared mapping of the workspace."""

    def __init__(self, context: BuildContext) -> None:
        self._tree = context.tree
        self._facts = context.facts
        #: path → blob id, for what was read.
        self.blobs: dict[str, str] = {}

    def facts(self, path: str) -> FileFacts:
        """The facts of a file; an unreadable one has none but a problem."""
        try:
            blob = self._tree.read(path)
        except ReadError as error:
            return FileFacts(problems=(Problem("unreadable", error.reason, severity="error"),))
        self.blobs[path] = blob.id
        key = f"python/{FACTS_VERSION}/{path.rpartition('.')[2]}/{blob.id}"
        known: FileFacts | None = self._facts.get(key)
        if known is None:
            known = self._facts[key] = self._compiled(path, blob.data)
        return known

    def _compiled(self, path: str, data: bytes) -> FileFacts:
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

    def types(self, path: str, facts: FileFacts) -> tuple[Mapping[str, str], Problem | None]:
        """What stubgen infers for a file, and why it doesn't where it doesn't."""
        damaged = any(problem.code == "parse-error" for problem in facts.problems)
        if path.endswith(".pyi") or not facts.definitions or damaged:
            return _NOTHING, None
        if facts.deep:
            return _NOTHING, Problem(
                "stubgen-skipped", "nested too deep for mypy; no types inferred", severity="info"
            )
        key = f"python-types/{FACTS_VERSION}/{tool()}/{self.blobs.get(path)}"
        known: tuple[Mapping[str, str], Problem | None] | None = self._facts.get(key)
        if known is None:
            known = self._facts[key] = self._inferred(path)
        return known

    def _inferred(self, path: str) -> tuple[Mapping[str, str], Problem | None]:
        try:
            text = read_source(self._tree.read(path).data).text
            if len(text) > LARGEST:
                reason = f"{len(text):,} bytes, over {LARGEST:,}; no types inferred"
                return _NOTHING, Problem("stubgen-skipped", reason, severity="info")
            return inferred_types(text.decode("utf-8")), None
        except (ReadError, Unreadable, StubgenFailed) as error:
            return _NOTHING, Problem("stubgen-failed", f"stubgen gave no types: {error}", severity="info")
