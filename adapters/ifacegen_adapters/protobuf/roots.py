"""Import roots of ``.proto`` files that no buf module has: from as few files as tell them.

Below ``src/main/proto`` nothing is read; else one file a directory tree, or a few where the first has neither a package
nor imports of its tree. Its imports say where the tree's root is,
if they name files of the same tree; else its package does, if it is the end of its directory's path. A file that
says neither belongs to the innermost root around it that is known by then, unless a directory named ``proto`` or
``protos`` lies deeper, which is one; else to where the end of its package that its path shares begins, to an
``src``, or to its own directory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen_adapters.protobuf import scan
from ifacegen_adapters.protobuf.places import (
    conventional_root,
    folder_of,
    is_below,
    joined,
    relative_to,
    root_by_package,
    source_root,
)

_MAVEN = "src/main/proto"
#: Files of one directory that are read, if one after the other has no package and imports none of its tree.
_MOST_READ = 8


def infer_roots(tree: Tree, paths: Sequence[str], homes: Collection[str]) -> Mapping[str, list[str]]:
    """Import root → its files.

    Args:
        tree: Where to read.
        paths: The files.
        homes: Directories with a project file: what holds above one needn't hold below it.
    """
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        by_folder.setdefault(folder_of(path), []).append(path)
    inference = _Inference(tree, paths, homes)
    unsure = [folder for folder in sorted(by_folder) if not inference.settle(folder, by_folder[folder])]
    for folder in unsure:
        inference.guess(folder)
    found: dict[str, list[str]] = {}
    for folder in sorted(by_folder):
        found.setdefault(inference.roots[folder], []).extend(by_folder[folder])
    return found


class _Inference:
    def __init__(self, tree: Tree, paths: Iterable[str], homes: Collection[str]) -> None:
        self._tree = tree
        self._homes = homes
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        #: Directory → the root of its files.
        self.roots: dict[str, str] = {}
        #: Directory → the root of all below it.
        self._claims: dict[str, str] = {}
        self._stated: set[str] = set()
        #: Directory → the package of its files, where one was read.
        self._packages: dict[str, str] = {}

    def settle(self, folder: str, paths: Sequence[str]) -> bool:
        """Find the root of a directory's files by what the first of them states that does; whether one does."""
        root = self._claimed(folder)
        if root is None:
            root = _maven_root(folder)
        if root is None:
            root = self._told(folder, paths)
            if root is not None and root != folder:
                first = relative_to(folder, root).partition("/")[0]
                self._claims[joined(root, first)] = root
        if root is not None:
            self.roots[folder] = root
        return root is not None

    def _told(self, folder: str, paths: Sequence[str]) -> str | None:
        for path in _some(paths):
            text = self._text(path)
            package = scan.package(text)
            self._packages[folder] = package
            root = self._by_imports(folder, text)
            if root is None:
                root = root_by_package(folder, package)
            if root is not None or package:  # the others are of this package, too
                return root
        return None

    def guess(self, folder: str) -> None:
        """Find a root for files that state none."""
        named = conventional_root(folder)
        best = self._around(folder)
        if best is not None and (named is None or is_below(best, named)):
            self.roots[folder] = best
            return
        shared = _shared_end(folder, self._packages.get(folder, ""))
        self.roots[folder] = named or shared or source_root(folder) or folder

    def _around(self, folder: str) -> str | None:
        """The innermost root that others state around a directory."""
        if not self._stated:
            self._stated.update(self._claims.values())
        place = folder
        while place not in self._stated:
            if not place:
                return None
            place = folder_of(place)
        return place

    def _claimed(self, folder: str) -> str | None:
        """The root that was found for a directory above, unless something in between makes it doubtful."""
        inner = conventional_root(folder)
        place = folder
        while True:
            if place in self._claims:
                doubtful = inner is not None and inner != place and is_below(inner, place)
                return None if doubtful else self._claims[place]
            if not place or place in self._homes:
                return None
            place = folder_of(place)

    def _text(self, path: str) -> str:
        try:
            return scan.decoded(self._tree.read(path).data).text
        except (ReadError, scan.Unreadable):
            return ""

    def _by_imports(self, folder: str, text: str) -> str | None:
        for name in scan.imports(text):
            for path in self._by_name.get(name.rpartition("/")[2], ()):
                if path != name and not path.endswith("/" + name):
                    continue
                root = path[: -len(name) - 1]
                if is_below(folder, root) and _first(folder, root) == _first(folder_of(path), root):
                    return root
        return None


def _some(paths: Sequence[str]) -> Sequence[str]:
    """As many as are worth reading for one that tells, from all over."""
    return paths[:: -(-len(paths) // _MOST_READ)]


def _first(folder: str, root: str) -> str:
    """The first directory on the way from a root."""
    return "" if folder == root else relative_to(folder, root).partition("/")[0]


def _maven_root(folder: str) -> str | None:
    at = f"/{folder}/".find(f"/{_MAVEN}/")
    return folder[: at + len(_MAVEN)] if at >= 0 else None


def _shared_end(folder: str, package: str) -> str | None:
    """``a/b/orders`` with ``package shop.orders`` → ``a/b``."""
    parts, stated = folder.split("/"), package.split(".")
    count = 0
    while count < min(len(parts), len(stated)) and parts[-1 - count] == stated[-1 - count]:
        count += 1
    return "/".join(parts[:-count]) if count else None
