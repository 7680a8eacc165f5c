"""Are the names that callers can import in the views? Held against the modules themselves, imported.

    make evaluate NAME=runtime_names

For every real package: the public names its top-level modules have at run time, and how many of them the
view shows, beside the same count for plain stubgen. Fails below 97 % in total or 90 % for one package.

Own modules that star imports leave in another's namespace (``networkx.astar``) are importable, but nobody's
interface: they are counted apart, and the recall is given with and without them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._stubs import StubTree, run_stubgen
from evaluation.packages import RealPackage, RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.model import View

_TOTAL_AT_LEAST = 0.97
_EACH_AT_LEAST = 0.90
_PROBE = Path(__file__).with_name("_probe.py")
_HEAD = (
    *("package", "version", "runtime names", "found", "missing", "extra", "recall"),
    *("stubgen found", "stubgen recall", "strayed modules", "recall with them"),
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an interpreter finds in the modules of a package; every name is ``module.name``."""

    #: Public names, by ``__all__`` or by what is there.
    listed: frozenset[str]
    #: Those of them that are own modules under a foreign name.
    strayed: frozenset[str]
    #: Every attribute, listed or not.
    attributes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Result:
    """One package: names at run time, in the view, in stubgen's stubs."""

    package: RealPackage
    imported: Imported
    declared: frozenset[str]
    submodules: frozenset[str]
    stubbed: frozenset[str]

    @property
    def runtime(self) -> frozenset[str]:
        """The names that count."""
        return self.imported.listed - self.imported.strayed

    @property
    def shown(self) -> frozenset[str]:
        """The names that the view shows."""
        return self.declared | self.submodules

    @property
    def missing(self) -> frozenset[str]:
        """Names that callers can import and the view hides."""
        return self.runtime - self.shown

    @property
    def extra(self) -> frozenset[str]:
        """Declarations that the modules do not list."""
        return self.declared - self.imported.listed - self.submodules

    def counts(self) -> Counts:
        """The figures of its line."""
        return Counts(
            runtime=len(self.runtime),
            found=len(self.runtime & self.shown),
            extra=len(self.extra),
            stubbed=len(self.runtime & self.stubbed),
            strayed=len(self.imported.strayed),
            strayed_found=len(self.imported.strayed & self.shown),
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """The figures of one line of the table."""

    runtime: int
    found: int
    extra: int
    stubbed: int
    strayed: int
    strayed_found: int

    @property
    def recall(self) -> float:
        """Part of the runtime's names that the view shows."""
        return share(self.found, self.runtime)

    def cells(self) -> tuple[str, ...]:
        """The figures as the table prints them."""
        strict = share(self.found + self.strayed_found, self.runtime + self.strayed)
        counts = map(str, (self.runtime, self.found, self.runtime - self.found, self.extra))
        peer = (str(self.stubbed), percent(share(self.stubbed, self.runtime)))
        return (*counts, percent(self.recall), *peer, str(self.strayed), percent(strict))


def summed(counts: Iterable[Counts]) -> Counts:
    """The figures of all lines together."""
    return Counts(*(sum(column) for column in zip(*map(astuple, counts), strict=True)))


def share(part: int, whole: int) -> float:
    """A quotient; nothing out of nothing is all of it."""
    return part / whole if whole else 1.0


def percent(value: float) -> str:
    """A share as the table prints it."""
    return f"{value:.1%}"


def measure(packages: RealPackages) -> Iterator[Result]:
    """One result a package."""
    everything = packages.with_runtime()
    workspace = Workspace.open(packages.monorepo)
    for package in everything:
        view = workspace.view(package.address)
        yield Result(
            package,
            imported(packages.python, package),
            declared=_dotted({name: declared(view, name) for name in package.modules}),
            submodules=_dotted({name: submodules(view, name) for name in package.modules}),
            stubbed=_dotted(stubbed(package)),
        )


def imported(python: Path, package: RealPackage) -> Imported:
    """What an interpreter finds that imports the package's modules."""
    arguments = [f"{name}={','.join(package.origins)}" for name in package.modules]
    command = [str(python), "-I", str(_PROBE), *arguments]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def names(key: str) -> frozenset[str]:
        return _dotted({module: each[key] for module, each in found.items()})

    return Imported(names("listed"), names("strayed"), names("attributes"))


def declared(view: View, module: str) -> frozenset[str]:
    """Names that the view says a module offers."""
    declarations = (each for found in view.modules if found.name == module for each in found.declarations)
    return frozenset(
        each.name for each in declarations if each.kind != "import" and each.visibility != "carried"
    )


def submodules(view: View, module: str) -> frozenset[str]:
    """Submodules that the view shows directly below a module."""
    below = (
        each.name.removeprefix(f"{module}.") for each in view.modules if each.name.startswith(f"{module}.")
    )
    return frozenset(name.partition(".")[0] for name in below)


def stubbed(package: RealPackage) -> Mapping[str, Iterable[str]]:
    """Names that plain stubgen's stubs offer, by module."""
    with tempfile.TemporaryDirectory() as output:
        run_stubgen([package.folder / name for name in package.origins], Path(output))
        tree = StubTree(Path(output))
        return {name: tree.names(name) for name in package.modules}


def _dotted(names: Mapping[str, Iterable[str]]) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module, found in names.items() for name in found)


def report(results: Sequence[Result]) -> Iterator[str]:
    """The table, then every name that differs."""
    counts = [each.counts() for each in results]
    rows = [
        (each.package.name, each.package.version, *line.cells())
        for each, line in zip(results, counts, strict=True)
    ]
    yield from table(_HEAD, [*rows, ("total", "", *summed(counts).cells())])
    for each in results:
        attributes, name = each.imported.attributes, each.package.name
        yield from _names(f"{name}: missing", each.missing)
        yield from _names(f"{name}: strayed modules not shown", each.imported.strayed - each.shown)
        yield from _names(f"{name}: shown, an attribute, not listed", each.extra & attributes)
        yield from _names(f"{name}: shown, not among its attributes", each.extra - attributes)


def _names(title: str, names: frozenset[str]) -> Iterator[str]:
    if names:
        yield f"\n{title} ({len(names)}): {', '.join(f'`{name}`' for name in sorted(names))}"


def is_met(results: Iterable[Result]) -> bool:
    """Whether the figures reach what the project promises."""
    counts = [each.counts() for each in results]
    return summed(counts).recall >= _TOTAL_AT_LEAST and all(each.recall >= _EACH_AT_LEAST for each in counts)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Hold the views' names against those of imported modules.")
    add_arguments(parser)
    options = parser.parse_args()
    results = list(measure(RealPackages(options.cache)))
    print("\n".join(report(results)))
    return 0 if is_met(results) else 1


if __name__ == "__main__":
    sys.exit(main())
