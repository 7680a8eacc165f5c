"""Which files a package shows, and from where each is imported: every ``.proto`` file below it, or a word of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ifacegen.adapter import BuildContext
from ifacegen.model import Note, SourceRoot
from ifacegen_adapters.protobuf.importing import ADAPTER, nested, own_roots, place_of, provides
from ifacegen_adapters.protobuf.places import (
    SUFFIX,
    conventional_root,
    folder_of,
    is_aside,
    is_below,
    is_ignored,
    is_import_name,
    joined,
    relative_to,
    root_by_package,
    vendored_part,
)
from ifacegen_adapters.protobuf.rooting import Rooting
from ifacegen_adapters.protobuf.scanning import scanned

_ASIDE = "for tests or documentation"
#: Files that are told by their names, of those left out for one reason.
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class File:
    """A ``.proto`` file as others import it."""

    path: str
    #: Its import name.
    name: str
    #: The directory that it is imported from.
    root: str
    #: The name of its module: that by which it is imported, unless another file of the package has that, too.
    shown_as: str


@dataclass(frozen=True, slots=True)
class PackageFiles:
    """The files that a package's view is made of, by path."""

    shown: tuple[File, ...]
    notes: tuple[Note, ...]
    #: Directories of the package that imports are found below, whatever their file's root.
    serving: tuple[str, ...]


def package_files(context: BuildContext) -> PackageFiles:
    """The files of the package that are its interface."""
    key = f"protobuf.files {context.package.path}"
    known: PackageFiles | None = context.shared.get(key)
    if known is None:
        known = context.shared[key] = _package_files(context)
    return known


def _package_files(context: BuildContext) -> PackageFiles:
    sorting = _Sorting(context)
    sorting.sort()
    rooting = Rooting(context, sorting.paths, sorting.roots, sorting.stated)
    wanted = rooting.imported(sorting.aside)
    for path in wanted:
        sorting.roots[path] = sorting.aside.pop(path)
    sorting.left_out.setdefault(_ASIDE, []).extend(sorting.aside)
    final = rooting.settled()
    counts = Counter(relative_to(path, root) for path, root in final.items())
    shown = []
    for path in sorted(final):
        name = relative_to(path, final[path])
        shown.append(
            File(path, name, final[path], relative_to(path, sorting.place) if counts[name] > 1 else name)
        )
    notes = [*_left_out(sorting.left_out, context), *_clashes(counts, context)]
    return PackageFiles(tuple(shown), tuple(notes), rooting.serving)


def _left_out(found: Mapping[str, Sequence[str]], context: BuildContext) -> Iterator[Note]:
    told: list[str] = []
    for reason, paths in sorted(found.items()):
        if paths:
            named = sorted(relative_to(path, place_of(context.package)) for path in paths)[:_MOST_NAMED]
            more = ", …" if len(paths) > _MOST_NAMED else ""
            told.append(f"{len(paths)} {reason} ({', '.join(named)}{more})")
    if told:
        message = f".proto files left out: {', '.join(told)}"
        yield Note("info", "left-out", message, context.package.path)


def _clashes(counts: Mapping[str, int], context: BuildContext) -> Iterator[Note]:
    for name in sorted(name for name, count in counts.items() if count > 1):
        message = f"{name} is the import name of several files; each is shown under its path in the package"
        yield Note("info", "import-clash", message, context.package.path)


@dataclass
class _Sorting:
    """The files below a package: shown with the root that discovery has for them, kept aside, or left out."""

    context: BuildContext
    paths: list[str] = field(default_factory=list)
    #: Path → root, of the files that are shown.
    roots: dict[str, str] = field(default_factory=dict)
    #: Roots that a file states (buf's).
    stated: set[str] = field(default_factory=set)
    #: The same of files for tests and documentation, which are shown if others import them.
    aside: dict[str, str] = field(default_factory=dict)
    #: Reason → paths.
    left_out: dict[str, list[str]] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return place_of(self.context.package)

    def sort(self) -> None:
        package = self.context.package
        inner = nested(package, self.context.packages)
        # What buf is told to build is meant, wherever it lies.
        self.stated = {root.path for each in package.projects if each.project_file for root in each.roots[:1]}
        roots = sorted(own_roots(package), key=lambda each: -len(each.path))
        for path in self.context.tree.below(self.place):
            if path.endswith(SUFFIX) and not path.startswith(inner):
                self.paths.append(path)
                self._sort_in(path, roots)

    def _sort_in(self, path: str, roots: Sequence[SourceRoot]) -> None:
        around = [root for root in roots if is_below(path, root.path)]
        root = next((root for root in around if provides(root, relative_to(path, root.path))), None)
        if root is None and any(each.path in self.stated for each in around):
            self._leave_out("that buf's configuration leaves out", path)
            return
        is_stated = root is not None and root.path in self.stated
        relative = relative_to(path, root.path if root is not None else self.place)
        reason = self._reason(path, "" if is_stated else relative, relative)
        place = root.path if root is not None else ""
        if reason and reason != _ASIDE:
            self._leave_out(reason, path)
            return
        if root is None:
            place = self._lone_root(path)
        if reason and not self._is_named_so(path, relative):
            self.aside[path] = place
        else:
            self.roots[path] = place

    def _leave_out(self, reason: str, path: str) -> None:
        self.left_out.setdefault(reason, []).append(path)

    def _reason(self, path: str, telling: str, relative: str) -> str:
        """Why a file is not shown; empty if it is. ``telling`` is empty where its directories tell nothing."""
        if not self.context.options.includes(ADAPTER, relative_to(path, self.place)):
            return "not among the interfaces asked for"
        if is_ignored(relative):
            return "hidden or installed"
        if vendored_part(telling) is not None:
            return "vendored"
        if is_aside(telling):
            return _ASIDE
        return "" if is_import_name(path) else "whose path nobody can import"

    def _is_named_so(self, path: str, relative: str) -> bool:
        """Whether a file's directories are called as they are for its package: ``acme/docs`` with ``acme.docs``."""
        stated = scanned(self.context, path).package.replace(".", "/")
        folder = folder_of(relative)
        first = stated.partition("/")[0]
        if not stated or not f"/{folder}".endswith(f"/{stated}") or is_aside(f"{first}/x"):
            return False
        return not is_aside(joined(folder[: -len(stated)].rstrip("/"), "x"))

    def _lone_root(self, path: str) -> str:
        """The root of a file that discovery has none for: where its package begins, or the package itself."""
        folder = folder_of(path)
        stated = root_by_package(folder, scanned(self.context, path).package)
        if stated is not None:
            return stated
        named = conventional_root(folder)
        return named if named is not None and is_below(named, self.place) else self.place
