"""Which directories a workspace's root declares as members: npm and yarn, pnpm, Lerna, Rush."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.model import Note
from ifacegen_adapters.typescript import jsonc
from ifacegen_adapters.typescript.manifest import Manifest, strings, table, text
from ifacegen_adapters.typescript.paths import joined

PNPM = ("pnpm-workspace.yaml", "pnpm-workspace.yml")
LERNA, RUSH = "lerna.json", "rush.json"
FILES = (*PNPM, LERNA, RUSH)
_LARGEST = 1_000_000
#: Alternatives of one pattern, multiplied out.
_MOST_GLOBS = 200
_BRACES = re.compile(r"\{([^{}]*)\}")
_GROUP = re.compile(r"([!@?*+])\(([^()]*)\)")


class Members:
    """The members of the workspace that one directory is the root of."""

    def __init__(self, tree: Tree, directory: str) -> None:
        self._tree = tree
        self._directory = directory
        self.notes: list[Note] = []
        #: The file that declares them; empty where it is ``package.json``, or nobody does.
        self.file = ""

    def globs(self, manifest: Manifest | None) -> tuple[str, ...]:
        """Their globs, as :attr:`ifacegen.model.Project.members` has them."""
        found: list[str] = []
        if manifest is not None:
            stated = manifest.data.get("workspaces")
            found += strings(stated) or strings(table(stated).get("packages"))
        for name, read in ((LERNA, self._lerna), (RUSH, self._rush), *((each, self._pnpm) for each in PNPM)):
            path = joined(self._directory, name)
            if path in self._tree:
                self.file = path
                found += read(path)
        return tuple(dict.fromkeys(glob for each in found for glob in _plain(each)))

    def _lerna(self, path: str) -> tuple[str, ...]:
        return strings(table(self._json(path)).get("packages"))

    def _rush(self, path: str) -> tuple[str, ...]:
        projects = table(self._json(path)).get("projects")
        entries = projects if isinstance(projects, list) else []
        folders = [text(table(each).get("projectFolder")) for each in entries]
        return tuple(each for each in folders if each and not set(each) & set("*?[]{}!()"))

    def _pnpm(self, path: str) -> tuple[str, ...]:
        """pnpm takes what is excluded from all that is included, wherever it stands."""
        import yaml

        try:
            data = self._tree.read(path).data
            if len(data) > _LARGEST:
                raise ValueError(f"{len(data):,} bytes are no configuration")
            value = yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except (ReadError, ValueError, yaml.YAMLError, RecursionError) as error:
            self._unread(path, " ".join(str(error).split())[:200])
            return ()
        globs = strings(table(value).get("packages"))
        return tuple(sorted(globs, key=lambda each: each.startswith("!")))

    def _json(self, path: str) -> Any:
        try:
            return jsonc.loads(self._tree.read(path).data)
        except ReadError as error:
            self._unread(path, f"cannot be read: {error.reason}")
        except jsonc.Malformed as error:
            self._unread(path, error.message, error.line)
        return None

    def _unread(self, path: str, reason: str, line: int = 0) -> None:
        message = f"{reason}; members of the workspace unknown"
        self.notes.append(Note("warning", "project-unparsed", message, path, line))


def lists(globs: Iterable[str], directory: str) -> bool:
    """Whether a directory, relative to the workspace, is a member by globs as :class:`Members` gives them."""
    parts = directory.split("/")
    listed = False
    for glob in globs:
        excludes = glob.startswith("!")
        if listed is excludes and _fits(glob.removeprefix("!").split("/"), parts):
            listed = not excludes
    return listed


def _fits(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether parts of a path are those of a glob; ``**`` stands for any number of them."""
    ends = {0}  # how many parts what was seen of the pattern may stand for
    for each in pattern:
        if each == "**":
            ends = set(range(min(ends), len(parts) + 1)) if ends else ends
        else:
            ends = {at + 1 for at in ends if at < len(parts) and fnmatchcase(parts[at], each)}
    return len(parts) in ends


def _plain(glob: str) -> Iterator[str]:
    """A glob of JavaScript's tools in stars and exclusions alone; none where it leads out of the workspace."""
    negated = glob.startswith("!") and not glob.startswith("!(")
    for each in _without_groups(_without_braces(glob[1:] if negated else glob)):
        excluded = each.startswith("!")
        body = each.removeprefix("!").removeprefix("./").strip("/")
        if body and not body.startswith("../") and "\0" not in body:
            yield f"!{body}" if negated != excluded else body


def _without_braces(glob: str) -> list[str]:
    """``{a,b}`` as one glob for each."""
    pending: list[str] = [glob]
    found: list[str] = []
    while pending and len(pending) + len(found) <= _MOST_GLOBS:
        each = pending.pop()
        match = _BRACES.search(each)
        if match is None:
            found.append(each)
        else:
            pending += [each[: match.start()] + part + each[match.end() :] for part in match[1].split(",")][
                ::-1
            ]
    return found


def _without_groups(globs: Iterable[str]) -> Iterator[str]:
    """``!(a|b)`` as a star and exclusions, ``@(a|b)`` as one glob for each, other groups as stars."""
    for glob in globs:
        match = _GROUP.search(glob)
        if match is None:
            yield glob
            continue
        before, behind = glob[: match.start()], _GROUP.sub("*", glob[match.end() :])
        before = _GROUP.sub("*", before)
        parts = match[2].split("|")[:_MOST_GLOBS]
        if match[1] in "@?":
            yield from (f"{before}{part}{behind}" for part in parts)
        else:
            yield f"{before}*{behind}"
        if match[1] == "!":
            yield from (f"!{before}{part}{behind}" for part in parts)
