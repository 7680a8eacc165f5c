"""Import roots as the imports have them that a package's files make of each other.

Discovery reads too few files to know them for sure. Here every import is looked at that means a file of the package:
the directory that it starts from is a vote for both files' root, and the one with most votes is it. A file without
votes goes with its directory. What only this package's files say decides, so nothing outside can change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ifacegen.adapter import BuildContext
from ifacegen_adapters.protobuf.places import folder_of, is_below, is_import_name, joined
from ifacegen_adapters.protobuf.protoc import bundled
from ifacegen_adapters.protobuf.scanning import scanned


class Rooting:
    """Finds the roots of a package's files."""

    def __init__(
        self, context: BuildContext, paths: Sequence[str], roots: dict[str, str], stated: Collection[str]
    ) -> None:
        """``paths`` are all of the package's; ``roots`` has those that are shown, and may grow until they settle."""
        self._context = context
        self._roots = roots
        self._stated = stated
        self._paths = frozenset(paths)
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        self._votes: dict[str, Counter[str]] = {}
        self._serving: set[str] = set()

    @property
    def serving(self) -> tuple[str, ...]:
        """Directories from which files of the package are imported that lie below no root of their importers."""
        return tuple(sorted(self._serving))

    def imported(self, aside: Mapping[str, str]) -> list[str]:
        """Of files that would not be shown, those that shown ones import, directly or not."""
        if not aside:
            return []
        wanted: dict[str, None] = {}
        pending = list(self._roots.items())
        while pending:
            path, root = pending.pop()
            for name in scanned(self._context, path).imports:
                meant, _ = self._meant(path, root, name)
                if meant is not None and meant in aside and meant not in wanted:
                    wanted[meant] = None
                    pending.append((meant, aside[meant]))
        return list(wanted)

    def settled(self) -> Mapping[str, str]:
        """Path → root of all that is shown."""
        for path, root in self._roots.items():
            self._vote(path, root)
        if all(set(votes) == {self._roots.get(path)} for path, votes in self._votes.items()):
            return self._roots
        summed = self._summed()
        return {path: self._elected(path, root, summed) for path, root in self._roots.items()}

    def _vote(self, path: str, root: str) -> None:
        for name in scanned(self._context, path).imports:
            meant, start = self._meant(path, root, name)
            if meant is None:
                continue
            if not is_below(path, start):
                self._serving.add(start)
                voters = [meant]
            else:
                voters = [path, meant]
            for voter in voters:
                if voter in self._roots and self._roots[voter] not in self._stated:
                    self._votes.setdefault(voter, Counter())[start] += 1
            if self._roots.get(path) in self._stated and start != root:
                self._serving.add(start)

    def _meant(self, path: str, root: str, name: str) -> tuple[str | None, str]:
        """The file of the package that an import means, and the directory that it starts from."""
        if not is_import_name(name):
            return None, ""
        if (direct := joined(root, name)) in self._paths:
            return direct, root
        best: tuple[bool, int] | None = None
        found: tuple[str | None, str] = None, ""
        for each in self._by_name.get(name.rpartition("/")[2], ()) if name not in bundled() else ():
            if each != name and not each.endswith(f"/{name}"):
                continue
            start = each[: -len(name)].rstrip("/")
            rank = is_below(path, start), len(start) if is_below(path, start) else -len(start)
            if best is None or rank > best:
                best, found = rank, (each, start)
        return found

    def _summed(self) -> Mapping[str, Counter[str]]:
        """Directory → the votes of all files below it."""
        found: dict[str, Counter[str]] = {}
        for path, votes in self._votes.items():
            for folder in _folders(path):
                found.setdefault(folder, Counter()).update(votes)
        return found

    def _elected(self, path: str, root: str, summed: Mapping[str, Counter[str]]) -> str:
        if root in self._stated:
            return root
        for votes in (self._votes.get(path), *(summed.get(folder) for folder in _folders(path))):
            possible = [each for each in votes or () if is_below(path, each)]
            if votes and possible:
                return max(possible, key=lambda each: (votes[each], each == root, len(each)))
        return root


def _folders(path: str) -> Iterator[str]:
    """The directories that a file lies in, innermost first."""
    while path:
        path = folder_of(path)
        yield path
