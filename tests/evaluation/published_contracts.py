"""Views of published contracts: OpenAPI documents, protos, and a repository that has both beside Python packages.

    make evaluate NAME=published_contracts

Runs ``openapi_views.py`` and ``protobuf_views.py``, each of which can be run alone, then ``warm`` on a mixed
repository, twice: that of ``--corpus``, or the contracts of both beside the pinned Python packages. Some fifteen
minutes. Fails where one of the two does, where the second ``warm`` doesn't find every view, or where one has failed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluation._contracts import contracts
from evaluation.packages import RealPackages, add_arguments, table

_FOLDER = Path(__file__).parent
_PARTS = {"openapi_views": "OpenAPI", "protobuf_views": "Protobuf"}
_OUTCOMES = ("built", "hit", "degraded", "empty", "failed")


@dataclass(frozen=True, slots=True)
class Warm:
    """One run of ``warm``."""

    seconds: float
    said: Mapping[str, Any]

    def cells(self, name: str) -> tuple[str, ...]:
        """As the table has it."""
        return name, *(f"{self.said[each]:,}" for each in _OUTCOMES), f"{self.seconds:.1f}"


def mixed(options: argparse.Namespace, folder: Path) -> Path:
    """The repository to warm: a clone of the one that was asked for, or one of what is pinned."""
    if options.corpus is not None:
        subprocess.run(["git", "clone", "-q", "--local", options.corpus.resolve(), folder], check=True)
        return folder
    packages = RealPackages(options.cache)
    packages.all()
    parts = ("packages", packages.monorepo), ("apis", contracts(options.cache).repository)
    for name, home in (*parts, ("protos", contracts(options.cache).repository)):
        shutil.copytree(home / name, folder / name)
    identity = ("-c", "user.name=evaluation", "-c", "user.email=evaluation@example.com")
    for command in (("init", "-q"), ("add", "-A", "-f"), (*identity, "commit", "-q", "-m", "Everything")):
        subprocess.run(["git", "-C", folder, *command], check=True)
    return folder


def warmed(repository: Path, cache: Path) -> Warm:
    """One run into a cache."""
    command = [
        sys.executable,
        "-m",
        "ifacegen",
        "-C",
        str(repository),
        "--cache-dir",
        str(cache),
        "warm",
        "--json",
    ]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    return Warm(seconds, json.loads(done.stdout))


def packages(repository: Path, cache: Path) -> Counter[str]:
    """How many packages there are of each kind, or kinds."""
    command = [sys.executable, "-m", "ifacegen", "-C", str(repository), "--cache-dir", str(cache)]
    done = subprocess.run([*command, "packages", "--json"], capture_output=True, check=True, text=True)
    return Counter("+".join(each["kinds"]) for each in json.loads(done.stdout)["packages"])


def report(kinds: Mapping[str, int], cold: Warm, again: Warm) -> Iterator[str]:
    """What there is to warm, and both runs."""
    yield ", ".join(f"{count:,} {name}" for name, count in sorted(kinds.items())) + "\n"
    rows = cold.cells("cold"), again.cells("again")
    yield from table(("`warm`", *_OUTCOMES, "seconds"), rows)


def main() -> int:
    """Run all, judge."""
    parser = argparse.ArgumentParser(description="Run every evaluation of published contracts.")
    add_arguments(parser)
    text = "a git repository to warm (default: the pinned packages and contracts)"
    parser.add_argument("--corpus", type=Path, metavar="DIR", help=text)
    options, codes = parser.parse_args(), list[int]()
    for name, title in _PARTS.items():
        print(f"## {title}\n", flush=True)
        command = [sys.executable, str(_FOLDER / f"{name}.py"), "--cache", str(options.cache)]
        codes.append(subprocess.run(command, check=False).returncode)
    print("\n## One `warm` for a mixed repository\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="ifacegen-mixed-") as temporary:
        repository, cache = mixed(options, Path(temporary, "repository")), Path(temporary, "cache")
        kinds, cold, again = packages(repository, cache), *(warmed(repository, cache) for _ in range(2))
    print("\n".join(report(kinds, cold, again)))
    everything = sum(cold.said[each] for each in _OUTCOMES)
    codes.append(int(bool(cold.said["failed"]) or again.said["hit"] != everything))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
