"""What a user installs: the wheel's exact files, its metadata, and that it can be made from the sdist."""

from __future__ import annotations

import configparser
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[2]
#: Import package → its source root in the repository.
ROOTS = {"ifacegen": "", "ifacegen_adapters": "adapters", "ifacegen_cache": "cache"}
#: What a package may hold. Everything else that is found in one is an accident.
SHIPPED = {".mjs", ".py", ".scm", ".typed"}


def package_files() -> dict[str, Path]:
    """Path in the wheel → file in the repository, for all that must be shipped."""
    files = {}
    for package, root in ROOTS.items():
        for path in (REPOSITORY / root / package).rglob("*"):
            if path.is_file() and path.suffix in SHIPPED:
                files[path.relative_to(REPOSITORY / root).as_posix()] = path
    return files


def build(kind: str, source: Path, out: Path) -> Path:
    """Build offline, with the hatchling that is installed."""
    command = [
        sys.executable,
        "-m",
        "build",
        f"--{kind}",
        "--no-isolation",
        "--outdir",
        str(out),
        str(source),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = out.iterdir()
    return archive


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(build("wheel", REPOSITORY, tmp_path_factory.mktemp("wheel"))) as archive:
        yield archive


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked sdist."""
    archive = build("sdist", REPOSITORY, tmp_path_factory.mktemp("sdist"))
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as files:
        files.extractall(unpacked, filter="data")
    (root,) = unpacked.iterdir()
    return root


def contents(archive: zipfile.ZipFile) -> dict[str, bytes]:
    return {name: archive.read(name) for name in archive.namelist()}


def metadata_folder(wheel: zipfile.ZipFile) -> str:
    (folder,) = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    return folder


def test_the_wheel_holds_the_three_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    metadata = metadata_folder(wheel)
    code = {name for name in wheel.namelist() if not name.startswith(f"{metadata}/")}
    assert code == set(package_files())


def test_every_package_is_typed(wheel: zipfile.ZipFile) -> None:
    assert {f"{package}/py.typed" for package in ROOTS} <= set(wheel.namelist())


def test_the_wheel_holds_the_files_as_they_are(wheel: zipfile.ZipFile) -> None:
    changed = [name for name, path in package_files().items() if wheel.read(name) != path.read_bytes()]
    assert changed == []


def test_the_command_and_the_adapters_are_registered(wheel: zipfile.ZipFile) -> None:
    entry_points = configparser.ConfigParser()
    entry_points.read_string(wheel.read(f"{metadata_folder(wheel)}/entry_points.txt").decode())
    assert {name: dict(entry_points[name]) for name in entry_points.sections()} == {
        "console_scripts": {"ifacegen": "ifacegen.__main__:entry"},
        "ifacegen.adapters": {
            "openapi": "ifacegen_adapters.openapi:OpenApiAdapter",
            "protobuf": "ifacegen_adapters.protobuf:ProtobufAdapter",
            "python": "ifacegen_adapters.python:PythonAdapter",
            "typescript": "ifacegen_adapters.typescript:TypeScriptAdapter",
        },
    }


def test_the_metadata_are_complete(wheel: zipfile.ZipFile) -> None:
    folder = metadata_folder(wheel)
    assert {name.removeprefix(f"{folder}/") for name in wheel.namelist() if name.startswith(folder)} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }
    lines = wheel.read(f"{folder}/METADATA").decode().splitlines()
    assert {"Name: ifacegen", "License-Expression: Apache-2.0", "Requires-Python: >=3.11"} <= set(lines)


def test_the_unpacked_wheel_imports_without_any_dependency(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import ifacegen, ifacegen_adapters, ifacegen_cache\n"
        "print(*(m.__file__ for m in (ifacegen, ifacegen_adapters, ifacegen_cache)), sep='\\n')\n"
    )
    # -I -S: nothing of the environment, of site-packages or of the current directory.
    command = [sys.executable, "-I", "-S", "-c", program, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.splitlines() == [str(tmp_path / package / "__init__.py") for package in ROOTS]


def test_the_sdist_makes_the_same_wheel(wheel: zipfile.ZipFile, sdist: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(build("wheel", sdist, tmp_path)) as again:
        assert contents(again) == contents(wheel)


def test_the_sdist_holds_no_tests_and_no_examples(sdist: Path) -> None:
    assert {path.name for path in sdist.iterdir()} == {
        ".gitignore",  # hatchling adds it, so that a build from the sdist leaves out the same files
        "CHANGELOG.md",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "adapters",
        "cache",
        "ifacegen",
        "pyproject.toml",
    }
