"""The real packages that ifacegen is measured on: pinned, downloaded once, laid out as a small monorepo.

Nothing here measures anything. The runtime side exists for what is measured against it: there alone the
packages are installed with what they need, and imported.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

#: Distribution → version.
PINS = {
    "attrs": "26.1.0",
    "boto3": "1.44.8",
    "click": "8.5.1",
    "fastapi": "0.165.0",
    "flask": "3.1.3",
    "httpx": "0.28.1",
    "networkx": "3.6.1",
    "pandas": "3.1.1",
    "pydantic": "2.14.4",
    "pytest": "9.2.0",
    "requests": "2.34.2",
    "rich": "15.0.0",
    "sqlalchemy": "2.1.9",
    "trio": "0.35.0",
}

#: Distribution → version of what type checkers need beside them: the checker, and packages whose callers
#: are packages as well. They are kept out of the monorepo and of the runtime, which measures were taken with.
TYPED = {
    "alembic": "1.20.1",
    "anyio": "4.16.0",
    "httpcore": "1.0.9",
    "mypy": "2.4.1",
    "opentelemetry-api": "1.45.2",
    "opentelemetry-sdk": "1.45.2",
    "starlette": "1.10.0",
    "werkzeug": "3.1.9",
}

#: Top-level modules that callers import, where they aren't called like the distribution.
MODULES = {"attrs": ("attr", "attrs")}

#: Where a package's own names may come from, beyond its modules.
ORIGINS = {"pytest": ("_pytest",)}

_VARIABLE = "IFACEGEN_EVALUATION"
_DEFAULT = Path(__file__).resolve().parents[2] / ".evaluation"
_CONFIG = 'version: 1\npackages: ["packages/*"]\n'


@dataclass(frozen=True, slots=True)
class RealPackage:
    """One distribution, unpacked."""

    name: str
    version: str
    #: The folder that a package's modules lie in.
    folder: Path

    @property
    def address(self) -> str:
        """Its path in the monorepo."""
        return f"packages/{self.name}"

    @property
    def modules(self) -> tuple[str, ...]:
        """The top-level modules that callers import."""
        return MODULES.get(self.name, (self.name,))

    @property
    def origins(self) -> tuple[str, ...]:
        """Top-level modules whose names are the package's own."""
        return (*self.modules, *ORIGINS.get(self.name, ()))


@dataclass(frozen=True, slots=True)
class RealPackages:
    """The folder that holds the downloads and what is made of them."""

    home: Path

    @property
    def monorepo(self) -> Path:
        """The repository to open."""
        return self.home / "monorepo"

    @property
    def python(self) -> Path:
        """The interpreter of the runtime side."""
        return self._interpreter("runtime")

    @property
    def typed_python(self) -> Path:
        """The interpreter that mypy is installed for, beside the packages and those of ``TYPED``."""
        return self._interpreter("typed")

    def all(self) -> tuple[RealPackage, ...]:
        """Every package, by name; downloaded and unpacked where that has not been done."""
        self._once("monorepo", PINS, self._lay_out)
        packages = self.monorepo / "packages"
        return tuple(RealPackage(name, version, packages / name) for name, version in PINS.items())

    def with_runtime(self) -> tuple[RealPackage, ...]:
        """As :meth:`all`, with the interpreter that can import them in place."""
        packages = self.all()
        self._once("runtime", PINS, self._install)
        return packages

    def with_typed(self) -> tuple[RealPackage, ...]:
        """As :meth:`all`, with the interpreter that mypy runs for, and the second monorepo."""
        packages = self.all()
        pins = {**PINS, **TYPED}
        self._once("typed", pins, lambda target: self._install(target, pins))
        self._once("layers", pins, lambda target: self._lay_out(target, pins))
        return packages

    @property
    def layers(self) -> Path:
        """A monorepo of all packages, those of ``TYPED`` among them."""
        return self.home / "layers"

    def _interpreter(self, name: str) -> Path:
        return self.home / name / ("Scripts" if os.name == "nt" else "bin") / "python"

    def _lay_out(self, target: Path, pins: Mapping[str, str] = PINS) -> None:
        for name, version in pins.items():
            folder = target / "packages" / name
            with zipfile.ZipFile(self._wheel(name, version)) as archive:
                archive.extractall(folder)
            for metadata in folder.glob("*.dist-info"):
                shutil.rmtree(metadata)
        (target / "ifacegen.yaml").write_text(_CONFIG, encoding="utf-8")
        # A repository of its own, so that one around the cache is not taken for it.
        subprocess.run(["git", "init", "-q", str(target)], check=True, stdout=sys.stderr)

    def _wheel(self, name: str, version: str) -> Path:
        folder = self.home / "wheels" / f"{name}-{version}"
        if not list(folder.glob("*.whl")):
            arguments = (
                "download",
                "--no-deps",
                "--only-binary=:all:",
                "-d",
                str(folder),
                f"{name}=={version}",
            )
            _pip(sys.executable, *arguments)
        return next(folder.glob("*.whl"))

    def _install(self, target: Path, pins: Mapping[str, str] = PINS) -> None:
        venv.create(target, with_pip=True, symlinks=os.name != "nt")
        wheels = [str(self._wheel(name, version)) for name, version in pins.items()]
        _pip(self._interpreter(target.name), "install", *wheels)

    def _once(self, name: str, wanted: Mapping[str, str], make: Callable[[Path], None]) -> None:
        """Make a folder anew unless it was made whole from the same pins."""
        stamp, target = self.home / f"{name}.pins", self.home / name
        pins = "".join(f"{each}=={version}\n" for each, version in wanted.items())
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == pins:
            return
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        make(target)
        stamp.write_text(pins, encoding="utf-8")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument that says where the packages are kept."""
    default = Path(os.environ.get(_VARIABLE) or _DEFAULT)
    text = f"where downloads are kept (default: ${_VARIABLE}, else .evaluation)"
    parser.add_argument("--cache", type=Path, default=default, metavar="DIR", help=text)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Lines of a Markdown table; every column but the first is for figures."""
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'---:|' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _pip(python: str | Path, *arguments: str) -> None:
    print(f"pip {arguments[0]} …", file=sys.stderr)
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "-qq", *arguments]
    subprocess.run(command, check=True, stdout=sys.stderr)


def main() -> int:
    """Fetch and unpack everything, the runtime side included."""
    parser = argparse.ArgumentParser(description="Download and lay out the real packages that are measured.")
    add_arguments(parser)
    options = parser.parse_args()
    packages = RealPackages(options.cache).with_runtime()
    print("\n".join(table(("package", "version"), [(each.name, each.version) for each in packages])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
