"""Declaration texts from sources without a build.

By oxc where a file states its whole interface, by the compiler where it doesn't, and of JavaScript.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import splitext
from typing import TYPE_CHECKING

from ifacegen.adapter import NO_TOOLCHAIN
from ifacegen.errors import ReadError
from ifacegen.model import Note
from ifacegen_adapters.typescript import compiler_options, oxc, toolchain, tsc
from ifacegen_adapters.typescript.inputs import emitted_path, gather, is_declaration, is_safe, is_source
from ifacegen_adapters.typescript.scratch import Program

if TYPE_CHECKING:
    from ifacegen.adapter import BuildContext
    from ifacegen_adapters.typescript.inputs import Inputs
    from ifacegen_adapters.typescript.toolchain_values import Compiler, Toolchain

#: Files of which one note tells that they have no declarations; the others are counted.
_MOST_NOTES = 5
#: Files that are prepared together, by one start of oxc.
_MOST_FILES = 5_000
#: Seconds after which nothing more is prepared: what is left, the builds do by themselves.
_SECONDS_TO_PREPARE = 300.0

_NO_TOOLCHAIN = "no TypeScript toolchain is installed"
_NO_COMPILER = "no TypeScript compiler is installed to infer them"


@dataclass(frozen=True, slots=True)
class Generated:
    """What came of a package's sources."""

    #: Source path → its declaration text.
    texts: Mapping[str, str] = field(default_factory=dict)
    #: Source path → ``oxc`` or ``tsc``.
    makers: Mapping[str, str] = field(default_factory=dict)
    #: Source path → why it has none: it is read as it stands.
    failed: Mapping[str, str] = field(default_factory=dict)
    #: What of all that a reader of the view must know.
    notes: tuple[Note, ...] = ()
    #: The toolchain, and files outside the package that were looked at.
    consulted: Mapping[str, tuple[str, str] | None] = field(default_factory=dict)


def declarations(context: BuildContext, paths: Sequence[str]) -> Generated:
    """Declaration texts of sources of ``context.package``; the same whichever of them are asked for.

    Args:
        context: Of the build.
        paths: What the entry points lead to; declaration files and what is another package's are passed over.
    """
    is_own = _ownership(context)
    wanted = sorted({path for path in paths if is_source(path) and is_own(path)})
    if not wanted:
        return Generated()
    chain = toolchain.toolchain(context)
    work = _Work(context, chain, sorted({*wanted, *reached(context)}))
    work.take(_isolated(chain, [work]))
    if work.rest and chain.compiler is not None:
        work.compile(chain.compiler)
    return work.result(wanted)


def prepare(contexts: Sequence[BuildContext]) -> None:
    """Keep in the facts what :func:`declarations` will ask for, of many packages, with few starts of the tools."""
    if not contexts or (chain := toolchain.toolchain(contexts[0])).identity == NO_TOOLCHAIN:
        return
    end = time.monotonic() + _SECONDS_TO_PREPARE
    for works in _some_at_once(contexts, chain):
        answers = _isolated(chain, works)
        for work in works:
            work.take(answers)
        if chain.compiler is not None:
            tsc.prepare(chain.compiler, contexts[0].facts, _programs(works, chain.compiler, end))
        if time.monotonic() > end:
            return


def _some_at_once(contexts: Iterable[BuildContext], chain: Toolchain) -> Iterator[list[_Work]]:
    """The packages that have anything to emit, as many together as memory is no matter for."""
    works: list[_Work] = []
    files = 0
    for context in contexts:
        sources = reached(context)
        if sources:
            works.append(_Work(context, chain, sources))
            files += len(sources)
        if files > _MOST_FILES:
            yield works
            works, files = [], 0
    if works:
        yield works


def reached(context: BuildContext) -> Sequence[str]:
    """Sources of a package that its entry points lead to, by path."""
    known: dict[str, Sequence[str]] = context.shared.setdefault("typescript.reached", {})
    path = context.package.path
    if path not in known:
        known[path] = _reached(context)
    return known[path]


def _reached(context: BuildContext) -> Sequence[str]:
    from ifacegen_adapters.typescript import entries, files, package_files
    from ifacegen_adapters.typescript.facts import FileFacts

    is_own = _ownership(context)

    def facts_of(path: str) -> FileFacts:
        # What leads out of the package and back is still found; what lies behind other packages is theirs.
        return files.facts_of(context, path) if is_own(path) else FileFacts()

    roots = [each.path for each in entries.package_entries(context).entries if is_source(each.path)]
    closure = package_files.closure(context, roots, facts_of) if roots else ()
    return sorted(path for path in closure if is_source(path) and is_own(path))


def _ownership(context: BuildContext) -> Callable[[str], bool]:
    """Whether a file is read for the package: its own, and what lies in no package at all."""
    from ifacegen_adapters.typescript.wards import wards

    owners = wards(context)

    def is_own(path: str) -> bool:
        owner = owners.owner(path)
        return owner is None or owner.path == context.package.path

    return is_own


def _programs(works: Iterable[_Work], compiler: Compiler, end: float) -> Iterator[Program]:
    for work in works:
        if time.monotonic() > end:
            return
        if work.rest:
            yield work.program(compiler)


def _isolated(chain: Toolchain, works: Sequence[_Work]) -> Mapping[tuple[str, str], oxc.Answer]:
    if chain.isolated is None or not works:
        return {}
    sources = [each for work in works for each in work.sources()]
    return oxc.emitted(chain.isolated, works[0].context.facts, sources)


