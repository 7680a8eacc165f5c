"""Are the names that callers can import in the views? Held against the modules themselves, imported.

    make evaluate NAME=runtime_names

For every real package: the public names its top-level modules have at run time, and how many of them the
view shows, beside the same count for plain stubgen. Fails below 97 % in total or 90 % for one package.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
    "package",
    "version",
    "runtime names",
    "found",
    "missing",
    "extra",
    "recall",
    "stubgen found",
    "stubgen recall",
)

#: Module → names.
_Names = dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Result:
    """One package: names at run time, in the view, in stubgen's stubs; all of them ``module.name``."""

    package: RealPackage
    runtime: frozenset[str]
    #: Every attribute, listed or not.
    attributes: frozenset[str]
    declared: frozenset[str]
    submodules: frozenset[str]
    stubbed: frozenset[str]

    @property
    def missing(self) -> frozenset[str]:
        """Names that callers can import and the view hides."""
        return self.runtime - self.declared - self.submodules

    @property
    def extra(self) -> frozenset[str]:
        """Declarations that the modules do not list."""
        return self.declared - self.runtime

    @property
    def recall(self) -> float:
        """Part of the runtime's names that the view shows."""
        return share(len(self.runtime) - len(self.missing), len(self.runtime))

    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        found, stubbed = len(self.runtime - self.missing), len(self.runtime & self.stubbed)
        counts = (len(self.runtime), found, len(self.missing), len(self.extra))
        peer = (str(stubbed), percent(share(stubbed, len(self.runtime))))
        return (self.package.name, self.package.version, *map(str, counts), percent(self.recall), *peer)


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
        listed, attributes = imported(packages.python, package)
        view = workspace.view(package.address)
        yield Result(
            package,
            runtime=_dotted(listed),
            attributes=_dotted(attributes),
            declared=_dotted({name: declared(view, name) for name in package.modules}),
            submodules=_dotted({name: submodules(view, name) for name in package.modules}),
            stubbed=_dotted(stubbed(package)),
        )


def imported(python: Path, package: RealPackage) -> tuple[_Names, _Names]:
    """What the package's modules list, and every attribute they have, in an interpreter that imports them."""
    arguments = [f"{name}={','.join(package.origins)}" for name in package.modules]
    command = [str(python), "-I", str(_PROBE), *arguments]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    listed = {name: frozenset(found["listed"]) for name, found in report.items()}
    return listed, {name: frozenset(found["attributes"]) for name, found in report.items()}


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


def stubbed(package: RealPackage) -> _Names:
    """Names that plain stubgen's stubs offer."""
    with tempfile.TemporaryDirectory() as output:
        folders = [package.folder / name for name in package.origins]
        run_stubgen(folders, Path(output))
        tree = StubTree(Path(output))
        return {name: tree.names(name) for name in package.modules}


def _dotted(names: _Names) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module, found in names.items() for name in found)


def report(results: Iterable[Result]) -> Iterator[str]:
    """The table, then every name that differs."""
    results = list(results)
    yield from table(_HEAD, [*(each.row() for each in results), _total(results)])
    for each in results:
        yield from _names(f"{each.package.name}: missing", sorted(each.missing))
        there, absent = each.extra & each.attributes, each.extra - each.attributes
        yield from _names(f"{each.package.name}: shown, importable, not listed", sorted(there))
        yield from _names(f"{each.package.name}: shown, no attribute at run time", sorted(absent))


def _names(title: str, names: list[str]) -> Iterator[str]:
    if names:
        yield f"\n{title} ({len(names)}): {', '.join(f'`{name}`' for name in names)}"


def _total(results: list[Result]) -> tuple[str, ...]:
    names, missing = _sums(results)
    stubs = sum(len(each.runtime & each.stubbed) for each in results)
    extra = sum(len(each.extra) for each in results)
    counts = map(str, (names, names - missing, missing, extra))
    return (
        "total",
        "",
        *counts,
        percent(share(names - missing, names)),
        str(stubs),
        percent(share(stubs, names)),
    )


def _sums(results: list[Result]) -> tuple[int, int]:
    return sum(len(each.runtime) for each in results), sum(len(each.missing) for each in results)


def is_met(results: list[Result]) -> bool:
    """Whether the figures reach what the project promises."""
    names, missing = _sums(results)
    return share(names - missing, names) >= _TOTAL_AT_LEAST and all(
        each.recall >= _EACH_AT_LEAST for each in results
    )


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
