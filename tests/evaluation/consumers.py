"""Can a consumer tell a package's stubs from its sources? mypy on real consumers, with the one and the other.

    make evaluate NAME=consumers

For each pair, mypy checks the consumer twice: the provider is its sources, then the stubs of its view, made in a
small monorepo. Imports of private names are set aside in both runs (the names are `Any`) and counted, for they are
a finding in themselves. The errors should be the same; what differs is listed, and must have a reason that can be
read here. So that mypy has much to say, it runs with `--strict` and the consumer's own silencing comments are
taken out. Fails when a difference has no reason.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._mypy import Message, Mypy, copy_unsilenced, hiding, write_stubs
from evaluation._private import PrivateImport, set_aside
from evaluation.packages import RealPackages, add_arguments, table

from ifacegen import Workspace

#: Consumer and provider.
PAIRS = (
    ("flask", "werkzeug"),
    ("fastapi", "starlette"),
    ("opentelemetry-sdk", "opentelemetry-api"),
    ("alembic", "sqlalchemy"),
    ("httpx", "httpcore"),
    ("starlette", "anyio"),
)
#: A line of mypy's report: a module, its expressions of type Any, all of its expressions.
_ROW = re.compile(r"^\s*(\S+)\s+(\d+)\s+(\d+)\s+\S+%\s*$", re.MULTILINE)
_FLAGS = ("--follow-imports=silent", "--strict", "--no-warn-unused-ignores", "--check-untyped-defs")
#: Said of an attribute or a name that the stubs don't have.
_PRIVATE = re.compile(r'has no attribute "(_\w+)"|"(_\w+)" undefined in superclass')
_ARGUMENTS = re.compile(r"\[[^\[\]]*\]")
#: Errors that are there since something is ``Any``.
_CAUSED_BY_ANY = frozenset({"no-any-return", "no-untyped-call", "var-annotated"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NOT_EXPORTED = "does not explicitly export attribute"
_NO_TYPE = frozenset({"Any", "Incomplete", "typing.Any", "t.Any"})
_ATTRIBUTE = re.compile(r"\.(\w+)")
_WORD = re.compile(r"\w+")
_HEAD = (
    *("consumer", "provider", "errors with sources", "with stubs", "the same", "only with sources"),
    *("only with stubs", "unexplained", "Any with sources", "Any with stubs", "private imports"),
    "private attributes",
)


@dataclass(frozen=True, slots=True)
class Run:
    """mypy on a consumer: its errors, and how many expressions it could say nothing of."""

    errors: tuple[Message, ...]
    untyped: int
    expressions: int

    @property
    def untyped_share(self) -> str:
        """Part of the expressions that are ``Any``."""
        return f"{self.untyped / self.expressions:.2%}"


@dataclass(frozen=True, slots=True)
class Difference:
    """An error that only one of the runs has."""

    message: Message
    with_stubs: bool
    reason: str = ""

    @property
    def is_private(self) -> bool:
        """Whether the consumer uses a private attribute."""
        return self.with_stubs and bool(_private_name(self.message))

    def __str__(self) -> str:
        each = self.message
        side = "only with stubs" if self.with_stubs else "only with sources"
        return f"`{each.path}:{each.line}` {each.text} [{each.code}]: {side}; {self.reason or 'UNEXPLAINED'}"


@dataclass(frozen=True, slots=True)
class Result:
    """One pair: how many errors each run has, how they differ, and what is imported that is private."""

    consumer: str
    provider: str
    with_sources: Run
    with_stubs: Run
    differences: tuple[Difference, ...]
    private: tuple[PrivateImport, ...]

    @property
    def unexplained(self) -> int:
        """Differences without a reason."""
        return sum(not each.reason for each in self.differences)

    def cells(self) -> tuple[str, ...]:
        """The figures as the table prints them."""
        sources, stubs = len(self.with_sources.errors), len(self.with_stubs.errors)
        added = sum(each.with_stubs for each in self.differences)
        counts = (sources, stubs, stubs - added, len(self.differences) - added, added, self.unexplained)
        shares = (self.with_sources.untyped_share, self.with_stubs.untyped_share)
        uses = sum(each.is_private for each in self.differences)
        return (self.consumer, self.provider, *map(str, counts), *shares, str(len(self.private)), str(uses))


def measure(packages: RealPackages) -> Iterator[Result]:
    """One result a pair."""
    packages.with_typed()
    workspace = Workspace.open(packages.layers)
    folders = packages.layers / "packages"
    for consumer, provider in PAIRS:
        print(f"{consumer} over {provider} …", file=sys.stderr)
        view = workspace.view(f"packages/{provider}")
        with tempfile.TemporaryDirectory() as temporary:
            copy, stubs = Path(temporary) / "consumer", Path(temporary) / "stubs"
            copy_unsilenced(folders / consumer, copy)
            private = set_aside(copy, folders / provider)
            write_stubs(workspace, view, stubs)
            with hiding(folders / provider, packages.typed_python) as mypy:
                before, after = (_run(mypy, copy, each) for each in (folders / provider, stubs))
            differences = list(_differences(before.errors, after.errors))
            reasons = Reasons(differences, copy, folders / provider, stubs)
            explained = tuple(map(reasons.explained, differences))
        yield Result(consumer, provider, before, after, explained, private)


def _run(mypy: Mypy, consumer: Path, provider: Path) -> Run:
    with tempfile.TemporaryDirectory() as reports:
        errors = mypy.check(consumer, *_FLAGS, f"--any-exprs-report={reports}", search=[provider])
        text = (Path(reports) / "any-exprs.txt").read_text(encoding="utf-8")
    modules = {_module(path.relative_to(consumer)) for path in consumer.rglob("*.py")}
    rows = [(int(found[2]), int(found[3])) for found in _ROW.finditer(text) if found[1] in modules]
    return Run(errors, *map(sum, zip(*rows, strict=True)))


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _differences(before: Sequence[Message], after: Sequence[Message]) -> Iterator[Difference]:
    first, second = Counter(before), Counter(after)
    yield from (Difference(each, False) for each in sorted((first - second).elements()))
    yield from (Difference(each, True) for each in sorted((second - first).elements()))


class Reasons:
    """What may explain that an error is there in one run only."""

    def __init__(
        self, differences: Sequence[Difference], consumer: Path, provider: Path, stubs: Path
    ) -> None:
        self._places = {(each.with_stubs, *_place(each.message)) for each in differences}
        self._words = {(each.with_stubs, *_place(each.message), _words(each.message)) for each in differences}
        self._untyped = _untyped(stubs)
        used = {_private_name(each.message) for each in differences if each.is_private}
        self._hidden = (_private_words(provider) - _private_words(stubs)) | used
        self._files = {
            each.message.path: Statements((consumer / each.message.path).read_text(encoding="utf-8"))
            for each in differences
        }

    def explained(self, difference: Difference) -> Difference:
        """The same difference with the first reason that holds."""
        return replace(difference, reason=next(self._found(difference), ""))

    def _found(self, difference: Difference) -> Iterator[str]:
        message, other = difference.message, not difference.with_stubs
        if difference.with_stubs and _private_name(message):
            yield f"private attribute `{_private_name(message)}`"
        if (other, *_place(message), _words(message)) in self._words:
            yield "the same error, names written or type arguments inferred otherwise"
        if message.code == "attr-defined" and (other, *_place(message)) in self._places:
            yield "an import that both refuse: what a module imports from elsewhere isn't its own"
        if message.code == "safe-super" and other:
            yield "a stub has no bodies, so none is known to be trivial"
        if other and _NOT_EXPORTED in message.text:
            yield "the view shows what a package's `__init__` takes from its own modules as exported"
        if other or message.code in _CAUSED_BY_ANY:
            yield from self._lost_types(message)

    def _lost_types(self, message: Message) -> Iterator[str]:
        """An error that depends on a type which the stubs don't have."""
        around = self._files[message.path].around(message.line)
        for name in sorted(set(_WORD.findall(around)) & self._hidden):
            yield f"in a function that uses the private attribute `{name}`"
        for name in sorted(set(_ATTRIBUTE.findall(around)) & self._untyped):
            yield f"in a function that uses `{name}`: the source states no type for it, mypy infers one"


