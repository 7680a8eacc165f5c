"""From files to modules: what is known is taken, what can be compiled goes to protoc at once, the rest is parsed."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen.model import Module
from ifacegen_adapters.protobuf import protoc, scan
from ifacegen_adapters.protobuf.importing import File, Resolver, blob_id, resolver
from ifacegen_adapters.protobuf.provenance import FACTS_VERSION, tool
from ifacegen_adapters.protobuf.stored import (
    Malformed,
    Problem,
    Scan,
    decode,
    decode_scan,
    encode,
    encode_scan,
)

#: In place of a blob id: protoc brings the file, or nobody has it.
_BUNDLED, _MISSING = "bundled", "missing"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a file."""

    module: Module | None
    problems: tuple[Problem, ...]


class Compiler:
    """The modules of files below one import root."""

    def __init__(self, context: BuildContext, root: str) -> None:
        self._context = context
        self._resolver: Resolver = resolver(context, root)
        self._scans: dict[str, Scan] = {}
        #: Import name → its path; None where the repository has none.
        self.paths: dict[str, str | None] = {}
        self._digests: dict[str, str] = {}
        self._broken: dict[str, str] = {}

    def scan(self, path: str) -> Scan:
        """What a file says of others; an unreadable one says why."""
        known = self._scans.get(path)
        if known is None:
            known = self._scans[path] = self._scanned(path)
        return known

    def _scanned(self, path: str) -> Scan:
        blob = blob_id(self._context, path)
        if reason := self._context.unreadable.get(blob):
            return Scan(unreadable=reason)
        key = {"kind": "protobuf-scan", "maker": str(FACTS_VERSION), "blob": blob}
        stored = self._context.facts.get(**key) if blob else None
        if stored is not None:
            try:
                return decode_scan(stored)
            except Malformed:  # made anew, and better
                pass
        try:
            found = self._read(path)
        except ReadError as error:
            return Scan(unreadable=f"cannot be read: {error.reason}")
        self._context.facts.put(encode_scan(found), **key)
        return found

    def _read(self, path: str) -> Scan:
        try:
            source = scan.decoded(self._context.tree.read(path).data)
        except scan.Unreadable as error:
            return Scan(unreadable=str(error))
        tokens = self._context.count_tokens(source.text)
        return Scan(scan.imports(source.text), tokens, problem=source.problem or "")

    # -- what a file depends on ---------------------------------------------------------------------

    def path_of(self, name: str) -> str | None:
        """What an import name means here."""
        if name not in self.paths:
            self.paths[name] = self._resolver.find(name)
        return self.paths[name]

    def imports(self, name: str) -> tuple[str, ...]:
        """What a file imports, by names."""
        path = self.path_of(name)
        return self.scan(path).imports if path is not None else ()

    def closure(self, names: Iterable[str]) -> Iterator[str]:
        """Names and all that they import, directly or not."""
        seen = dict.fromkeys(names)
        pending = list(seen)
        while pending:
            name = pending.pop()
            yield name
            for each in self.imports(name):
                if each not in seen:
                    seen[each] = None
                    pending.append(each)

    def _survey(self, names: Sequence[str]) -> None:
        """For all that is imported: a digest of all it depends on, and why it cannot be compiled if it cannot."""
        done: set[str] = set()
        for start in names:
            stack = [(start, iter(self.imports(start)))]
            on_stack = {start: None}
            if start in done:
                continue
            while stack:
                name, rest = stack[-1]
                following = next((each for each in rest if each not in done), None)
                if following is None:
                    stack.pop()
                    del on_stack[name]
                    done.add(name)
                    self._settle(name)
                elif following in on_stack:
                    circle = " → ".join((*list(on_stack)[list(on_stack).index(following) :], following))
                    self._broken.setdefault(name, f"imports itself in a circle: {circle}")
                else:
                    stack.append((following, iter(self.imports(following))))
                    on_stack[following] = None

    def _settle(self, name: str) -> None:
        """Of a file whose imports are settled."""
        path = self.path_of(name)
        if path is None:
            found = _BUNDLED if name in bundled() else _MISSING
            if found == _MISSING:
                self._broken[name] = "is nowhere in the repository"
            self._digests[name] = found
            return
        scanned = self.scan(path)
        if scanned.unreadable:
            self._broken[name] = "cannot be read"
        parts = [blob_id(self._context, path)]
        for each in scanned.imports:
            parts.append(f"{each} {self._digests.get(each, 'circle')}")
            if each in self._broken:
                self._broken.setdefault(name, f"imports {each}, which {self._broken[each]}")
        self._digests[name] = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    # -- modules ------------------------------------------------------------------------------------

    def modules(self, files: Sequence[File]) -> Mapping[str, Result]:
        """What became of each file, by its path."""
        self._survey([file.name for file in files])
        results: dict[str, Result] = {}
        pending: list[File] = []
        for file in files:
            scanned = self.scan(file.path)
            if scanned.unreadable:
                crashed = blob_id(self._context, file.path) in self._context.unreadable
                code = "crashed" if crashed else "unreadable"
                results[file.path] = Result(None, (Problem(code, scanned.unreadable, severity="error"),))
            elif (known := self._known(file)) is not None:
                results[file.path] = known
            else:
                pending.append(file)
        if pending:
            for file, module, problems in self._compiled(pending):
                self._context.facts.put(encode(module, problems), **self._key(file))
                results[file.path] = Result(*_placed(module, problems, file))
        return results

    def _key(self, file: File) -> dict[str, str]:
        return {
            "kind": "protobuf-module",
            "maker": tool(),
            "blob": blob_id(self._context, file.path),
            "name": file.name,
            "closure": f"{self._digests[file.name]} {self._broken.get(file.name, '')}",
        }

    def _known(self, file: File) -> Result | None:
        stored = self._context.facts.get(**self._key(file))
        if stored is None:
            return None
        try:
            return Result(*decode(stored, file.path))
        except Malformed:
            return None

    def _compiled(self, files: Sequence[File]) -> Iterator[tuple[File, Module, tuple[Problem, ...]]]:
        from ifacegen_adapters.protobuf import declare, options

        by_name = {file.name: file for file in files}
        whole = [name for name in by_name if name not in self._broken]
        texts = {
            name: self._text(path) for name in self.closure(whole) if (path := self.path_of(name)) is not None
        }
        compiled = protoc.compile_files(texts, whole)
        done: set[str] = set()
        for descriptors, names in compiled.sets:
            for descriptor in options.decoded(descriptors, names):
                file = by_name[descriptor.name]
                done.add(file.name)
                yield file, declare.module(descriptor, file.name, texts[file.name]), ()
        for file in files:
            if file.name not in done:
                yield self._parsed(file, compiled.refused.get(file.name))

    def _text(self, path: str) -> str:
        try:
            return scan.decoded(self._context.tree.read(path).data).text
        except (ReadError, scan.Unreadable):
            return ""

    def _parsed(
        self, file: File, complaint: protoc.Complaint | None
    ) -> tuple[File, Module, tuple[Problem, ...]]:
        """A file that is read alone, with the reason."""
        from ifacegen_adapters.protobuf import declare, parse

        text = self._text(file.path)
        descriptor, problems = parse.parse(text)
        module = declare.module(descriptor, file.name, text)
        if reason := self._broken.get(file.name):
            message = f"{reason}; it was read alone, types and options unchecked"
            return file, module, (Problem("import-missing", message), *problems)
        if complaint is None:
            return file, module, tuple(problems)
        message = f"protoc refuses it: {complaint.text}; what could be read of it is shown"
        return file, module, (Problem("protoc-refused", message, complaint.line), *problems)


@functools.cache
def bundled() -> frozenset[str]:
    """Import names of the files that protoc brings along."""
    import importlib.util
    from pathlib import Path

    spec = importlib.util.find_spec("grpc_tools")
    if spec is None or spec.origin is None:
        return frozenset()
    top = Path(spec.origin).with_name("_proto")
    return frozenset(path.relative_to(top).as_posix() for path in top.rglob("*.proto"))


def _placed(module: Module, problems: tuple[Problem, ...], file: File) -> tuple[Module, tuple[Problem, ...]]:
    """A module with the path of its file."""
    return decode(encode(module, problems), file.path)
