"""A package's files → its surface: modules, notes, and what was looked at outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ifacegen.adapter import BuildContext, Surface
from ifacegen.model import Interface, Module, Note
from ifacegen_adapters.protobuf import importing, provenance
from ifacegen_adapters.protobuf.compile import Compiler, Result
from ifacegen_adapters.protobuf.mentions import resolved
from ifacegen_adapters.protobuf.package_files import File, package_files
from ifacegen_adapters.protobuf.scanning import blob_id


def link(context: BuildContext) -> Surface:
    """The surface of the package."""
    files = package_files(context)
    results: dict[str, Result] = {}
    consulted: dict[str, tuple[str, str] | None] = {}
    tokens = 0
    notes = list(files.notes)
    for root, group in _by_root(files.shown).items():
        compiler = Compiler(context, root)
        found = compiler.modules(group)
        results.update(found)
        tokens += sum(compiler.tokens(file.path) for file in group)
        consulted.update(_consulted(context, compiler, root, group))
        notes += _encodings(compiler, group)
    modules = resolved(_modules(files.shown, results))
    notes += [*_problems(files.shown, results), *_clashes(modules)]
    paths = tuple(sorted(module.path for module in modules))
    interfaces = (Interface("protobuf", "published", provenance.shown(), paths),) if paths else ()
    absent = importing.absent(context, sorted(consulted))
    sources = tuple(sorted(file.path for file in files.shown))
    return Surface(interfaces, modules, tuple(notes), sources, tokens, consulted, absent)


def compile_paths(context: BuildContext, paths: Sequence[str]) -> None:
    """Compile some of the package's files."""
    wanted = set(paths)
    files = [file for file in package_files(context).shown if file.path in wanted]
    for root, group in _by_root(files).items():
        Compiler(context, root).modules(group)


def _by_root(files: Sequence[File]) -> Mapping[str, list[File]]:
    found: dict[str, list[File]] = {}
    for file in files:
        found.setdefault(file.root, []).append(file)
    return dict(sorted(found.items()))


def _modules(files: Sequence[File], results: Mapping[str, Result]) -> tuple[Module, ...]:
    found = [module for file in files if (module := results[file.path].module) is not None]
    return tuple(sorted(found, key=lambda module: (module.name, module.path)))


def _consulted(
    context: BuildContext, compiler: Compiler, root: str, files: Sequence[File]
) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """What the files import, directly or not, that lies outside the package or nowhere."""
    for name in compiler.graph.closure([file.name for file in files]):
        path = compiler.graph.path(name)
        if path is None:
            yield importing.consulted_name(context, root, name), None
        elif importing.is_outside(context, path):
            yield importing.consulted_name(context, root, name), (path, blob_id(context, path))


def _encodings(compiler: Compiler, files: Sequence[File]) -> Iterator[Note]:
    for file in files:
        if problem := compiler.graph.scan(file.path).problem:
            yield Note("warning", "encoding", problem, file.path)


def _problems(files: Sequence[File], results: Mapping[str, Result]) -> Iterator[Note]:
    """A note for each problem; one that files have for another's sake is told once."""
    shared: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for file in files:
        for each in results[file.path].problems:
            if each.code in _READ_ALONE:
                shared.setdefault((each.code, each.message), []).append((file.path, each.line))
            else:
                yield Note(
                    "error" if each.severity == "error" else "warning",
                    each.code,
                    each.message,
                    file.path,
                    each.line,
                )
    for (code, message), places in shared.items():
        path, line = next((place for place in places if place[1]), places[0])
        others = len(places) - 1
        more = (
            f", and so {'is another file' if others == 1 else f'are {others} other files'}" if others else ""
        )
        yield Note("warning", code, f"{message}; read alone, not compiled{more}", path, line)


def _clashes(modules: Sequence[Module]) -> Iterator[Note]:
    """Files that define the same name: protoc compiles each, but nobody can import both."""
    owners: dict[str, Module] = {}
    told: set[tuple[str, str]] = set()
    for module in modules:
        for each in module.declarations:
            for name in each.import_paths:
                owner = owners.setdefault(name, module)
                if owner is not module and (owner.path, module.path) not in told:
                    told.add((owner.path, module.path))
                    message = f"{name} is defined in {owner.name}, too; nobody can import both"
                    yield Note("info", "symbol-clash", message, module.path, each.line)


#: Problems for which a file is read by itself: types and options are then as it writes them, unchecked.
_READ_ALONE = frozenset({"import-missing", "import-circle", "protoc-refused"})