class _Work:
    """One package's sources on their way to declarations."""

    def __init__(self, context: BuildContext, chain: Toolchain, paths: Sequence[str]) -> None:
        self.context = context
        self._chain = chain
        self._paths = paths
        self._texts: dict[str, str] = {}
        self._makers: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._inputs: Inputs | None = None
        #: Files of others that the compiler could not be given.
        self._unread: dict[str, str] = {}
        self._blobs: dict[str, str] = {}
        for path in paths:
            self._admit(path)

    def _admit(self, path: str) -> None:
        """Take a file, or say why it is given to no tool."""
        try:
            blob = self.context.tree.id(path)
        except ReadError as error:
            self._failed[path] = error.reason
            return
        if blob in self.context.unreadable:
            self._failed[path] = self.context.unreadable[blob]
        elif not is_safe(path):
            self._failed[path] = "its path is no name for a file elsewhere"
        else:
            self._blobs[path] = blob

    @property
    def rest(self) -> Sequence[str]:
        """What is left to the compiler."""
        return [path for path in self._blobs if path not in self._texts]

    def sources(self) -> Iterator[oxc.Source]:
        """What may be clean."""
        for path, blob in self._blobs.items():
            suffix = splitext(path)[1]
            if suffix in oxc.SUFFIXES:
                yield oxc.Source(blob, suffix, functools.partial(self._bytes, path))

    def _bytes(self, path: str) -> bytes:
        return self.context.tree.read(path).data

    def take(self, answers: Mapping[tuple[str, str], oxc.Answer]) -> None:
        """Take what is clean; and leave out what would kill the compiler, too."""
        for path, blob in list(self._blobs.items()):
            answer = answers.get((blob, splitext(path)[1]))
            if answer is None:
                continue
            if answer.text is not None:
                self._texts[path], self._makers[path] = answer.text, "oxc"
            elif answer.is_deadly:
                self._failed[path] = answer.reason
                del self._blobs[path]

    def program(self, compiler: Compiler) -> Program:
        """All of the package, clean or not: what a type is called depends on who exports it."""
        from ifacegen_adapters.typescript import tsconfig

        options = compiler_options.taken(tsconfig.compiler_options(self.context), compiler.library)
        roots = [path for path in self._paths if path in self._blobs]
        self._inputs = gather(self.context, roots, self._ambient(), options, self._failed)
        return Program(self._inputs, self._bytes)

    def _ambient(self) -> list[str]:
        """Declaration files of the package that add to what is global."""
        from ifacegen_adapters.typescript import files, package_files

        found = [path for path in package_files.sources(self.context) if is_declaration(path)]
        return [path for path in found if not files.facts_of(self.context, path).is_module]

    def compile(self, compiler: Compiler) -> None:
        """Have the rest compiled."""
        program = self.program(compiler)
        found = tsc.emitted(compiler, self.context.facts, program)
        self._unread = {path: why for path, why in found.failed.items() if path not in self._blobs}
        given = {emitted_path(path): path for path in program.inputs.roots}
        for path in self.rest:
            text = found.texts.get(path)
            if text is not None:
                self._texts[path], self._makers[path] = text, "tsc"
            elif path in found.failed:
                self._failed[path] = found.failed[path]
            elif emitted_path(path) in given:
                self._failed[path] = f"{given[emitted_path(path)]} goes before it"
            else:
                self._failed[path] = "it cannot be read, or is too large"

    def result(self, wanted: Sequence[str]) -> Generated:
        """What came of some of the files."""
        if self._chain.compiler is None:
            reason = _NO_TOOLCHAIN if self._chain.isolated is None else _NO_COMPILER
            self._failed.update(dict.fromkeys(self.rest, reason))
        failed = {path: self._failed[path] for path in wanted if path not in self._texts}
        return Generated(
            {path: self._texts[path] for path in wanted if path in self._texts},
            {path: self._makers[path] for path in wanted if path in self._texts},
            failed,
            (*_notes(failed, self._chain, self.context.package.path), *map(_any, self._unread.items())),
            {toolchain.consulted(self.context): None, **self._outside()},
        )

    def _outside(self) -> dict[str, tuple[str, str]]:
        directory = self.context.package.path
        if self._inputs is None or directory in ("", "."):
            return {}
        return {
            f"file:{path}": (path, blob)
            for path, blob in sorted(self._inputs.files.items())
            if not path.startswith(f"{directory}/")
        }


def _notes(failed: Mapping[str, str], chain: Toolchain, package: str) -> Iterator[Note]:
    missing = [path for path, reason in failed.items() if reason in (_NO_TOOLCHAIN, _NO_COMPILER)]
    if missing:
        yield Note("warning", "toolchain-missing", _advice(failed[missing[0]], len(missing), chain), package)
    others = [(path, reason) for path, reason in failed.items() if path not in missing]
    for path, reason in others[:_MOST_NOTES]:
        yield Note(
            "warning",
            "source-types",
            f"no declarations could be generated: {reason}; read as it stands",
            path,
        )
    if len(others) > _MOST_NOTES:
        more = len(others) - _MOST_NOTES
        yield Note("warning", "source-types", f"nor could they of {more} other files", package)


def _any(unread: tuple[str, str]) -> Note:
    path, reason = unread
    return Note("warning", "source-types", f"types that are inferred from it are `any`: {reason}", path)


def _advice(reason: str, count: int, chain: Toolchain) -> str:
    what = "1 file was" if count == 1 else f"{count} files were"
    why = f" ({'; '.join(chain.problems)})" if chain.problems else ""
    return f"{what} read without the types that nobody states, because {reason}{why}: {toolchain.INSTALL}"
