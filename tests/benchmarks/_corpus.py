"""A repository to measure on: a copy of the corpus, with commits on top that each change one file.

What is copied stays untouched. The copy's history starts with an empty commit, so that a range can cover
all that is measured.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks._packages import Listed
from benchmarks._processes import environment, run
from evaluation.packages import RealPackages, add_arguments

SEED = 20261130
_WHO = "corpus <corpus@example.com>"
_FIRST_DAY = 1_767_571_200  # 5 January 2026
_DAY = 86_400
_ENVIRONMENT = {
    **environment(),
    "GIT_AUTHOR_NAME": "corpus",
    "GIT_AUTHOR_EMAIL": "corpus@example.com",
    "GIT_COMMITTER_NAME": "corpus",
    "GIT_COMMITTER_EMAIL": "corpus@example.com",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "gc.auto",
    "GIT_CONFIG_VALUE_0": "0",
    "GIT_CONFIG_KEY_1": "maintenance.auto",
    "GIT_CONFIG_VALUE_1": "false",
}


@dataclass(frozen=True, slots=True)
class Edit:
    """The text that one file of a package is to have."""

    package: str
    path: str
    text: bytes


@dataclass(frozen=True, slots=True)
class Repository:
    """The copy."""

    root: Path

    def git(self, *arguments: str) -> str:
        """What a git command prints."""
        return run(["git", "-C", self.root, *arguments], env=_ENVIRONMENT).checked().stdout.strip()

    def history(self) -> list[str]:
        """Commits from the first to HEAD."""
        return self.git("rev-list", "--first-parent", "--reverse", "HEAD").split()

    def commit(self, edit: Edit) -> str:
        """Write one file and commit it, as a person would; the commit's id."""
        (self.root / edit.path).write_bytes(edit.text)
        self.git("commit", "-q", "-m", f"Change {edit.path}", "--", edit.path)
        return self.git("rev-parse", "HEAD")

    def append(self, edits: Sequence[Edit]) -> list[str]:
        """Commits on top of HEAD, one an edit, made at once; HEAD and the work tree stay where they are."""
        before = self.git("rev-parse", "HEAD")
        stream = b"".join(_commits(before, edits))
        self._import(stream, "--force")
        return self.git("rev-list", "--reverse", f"{before}..refs/heads/next").split()

    def go(self, revision: str) -> None:
        """Move HEAD and the work tree to a commit."""
        self.git("reset", "-q", "--hard", revision)
        self._settle()

    def clone(self, target: Path) -> Repository:
        """A second copy at the same commit."""
        run(["git", "clone", "-q", "--local", self.root, target], env=_ENVIRONMENT).checked()
        repository = Repository(target)
        repository._settle()
        return repository

    def rooted(self) -> None:
        """Give the last two commits' trees to new commits on top of an empty one, and go there."""
        trees = [self.git("rev-parse", f"{each}^{{tree}}") for each in self.history()[-2:]]
        self._import(b"".join(_roots(trees)))
        self.git("checkout", "-q", "-f", "-B", "main", "refs/heads/next")
        self._settle()

    def _settle(self) -> None:
        """Have git note which files are unchanged, as the first `git status` that anybody types does."""
        self.git("status", "--porcelain")

    def _import(self, stream: bytes, *options: str) -> None:
        command = ["git", "-C", str(self.root), "fast-import", "--quiet", *options]
        subprocess.run(command, input=stream, check=True, env=_ENVIRONMENT)


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which repository is measured, and where the copies go."""
    add_arguments(parser)
    text = "a git repository, which is copied (default: the pinned packages of the other benchmarks)"
    parser.add_argument("--corpus", type=Path, metavar="DIR", help=text)
    text = (
        "a folder for copies and caches, kept afterwards; must be empty or absent (default: a temporary one)"
    )
    parser.add_argument("--work", type=Path, metavar="DIR", help=text)


@contextlib.contextmanager
def work_folder(path: Path | None) -> Iterator[Path]:
    """The folder to work in: the one that was asked for, which must be empty, or a temporary one."""
    if path is None:
        with tempfile.TemporaryDirectory(prefix="ifacegen-benchmark-") as folder:
            yield Path(folder).resolve()
        return
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        raise SystemExit(f"{path} is not empty")
    yield path.resolve()


def copied(options: argparse.Namespace, folder: Path) -> Repository:
    """The copy to measure on, made in a new folder."""
    repository = Repository(folder)
    if options.corpus is None:
        shutil.copytree(_pinned(options), folder, ignore=shutil.ignore_patterns(".git"))
        repository.git("init", "-q", "-b", "main")
        repository.git("add", "-A", "-f")
        repository.git("commit", "-q", "-m", "The pinned packages")
    else:
        source = options.corpus.resolve()
        command = ["git", "clone", "-q", "--local", "--no-checkout", source, folder]
        run(command, env=_ENVIRONMENT).checked()
    repository.rooted()
    return repository


def _pinned(options: argparse.Namespace) -> Path:
    packages = RealPackages(options.cache)
    packages.all()
    return packages.monorepo


def by_size(packages: Sequence[Listed]) -> dict[str, Listed]:
    """A small package (a tenth of all are smaller), the median one and the largest."""
    ordered = sorted((each for each in packages if each.modules), key=lambda each: (each.size, each.path))
    return {"small": ordered[len(ordered) // 10], "median": ordered[len(ordered) // 2], "large": ordered[-1]}


class Edits:
    """One-file changes, the same ones in every run: a documented function more, in a file drawn by lot."""

    def __init__(self, repository: Repository) -> None:
        self._root = repository.root
        self._random = random.Random(SEED)
        self._texts: dict[str, bytes] = {}
        self._count = 0

    def of(self, package: Listed) -> Edit:
        """The next change to a package, on top of those already drawn."""
        path = self._random.choice(package.modules)
        self._count += 1
        before = self._texts.get(path)
        if before is None:
            before = (self._root / path).read_bytes()
        self._texts[path] = before.rstrip() + _addition(self._count)
        return Edit(package.path, path, self._texts[path])

    def spread(self, packages: Sequence[Listed], number: int) -> list[Edit]:
        """Changes to as many packages as there are, and round again when all have had one."""
        choices = [each for each in packages if each.modules]
        order: list[Listed] = []
        while len(order) < number:
            order += self._random.sample(choices, len(choices))
        return [self.of(each) for each in order[:number]]


def _addition(number: int) -> bytes:
    text = f'''


def benchmark_addition_{number}(value: int = {number}, *, name: str | None = None) -> dict[str, int]:
    """Say what commit {number} of the benchmark has added.

    Args:
        value: The number that is given back.
        name: The name to give it back under.
    """
    return {{name or "value": value}}
'''
    return text.encode("ascii")


def _roots(trees: Sequence[str]) -> Iterator[bytes]:
    yield from _commit(0, "Nothing yet")
    yield b"\n"
    for number, tree in enumerate(trees, 1):
        yield from _commit(number, f"Release {number}")
        yield f'M 040000 {tree} ""\n\n'.encode("ascii")


def _commits(before: str, edits: Sequence[Edit]) -> Iterator[bytes]:
    for number, edit in enumerate(edits, 3):
        yield from _commit(number, f"Change {edit.path}")
        if number == 3:
            yield f"from {before}\n".encode("ascii")
        yield f"M 100644 inline {edit.path}\n".encode()
        yield f"data {len(edit.text)}\n".encode("ascii") + edit.text + b"\n"


def _commit(number: int, message: str) -> Iterator[bytes]:
    text = message.encode()
    yield b"commit refs/heads/next\n"
    yield f"committer {_WHO} {_FIRST_DAY + number * _DAY} +0000\n".encode("ascii")
    yield f"data {len(text)}\n".encode("ascii") + text + b"\n"


def note(text: str) -> None:
    """Say on stderr what is going on: a run takes minutes."""
    print(text, file=sys.stderr, flush=True)
