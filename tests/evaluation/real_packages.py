"""Does every view of real packages hold? Built, parsed, validated, and the same bytes however it was asked for.

    make evaluate NAME=real_packages
    make evaluate NAME=real_packages ARGS='--corpus DIR'    the Python packages of another repository, too

Three more processes build the views again, each with its own PYTHONHASHSEED: in order, in reverse, and each
from a workspace of its own. Headers, decorators, documentation and lines are held against what Python's own
parser finds in the sources. Fails if any check does; unbound names are counted, not judged.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpus.oracle import differences
from evaluation._checks import failures, unbound
from evaluation.packages import RealPackages, add_arguments, table

from ifacegen import Workspace
from ifacegen.model import Package, View

_DIGESTS = Path(__file__).with_name("_digests.py")
#: The ways in which views are asked for, each with the hash seed it runs under.
_ORDERS = {"together": "0", "reversed": "1", "alone": "2"}
_HEAD = (
    *("package", "modules", "declarations", "notes"),
    *("view", "without docs", "implementation", "view / implementation", "unbound names"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """One package: its sizes, and what is wrong."""

    package: str
    modules: int = 0
    declarations: int = 0
    notes: Mapping[str, int] | None = None
    tokens: tuple[int, int, int] = (0, 0, 0)
    unbound: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        notes = ", ".join(f"{count} {code}" for code, count in sorted((self.notes or {}).items()))
        view, undocumented, implementation = self.tokens
        ratio = f"{view / implementation:.1%}" if implementation else ""
        sizes = (f"{view:,}", f"{undocumented:,}", f"{implementation:,}", ratio)
        return (
            self.package,
            f"{self.modules:,}",
            f"{self.declarations:,}",
            notes,
            *sizes,
            str(len(self.unbound)),
        )


def measure(root: Path) -> Iterator[Result]:
    """One result for every Python package of a repository."""
    workspace = Workspace.open(root)
    for package in workspace.packages():
        if "python" in package.kinds:
            yield _checked(workspace, package)


def _checked(workspace: Workspace, package: Package) -> Result:
    try:
        view = workspace.view(package)
        result = _result(view, workspace.stubs(view))
        wrong = [*result.failures, *(f"source: {each}" for each in differences(view, workspace.root))]
        return replace(result, failures=tuple(wrong))
    except Exception:  # noqa: BLE001  # whatever it is, it is what is looked for, and the others want their turn
        return Result(package.path, failures=(traceback.format_exc(limit=-3),))


def _result(view: View, stubs: Mapping[str, str]) -> Result:
    tokens = view.tokens
    return Result(
        view.package,
        modules=len(view.modules),
        declarations=sum(1 for _, each in view.declarations() if each.kind != "import"),
        notes=Counter(note.code for note in view.notes),
        tokens=(tokens.view, tokens.view_without_docs, tokens.implementation),
        unbound=tuple(f"{path}: {name}" for path, text in stubs.items() for name in sorted(unbound(text))),
        failures=tuple(failures(view, stubs)),
    )


def total(results: Iterable[Result]) -> Result:
    """The sums of all lines."""
    results = list(results)
    notes: Counter[str] = Counter()
    for each in results:
        notes.update(each.notes or {})
    view, undocumented, implementation = (sum(each.tokens[i] for each in results) for i in range(3))
    return Result(
        f"total of {len(results)}",
        sum(each.modules for each in results),
        sum(each.declarations for each in results),
        notes,
        (view, undocumented, implementation),
        tuple(name for each in results for name in each.unbound),
    )


class Rebuilt:
    """The views of a repository built again in other processes, while this one works."""

    def __init__(self, root: Path) -> None:
        self._running = {order: self._start(root, order, seed) for order, seed in _ORDERS.items()}

    def _start(self, root: Path, order: str, seed: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(_DIGESTS), str(root), order]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)

    def differences(self) -> Iterator[str]:
        """Packages whose bytes depend on how they were asked for; waits for the processes."""
        found = {order: self._finish(process) for order, process in self._running.items()}
        for order, digests in found.items():
            if digests is None:
                yield f"{order}: failed, see above"
        first = found.pop("together")
        for order, digests in found.items():
            if first is None or digests is None:
                continue
            names = sorted(first.keys() | digests.keys())
            yield from (
                f"{name}: other bytes {order} than together"
                for name in names
                if first.get(name) != digests.get(name)
            )

    def _finish(self, process: subprocess.Popen[str]) -> dict[str, str] | None:
        output, _ = process.communicate()
        if process.returncode:
            return None
        digests: dict[str, str] = json.loads(output)
        return digests


def evaluate(title: str, root: Path) -> bool:
    """Print one repository's table and what is wrong; whether nothing is."""
    rebuilt = Rebuilt(root)
    results = list(measure(root))
    print(f"\n## {title}\n")
    print("\n".join(table(_HEAD, [*(each.row() for each in results), total(results).row()])))
    print("\n".join(_list("Unbound names", [name for each in results for name in each.unbound])))
    wrong = [f"{each.package}: {failure}" for each in results for failure in each.failures]
    wrong.extend(rebuilt.differences())
    print("\n".join(_list("Failures", wrong)), flush=True)
    return not wrong


def _list(title: str, lines: list[str]) -> Iterator[str]:
    yield f"\n{title}: {len(lines)}"
    yield from (f"- {line}" for line in lines)


def main() -> int:
    """Evaluate the pinned packages, then the corpus if there is one."""
    parser = argparse.ArgumentParser(
        description="Build, parse, validate and rebuild the views of real packages."
    )
    add_arguments(parser)
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="a repository whose Python packages are read too"
    )
    options = parser.parse_args()
    packages = RealPackages(options.cache)
    packages.all()
    passed = evaluate("The pinned packages", packages.monorepo)
    if options.corpus is None:
        print("\nThe corpus: skipped; --corpus DIR names a repository to read as well.")
    elif not options.corpus.is_dir():
        print("\nThe corpus: skipped; there is no such directory.")
    else:
        passed = evaluate("The corpus", options.corpus) and passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
