"""Files damaged as accidents do it, and how many of their declarations are still found in them."""

from __future__ import annotations

import ast
import json
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from corpus.oracle import parsed
from evaluation._agreement import is_for_scripts
from evaluation._generated import is_python, tree_of
from evaluation._peers import STUB_TOOLS, Job, installed, run, sources
from evaluation.packages import RealPackages

#: A class or function: qualified name, parameters.
Found: TypeAlias = tuple[str, tuple[str, ...]]
_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

KINDS = ("cut off", "a line deleted", "a bracket inserted", "a quote inserted", "a colon deleted")
#: Says how many would be found without any damage.
WHOLE = "none"
#: The tools that get each fourth file, in the order of the table.
PEERS = ("ast", *STUB_TOOLS, "griffe")

_SEED = 20261130
_FILES = 300
_EACH = 4
_SIZES = range(500, 60_000)
_LEAST_DECLARATIONS = 3
#: Deep enough for relative imports: one that leads out of everything ends stubgen's run.
_PLACE = ("damaged", "a", "b", "c", "d")


@dataclass(frozen=True, slots=True)
class Written:
    """One declaration of the undamaged file."""

    found: Found
    #: Lines of its own header and of those of the classes around it, from 1.
    headers: frozenset[int]
    end: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """A real file after an accident."""

    name: str
    kind: str
    data: bytes
    #: What must still be found: see :func:`_intact`.
    intact: frozenset[Found]
    #: Whether it is one of those that the peers get.
    is_for_peers: bool


def damaged(packages: RealPackages, library: Path) -> Iterator[Damaged]:
    """Each kind of damage done to each of the files picked, the same ones every time."""
    chance = random.Random(_SEED)
    files = sorted(_suitable(packages, library).items())
    for number, (name, data) in enumerate(sorted(chance.sample(files, _FILES))):
        tree = tree_of(data)
        everything = list(written(tree)) if tree else []
        for kind in (WHOLE, *KINDS):
            line, text = _DAMAGES[kind](data, chance)
            intact = _intact(everything, line, is_cut=kind == KINDS[0])
            yield Damaged(name, kind, text, intact, number % _EACH == 0)


def written(tree: ast.Module) -> Iterator[Written]:
    """Public classes and functions in the bodies of modules and classes, blocks of both included."""
    yield from _written(tree.body, "", frozenset())


def kept(each: Damaged, found: Iterable[Found]) -> int:
    """How many of the declarations that must be there are."""
    return len(each.intact & frozenset(found))


def peers_kept(packages: RealPackages, everything: Sequence[Damaged]) -> Mapping[str, Counter[str]]:
    """Tool → kind → declarations kept in the files that the peers get."""
    chosen = {f"m{place:04}": each for place, each in enumerate(everything) if each.is_for_peers}
    readable = {name: each for name, each in chosen.items() if is_python(each.data)}
    found: dict[str, Mapping[str, frozenset[Found]]] = {
        "ast": {name: each.intact for name, each in readable.items()},
        # One file that it cannot read, and it writes nothing at all: it gets only those that Python reads.
        "stubgen": _stubs(packages, "stubgen", readable),
        "pyright": _stubs(packages, "pyright", chosen),
        "pyrefly": _stubs(packages, "pyrefly", chosen),
        "griffe": _griffe(packages, chosen),
    }
    counts: dict[str, Counter[str]] = {}
    for tool in PEERS:
        counts[tool] = Counter()
        for name, each in chosen.items():
            counts[tool][each.kind] += kept(each, found[tool].get(name, ()))
    return counts


def _suitable(packages: RealPackages, library: Path) -> Mapping[str, bytes]:
    """Files with something to lose, whose public names are those without an underscore."""
    with tempfile.TemporaryDirectory() as folder:
        for package in packages.all():
            sources(package, Path(folder))
        paths = {path.relative_to(folder).as_posix(): path for path in Path(folder).rglob("*.py")}
        paths |= {f"lib/{path.name}": path for path in library.glob("*.py")}
        return {name: path.read_bytes() for name, path in paths.items() if _is_suitable(path)}


def _is_suitable(path: Path) -> bool:
    data = path.read_bytes()
    if len(data) not in _SIZES or b"__all__" in data or b"\r" in data:
        return False
    tree = parsed(path)
    return tree is not None and len(list(written(tree))) >= _LEAST_DECLARATIONS


def _written(body: Iterable[ast.stmt], prefix: str, around: frozenset[int]) -> Iterator[Written]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name[0] != "_":
                yield from _definition(node, prefix, around)
        elif isinstance(node, ast.If | ast.Try) and not is_for_scripts(node):
            blocks = [node.body, *(each.body for each in getattr(node, "handlers", ())), node.orelse]
            for block in (*blocks, getattr(node, "finalbody", ())):
                yield from _written(block, prefix, around)


