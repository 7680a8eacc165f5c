"""Do the stubs of a view hold together? mypy and stubtest on whole stub trees, and on the sources they come from.

    make evaluate NAME=stub_trees                        # 5 minutes on two idle cores
    make evaluate NAME=stub_trees ARGS='--peers click'   # beside the stubs of other generators; chosen packages

Every message in a tree is held against those in the source, whose comments that silence mypy are set aside: what
mypy has against a declaration of the source, it may have against the view's. What is left must have a reason
that can be read here. stubtest's findings likewise (``_stubtest``). Fails when a message or finding has no reason.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._mypy import Message, Mypy, RefusedError, Tree, copy_unsilenced, hiding, write_stubs
from evaluation._peers import stub_trees
from evaluation._stubtest import OWN, Explained
from evaluation._stubtest import Reasons as StubtestReasons
from evaluation.packages import RealPackage, RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.model import View

NAMES = (
    *("attrs", "click", "fastapi", "flask", "httpx"),
    *("pydantic", "requests", "rich", "sqlalchemy", "trio"),
)
#: Codes of messages that say a name or an attribute isn't there.
UNDEFINED = frozenset({"name-defined", "attr-defined", "import-not-found", "has-type"})
_UNINSTALLED = frozenset({"import-not-found", "import-untyped"})
_ABSTRACT = re.compile(r"^Class (\S+) has abstract attributes (.+)$")
#: In a stub, mypy infers values without an annotation in an order that import cycles decide; and where a value must
#: be annotated (``A | B`` would be a type), it asks for a base's ``ClassVar`` again. Consumers are told neither.
_STUBS_ONLY = re.compile(
    r"Cannot determine type of |Cannot override class variable .* with instance variable"
)
_EMPTY_ENUM = re.compile(r'^Detected enum "(\S+)" in a type stub with zero members')
_QUOTED = re.compile(r'"([^"]+)"')
_HEAD = (
    *(
        "package",
        "stubs",
        "messages",
        "the source's own",
        "asked of stubs only",
        "left",
        "undefined names left",
    ),
    "messages in the source",
)
_PEER_PARTS = ("messages", "left", "undefined")
_STUBTEST_HEAD = ("package", "stubtest", "the source's own", "explained otherwise", "unexplained")


@dataclass(frozen=True, slots=True)
class Counts:
    """Messages about one tree of stubs."""

    messages: int
    left: int
    undefined: int

    def cells(self) -> tuple[str, ...]:
        """The figures as the table prints them."""
        return str(self.messages), str(self.left), str(self.undefined)


@dataclass(frozen=True, slots=True)
class Result:
    """One package: what mypy says of its stubs, sorted by reason."""

    package: RealPackage
    stubs: int
    own: tuple[Message, ...]
    stubs_only: tuple[Message, ...]
    left: tuple[Message, ...]
    in_source: int
    stubtest: tuple[Explained, ...]
    #: Another generator → what its stubs come to; nothing where they are no Python.
    peers: Mapping[str, Counts | None]

    @property
    def messages(self) -> int:
        """All of them."""
        return len(self.own) + len(self.stubs_only) + len(self.left)

    @property
    def undefined(self) -> tuple[Message, ...]:
        """Those that nothing explains and that say something isn't there."""
        return tuple(each for each in self.left if each.code in UNDEFINED)

    @property
    def unexplained(self) -> tuple[Explained, ...]:
        """Findings of stubtest without a reason."""
        return tuple(each for each in self.stubtest if not each.reason)

    @property
    def stubtest_cells(self) -> tuple[str, ...]:
        """The figures of stubtest."""
        own = sum(each.reason == OWN for each in self.stubtest)
        left = len(self.unexplained)
        return tuple(map(str, (len(self.stubtest), own, len(self.stubtest) - own - left, left)))

    def cells(self) -> tuple[str, ...]:
        """The figures as the table prints them."""
        parts = (self.own, self.stubs_only, self.left, self.undefined)
        return tuple(map(str, (self.stubs, self.messages, *map(len, parts), self.in_source)))


class Source:
    """The sources of a package without their silencers, and what mypy says of them."""

    def __init__(self, root: Path, mypy: Mypy, view: View) -> None:
        self.messages = mypy.check(root)
        self._tree = Tree(root)
        self._texts = {(each.code, each.plain) for each in self.messages}
        self._places = {(each.code, name) for each in self.messages for name in self._tree.declared_at(each)}
        self._names = {name for each in self.messages for name in self._tree.declared_at(each)}
        self._bound = _bound(root)
        self._inherited = {each.qualname for _, each in view.declarations() if each.inherited_from}

    def sort(self, messages: Sequence[Message], tree: Tree) -> Iterator[tuple[Message, ...]]:
        """Messages about stubs: the source's own, those that mypy has for stubs only, the rest."""
        parts: dict[str, list[Message]] = {"own": [], "stubs only": [], "left": []}
        for message in messages:
            names = tree.declared_at(message)
            if self.has(message, names):
                parts["own"].append(message)
            elif (
                self.is_abstract(message)
                or self.is_inherited(message, names)
                or _STUBS_ONLY.match(message.text)
            ):
                parts["stubs only"].append(message)
            else:
                parts["left"].append(message)
        yield from map(tuple, parts.values())

    def is_inherited(self, message: Message, names: frozenset[str]) -> bool:
        """Whether a member that comes from a private base is compared with other bases; a source's isn't."""
        return message.code in ("override", "assignment") and not self._inherited.isdisjoint(names)

    def has(self, message: Message, names: frozenset[str]) -> bool:
        """Whether mypy has the same against the source: the same words, or the same code at the same place."""
        if (message.code, message.plain) in self._texts:
            return True
        if message.code in _UNINSTALLED:
            return False
        return any((message.code, name) in self._places for name in names) or (
            # How variants under conditions disagree is told in other words, and of another one, in a stub.
            message.code in {"no-redef", "misc", "assignment"} and not self._names.isdisjoint(names)
        )

    def is_abstract(self, message: Message) -> bool:
        """Whether a class that mypy asks of stubs only is so in the source: abstract, or an enum without members."""
        abstract, empty = _ABSTRACT.match(message.text), _EMPTY_ENUM.match(message.text)
        found = abstract or empty
        if not found:
            return False
        bound = self._bound.get(found[1].rpartition(".")[2], frozenset())
        return bound.isdisjoint(_QUOTED.findall(found[2])) if abstract else not bound


