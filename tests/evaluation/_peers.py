"""The peers' interfaces of the real packages: made once, kept beside the downloads.

Every peer gets the same input: the ``.py`` and ``.pyi`` files of a package, without its tests and without the
project files that some wheels carry (pyrefly would obey pandas' own and find no files). The peers live in a
virtual environment of their own; what one of them cannot do is kept with its last words instead.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation.packages import RealPackage, RealPackages, add_arguments, table

#: Distribution → version.
PINS = {"basedpyright": "1.40.2", "griffe": "2.4.1", "mypy": "2.4.1", "pyrefly": "1.5.0"}
#: Tool → the distribution it comes from.
STUB_TOOLS = MappingProxyType({"stubgen": "mypy", "pyright": "basedpyright", "pyrefly": "pyrefly"})
_TOOLS = MappingProxyType({**STUB_TOOLS, "griffe": "griffe"})

#: Counted up when something here changes what the peers write.
_FORMAT = 1
#: Seconds that one command may take.
_LIMIT = 480
_TESTS = frozenset({"tests", "_tests", "conftest.py"})


@dataclass(frozen=True, slots=True)
class Job:
    """One package for one tool."""

    #: Where the peers are installed.
    peers: Path
    #: The interpreter beside which the packages' dependencies are installed.
    runtime: Path
    #: The folder that the top-level modules lie in.
    sources: Path
    #: Where to write; what is written there has the layout of the sources.
    target: Path

    @property
    def entries(self) -> list[Path]:
        """Top-level modules, as folders and files."""
        return sorted(self.sources.iterdir())


def stub_trees(packages: RealPackages) -> Mapping[str, Mapping[str, Path]]:
    """Tool → package → root of its ``.pyi`` files; a package is absent where the tool wrote none."""
    return {tool: _made(packages, tool, ".pyi") for tool in STUB_TOOLS}


def griffe_dumps(packages: RealPackages) -> Mapping[str, Mapping[str, Any]]:
    """Package → top-level module → what griffe knows of it, as its JSON says it."""
    return {
        name: {path.stem: json.loads(path.read_bytes()) for path in sorted(root.glob("*.json"))}
        for name, root in _made(packages, "griffe", ".json").items()
    }


def failures(packages: RealPackages) -> Mapping[str, Mapping[str, str]]:
    """Tool → package → why it is absent, or what is missing of it."""
    found = {
        tool: {package.name: _record(packages, tool, package)["failure"] for package in packages.all()}
        for tool in _TOOLS
    }
    return {
        tool: {name: failure for name, failure in each.items() if failure} for tool, each in found.items()
    }


def run(tool: str, job: Job) -> str:
    """Let a tool write what it makes of all the sources; returns what went wrong, if anything."""
    said = (_ran(command, job.target) for command in _COMMANDS[tool](job))
    return "; ".join(each for each in said if each)


def installed(packages: RealPackages) -> Path:
    """The folder with the peers' commands; they are installed where that has not been done."""
    target = packages.home / "peers-venv"
    stamp, pins = target / "pins", [f"{name}=={version}" for name, version in PINS.items()]
    binaries = target / ("Scripts" if os.name == "nt" else "bin")
    if not stamp.is_file() or stamp.read_text(encoding="utf-8").split() != pins:
        venv.create(target, with_pip=True, clear=True, symlinks=os.name != "nt")
        command = [
            str(binaries / "python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "-qq",
            "install",
            *pins,
        ]
        subprocess.run(command, check=True, stdout=sys.stderr)
        stamp.write_text("\n".join(pins), encoding="utf-8")
    return binaries


def sources(package: RealPackage, target: Path) -> None:
    """Copy the files that every peer gets."""
    for path in sorted(package.folder.rglob("*.py*")):
        inner = path.relative_to(package.folder)
        if path.suffix in (".py", ".pyi") and not _TESTS & set(inner.parts):
            (target / inner.parent).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / inner)


def _made(packages: RealPackages, tool: str, suffix: str) -> Mapping[str, Path]:
    roots = {each.name: packages.home / _record(packages, tool, each)["root"] for each in packages.all()}
    return {name: root for name, root in roots.items() if next(root.rglob(f"*{suffix}"), None)}


