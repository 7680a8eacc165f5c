"""What files import, directly and not: which can be compiled at all, and on what each depends."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ifacegen.adapter import BuildContext
from ifacegen_adapters.protobuf.importing import Resolver
from ifacegen_adapters.protobuf.package_files import package_files
from ifacegen_adapters.protobuf.places import is_import_name
from ifacegen_adapters.protobuf.protoc import bundled
from ifacegen_adapters.protobuf.scanning import blob_id, scanned
from ifacegen_adapters.protobuf.stored import Scan

#: In place of a blob id: protoc brings the file.
_BUNDLED = "bundled"


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a file cannot be compiled, whatever is in it."""

    code: str
    #: What is said of each file that is to blame: name → reason.
    culprits: Mapping[str, str]
    #: Whether the file imports them itself.
    is_direct: bool = True

    def reason(self) -> str:
        """All in one sentence."""
        (name, reason), *others = self.culprits.items()
        if not others:
            return f"imports {name}, which {reason}"
        return f"imports {name}, which {reason}, and {len(others)} more such file{'s' if len(others) > 1 else ''}"


class Graph:
    """The files below one import root of a package, and all that they import."""

    def __init__(self, context: BuildContext, root: str) -> None:
        self._context = context
        self._resolver = Resolver(context, root, package_files(context).serving)
        self._paths: dict[str, str | None] = {}
        #: Import name → a digest of the file and of all that it imports.
        self.digests: dict[str, str] = {}
        #: Import name → why it cannot be compiled; only of those that cannot.
        self.broken: dict[str, Broken] = {}

    def scan(self, path: str) -> Scan:
        """What a file says of others; an unreadable one says why."""
        return scanned(self._context, path)

    def path(self, name: str) -> str | None:
        """What an import name means here; None if the repository has no such file."""
        if name not in self._paths:
            self._paths[name] = self._resolver.find(name)
        return self._paths[name]

    def imports(self, name: str) -> tuple[str, ...]:
        """What a file imports, by names."""
        path = self.path(name)
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

    def survey(self, names: Sequence[str]) -> None:
        """Fill ``digests`` and ``broken`` for names and all that they import."""
        for start in names:
            if start in self.digests:
                continue
            stack = [(start, iter(self.imports(start)))]
            open_: dict[str, None] = {start: None}
            while stack:
                name, rest = stack[-1]
                following = next((each for each in rest if each not in self.digests), None)
                if following is None:
                    stack.pop()
                    del open_[name]
                    self._settle(name)
                elif following in open_:
                    self._close(list(open_), following)
                else:
                    stack.append((following, iter(self.imports(following))))
                    open_[following] = None

    def _close(self, open_: Sequence[str], name: str) -> None:
        """Tell of a circle: the files that are open from ``name`` on."""
        circle = open_[open_.index(name) :]
        first = circle.index(min(circle))
        told = " → ".join((*circle[first:], *circle[:first], circle[first]))
        reason = f"imports itself: {told}" if len(told) < 300 else f"imports itself over {len(circle)} files"
        for each in circle:
            self.broken.setdefault(each, Broken("import-circle", {name: reason}))

    def _settle(self, name: str) -> None:
        """Of a file whose imports are settled."""
        path = self.path(name)
        if path is None:
            self.digests[name] = _BUNDLED if name in bundled() else "missing"
            return
        found = self.scan(path)
        parts = [blob_id(self._context, path)]
        parts += [f"{each} {self.digests.get(each, 'circle')}" for each in found.imports]
        self.digests[name] = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
        culprits = {each: reason for each in found.imports if (reason := self._fault(each))}
        inherited = next((self.broken[each] for each in found.imports if each in self.broken), None)
        if culprits:
            self.broken.setdefault(name, Broken("import-missing", culprits))
        elif inherited is not None:
            self.broken.setdefault(name, Broken(inherited.code, inherited.culprits, is_direct=False))

    def _fault(self, name: str) -> str:
        """Why a file cannot be imported; empty if it can, as far as it goes."""
        path = self.path(name)
        if path is None:
            if not is_import_name(name):
                return (
                    "is no name to import by: protoc wants a path from an import root, without `.` and `..`"
                )
            return "" if name in bundled() else "is nowhere in the repository"
        return "cannot be read" if self.scan(path).unreadable else ""
