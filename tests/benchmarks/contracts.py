"""How fast are views of published contracts made? GitHub's OpenAPI and 63 files of googleapis, beside the peers.

    make evaluate NAME=contracts

Every case runs in a process of its own, and the cases take turns; medians count. Of ours, what is timed is
``build()`` and ``render()`` of the adapter, from bytes on disk to the view's text, without the counting of tokens:
once in a fresh process, where that imports what it needs, and the best of further times in the same process. Of a
peer that is a library, what is timed is its call, from bytes on disk, without imports; of one that is a command, the
whole command. The limits are for the first build in a fresh process, in CPU seconds: on a machine without other work
they are its wall seconds. Fails where one is not met.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._corpus import note
from benchmarks._processes import environment, run
from evaluation._contracts import Contracts, contracts
from evaluation.packages import add_arguments, table

_LIMIT = 1.0
_AGAIN = 3
_JSON, _YAML, _PROTOS = "apis/json", "apis/yaml", "protos/googleapis"
_OURS = {_JSON: "openapi", _YAML: "openapi", _PROTOS: "protobuf"}
_TITLES = {
    _JSON: "GitHub's document as JSON",
    _YAML: "The same as YAML, read by the C loader",
    _PROTOS: "63 files of googleapis",
}
_FIRST, _REPEATED = "ifacegen, first build and render in a process", "ifacegen, again in the same process"
_HEAD = ("", "wall seconds", "CPU seconds", "times ifacegen's first, CPU")

#: Times a call in a peer's interpreter: what it imports is not counted, reading the file is.
_PEER = """
import json, sys, time
{imports}
path = sys.argv[1]
wall, cpu = time.perf_counter(), time.process_time()
{call}
print(json.dumps([[time.perf_counter() - wall, time.process_time() - cpu]]))
"""


@dataclass(slots=True)
class Timed:
    """Wall and CPU seconds of one case, run by run."""

    runs: list[tuple[float, float]] = field(default_factory=list)
    #: Why there is no figure.
    problem: str = ""

    @property
    def wall(self) -> float:
        """The median."""
        return median(wall for wall, _ in self.runs)

    @property
    def cpu(self) -> float:
        """The median."""
        return median(cpu for _, cpu in self.runs)


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to time; ``start`` gives seconds by the name of the row they belong to."""

    about: str
    start: Callable[[], Mapping[str, tuple[float, float]]]
    #: At most this many runs: some peers take a minute.
    most: int = 100


def cases(found: Contracts) -> Iterator[Case]:
    """Ours and the peers'."""
    repository = found.bench
    for package in _OURS:
        yield Case(package, _ours(repository, package))
    document, text = (next((repository / each).iterdir()) for each in (_JSON, _YAML))
    plain = Path(sys.executable)
    yield Case(
        _JSON, _library("json.loads alone", plain, document, "", "json.loads(open(path, 'rb').read())")
    )
    call = "list(OpenAPIV30SpecValidator(json.loads(open(path, 'rb').read())).iter_errors())"
    imports = "from openapi_spec_validator import OpenAPIV30SpecValidator"
    yield Case(_JSON, _library("openapi-spec-validator", found.python, document, imports, call), 2)
    call = "jsonref.loads(open(path, 'rb').read(), lazy_load=False)"
    yield Case(_JSON, _library("jsonref, all references", found.python, document, "import jsonref", call))
    call = "ResolvingParser(path, backend='openapi-spec-validator', strict=False)"
    imports = "from prance import ResolvingParser"
    yield Case(_JSON, _library("prance", found.python, document, imports, call), 1)
    bundle: list[str | Path] = [found.node_tools / "redocly", "bundle", document, "-o", os.devnull]
    yield Case(_JSON, _command("redocly bundle (command)", bundle, repository))
    call = "yaml.load(open(path, 'rb').read(), yaml.CSafeLoader)"
    yield Case(_YAML, _library("yaml.CSafeLoader alone", plain, text, "import yaml", call))
    yield from _proto_cases(found, repository / _PROTOS)


def _proto_cases(found: Contracts, folder: Path) -> Iterator[Case]:
    files = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*.proto"))
    own = "importlib.resources.files('grpc_tools') / '_proto'"
    call = f"protoc.main(['protoc', '-I', path, '-I', str({own}), '-o', '{os.devnull}', *{files!r}])"
    imports = "import importlib.resources\nfrom grpc_tools import protoc"
    yield Case(_PROTOS, _library("protoc, in process", Path(sys.executable), folder, imports, call))
    imports = "import pathlib\nfrom proto_schema_parser.parser import Parser"
    call = "[Parser().parse(each.read_text()) for each in sorted(pathlib.Path(path).rglob('*.proto'))]"
    yield Case(_PROTOS, _library("proto-schema-parser", found.python, folder, imports, call))
    build: list[str | Path] = [found.node_tools / "buf", "build", folder, "-o", os.devnull]
    yield Case(_PROTOS, _command("buf build (command)", build, folder))