class Statements:
    """A source, asked for the function or statement around a line."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
        self._functions = [_span(each) for each in nodes if isinstance(each, _FUNCTIONS)]
        self._simple = [_span(each) for each in nodes if not hasattr(each, "body")]

    def around(self, line: int) -> str:
        """The text of the innermost function at a line; of the statement where there is none."""
        for spans in (self._functions, self._simple):
            found = [(end - start, start, end) for start, end in spans if start <= line <= end]
            if found:
                _, start, end = min(found)
                return "\n".join(self._lines[start - 1 : end])
        return self._lines[line - 1]


def _span(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _place(message: Message) -> tuple[str, int, str]:
    return message.path, message.line, message.code


def _words(message: Message) -> str:
    """A message without type arguments and the modules of names."""
    text, plain = "", message.plain
    while text != plain:
        text, plain = plain, _ARGUMENTS.sub("", plain)
    return text


def _private_name(message: Message) -> str:
    found = _PRIVATE.search(message.text)
    return next(filter(None, found.groups()), "") if found else ""


def _private_words(root: Path) -> frozenset[str]:
    """Words with a leading underscore in a folder of sources or stubs."""
    texts = (
        path.read_text(encoding="utf-8") for path in root.rglob("*.py*") if path.suffix in {".py", ".pyi"}
    )
    return frozenset(word for text in texts for word in _WORD.findall(text) if word.startswith("_"))


def _untyped(stubs: Path) -> frozenset[str]:
    """Names of attributes and variables that stubs give no type to."""
    found: set[str] = set()
    for path in sorted(stubs.rglob("*.pyi")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) in _NO_TYPE:
                found.add(ast.unparse(node.target))
    return frozenset(found)


def report(results: Sequence[Result]) -> Iterator[str]:
    """The table, then every difference, then every import of a private name."""
    yield from table(_HEAD, [each.cells() for each in results])
    for each in results:
        for difference in each.differences:
            yield f"- {each.consumer} over {each.provider}: {difference}"
    for each in results:
        for private in each.private:
            yield f"- {each.consumer} over {each.provider}, private: {private}"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Run mypy on consumers, over sources and over stubs.")
    add_arguments(parser)
    options = parser.parse_args()
    results = list(measure(RealPackages(options.cache)))
    print("\n".join(report(results)))
    return 1 if any(each.unexplained for each in results) else 0


if __name__ == "__main__":
    sys.exit(main())
