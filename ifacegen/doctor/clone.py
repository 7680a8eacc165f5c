"""git, and what kind of repository it has here: how much of the history, of the files and of their contents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ifacegen import git
from ifacegen.building import Builder
from ifacegen.doctor.finding import Finding
from ifacegen.errors import IfacegenError, RepositoryError, UnknownRevision
from ifacegen.repository import Repository

#: The oldest version that ifacegen is meant to work with.
_OLDEST = (2, 36)


def git_finding(directory: str) -> Finding:
    """Which git there is."""
    try:
        said = git.output(directory, "version").decode("utf-8", "replace").strip()
    except git.GitMissing as error:
        return Finding("note", "git", f"{error}: there are no commits, only plain folders", {"version": None})
    except RepositoryError as error:
        return Finding("problem", "git", str(error), {"version": None})
    version = said.removeprefix("git version ")
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is not None and (int(found[1]), int(found[2])) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        return Finding("problem", "git", f"{version} is older than {oldest}", {"version": version})
    return Finding("ok", "git", version, {"version": version})


def clone_findings(builder: Builder) -> Iterator[Finding]:
    """What kind of repository it is, and what of it is not here."""
    repository = builder.repository
    root = str(repository.root)
    if not repository.is_git:
        yield from _plain_folder(repository)
        return
    kind = "bare repository" if is_bare(repository) else "work tree"
    facts = {"kind": kind, "root": root, "objects": _said(root, "rev-parse", "--show-object-format")}
    yield Finding("ok", "repository", f"{kind} of git at {root}", facts)
    try:
        head = repository.resolve("HEAD")
    except UnknownRevision:
        yield Finding("note", "repository", "nothing is committed yet")
        return
    yield from _shallow(root)
    yield from _partial(builder, head)
    if not is_bare(repository):
        yield from _sparse(root)


def is_bare(repository: Repository) -> bool:
    """Whether there are commits and no files."""
    return repository.is_git and _said(str(repository.root), "rev-parse", "--is-bare-repository") == "true"


def _plain_folder(repository: Repository) -> Iterator[Finding]:
    facts = {"kind": "plain folder", "root": str(repository.root)}
    if repository.notes:  # it looks like a repository, and git cannot serve it
        yield Finding("problem", "repository", f"{repository.root}: {repository.notes[0].message}", facts)
    else:
        yield Finding("ok", "repository", f"plain folder at {repository.root}: no commits", facts)


def _shallow(root: str) -> Iterator[Finding]:
    if _said(root, "rev-parse", "--is-shallow-repository") == "true":
        count = int(_said(root, "rev-list", "--count", "HEAD") or 0)
        commits = "1 commit" if count == 1 else f"{count:,} commits"
        yield Finding(
            "note",
            "shallow clone",
            f"{commits} of HEAD's history; `warm --since` and `--commits` see no others. "
            "The rest comes with: git fetch --unshallow",
            {"commits": count, "command": "git fetch --unshallow"},
        )


def _partial(builder: Builder, head: str) -> Iterator[Finding]:
    root = str(builder.repository.root)
    promisors = _said(root, "config", "--get-regexp", r"^remote\..*\.promisor$").splitlines()
    remotes = [line.split(" ")[0].split(".", 1)[1].removesuffix(".promisor") for line in promisors]
    if not remotes:
        return
    command = _fetching(remotes[0])
    try:
        missing = _missing(root, head)
        needed = _needed(builder, head)
    except RepositoryError as error:
        command = f"git fetch --refetch --filter=blob:none {remotes[0]}"
        message = f"even trees are missing ({error}). They come with: {command}"
        yield Finding("problem", "partial clone", message, {"command": command})
        return
    except IfacegenError as error:  # the configuration's, say
        yield Finding("problem", "partial clone", f"what is missing cannot be told: {error}")
        return
    absent = sorted(path for path, object_id in needed.items() if object_id in missing)
    facts = {"needed": len(needed), "absent": len(absent), "missing_objects": len(missing)}
    if not absent:
        yield Finding(
            "ok", "partial clone", f"all {len(needed):,} files that views of HEAD need are here", facts
        )
        return
    yield Finding(
        "problem",
        "partial clone",
        f"{len(absent):,} of the {len(needed):,} files that views of HEAD need are not here, for example "
        f"{absent[0]}; ifacegen fetches nothing. They come with: {command}",
        {**facts, "example": absent[0], "command": command},
    )


def _fetching(remote: str) -> str:
    """The command that fetches all that HEAD lacks, at once, and nothing else."""
    return (
        "git rev-list --objects --missing=print --no-walk HEAD | sed -n 's/^?//p' | "
        "git -c fetch.negotiationAlgorithm=noop fetch --no-tags --no-write-fetch-head "
        f"--recurse-submodules=no --filter=blob:none --stdin {remote}"
    )


def _missing(root: str, commit: str) -> frozenset[str]:
    """Ids of the objects of a commit that are not here; git fetches none of them for this."""
    listed = git.output(
        root, "rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", commit
    )
    lines = listed.decode("ascii", "replace").splitlines()
    return frozenset(line[1:].split(" ")[0] for line in lines if line.startswith("?"))


def _needed(builder: Builder, commit: str) -> Mapping[str, str]:
    """Path → blob id of project files and of what views are made of."""
    snapshot = builder.snapshot(commit)
    needed = {path: object_id for path, _ in snapshot.reads if (object_id := snapshot.object_id(path))}
    for package in snapshot.found.packages:
        needed.update(builder.sources(package, commit))
    return needed


def _sparse(root: str) -> Iterator[Finding]:
    if _said(root, "config", "--type=bool", "--get", "core.sparseCheckout") != "true":
        return
    entries = git.run(root, "ls-files", "-z", "-t", "--cached").stdout.split(b"\0")[:-1]
    skipped = sum(entry.startswith(b"S ") for entry in entries)
    yield Finding(
        "note",
        "sparse checkout",
        f"{skipped:,} of {len(entries):,} files are not on disk: views of the work tree lack them; "
        "--commit HEAD has them all",
        {"files": len(entries), "skipped": skipped},
    )


def _said(root: str, *arguments: str) -> str:
    """What git prints; nothing if it refuses."""
    return git.run(root, *arguments).stdout.decode("utf-8", "replace").strip()