def _definition(node: _Definition, prefix: str, around: frozenset[int]) -> Iterator[Written]:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    headers = around | frozenset(range(first, max(node.body[0].lineno, node.lineno + 1)))
    name = f"{prefix}{node.name}"
    parameters = () if isinstance(node, ast.ClassDef) else _parameters(node.args)
    yield Written((name, parameters), headers, node.end_lineno or node.lineno)
    if isinstance(node, ast.ClassDef):
        yield from _written(node.body, f"{name}.", headers)


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    plain = [*arguments.posonlyargs, *arguments.args]
    star = [arguments.vararg] if arguments.vararg else []
    last = [arguments.kwarg] if arguments.kwarg else []
    return tuple(each.arg for each in (*plain, *star, *arguments.kwonlyargs, *last))


def _intact(everything: Iterable[Written], line: int, *, is_cut: bool) -> frozenset[Found]:
    """What the damage leaves: before a cut what ends there; else all whose headers it doesn't touch."""
    return frozenset(
        each.found for each in everything if (each.end < line if is_cut else line not in each.headers)
    )


# --- Accidents: the line that is hit, and what is left of the file ----------------------------------


def _cut(data: bytes, chance: random.Random) -> tuple[int, bytes]:
    place = chance.randrange(len(data))
    return data.count(b"\n", 0, place) + 1, data[:place]


def _line(data: bytes, chance: random.Random) -> tuple[int, bytes]:
    lines = data.splitlines(keepends=True)
    place = chance.choice([number for number, text in enumerate(lines) if text.strip()])
    return place + 1, b"".join(lines[:place] + lines[place + 1 :])


def _bracket(data: bytes, chance: random.Random) -> tuple[int, bytes]:
    return _inserted(data, chance, [b"(", b"[", b"{", b")", b"]", b"}"])


def _quote(data: bytes, chance: random.Random) -> tuple[int, bytes]:
    return _inserted(data, chance, [b"'", b'"', b'"""', b"'''"])


def _inserted(data: bytes, chance: random.Random, choice: Sequence[bytes]) -> tuple[int, bytes]:
    place = chance.randrange(len(data))
    return data.count(b"\n", 0, place) + 1, data[:place] + chance.choice(choice) + data[place:]


def _colon(data: bytes, chance: random.Random) -> tuple[int, bytes]:
    place = chance.choice([each.start() for each in re.finditer(b":", data)])
    return data.count(b"\n", 0, place) + 1, data[:place] + data[place + 1 :]


def _none(data: bytes, chance: random.Random) -> tuple[int, bytes]:
    del chance
    return 0, data


_DAMAGES = MappingProxyType(
    dict(zip((WHOLE, *KINDS), (_none, _cut, _line, _bracket, _quote, _colon), strict=True))
)


# --- The peers --------------------------------------------------------------------------------------


def _stubs(packages: RealPackages, tool: str, files: Mapping[str, Damaged]) -> Mapping[str, frozenset[Found]]:
    with tempfile.TemporaryDirectory() as temporary:
        target = _ran(packages, tool, files, Path(temporary))
        trees = {path.stem: parsed(path) for path in target.rglob("*.pyi")}
        return {
            name: frozenset(each.found for each in written(tree))
            for name, tree in trees.items()
            if tree is not None
        }


def _griffe(packages: RealPackages, files: Mapping[str, Damaged]) -> Mapping[str, frozenset[Found]]:
    with tempfile.TemporaryDirectory() as temporary:
        target = _ran(packages, "griffe", files, Path(temporary))
        package = json.loads((target / f"{_PLACE[0]}.json").read_bytes())
        for part in _PLACE[1:]:
            package = package["members"][part]
        return {name: frozenset(_members(each, "")) for name, each in package["members"].items()}


def _members(value: Mapping[str, Any], prefix: str) -> Iterator[Found]:
    for name, each in value.get("members", {}).items():
        if each["kind"] in ("class", "function"):
            yield f"{prefix}{name}", tuple(parameter["name"] for parameter in each.get("parameters", ()))
            yield from _members(each, f"{prefix}{name}.")
        elif "property" in each.get("labels", ()):
            yield f"{prefix}{name}", ("self",)


def _ran(packages: RealPackages, tool: str, files: Mapping[str, Damaged], folder: Path) -> Path:
    """Where a tool has written what it makes of a package of damaged files."""
    package = folder / "in"
    for part in _PLACE:
        package /= part
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    for name, each in files.items():
        (package / f"{name}.py").write_bytes(each.data)
    job = Job(installed(packages), packages.python, folder / "in", folder / "out")
    job.target.mkdir()
    run(tool, job)
    shutil.rmtree(folder / "in")
    return job.target
