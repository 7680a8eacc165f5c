"""What the compiler is given of a repository: files at their paths, and a configuration of our own making.

It finds the files as ifacegen does: what a specifier means is written down for it (``paths``), so that neither
``node_modules`` nor anybody's ``package.json`` is needed.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ifacegen.errors import ReadError

if TYPE_CHECKING:
    from ifacegen.adapter import BuildContext
    from ifacegen_adapters.typescript.resolve import Resolver

#: Source suffixes and those of what is emitted for them.
EMITTED = {
    ".ts": ".d.ts",
    ".tsx": ".d.ts",
    ".mts": ".d.mts",
    ".cts": ".d.cts",
    ".js": ".d.ts",
    ".jsx": ".d.ts",
    ".mjs": ".d.mts",
    ".cjs": ".d.cts",
}
#: How the compiler finds files.
RESOLUTION = {
    "allowArbitraryExtensions": True,
    "allowImportingTsExtensions": True,
    "allowJs": True,
    "declaration": True,
    "emitDeclarationOnly": True,
    "module": "preserve",
    "moduleResolution": "bundler",
    "preserveSymlinks": True,
    "resolveJsonModule": True,
    "typeRoots": [],
    "types": [],
}
#: A file beside ``root``, and what it says where whoever makes elements (React …) is not in the repository. The type of
#: an element is ``JSX.Element`` by the language; it has members, so that a union with it keeps the other ones.
JSX_FILE = "jsx.d.ts"
JSX = """declare namespace JSX {
    interface Element { type: any; props: any; key: any }
    interface ElementClass {}
    interface IntrinsicElements { [name: string]: any }
}
"""
#: Files that are larger are read by nobody here: they are data, or somebody's bundle.
LARGEST = 8_000_000
_LARGEST_JSON = 500_000
#: What one file may lead to, and one package.
_MOST_SPECIFIERS = 10_000
_MOST_FILES = 20_000

#: Whatever stands where a module is named, or a file; a comment that looks so costs a look into a list.
_SPECIFIER = re.compile(
    rb"""(?:\bfrom|\bimport|\brequire|\bmodule|(\bpath\s*+=))\s*+\(?+\s*+"""
    rb"""(?:"([^"\n\\]{1,400})"|'([^'\n\\]{1,400})')"""
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one program of the compiler is made of."""

    #: Path → blob id.
    files: Mapping[str, str]
    #: The files that declarations are wanted of.
    roots: tuple[str, ...]
    #: Files whose globals count, whoever imports them.
    ambient: tuple[str, ...]
    #: Specifier → path, of those that are not relative.
    meanings: Mapping[str, str]
    options: Mapping[str, object]
    #: Whether elements of JSX have a type that no file of the repository declares.
    lacks_jsx: bool = False

    def without(self, left_out: Iterable[str]) -> Inputs:
        """The same, had some files never been there."""
        gone = frozenset(left_out)
        return Inputs(
            {path: blob for path, blob in self.files.items() if path not in gone},
            tuple(path for path in self.roots if path not in gone),
            tuple(path for path in self.ambient if path not in gone),
            {name: path for name, path in self.meanings.items() if path not in gone},
            self.options,
            self.lacks_jsx,
        )

    def digest(self) -> str:
        """Of all that declarations depend on but the compiler."""
        value = [
            sorted(self.files.items()),
            self.roots,
            self.ambient,
            sorted(self.meanings.items()),
            self.options,
            self.lacks_jsx,
        ]
        return hashlib.sha256(json.dumps(value, sort_keys=True).encode("ascii")).hexdigest()

    def configuration(self) -> str:
        """A ``tsconfig.json`` for a directory in which the files lie below ``root``."""
        own = {
            **self.options,
            **RESOLUTION,
            "incremental": False,
            "listFiles": True,
            "newLine": "lf",
            "noCheck": True,
            "noEmitOnError": False,
            "outDir": "out",
            "paths": {name: [f"./root/{path}"] for name, path in sorted(self.meanings.items())},
            "removeComments": False,
            "rootDir": "root",
            "skipLibCheck": True,
            "stripInternal": False,
        }
        files = [f"root/{path}" for path in (*self.roots, *self.ambient)] + [JSX_FILE] * self.lacks_jsx
        return json.dumps({"compilerOptions": own, "files": files})


def is_source(path: str) -> bool:
    """Whether declarations can be emitted for a file."""
    return posixpath.splitext(path)[1] in EMITTED and not is_declaration(path)


def is_declaration(path: str) -> bool:
    """Whether a file has nothing but declarations (``x.d.ts``, ``x.css.d.ts``, ``x.d.css.ts``)."""
    name = posixpath.basename(path)
    return name.endswith((".d.ts", ".d.mts", ".d.cts")) or (name.endswith(".ts") and ".d." in name)


def emitted_path(path: str) -> str:
    """Where the compiler puts the declarations of a source."""
    stem, suffix = posixpath.splitext(path)
    return stem + EMITTED[suffix]


def is_safe(path: str) -> bool:
    """Whether a path of the tree can be laid out elsewhere, stays inside, and is text."""
    parts = path.split("/")
    is_text = not any("\ud800" <= char <= "\udfff" for char in path)
    return is_text and "\\" not in path and not any(part in ("", ".", "..") for part in parts)


def gather(
    context: BuildContext,
    roots: Sequence[str],
    ambient: Sequence[str],
    options: Mapping[str, object],
    left_out: Container[str] = (),
) -> Inputs:
    """Some files of a package and all that they lead to, in other packages of the repository too."""
    from ifacegen_adapters.typescript.resolve import Resolver

    resolver = Resolver(context)
    files: dict[str, str] = {}
    meanings: dict[str, str] = {}
    uses_jsx = declares_jsx = False
    pending = deque(path for path in (*roots, *ambient) if is_safe(path))
    while pending and len(files) < _MOST_FILES:
        path = (
            pending.popleft()
        )  # what is near goes first: an alias means what it means to the package's own files
        if path in files or path in left_out or (data := _read(context, path, files)) is None:
            continue
        uses_jsx = uses_jsx or path.endswith(("x", ".js"))
        declares_jsx = declares_jsx or b"namespace JSX" in data
        for specifier, target in _leads(resolver, path, data):
            if not specifier.startswith(".") and "*" not in specifier:
                meanings.setdefault(specifier, target)
            if target not in files:
                pending.append(target)
    return Inputs(
        files,
        tuple(_without_twins(path for path in roots if path in files)),
        tuple(path for path in ambient if path in files),
        {name: path for name, path in meanings.items() if path in files},
        options,
        uses_jsx and not declares_jsx,
    )


def _without_twins(roots: Iterable[str]) -> Iterator[str]:
    """Of files whose declarations would have one name, the one that imports lead to: ``x.ts`` before ``x.js``."""
    order = list(EMITTED)
    found: dict[str, str] = {}
    for path in sorted(roots, key=lambda path: order.index(posixpath.splitext(path)[1])):
        found.setdefault(emitted_path(path), path)
    return iter(sorted(found.values()))


def _read(context: BuildContext, path: str, files: dict[str, str]) -> bytes | None:
    """The bytes of a file that the compiler may see, which it does from now on; None of any other."""
    try:
        blob = context.tree.id(path)
        data = context.tree.read(path).data if blob not in context.unreadable else None
    except ReadError:
        return None
    if data is None or len(data) > (_LARGEST_JSON if path.endswith(".json") else LARGEST):
        return None
    files[path] = blob
    return data


def _leads(resolver: Resolver, importer: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Specifiers of a file, and the files of the repository that they mean."""
    if importer.endswith(".json"):
        return
    for specifier in _specifiers(data):
        target = resolver.resolve(specifier, importer).path
        if target is not None and target != importer and is_safe(target) and _is_wanted(target):
            yield specifier, target


def _specifiers(data: bytes) -> Iterable[str]:
    found: dict[str, None] = {}
    for match in _SPECIFIER.finditer(data):
        path, first, second = match.groups()
        name = (first or second).decode("utf-8", "replace")
        found[f"./{name}" if path and not name.startswith((".", "/")) else name] = None
        if len(found) == _MOST_SPECIFIERS:
            break
    return found


def _is_wanted(path: str) -> bool:
    return posixpath.splitext(path)[1] in EMITTED or path.endswith(".json")