def _record(packages: RealPackages, tool: str, package: RealPackage) -> Mapping[str, str]:
    """What is known about one tool's work on one package, done now unless it has been by these versions."""
    version = f"{_FORMAT} {_TOOLS[tool]} {PINS[_TOOLS[tool]]} {package.version}"
    home = packages.home / "peers" / tool
    path = home / f"{package.name}.json"
    if path.is_file():
        record: Mapping[str, str] = json.loads(path.read_bytes())
        if record["version"] == version:
            return record
    record = {"version": version, "failure": _make(packages, tool, package, home / package.name)}
    record |= {"root": (home / package.name).relative_to(packages.home).as_posix()}
    path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    return record


def _make(packages: RealPackages, tool: str, package: RealPackage, target: Path) -> str:
    print(f"{tool} {package.name} …", file=sys.stderr)
    packages.with_runtime()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        job = Job(installed(packages), packages.python, Path(temporary) / "in", Path(temporary) / "out")
        sources(package, job.sources)
        job.target.mkdir()
        failure = run(tool, job).replace(temporary, "…")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(job.target, target)
    return failure


def _ran(command: Iterable[str | Path], folder: Path) -> str:
    """Run a command in a folder; nothing, or the last line that it says."""
    environment = {**os.environ, "MYPY_CACHE_DIR": os.devnull, "NO_COLOR": "1"}
    arguments = [str(each) for each in command]
    try:
        done = subprocess.run(
            arguments,
            check=False,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LIMIT,
        )
    except subprocess.TimeoutExpired:
        return f"stopped after {_LIMIT} seconds"
    words = done.stdout.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"exit {done.returncode}: {words[:300]}" if done.returncode else ""


def _stubgen(job: Job) -> Iterator[list[str | Path]]:
    # A compiled module cannot be run with -m.
    program: list[str | Path] = [job.peers / "python", "-c", "from mypy.stubgen import main; main()"]
    yield [*program, "--include-docstrings", "-q", "-o", job.target, *job.entries]


def _pyright(job: Job) -> Iterator[list[str | Path]]:
    # By import name only, into the folder where it runs.
    settings = {"extraPaths": [str(job.sources)], "stubPath": "."}
    (job.target / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    for each in job.entries:
        yield [job.peers / "basedpyright", "--pythonpath", job.runtime, "--createstub", each.stem]


def _pyrefly(job: Job) -> Iterator[list[str | Path]]:
    for each in job.entries:
        output = job.target / each.name if each.is_dir() else job.target
        options: list[str | Path] = [
            "--include-docstrings",
            "--python-interpreter-path",
            job.runtime,
            "-o",
            output,
        ]
        yield [job.peers / "pyrefly", "stubgen", *options, each]


def _griffe(job: Job) -> Iterator[list[str | Path]]:
    # All at once: attrs' aliases lead into attr, and end the run where that isn't loaded.
    names = [each.stem for each in job.entries]
    yield [job.peers / "griffe", "dump", *names, "-s", job.sources, "-o", job.target / "{package}.json"]


_COMMANDS: Mapping[str, Callable[[Job], Iterator[list[str | Path]]]] = MappingProxyType(
    {"stubgen": _stubgen, "pyright": _pyright, "pyrefly": _pyrefly, "griffe": _griffe}
)


def main() -> int:
    """Make everything; print how many files each tool wrote, and what went wrong."""
    parser = argparse.ArgumentParser(description="Make the peers' interfaces of the real packages.")
    add_arguments(parser)
    packages = RealPackages(parser.parse_args().cache)
    trees = stub_trees(packages)
    rows = [
        (each.name, *(_count(trees[tool].get(each.name)) for tool in STUB_TOOLS)) for each in packages.all()
    ]
    print("\n".join(table(("package", *STUB_TOOLS), rows)))
    for tool, found in failures(packages).items():
        for name, failure in found.items():
            print(f"\n{tool}, {name}: {failure}")
    return 0


def _count(root: Path | None) -> str:
    return str(sum(1 for _ in root.rglob("*.pyi"))) if root else "none"


if __name__ == "__main__":
    sys.exit(main())