def _bound(root: Path) -> Mapping[str, frozenset[str]]:
    """What classes of a name define and assign in their bodies."""
    found: dict[str, frozenset[str]] = {}
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name] = found.get(node.name, frozenset()) | frozenset(_names(node))
    return found


def _names(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            yield each.name
        elif isinstance(each, ast.Assign):
            yield from (ast.unparse(target) for target in each.targets)


def measure(
    packages: RealPackages, names: Sequence[str], peers: Mapping[str, Mapping[str, Path]]
) -> Iterator[Result]:
    """One result a package; peers are the roots of other stubs, by tool and package."""
    chosen = [each for each in packages.with_typed() if each.name in names]
    workspace = Workspace.open(packages.monorepo)
    for package in chosen:
        print(f"{package.name} …", file=sys.stderr)
        others = {tool: roots[package.name] for tool, roots in peers.items() if package.name in roots}
        with tempfile.TemporaryDirectory() as folder, hiding(package.folder, packages.typed_python) as mypy:
            yield _measured(package, workspace.view(package.address), workspace, mypy, Path(folder), others)


def _measured(
    package: RealPackage,
    view: View,
    workspace: Workspace,
    mypy: Mypy,
    folder: Path,
    peers: Mapping[str, Path],
) -> Result:
    stubs, sources = folder / "stubs", folder / "sources"
    count = write_stubs(workspace, view, stubs)
    copy_unsilenced(package.folder, sources)
    source = Source(sources, mypy, view)
    own, stubs_only, left = source.sort(mypy.check(stubs), Tree(stubs))
    before, after = (mypy.stubtest(root, package.folder, package.modules) for root in (package.folder, stubs))
    explained = tuple(map(StubtestReasons(package.folder, before).explained, after))
    others = {tool: _peer(root, source, mypy) for tool, root in peers.items()}
    return Result(package, count, own, stubs_only, left, len(source.messages), explained, others)


def _peer(root: Path, source: Source, mypy: Mypy) -> Counts | None:
    try:
        messages = mypy.check(root)
    except RefusedError:
        return None
    _, _, left = source.sort(messages, Tree(root))
    return Counts(len(messages), len(left), sum(each.code in UNDEFINED for each in left))


def report(results: Sequence[Result]) -> Iterator[str]:
    """The tables, the codes and reasons, then everything that nothing explains."""
    yield from table(_HEAD, [(each.package.name, *each.cells()) for each in results])
    for title, chosen in (("the source's own", "own"), ("left", "left")):
        codes = Counter(message.code for each in results for message in getattr(each, chosen))
        listed = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
        yield f"\n{title}, by code: {listed or 'none'}"
    for each in results:
        for message in each.left:
            yield f"- {each.package.name}: `{message.path}:{message.line}` {message.text} [{message.code}]"
    yield from _stubtest(results)
    yield from _peers(results)


def _stubtest(results: Sequence[Result]) -> Iterator[str]:
    yield ""
    yield from table(_STUBTEST_HEAD, [(each.package.name, *each.stubtest_cells) for each in results])
    reasons = Counter(found.reason for each in results for found in each.stubtest)
    yield ""
    yield from table(
        ("reason", "findings"), [(name or "none", str(count)) for name, count in sorted(reasons.items())]
    )
    for each in results:
        for found in each.unexplained:
            yield f"- {each.package.name}: `{found.finding.name}` {found.finding.text}"


def _peers(results: Sequence[Result]) -> Iterator[str]:
    tools = sorted({tool for each in results for tool in each.peers})
    head = ("package", *(f"{tool}: {part}" for tool in ("view", *tools) for part in _PEER_PARTS))
    rows: list[tuple[str, ...]] = []
    for each in results:
        mine = Counts(each.messages, len(each.left), len(each.undefined))
        made = [mine, *(each.peers.get(tool) for tool in tools)]
        cells = (cell for counts in made for cell in (counts.cells() if counts else ("no Python", "", "")))
        rows.append((each.package.name, *cells))
    if tools:
        yield ""
        yield from table(head, rows)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Run mypy on the stub trees of views.")
    add_arguments(parser)
    parser.add_argument("--peers", action="store_true", help="measure the stubs of other generators too")
    parser.add_argument("names", nargs="*", metavar="PACKAGE", help="what to measure (default: all ten)")
    options = parser.parse_args()
    packages = RealPackages(options.cache)
    results = list(measure(packages, options.names or NAMES, stub_trees(packages) if options.peers else {}))
    print("\n".join(report(results)))
    return 1 if any(each.left or each.unexplained for each in results) else 0


if __name__ == "__main__":
    sys.exit(main())
