"""How fast is a view made, stage by stage? Lines of source per CPU second, one process, over the pinned packages.

    make evaluate NAME=stages

Every stage is the product's own function, called with the stages before it already done; the best of two
runs counts. The peer, in the same run, is the stubgen command on the same files, with docstrings.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._stubs import run_stubgen
from evaluation.packages import RealPackage, RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.adapter import BuildContext, Surface, ViewOptions
from ifacegen.facts import MemoryFacts
from ifacegen.fingerprint import view_digest
from ifacegen.model import Package
from ifacegen.tokens import LineCounter, count_tokens
from ifacegen_adapters.python import PythonAdapter, link
from ifacegen_adapters.python.compile import Compiler
from ifacegen_adapters.python.facts import FileFacts
from ifacegen_adapters.python.modules import package_modules

_RUNS = 2
_STAGES = ("compile facts", "stubgen types", "link", "emit", "digest", "count tokens")
#: Takes the place of the first two where the facts of every file are stored.
_STORED = "read stored facts"
_PEER = "stubgen --include-docstrings"
_HEAD = ("stage", "CPU seconds", "lines / CPU second", f"times {_PEER}")
_EACH_HEAD = ("package", "lines", "CPU seconds", "lines / CPU second", f"times {_PEER}")

_Result = TypeVar("_Result")


@dataclass(slots=True)
class Clock:
    """The least CPU time that each stage of one package has taken."""

    seconds: dict[str, float] = field(default_factory=dict)

    def timed(self, stage: str, call: Callable[[], _Result]) -> _Result:
        """Call, and keep the time if it is the best so far."""
        start = time.process_time()
        result = call()
        self.seconds[stage] = min(time.process_time() - start, self.seconds.get(stage, float("inf")))
        return result

    def total(self) -> float:
        """All stages together."""
        return sum(self.seconds[stage] for stage in _STAGES)


@dataclass(frozen=True, slots=True)
class Result:
    """One package: its lines, the time of each stage, and the peer's time."""

    name: str
    lines: int
    seconds: dict[str, float]
    total: float
    peer: float


@dataclass(frozen=True, slots=True)
class Bench:
    """The repository, and what its packages are built with."""

    workspace: Workspace
    adapter: PythonAdapter = field(default_factory=PythonAdapter)

    def measured(self, real: RealPackage) -> Result:
        """One package through every stage, and through the peer."""
        package = self.workspace.address(real.address).package
        clock = Clock()
        surface = [self._run(package, clock) for _ in range(_RUNS)][-1]
        texts = (self.workspace.tree().read(path).data for path in surface.sources)
        lines = sum(text.count(b"\n") for text in texts)
        files = [self.workspace.root / path for path in surface.sources if path.endswith(".py")]
        return Result(real.name, lines, clock.seconds, clock.total(), min(peer(files) for _ in range(_RUNS)))

    def _run(self, package: Package, clock: Clock) -> Surface:
        tree, packages = self.workspace.tree(), self.workspace.packages()
        # Sources are counted in a stage of their own, though the product does it while it compiles.
        context = BuildContext(tree, package, packages, ViewOptions(), MemoryFacts(), {}, lambda _: 0, {})
        modules = package_modules(tree, package, packages)
        compiler = Compiler(context)
        paths = [module.path for module in modules.modules.values()]
        facts = clock.timed("compile facts", lambda: _facts(compiler, paths))
        clock.timed("stubgen types", lambda: _types(compiler, facts))
        warm = Compiler(replace(context, memory={}))
        clock.timed(_STORED, lambda: _types(warm, _facts(warm, paths)))
        surface = clock.timed("link", lambda: link.link(context, self.adapter.tool()))
        texts = clock.timed("emit", lambda: self._emitted(surface))
        clock.timed("digest", lambda: view_digest(package.path, surface.interfaces, surface.modules))
        sources = [tree.read(path).data.decode("utf-8", "replace") for path in surface.sources]
        clock.timed("count tokens", lambda: _counted(texts, sources))
        return surface

    def _emitted(self, surface: Surface) -> list[str]:
        """All that is printed for one view: with and without documentation, and each declaration for its size."""
        whole = [self.adapter.render(surface.modules, docs=docs) for docs in ("full", "none")]
        declarations = (
            each for module in surface.modules for top in module.declarations for each in top.walk()
        )
        return [*whole, *(self.adapter.render_declaration(each) for each in declarations if not each.members)]


def _facts(compiler: Compiler, paths: Iterable[str]) -> dict[str, FileFacts]:
    return {path: compiler.facts(path) for path in paths}


def _types(compiler: Compiler, facts: dict[str, FileFacts]) -> list[Any]:
    return [compiler.types(path, each) for path, each in facts.items()]


def _counted(texts: Iterable[str], sources: Iterable[str]) -> int:
    return sum(map(LineCounter().count, texts)) + sum(map(count_tokens, sources))


def peer(files: Iterable[Path]) -> float:
    """CPU seconds of the stubgen command on the files that the view was made from."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as output:
        if not run_stubgen(files, Path(output), "--include-docstrings"):
            raise SystemExit("stubgen failed: there is nothing to compare with")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(results: Sequence[Result]) -> Iterator[str]:
    """A table of stages and a table of packages."""
    lines, peers = sum(each.lines for each in results), sum(each.peer for each in results)
    stages = {stage: sum(each.seconds[stage] for each in results) for stage in _STAGES}
    stored = sum(each.seconds[_STORED] for each in results)
    times = {**stages, "total": sum(stages.values()), _STORED: stored, _PEER: peers}
    yield f"{lines:,} lines in {len(results)} packages\n"
    yield from table(_HEAD, [(stage, *_cells(lines, seconds, peers)) for stage, seconds in times.items()])
    yield ""
    rows = [(each.name, f"{each.lines:,}", *_cells(each.lines, each.total, each.peer)) for each in results]
    yield from table(_EACH_HEAD, rows)


def _cells(lines: int, seconds: float, peers: float) -> tuple[str, str, str]:
    return f"{seconds:.2f}", f"{lines / seconds:,.0f}", f"{peers / seconds:.1f}"


def main() -> int:
    """Measure and print; nothing is judged here."""
    parser = argparse.ArgumentParser(description="Lines per CPU second of each stage, beside stubgen.")
    add_arguments(parser)
    options = parser.parse_args()
    packages = RealPackages(options.cache)
    everything = packages.all()
    bench = Bench(Workspace.open(packages.monorepo))
    bench.adapter.tool()  # what is imported once is not a package's
    bench.measured(everything[0])
    print("\n".join(report([bench.measured(each) for each in everything])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
