"""The peer of `warm`: one start of the stubgen command per package, with docstrings."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks._packages import Listed
from benchmarks._processes import PROGRAMS, Run, run

COMMAND = "stubgen --include-docstrings"


@dataclass(frozen=True, slots=True)
class Stubs:
    """What stubgen took for one package."""

    package: str
    cpu: float
    wall: float
    peak: int
    #: How many stubs it wrote.
    files: int
    #: The first error that it named, where it gave up.
    problem: str | None


def stubs(repository: Path, packages: Iterable[Listed], *, files: bool) -> Iterator[Stubs]:
    """Stubgen over one package after another.

    Args:
        repository: Where the packages lie.
        packages: In the order in which to start it.
        files: Name the very files that the package's view is made of, instead of the folders and single
            files that the package installs.
    """
    for package in packages:
        yield _stubs(repository, package.path, package.modules if files else package.roots)


def _stubs(repository: Path, package: str, sources: Sequence[str]) -> Stubs:
    with tempfile.TemporaryDirectory() as folder:
        command: list[str | Path] = [PROGRAMS / "stubgen", "--include-docstrings", "-q", "-o", folder]
        # In its output folder, so that no configuration is found and nothing is left behind.
        done = run([*command, *(repository / each for each in sources)], cwd=Path(folder))
        written = sum(1 for _ in Path(folder).rglob("*.pyi"))
    problem = _problem(done) if done.returncode else None
    return Stubs(package, done.cpu, done.wall, done.peak, written, problem)


def _problem(done: Run) -> str:
    said = [line for line in f"{done.stderr}\n{done.stdout}".splitlines() if line.strip()]
    errors = [line for line in said if "error:" in line]
    return (errors or said or [f"exit code {done.returncode}"])[0]
