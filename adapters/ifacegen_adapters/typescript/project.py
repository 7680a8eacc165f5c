"""Finds projects of npm's ecosystem: packages, workspaces' roots, and what each needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ifacegen.adapter import Tree
from ifacegen.model import Dependency, Note, Project, SourceRoot
from ifacegen_adapters.typescript import manifest, nx, workspaces
from ifacegen_adapters.typescript.conditions import leaves
from ifacegen_adapters.typescript.manifest import ENTRY_FIELDS, Manifest, table
from ifacegen_adapters.typescript.neighbours import ADAPTER
from ifacegen_adapters.typescript.paths import (
    folder_of,
    inside,
    is_aside,
    is_below,
    is_code,
    is_ignored,
    joined,
    relative_to,
)

_KINDS = (
    ("dependencies", "run"),
    ("devDependencies", "dev"),
    ("peerDependencies", "peer"),
    ("optionalDependencies", "optional"),
)
#: What begins a version that is a directory.
_PATHS = ("file:", "link:", "portal:")
#: Project files of other ecosystems.
_OTHERS = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "go.mod",
    "Cargo.toml",
    "pom.xml",
    "Gemfile",
    "composer.json",
)
_FILES = frozenset((manifest.FILE, *workspaces.FILES, nx.FILE, nx.ROOT))


def find_projects(tree: Tree) -> Iterable[Project]:
    """Every project in the tree, by directory."""
    return _Survey(tree).projects()


def plain_project(tree: Tree, directory: str) -> Project | None:
    """A project for a directory without a project file; None if there is no TypeScript or JavaScript in it."""
    place = "" if directory == "." else directory
    if not any(is_code(path) and not is_ignored(path) for path in tree.below(place)):
        return None
    return Project(ADAPTER, place, roots=(SourceRoot(place),))


@dataclass
class _Found:
    """What one directory has."""

    directory: str
    manifest: Manifest | None
    members: tuple[str, ...]
    project_file: str
    notes: tuple[Note, ...]
    is_listed: bool = False
    nx: nx.NxProject | None = None

    @cached_property
    def exported(self) -> frozenset[str]:
        """Directories with something that its ``exports`` lead to, relative to it."""
        value = self.manifest.data.get("exports") if self.manifest is not None else None
        folders: set[str] = set()
        for target in leaves(list(value.values()) if isinstance(value, dict) else value):
            folder = folder_of(target.removeprefix("./"))
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder_of(folder)
        return frozenset(folders)


@dataclass
class _Survey:
    """One look at all project files of a tree, because what one means depends on others."""

    tree: Tree
    found: dict[str, _Found] = field(default_factory=dict)

    def projects(self) -> Iterator[Project]:
        paths = [
            path for path in self.tree.paths if path.rpartition("/")[2] in _FILES and not is_ignored(path)
        ]
        projects = nx.find(self.tree, paths)
        for directory in sorted({folder_of(path) for path in paths}):
            found = self._in(directory, projects.get(directory))
            if found is not None:
                self.found[directory] = found
        self._list_members()
        for found in self.found.values():
            yield self._project(found, projects)

    def _in(self, directory: str, project: nx.NxProject | None) -> _Found | None:
        path = joined(directory, manifest.FILE)
        own = manifest.read(self.tree, path) if path in self.tree else None
        members = workspaces.Members(self.tree, directory)
        globs = members.globs(own)
        if own is None and not members.file and project is None:
            return None
        file = path if own is not None else members.file or (project.path if project else "")
        notes = (*(own.notes if own is not None else ()), *members.notes)
        return _Found(directory, own, globs, file, notes, nx=project)

    def _list_members(self) -> None:
        roots = {place: each.members for place, each in self.found.items() if each.members}
        for directory, found in self.found.items():
            place = directory
            while place and roots and not found.is_listed:
                place = folder_of(place)
                relative = relative_to(directory, place)
                found.is_listed = place in roots and workspaces.lists(roots[place], relative)
        self.found = {place: each for place, each in self.found.items() if not self._is_aside(each)}

    def _is_aside(self, found: _Found) -> bool:
        """Whether a ``package.json`` only says something of files: of their format, or where a subpath leads."""
        own = found.manifest
        if found.is_listed or found.members or found.nx or own is None or own.problem:
            return False
        around = self._around(found.directory)
        if around is None:
            return False
        if relative_to(found.directory, around.directory) in around.exported:
            return True  # what the package around it exports is that one's, whatever says so once more
        if own.name is None:
            # Some call a subpath by its whole name: ``rxjs/ajax``.
            return "/" in own.string("name") or not any(
                key in own.data for key in ("dependencies", "devDependencies", "scripts", "exports", "bin")
            )
        leads = [own.string(key) for key in ("types", "typings", "main", "module") if own.string(key)]
        places = [inside(found.directory, each) for each in leads]
        return bool(leads) and not any(
            each is not None and is_below(each, found.directory) for each in places
        )

    def _around(self, folder: str) -> _Found | None:
        """The innermost project that a project lies in."""
        while folder:
            folder = folder_of(folder)
            if folder in self.found:
                return self.found[folder]
        return None

    # -- one project -----------------------------------------------------------------------------------

    def _project(self, found: _Found, projects: Mapping[str, nx.NxProject]) -> Project:
        own, of_nx = found.manifest, found.nx
        name = own.name if own is not None else None
        if own is None and of_nx is not None:
            name = of_nx.name
        needs = [*_dependencies(own, found.directory)] if own is not None else []
        needs += nx.dependencies(of_nx, projects) if of_nx is not None else ()
        return Project(
            ADAPTER,
            found.directory,
            name=name,
            project_file=found.project_file,
            import_names=(imported_name(name),) if name else (),
            roots=(SourceRoot(found.directory),),
            dependencies=tuple(dict.fromkeys(needs)),
            members=found.members,
            is_package=self._is_package(found),
            role="app" if of_nx is not None and of_nx.is_application else None,
            notes=(*found.notes, *_name_notes(own)),
        )

    def _is_package(self, found: _Found) -> bool:
        own = found.manifest
        has_sources = found.directory in self._with_sources
        if own is None or not own.data:
            return found.is_listed or has_sources
        if found.is_listed or any(own.data.get(key) for key in ENTRY_FIELDS):
            return True
        if own.name is None and any(joined(found.directory, each) in self.tree for each in _OTHERS):
            return False  # it is there for tools that look after another ecosystem's package
        is_published = own.name is not None and own.data.get("private") is not True and "files" in own.data
        return has_sources or is_published

    @cached_property
    def _with_sources(self) -> frozenset[str]:
        """Directories of projects with code of their own that is not for tests or tools."""
        homes: dict[str, str | None] = {}
        found: set[str] = set()
        for path in self.tree.paths:
            if is_code(path) and not is_ignored(path):
                home = self._home(folder_of(path), homes)
                if home is not None and home not in found and not is_aside(relative_to(path, home)):
                    found.add(home)
        return frozenset(found)

    def _home(self, folder: str, known: dict[str, str | None]) -> str | None:
        """The innermost project that a directory lies in."""
        passed = []
        while folder not in known:
            passed.append(folder)
            if folder in self.found or not folder:
                known[folder] = folder if folder in self.found else None
                break
            folder = folder_of(folder)
        for each in passed:
            known[each] = known[folder]
        return known[folder]


def imported_name(name: str) -> str:
    """What callers import a package as: ``@types/node`` is ``node``, ``@types/scope__x`` is ``@scope/x``."""
    if not name.startswith("@types/"):
        return name
    bare = name.removeprefix("@types/")
    scope, mangled, rest = bare.partition("__")
    return f"@{scope}/{rest}" if mangled else bare


def _name_notes(own: Manifest | None) -> Iterator[Note]:
    written = own.string("name") if own is not None else ""
    if own is not None and written and own.name is None:
        message = f"{written[:80]!r} is no name of a package"
        yield Note("info", "project-unparsed", message, own.path, own.line_of(written))


def _dependencies(own: Manifest, directory: str) -> Iterator[Dependency]:
    for key, kind in _KINDS:
        for name, version in table(own.data.get(key)).items():
            stated = version.strip() if isinstance(version, str) else ""
            yield Dependency(_aliased(stated) or name, kind, _directory(stated, directory))


def _aliased(version: str) -> str:
    """The name behind ``npm:other@1`` and ``workspace:other@*``."""
    tool, _, rest = version.partition(":")
    at = rest.rfind("@")
    return rest[:at] if tool in ("npm", "workspace") and at > 0 else ""


def _directory(version: str, directory: str) -> str | None:
    for prefix in _PATHS:
        if version.startswith(prefix):
            return inside(directory, version.removeprefix(prefix)) or None
    written = version.removeprefix("workspace:")
    return (inside(directory, written) or None) if written.startswith(("./", "../")) else None