def _ours(repository: Path, package: str) -> Callable[[], Mapping[str, tuple[float, float]]]:
    def start() -> Mapping[str, tuple[float, float]]:
        first, *again = _seconds([sys.executable, __file__, "--child", repository, package])
        return {_FIRST: first, _REPEATED: min(again, key=lambda each: each[1])}

    return start


def _library(
    name: str, python: Path, path: Path, imports: str, call: str
) -> Callable[[], Mapping[str, tuple[float, float]]]:
    program = _PEER.format(imports=imports, call=call)
    return lambda: {name: _seconds([python, "-c", program, path])[0]}


def _command(
    name: str, command: Sequence[str | Path], folder: Path
) -> Callable[[], Mapping[str, tuple[float, float]]]:
    def start() -> Mapping[str, tuple[float, float]]:
        done = run(command, cwd=folder).checked()
        return {name: (done.wall, done.cpu)}

    return start


def _seconds(command: Sequence[str | Path]) -> list[tuple[float, float]]:
    done = run(command, env=environment()).checked()
    return [(wall, cpu) for wall, cpu in json.loads(done.stdout.strip().splitlines()[-1])]


def child(repository: str, package: str) -> list[list[float]]:
    """Wall and CPU seconds of the first build in this process, and of some more."""
    from ifacegen import Workspace
    from ifacegen.registry import Registry

    workspace = Workspace.open(repository)
    adapter: Any = next(each for each in Registry().all() if each.name == _OURS[package])
    adapter.tool()
    return [_built(workspace, adapter, package) for _ in range(1 + _AGAIN)]


def _built(workspace: Any, adapter: Any, package: str) -> list[float]:
    from ifacegen.adapter import BuildContext, ViewOptions
    from ifacegen.facts import MemoryFacts

    tree, packages = workspace.tree(), workspace.packages()
    wanted = next(each for each in packages if each.path == package)
    context = BuildContext(tree, wanted, packages, ViewOptions(), MemoryFacts(), {}, lambda _: 0, {})
    wall, cpu = time.perf_counter(), sum(os.times()[:4])
    text = adapter.render(adapter.build(context).modules)
    seconds = [time.perf_counter() - wall, sum(os.times()[:4]) - cpu]
    if len(text) < 10_000:
        raise SystemExit(f"{package}: a view of {len(text)} characters is none")
    return seconds


def measured(everything: Sequence[Case], repeat: int) -> dict[str, dict[str, Timed]]:
    """Title → row → its seconds; every case once, then every one again."""
    found: dict[str, dict[str, Timed]] = {about: {} for about in _TITLES}
    for turn in range(repeat):
        for each in (case for case in everything if turn < case.most):
            note(f"{turn + 1} of {repeat}: {each.about}")
            for name, seconds in each.start().items():
                found[each.about].setdefault(name, Timed()).runs.append(seconds)
    return found


def report(found: Mapping[str, Mapping[str, Timed]], repeat: int, before: float) -> Iterator[str]:
    """A table for each input, and whether the limits are met."""
    load = os.getloadavg()[0]
    yield f"Median of {repeat} runs (openapi-spec-validator 2, prance 1); load of the machine {before:.1f} before and {load:.1f} after, {os.cpu_count()} cores.\n"
    for about, rows in found.items():
        ours = rows[_FIRST].cpu
        yield f"{_TITLES[about]}\n"
        cells = [
            (name, f"{each.wall:.2f}", f"{each.cpu:.2f}", f"{each.cpu / ours:.1f}")
            for name, each in rows.items()
        ]
        yield from table(_HEAD, cells)
        yield ""
    limits = [
        (_TITLES[about], f"≤ {_LIMIT:g} s", f"{found[about][_FIRST].cpu:.2f} s", _met(found[about][_FIRST]))
        for about in (_JSON, _PROTOS)
    ]
    yield from table(("must show, CPU seconds", "limit", "measured", "met"), limits)


def _met(timed: Timed) -> str:
    return "yes" if timed.cpu <= _LIMIT else "**no**"


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="How fast views of published contracts are made.")
    add_arguments(parser)
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each case (5)")
    parser.add_argument("--child", nargs=2, metavar=("REPOSITORY", "PACKAGE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(child(*options.child)))
        return 0
    everything, before = list(cases(contracts(options.cache))), os.getloadavg()[0]
    found = measured(everything, options.repeat)
    print("\n".join(report(found, options.repeat, before)))
    return 0 if all(found[each][_FIRST].cpu <= _LIMIT for each in (_JSON, _PROTOS)) else 1


if __name__ == "__main__":
    sys.exit(main())
