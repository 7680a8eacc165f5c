"""One question asked in every way: built here and now, through the store, by the fast path, by the command."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

from ifacegen import Workspace, fastpath
from ifacegen.cli import main
from ifacegen.errors import IfacegenError
from ifacegen.viewcache import Lookup
from support.trees import Picture, entries, git_repo, repo

IFACEGEN = Path(sys.executable).with_name("ifacegen")


def fresh(root: Path, package: str, commit: str | None = None) -> str:
    """A view as it is built in this process, from nothing that is kept anywhere."""
    workspace = Workspace.open(root, cache=False)
    with workspace.repository:
        return _built(workspace, package, commit)


def _built(workspace: Workspace, package: str, commit: str | None) -> str:
    snapshot = workspace._snapshot(commit)
    chosen = next(each for each in snapshot.found.packages if each.path == package)
    built = workspace._builder.build_here(chosen, snapshot.commit, {})
    return replace(built.view, commit=snapshot.commit).text


class Lab:
    """A repository with a cache of its own."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root = root
        self.cache = cache
        self._seen: set[str] = set()
        self._opened: Workspace | None = None

    @classmethod
    def of(cls, picture: Picture, home: Path, *, object_format: str = "sha1", commit: bool = True) -> Lab:
        """A new repository below ``home``."""
        root = git_repo(picture, home / "repository", object_format=object_format, commit=commit)
        return cls(root, home / "cache")

    def workspace(self) -> Workspace:
        """The repository, opened again; git processes of the one before are ended, and come back when needed."""
        if self._opened is not None:
            self._opened.repository.close()
        self._opened = Workspace.open(self.root, cache_dir=self.cache)
        return self._opened

    def look_up(self, package: str, commit: str | None = None) -> Lookup:
        """What the store has for a package now."""
        return self.workspace().look_up(package, commit)

    def view(self, package: str, commit: str | None = None) -> str:
        """A view through the store."""
        return self.workspace().view(package, commit).text

    def quick(self, package: str, *options: str) -> bytes | None:
        """What the fast path says."""
        argv = ["-C", str(self.root), "--cache-dir", str(self.cache), "show", package, *options]
        return fastpath.attempt(argv)

    def run(
        self, *arguments: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """The installed command, run in the repository."""
        return run(self.root, "--cache-dir", str(self.cache), *arguments, env=env)

    def check(self, commit: str | None = None) -> None:
        """Ask for every package in every way, the fast path before and after it could be told anything."""
        true = self._all(Workspace.open(self.root, cache=False), commit, is_fresh=True)
        self._seen |= true.keys()
        self._check_quick(true, commit)
        assert self._all(self.workspace(), commit) == true
        self._check_quick(true, commit)

    def check_quick(self, packages: Iterable[str]) -> AbstractSet[str]:
        """Have the fast path asked about the work tree; what it answered is right, and these packages it knew."""
        answers = {package: self.quick(package) for package in packages}
        known = {package: text.decode("utf-8") for package, text in answers.items() if text is not None}
        workspace = Workspace.open(self.root, cache=False)
        with workspace.repository:
            for package, text in known.items():
                assert text == printed(_built(workspace, package, None))
        return known.keys()

    def _check_quick(self, true: Mapping[str, str], commit: str | None) -> None:
        for package in self._seen - {"", "."}:
            found = self.quick(package, *(["--commit", commit] if commit is not None else []))
            if found is not None:
                assert found.decode("utf-8") == printed(true.get(package, f"{package} is no package"))

    def _all(
        self, workspace: Workspace, commit: str | None = None, *, is_fresh: bool = False
    ) -> dict[str, str]:
        with workspace.repository:
            try:
                packages = workspace.packages(commit)
            except IfacegenError as error:
                return {"": f"{type(error).__name__}: {error}"}
            return {
                each.path: _built(workspace, each.path, commit)
                if is_fresh
                else workspace.view(each, commit).text
                for each in packages
            }


def change(root: Path, picture: Picture) -> None:
    """Lay a picture out where files are already: links are replaced, not written through."""
    for path, _ in entries(picture):
        if (root / path).is_symlink() or (root / path).is_file():
            (root / path).unlink()
    repo(picture, root)


def printed(text: str) -> str:
    """A view's text as the command prints it."""
    return text if text.endswith("\n") else f"{text}\n"


def run(
    directory: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The installed command, run in a directory."""
    return subprocess.run(
        [IFACEGEN, *arguments],
        cwd=directory,
        env={**os.environ, **(env or {})},
        check=False,
        capture_output=True,
        timeout=120,
    )


def slow(*arguments: str) -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr of the command line without its fast path, run in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    written = [each.detach().getvalue() for each in streams]
    return code, written[0], written[1]
