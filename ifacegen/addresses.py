"""Addresses: ``PACKAGE`` or ``FILE``, then optionally ``::[MODULE:]QUALNAME[#N]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ifacegen.adapter import Tree
from ifacegen.errors import AmbiguousAddress, UnknownAddress, UsageError
from ifacegen.globs import clean_path
from ifacegen.model import Package
from ifacegen.trees import parents


@dataclass(frozen=True, slots=True)
class Address:
    """What an address means: a package, one of its files, or a declaration in either."""

    package: Package
    #: The file, where one was named.
    path: str | None = None
    module: str | None = None
    qualname: str | None = None
    #: Which one of a name, from 1 (``#2``).
    number: int | None = None


def resolve_address(
    packages: Sequence[Package], text: str, base: str = ".", tree: Tree | None = None
) -> Address:
    """Find what an address means.

    An exact path beats a name. Names are directory names, published names and import names.

    Args:
        packages: The packages of the repository.
        text: The address as a user or an agent wrote it.
        base: The directory it was written in, relative to the repository; paths below it are tried first.
        tree: The files, for addresses that name one.

    Raises:
        UnknownAddress: Nothing answers to it.
        AmbiguousAddress: More than one package does.
        UsageError: It is not an address.
    """
    head, separator, rest = text.partition("::")
    if not head or (separator and not rest):
        raise UsageError(f"{text!r} is no address: PACKAGE or FILE, then optionally ::[MODULE:]QUALNAME[#N]")
    module, qualname, number = _parse(text, rest) if rest else (None, None, None)
    package, path = _find(packages, head, separator + rest, base, tree)
    return Address(package, path, module, qualname, number)


def _parse(text: str, rest: str) -> tuple[str | None, str, int | None]:
    name, mark, digits = rest.rpartition("#")
    number = int(digits) if mark and digits.isascii() and digits.isdigit() and len(digits) < 7 else None
    module, _, qualname = (rest if number is None else name).rpartition(":")
    if not qualname or number == 0:
        raise UsageError(f"{text!r} is no address: what follows `::` is [MODULE:]QUALNAME[#N], N from 1")
    return module or None, qualname, number


def _find(
    packages: Sequence[Package], head: str, rest: str, base: str, tree: Tree | None
) -> tuple[Package, str | None]:
    by_path = {package.path: package for package in packages}
    for path in _as_paths(head, base):
        if path in by_path:
            return by_path[path], None
        if tree is not None and path in tree and not head.endswith("/"):
            return _owner(by_path, path), path
    found = _named(packages, head)
    if len(found) > 1:
        raise AmbiguousAddress(head + rest, tuple(package.path + rest for package in found))
    if not found:
        raise UnknownAddress(head + rest, tuple(path + rest for path in _nearest(packages, head, base)))
    return found[0], None


def _owner(by_path: dict[str, Package], path: str) -> Package:
    for folder in (*parents(path), "."):
        if folder in by_path:
            return by_path[folder]
    raise UnknownAddress(path, what="package with this file")


def _as_paths(head: str, base: str) -> Iterator[str]:
    """What ``head`` may be as a path: from where it was written, then from the top of the repository."""
    for path in dict.fromkeys((clean_path(f"{base}/{head}"), clean_path(head))):
        if path is not None:
            yield path


def _named(packages: Iterable[Package], name: str) -> list[Package]:
    """Packages of exactly that name; else those of that name spelled otherwise; else those below that namespace."""
    packages = list(packages)
    exact = [package for package in packages if name in _names(package)]
    if exact:
        return exact
    folded = _fold(name)
    alike = [package for package in packages if any(_fold(each) == folded for each in _published(package))]
    return alike or [p for p in packages if any(each.startswith(name + ".") for each in p.import_names)]


def _names(package: Package) -> set[str]:
    return {*_published(package), *package.import_names}


def _published(package: Package) -> Iterator[str]:
    yield package.name
    yield package.path.rpartition("/")[2]
    for project in package.projects:
        if project.name:
            yield project.name


def _fold(name: str) -> str:
    """How ecosystems compare names, roughly; an exact match has been tried before."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _nearest(packages: Sequence[Package], head: str, base: str) -> list[str]:
    """Paths of packages that may have been meant, the best first."""
    import difflib

    by_path = {package.path: package for package in packages}
    inside = [folder for path in _as_paths(head, base) for folder in parents(path) if folder in by_path]
    names: dict[str, str] = {}
    for package in packages:
        for name in (package.path, *sorted(_names(package))):
            names.setdefault(name.lower(), package.path)
    module = [
        each.path for each in packages if any(head.startswith(name + ".") for name in each.import_names)
    ]
    near = [
        names[name] for name in difflib.get_close_matches(head.lower().rstrip("/"), names, n=5, cutoff=0.6)
    ]
    return list(dict.fromkeys((*module, *inside[:1], *near)))[:3]
