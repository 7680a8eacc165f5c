"""Stub trees beside sources: the view's own, and those of other tools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation._oracle import Source, Thing, read
from evaluation._oracle_compare import Limits, differences
from evaluation._oracle_names import used
from evaluation._oracle_view import PackageView, Pair, flat


@dataclass(frozen=True, slots=True)
class Found:
    """A declaration with what its stub says."""

    pair: Pair
    #: As the stub has it; None where it hasn't.
    thing: Thing | None
    stub: Source | None
    #: What the stub may leave out.
    limits: Limits


Sources = Mapping[str, Source | None]


def stubbed(view: PackageView, stubs: Sources, limits: Limits) -> Iterator[Found]:
    """Each declaration with what its stub says."""
    answered = _answered(view)
    pairs = {id(pair.value): pair for pair in view.pairs}
    for module in view.value["modules"]:
        source = stubs[module["name"]]
        there = _by_name(source)
        for value in flat(module["declarations"]):
            if value["kind"] in ("import", "alias"):
                continue
            found = there.get(value["qualname"], [])
            thing = found.pop(0) if found else None
            if pair := pairs.get(id(value)):
                mine = replace(
                    limits,
                    may_add=True,
                    comments=source.comments if source else frozenset(),
                    answered=answered.get(value["path"], frozenset()),
                )
                yield Found(pair, thing, source, mine)


def module_docs(view: PackageView) -> Iterator[tuple[str, str | None, str | None]]:
    """Documentation of each module: path, as the source has it, as the stub does."""
    for module in view.value["modules"]:
        stub = view.stubs[module["name"]]
        yield module["path"], module["doc"], stub.doc if stub else None


def _by_name(source: Source | None) -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = defaultdict(list)
    for thing in source.walk() if source else ():
        found[thing.qualname].append(thing)
    return found


def _answered(view: PackageView) -> Mapping[str, frozenset[int]]:
    """Lines of ``try`` statements of whose handlers something is shown, by path."""
    found: dict[str, set[int]] = defaultdict(set)
    for pair in view.pairs:
        for each in pair.source.conditions:
            if each.word == "except":
                found[pair.value["path"]].add(each.at)
    return {path: frozenset(lines) for path, lines in found.items()}


def invented(view: PackageView) -> Iterator[str]:
    """Definitions in a stub that no declaration stands for."""
    for module in view.value["modules"]:
        there = _by_name(view.stubs[module["name"]])
        for value in flat(module["declarations"]):
            found = there.get(value["qualname"])
            if value["kind"] != "import" and found:  # an alias under another name is an assignment in a stub
                found.pop(0)
        there.pop("__all__", None)
        for name, things in there.items():
            if not all(thing.hoisted for thing in things):  # a place in `__slots__` is no statement
                yield f"{module['name']}: {name}"


def printed(found: Found, thing: Thing) -> list[tuple[str, str]]:
    """What differs in a stub; what an existing stub leaves open may stay so, as its types are of what comes of it."""
    pair = found.pair
    stated = [pair.stated]
    if pair.value["path"].endswith(".pyi") and found.limits.is_stub:
        own = replace(pair.stated, arguments=pair.source.arguments, decorators=pair.source.decorators)
        # A value that only the source has is none of the stub's.
        stated += [own, replace(own, value=pair.source.value)]
    return min((list(differences(each, thing, found.limits, pair.same)) for each in stated), key=len)


def confused(found: Iterable[Found]) -> Iterator[tuple[Pair, str]]:
    """Definitions that a stub shows under one ``try`` and that stand under several."""
    statements: dict[tuple[str, int], int] = {}
    for each in found:
        rest = [condition for condition in each.thing.conditions if condition.at] if each.thing else []
        for condition in each.pair.source.conditions:
            if rest and rest[0] == condition:
                shown = rest.pop(0)
                if condition.word in ("try", "except", "else"):
                    first = statements.setdefault((each.pair.module, shown.at), condition.at)
                    if first != condition.at:
                        yield each.pair, f"shown with the try statement of line {first}, not {condition.at}"


def listed(view: PackageView) -> Iterator[str]:
    """What a stub's ``__all__`` has that its source's has not, or lacks."""
    for module in view.value["modules"]:
        source, stub = view.sources.get(module["path"]), view.stubs[module["name"]]
        # Of a private module only what others mention is shown.
        is_whole = not any(part.startswith("_") for part in module["name"].split("."))
        if is_whole and source is not None and stub is not None and stub.exported is not None:
            mine = source.exported or frozenset()
            if stub.exported - mine or (mine - stub.exported and not source.computed):
                yield f"{module['name']}: __all__ differs in {sorted(stub.exported ^ mine)[:5]}"


def strayed(found: Found, view: PackageView) -> Iterator[str]:
    """Names that mean one thing in a source and another where the definition is shown."""
    pair = found.pair
    for name in sorted(used(pair.source) & used(found.thing or pair.shown)):
        if not any(name in scope for scope in pair.scopes):
            mine, theirs = view.meanings.every(pair.value["path"], name), view.in_stub(pair.module, name)
            if f"nothing:{name}" not in mine and not any(view.is_same(each, theirs) for each in mine):
                yield f"{name} means {min(mine)}, where it is shown {theirs}"


class Peer:
    """Another tool's stubs of one package: laid out as its sources, read when they are asked for."""

    def __init__(self, folder: str, root: Path | None) -> None:
        """``folder``: of the package, which the paths in its view begin with."""
        self._folder = folder
        self._root = root
        self._read: dict[str, tuple[Source | None, Mapping[str, list[Thing]]]] = {}
        #: Stubs that are no Python.
        self.unreadable: list[str] = []

    def source(self, path: str) -> Source | None:
        """The stub of a source; None where there is none that can be read."""
        return self._stub(path)[0]

    def closest(self, path: str, stated: Thing, limits: Limits) -> Thing | None:
        """The definition of the same name that is most alike."""
        there = self._stub(path)[1].get(stated.qualname, [])
        return min(there, key=lambda each: len(list(differences(stated, each, limits))), default=None)

    def _stub(self, path: str) -> tuple[Source | None, Mapping[str, list[Thing]]]:
        if path not in self._read:
            inner = path.removeprefix(f"{self._folder}/")
            stub = self._root / inner if self._root else Path(inner)
            stub = stub.with_suffix(".pyi")
            found = read(stub.read_bytes()) if self._root and stub.is_file() else None
            if found is None and self._root and stub.is_file():
                self.unreadable.append(path)
            self._read[path] = found, _by_name(found)
        return self._read[path]


def measured(view: PackageView) -> list[Pair]:
    """The declarations that every tool is measured by: what callers see, each where its source has it."""
    found: dict[tuple[str, int, str], Pair] = {}
    for pair in view.pairs:
        if pair.value["visibility"] == "public" and not pair.value["inherited_from"]:
            found.setdefault((pair.value["path"], pair.source.line, pair.source.qualname), pair)
    return list(found.values())
