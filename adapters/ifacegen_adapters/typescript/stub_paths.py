"""Where the stub of each module goes, and how stubs name one another."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ifacegen.model import Module
from ifacegen_adapters.typescript.headings import GLOBAL, is_private

#: What a file's name may have everywhere; names that Windows keeps for devices.
_UNSAFE = re.compile(r"[^\w.@+~$-]")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z", re.IGNORECASE)
#: Characters of a folder or file, and of a whole path.
_LONGEST_PART, _LONGEST = 80, 180
_TOP = "index"


@dataclass(frozen=True, slots=True)
class StubPath:
    """The place of one stub."""

    #: Without its suffix, relative to the package.
    stem: str
    #: Whether it is loaded as an ES module for certain.
    is_esm: bool = False

    @property
    def path(self) -> str:
        """The file."""
        return f"{self.stem}{'.d.mts' if self.is_esm else '.d.ts'}"

    @property
    def folder(self) -> str:
        """The folder that it is in."""
        return posixpath.dirname(self.stem)

    def seen_from(self, other: StubPath) -> str:
        """How another stub imports it."""
        return f"{relative(self.stem, other.folder)}{'.mjs' if self.is_esm else '.js'}"


def relative(path: str, folder: str) -> str:
    """A path as seen from a folder, in a way that no compiler takes for the name of a package."""
    up = posixpath.relpath(posixpath.dirname(path) or ".", folder or ".")
    found = posixpath.join(up, posixpath.basename(path)).removeprefix("./")
    return found if found.startswith("../") else f"./{found}"


def package_name(modules: Sequence[Module]) -> str:
    """The name of the package that modules are of."""
    for module in modules:
        if module.name.endswith(GLOBAL):
            return module.name.removesuffix(GLOBAL)
    own = [each.name for each in modules if not is_ambient(each)]
    shortest = min(own or [each.name for each in modules], key=lambda name: (len(name), name), default="")
    parts = shortest.split("/")
    return "/".join(parts[: 2 if shortest.startswith("@") else 1])


def imported_name(package: str) -> str:
    """The name by which a package is imported: ``@types/acme__ui`` as ``@acme/ui``."""
    if not package.startswith("@types/"):
        return package
    scope, _, name = package.removeprefix("@types/").rpartition("__")
    return f"@{scope}/{name}" if scope else name


def is_ambient(module: Module) -> bool:
    """Whether a module is declared by name, wherever its declarations lie."""
    return _format(module) == "ambient"


def is_global(module: Module) -> bool:
    """Whether a module stands for names that nobody imports."""
    return module.name.endswith(GLOBAL)


def _format(module: Module) -> object:
    return next((each.extra["format"] for each in module.declarations if "format" in each.extra), None)


def stub_paths(modules: Sequence[Module], package: str) -> list[StubPath]:
    """Where the stub of each module goes; no two are one file, whatever the file system."""
    found: dict[int, StubPath] = {}
    taken = {"package.json"}
    order = sorted(enumerate(modules), key=lambda each: (_is_inner(each[1], package), each[1].name, each[0]))
    for index, module in order:
        stem = wanted = _stem(module, package)
        number = 1
        while stem.casefold() in taken or (stem == _TOP and _is_inner(module, package)):
            number += 1
            stem = f"{wanted}_{number}"
        taken.add(stem.casefold())
        found[index] = StubPath(stem, _format(module) == "module")
    return [found[index] for index in range(len(modules))]


def _is_inner(module: Module, package: str) -> int:
    """What is named for its own sake comes first, what is renamed if need be last."""
    if module.name == package and not is_ambient(module):
        return 0
    return 3 if is_private(module) else 2 if is_ambient(module) or is_global(module) else 1


def _stem(module: Module, package: str) -> str:
    name = module.name
    if name == package and not is_ambient(module):
        return _TOP
    if is_global(module):
        return "globals"
    if name.startswith(f"{package}."):
        name = f"{_TOP}{name.removeprefix(package)}"
    elif not is_ambient(module):
        name = name.removeprefix(f"{package}/")
    safe = "/".join(_safe(part) for part in name.split("/"))
    if len(safe) > _LONGEST:
        safe = f"{safe[:_LONGEST_PART].rstrip('/.')}_{_digest(name)}"
    return f"_private/{safe}" if is_private(module) else safe


def _safe(part: str) -> str:
    safe = _UNSAFE.sub("_", part)
    if not safe.strip(".") or safe.endswith("."):
        safe = f"_{safe.replace('.', '_')}"
    if _DEVICE.match(safe):
        safe = f"_{safe}"
    if len(safe.encode()) > _LONGEST_PART:
        safe = f"{safe[: _LONGEST_PART // 4]}_{_digest(part)}"
    return safe


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
