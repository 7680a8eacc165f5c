"""From files to modules: what is known is taken, what can be compiled goes to protoc at once, the rest is read alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ifacegen.adapter import BuildContext
from ifacegen.errors import ReadError
from ifacegen.model import Module
from ifacegen_adapters.protobuf import protoc, scan
from ifacegen_adapters.protobuf.graph import Broken, Graph
from ifacegen_adapters.protobuf.package_files import File
from ifacegen_adapters.protobuf.provenance import FACTS_VERSION, tool
from ifacegen_adapters.protobuf.scanning import blob_id
from ifacegen_adapters.protobuf.stored import Malformed, Problem, decode, encode

#: Missing imports of one file that are told one by one.
_MOST_TOLD = 4
#: Characters of an error that are told.
_LONGEST = 120
_REFUSED = "protoc-refused"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a file."""

    module: Module | None
    problems: tuple[Problem, ...]


class Compiler:
    """The modules of files below one import root."""

    def __init__(self, context: BuildContext, root: str) -> None:
        self._context = context
        self.graph = Graph(context, root)

    def tokens(self, path: str) -> int:
        """How many tokens a file has; none if it cannot be read."""
        blob = blob_id(self._context, path)
        if blob in self._context.unreadable:
            return 0
        return self._context.tokens_of(blob, f"protobuf {FACTS_VERSION}", lambda: self._text(path))

    def modules(self, files: Sequence[File]) -> Mapping[str, Result]:
        """What became of each file, by its path."""
        self.graph.survey([file.name for file in files])
        results: dict[str, Result] = {}
        pending: list[File] = []
        for file in files:
            scanned = self.graph.scan(file.path)
            if scanned.unreadable:
                crashed = blob_id(self._context, file.path) in self._context.unreadable
                code = "crashed" if crashed else "unreadable"
                results[file.path] = Result(None, (Problem(code, scanned.unreadable, severity="error"),))
            elif (known := self._known(file)) is not None:
                results[file.path] = known
            else:
                pending.append(file)
        for file, made in self._made(pending):
            results[file.path] = made
        return results

    def _key(self, file: File) -> dict[str, str]:
        return {
            "kind": "protobuf-module",
            "maker": tool(),
            "blob": blob_id(self._context, file.path),
            "name": f"{file.name} {file.shown_as}",
            "closure": f"{self.graph.digests[file.name]} {self.graph.broken.get(file.name)}",
        }

    def _known(self, file: File) -> Result | None:
        stored = self._context.facts.get(**self._key(file))
        if stored is None:
            return None
        try:
            return Result(*decode(stored, file.path))
        except Malformed:  # made anew, and better
            return None

    def _made(self, files: Sequence[File]) -> Iterator[tuple[File, Result]]:
        from ifacegen_adapters.protobuf import options

        by_name = {file.name: file for file in files}
        whole = [name for name in by_name if name not in self.graph.broken]
        found = ((name, self.graph.path(name)) for name in self.graph.closure(whole))
        texts = {name: self._text(path) for name, path in found if path is not None}
        compiled = protoc.compile_files(texts, whole) if whole else protoc.Compiled()
        done: dict[str, Result] = {}
        reasons: dict[str, str] = {}
        for descriptors, names in compiled.sets:
            for name, descriptor in options.decoded(descriptors, names):
                if isinstance(descriptor, options.Refusal):
                    reasons[name] = descriptor.reason
                    continue
                try:
                    done[name] = self._declared(descriptor, by_name[name], texts[name])
                except Exception as error:  # noqa: BLE001  # what one descriptor does to us, the other files must not feel
                    reasons[name] = f"its descriptor cannot be read: {_told(error)}"
        for file in files:
            name = file.name
            yield (
                file,
                done.get(name) or self._guarded(file, compiled.refused.get(name), reasons.get(name, "")),
            )

    def _guarded(self, file: File, complaint: protoc.Complaint | None, reason: str) -> Result:
        try:
            return self._alone(file, complaint, reason)
        except Exception as error:  # noqa: BLE001  # see above; and nothing else is left to be tried
            message = f"cannot be read, neither compiled nor alone: {_told(error)}"
            return Result(None, (Problem("unreadable", message, severity="error"),))

    def _alone(self, file: File, complaint: protoc.Complaint | None, reason: str) -> Result:
        """A file that is read by itself; why it must be is known from protoc, from ``reason`` or from its imports."""
        from ifacegen_adapters.protobuf import parse

        text = self._text(file.path)
        descriptor, skipped = parse.parse(text)
        problems: list[Problem] = []
        broken = self.graph.broken.get(file.name)
        if broken is not None:
            reason = broken.reason()
            problems += _missing(broken, text)
        else:
            reason = f"protoc refuses it: {complaint.text}" if complaint else reason
            if not skipped:
                problems.append(Problem(_REFUSED, reason, complaint.line if complaint else 0))
        if skipped:
            problems.append(_skipped(skipped))
        return self._declared(descriptor, file, text, reason, problems)

    def _declared(
        self, descriptor: Any, file: File, text: str, degraded: str = "", problems: Sequence[Problem] = ()
    ) -> Result:
        """A file's module, kept, and as it will be when it is known."""
        from ifacegen_adapters.protobuf import declare

        module = declare.module(descriptor, file.shown_as, text)
        data = encode(_flagged(module, degraded) if degraded else module, problems)
        result = Result(*decode(data, file.path))
        self._context.facts.put(data, **self._key(file))
        return result

    def _text(self, path: str) -> str:
        try:
            return scan.decoded(self._context.tree.read(path).data).text
        except (ReadError, scan.Unreadable):
            return ""


def _told(error: Exception) -> str:
    """An error of somebody else's, in a line."""
    said = " ".join(str(error).split())[:_LONGEST]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _missing(broken: Broken, text: str) -> Iterator[Problem]:
    """What is wrong with imports: each of a few, else all in one."""
    told = list(broken.culprits.items())
    for name, each in told if len(told) <= _MOST_TOLD else ():
        line = _line(text, name) if broken.is_direct else 0
        yield Problem(broken.code, f"imports {name}, which {each}", line)
    if len(told) > _MOST_TOLD:
        yield Problem(broken.code, broken.reason(), _line(text, told[0][0]))


def _line(text: str, name: str) -> int:
    """Where a file imports another."""
    at = text.find(f'"{name}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def _skipped(found: Sequence[Problem]) -> Problem:
    """One problem for all statements that could not be read."""
    first, *rest = found
    lines = [str(each.line) for each in rest[:5]]
    more = f"; likewise in line{'s' if len(lines) > 1 else ''} {', '.join(lines)}" if rest else ""
    more += f" and {len(rest) - 5} more" if len(rest) > 5 else ""
    return replace(first, message=f"{first.message}{more}")


def _flagged(module: Module, reason: str) -> Module:
    """A module whose first statement says that it was read alone, and why."""
    first, *rest = module.declarations
    first = replace(first, extra={**first.extra, "degraded": reason})
    return replace(module, declarations=(first, *rest))
