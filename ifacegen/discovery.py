"""Which packages a repository has, what role each plays and which needs which.

The packages are the union of what workspaces declare, of project files that nobody declares (fixtures and
vendored copies apart) and of what the configuration names. No build tool is run; what a project file
means is the adapters' affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import TypeVar

from ifacegen.adapter import FindsProjects, Tree
from ifacegen.config import CONFIG_FILE, Config
from ifacegen.globs import crosses_levels, directory_globs
from ifacegen.model import Edge, Note, Package, Project, Role
from ifacegen.trees import directories, parents

_T = TypeVar("_T")

#: Roles by directory name, the strongest first: a fixture below tests is a fixture.
_SEGMENTS: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("vendored", re.compile(r"_?vendor(ed)?|third[-_]?party|external")),
    ("fixture", re.compile(r"testdata|test[-_]data|_*fixtures?_*|resources|sandbox.*")),
    ("template", re.compile(r"_?templates?|cookiecutter.*|.*\{\{.*|_template.*")),
    ("example", re.compile(r"examples?|samples?|demos?|tutorials?")),
    ("test", re.compile(r"tests?|testing|e2e|integration[-_]tests?")),
    ("app", re.compile(r"apps?|services?|cmd|bin")),
)
#: Projects inside the tests' own projects.
_TEST_PROJECTS = re.compile(r"(^|/)tests?/projects?(/|$)")


@dataclass(frozen=True, slots=True)
class Discovery:
    """The packages of a repository, by path, and what went wrong outside any of them."""

    packages: tuple[Package, ...]
    notes: tuple[Note, ...] = ()


def discover(tree: Tree, config: Config, adapters: Iterable[object]) -> tuple[Package, ...]:
    """The packages of a tree, by path."""
    return survey(tree, config, adapters).packages


def survey(tree: Tree, config: Config, adapters: Iterable[object]) -> Discovery:
    """The packages of a tree, and notes on adapters that failed and configuration that fits nothing."""
    tree = config.applied_to(tree)
    finders = [each for each in adapters if isinstance(each, FindsProjects) and config.discovers(each.name)]
    notes: list[Note] = []
    found = _projects(finders, tree, notes)
    projects = _only(found, attaching=False)
    members = _members(projects)
    chosen = _chosen(projects, members, config)
    chosen.update(_configured(tree, config, finders, found, chosen, notes))
    if not chosen and not config.package_globs:
        chosen.update(_root_folder(tree, finders, notes))
    _attach(_only(found, attaching=True), chosen, config)
    packages = [_package(path, *found, config) for path, found in sorted(chosen.items(), key=_root_first)]
    return Discovery(tuple(_with_edges(packages, finders)), tuple(notes))


def owner_of(packages: Iterable[Package], path: str) -> Package | None:
    """The package a file belongs to: the one with the longest path above it."""
    by_path = {package.path: package for package in packages}
    for candidate in (path, *parents(path), "."):
        if candidate in by_path:
            return by_path[candidate]
    return None


def files_of(tree: Tree, packages: Iterable[Package], package: Package) -> tuple[str, ...]:
    """The files of one package: all below it that no package inside it owns."""
    prefix = "" if package.path == "." else package.path + "/"
    nested = tuple(
        each.path + "/" for each in packages if each is not package and each.path.startswith(prefix)
    )
    nested = tuple(each for each in nested if each not in ("./", prefix))
    return tuple(path for path in tree.below(package.path) if not (nested and path.startswith(nested)))


# -- projects -----------------------------------------------------------------------------------------

_ByPath = dict[str, list[Project]]
_Chosen = dict[str, tuple[list[Project], str]]


def _projects(finders: Sequence[FindsProjects], tree: Tree, notes: list[Note]) -> _ByPath:
    """Directory → its projects, in the order of the adapters; directories as package paths."""
    found: _ByPath = {}
    nothing: tuple[Project, ...] = ()
    for finder in finders:
        for project in _guarded(finder.name, partial(_found_by, finder, tree), nothing, notes):
            found.setdefault(project.path or ".", []).append(project)
    return found


def _only(projects: _ByPath, *, attaching: bool) -> _ByPath:
    kept = {path: [each for each in group if each.attaches is attaching] for path, group in projects.items()}
    return {path: group for path, group in kept.items() if group}


def _found_by(finder: FindsProjects, tree: Tree) -> tuple[Project, ...]:
    return tuple(finder.find_projects(tree))


def _guarded(adapter: str, ask: Callable[[], _T], otherwise: _T, notes: list[Note]) -> _T:
    try:
        return ask()
    except Exception as error:  # noqa: BLE001  # whatever an adapter does wrong, the others go on
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        notes.append(Note("error", "adapter-failed", f"adapter {adapter} failed to find projects: {what}"))
        return otherwise


def _members(projects: _ByPath) -> frozenset[str]:
    """Directories that a workspace declares as members, each holding a project of its ecosystem."""
    members: set[str] = set()
    for path, group in projects.items():
        for workspace in group:
            if workspace.members:
                members.update(_members_of(path, workspace, projects))
    return frozenset(members)


def _members_of(path: str, workspace: Project, projects: _ByPath) -> Iterator[str]:
    globs = directory_globs(workspace.members)
    prefix = "" if path == "." else path + "/"
    for directory, group in projects.items():
        if directory in (".", path) or not directory.startswith(prefix):
            continue
        if any(each.adapter == workspace.adapter for each in group) and globs.match(directory[len(prefix) :]):
            yield directory


def _chosen(projects: _ByPath, members: Collection[str], config: Config) -> _Chosen:
    """The directories with a project file that are packages."""
    globs = config.directories()
    chosen: _Chosen = {}
    for path, group in projects.items():
        own = [each for each in group if each.is_package]
        configured = globs.match(path) or config.rule(path) is not None
        if not own or (globs and not configured):
            continue
        if configured or path in members or not is_set_aside(path):
            chosen[path] = (
                own,
                "member" if path in members else "configured" if configured else "project file",
            )
    return chosen


def _configured(
    tree: Tree,
    config: Config,
    finders: Sequence[FindsProjects],
    projects: _ByPath,
    chosen: Mapping[str, object],
    notes: list[Note],
) -> _Chosen:
    """Directories without a package's project file that the configuration makes packages."""
    if not config.package_globs and not config.rules:
        return {}
    folders = directories(tree.paths)
    plain_globs = directory_globs(each for each in config.package_globs if not crosses_levels(each))
    wanted = {path for path in folders if plain_globs.match(path) and config.directories().match(path)}
    wanted |= {"."} if plain_globs.match(".") else set()
    named = {rule.path: rule for rule in config.rules}
    result: _Chosen = {}
    contracts = _only(projects, attaching=True)
    for path in sorted((wanted | named.keys()) - chosen.keys()):
        plain = [each for finder in finders if (each := _plain(finder, tree, path, notes)) is not None]
        exists = path == "." or path in folders
        if plain or (path in named and exists):
            own = [
                each for each in plain if not (each.attaches and _are_below(path, each.adapter, contracts))
            ]
            result[path] = own or list(projects.get(path, ())), "configured"
        elif path in named:
            line = named[path].line
            notes.append(
                Note("warning", "package-missing", f"there is no directory {path!r}", CONFIG_FILE, line)
            )
    return result


def _are_below(path: str, adapter: str, contracts: _ByPath) -> bool:
    """Whether contracts of an ecosystem were found there, which will attach by themselves."""
    prefix = "" if path == "." else f"{path}/"
    return any(
        f"{place}/".startswith(prefix) and any(each.adapter == adapter for each in group)
        for place, group in contracts.items()
    )


def _plain(finder: FindsProjects, tree: Tree, path: str, notes: list[Note]) -> Project | None:
    return _guarded(finder.name, lambda: finder.plain_project(tree, "" if path == "." else path), None, notes)


def _root_folder(tree: Tree, finders: Sequence[FindsProjects], notes: list[Note]) -> _Chosen:
    """Without any project file the repository itself is a package, if it holds sources."""
    plain = [each for finder in finders if (each := _plain(finder, tree, ".", notes)) is not None]
    plain = [each for each in plain if not each.attaches]
    return {".": (plain, "folder")} if plain else {}


# -- published contracts ------------------------------------------------------------------------------


def _attach(contracts: _ByPath, chosen: _Chosen, config: Config) -> None:
    """Make contracts interfaces of the packages that they lie in; those that lie in none are packages themselves."""
    for path, group in sorted(contracts.items(), key=lambda item: _root_first((item[0], None))):
        above = _enclosing(path, chosen)
        inside = path if above in (None, ".") else path[len(above or "") + 1 :]
        role = role_of_path(inside) if path != above else None
        if role in ("vendored", "fixture") and config.rule(path) is None:
            continue
        if above is not None and role not in ("example", "template", "test"):
            projects, declared_by = chosen[above]
            known = {(each.adapter, each.path or ".") for each in projects}
            new = [each for each in group if (each.adapter, each.path or ".") not in known]
            chosen[above] = [*projects, *new], declared_by
        elif not config.package_globs or config.directories().match(path):
            chosen[path] = list(group), "project file"


def _enclosing(path: str, chosen: _Chosen) -> str | None:
    """The package that a directory lies in; a root that gathers other packages holds only what lies in it directly."""
    for candidate in (path, *parents(path)):
        if candidate in chosen and candidate != ".":
            return candidate
    if "." not in chosen:
        return None
    projects, declared_by = chosen["."]
    own = [each for each in projects if not each.attaches]
    is_one_package = declared_by != "folder" and own and not any(each.members for each in own)
    return "." if path == "." or is_one_package else None


# -- packages -----------------------------------------------------------------------------------------


def _root_first(item: tuple[str, object]) -> str:
    return "" if item[0] == "." else item[0]


def _package(path: str, projects: list[Project], declared_by: str, config: Config) -> Package:
    rule = config.rule(path)
    published = next((project.name for project in projects if project.name), None)
    return Package(
        path=path,
        name=(rule.name if rule else None) or published or path.rpartition("/")[2],
        role=(rule.role if rule else None) or _role(path, projects),
        projects=tuple(projects),
        declared_by=declared_by,
        notes=tuple(dict.fromkeys(note for project in projects for note in project.notes)),
    )


def _role(path: str, projects: list[Project]) -> Role:
    """What the path says is said of the whole directory; what project files say comes first only if they agree."""
    stated: set[Role | None] = {project.role for project in projects if not project.attaches}
    agreed: Role | None = next(iter(stated)) if len(stated) == 1 else None
    return agreed or role_of_path(path) or "library"


def role_of_path(path: str) -> Role | None:
    """The role a package's path gives it, if any."""
    if _TEST_PROJECTS.search(path.lower()):
        return "fixture"
    segments = path.lower().split("/")
    for role, pattern in _SEGMENTS:
        if any(pattern.fullmatch(segment) for segment in segments):
            return role
    return None


def is_set_aside(path: str) -> bool:
    """Whether a project file there counts only if a workspace or the configuration declares it."""
    return role_of_path(path) in ("vendored", "fixture")


# -- edges --------------------------------------------------------------------------------------------


def _with_edges(packages: Sequence[Package], finders: Sequence[FindsProjects]) -> Iterator[Package]:
    normalise = {finder.name: finder.normalise_name for finder in finders}
    names, clashes = _names(packages, normalise)
    paths = {package.path for package in packages}
    for package in packages:
        edges = tuple(sorted(_edges(package, names, paths, normalise), key=astuple))
        yield replace(package, edges=edges, notes=(*package.notes, *clashes.get(package.path, ())))


def _names(
    packages: Sequence[Package], normalise: Mapping[str, Callable[[str], str]]
) -> tuple[dict[tuple[str, str], str], dict[str, list[Note]]]:
    """(adapter, normalised name) → package path, and a note for each package whose name leads elsewhere."""
    names: dict[tuple[str, str], str] = {}
    clashes: dict[str, list[Note]] = {}
    for package in sorted(packages, key=_claim):
        for project in package.projects:
            # Without a published name the directory's will do, if there is any by which it is imported.
            is_importable = project.project_file and project.import_names
            name = project.name or (package.path.rpartition("/")[2] if is_importable else "")
            key = project.adapter, normalise[project.adapter](name) if name else ""
            owner = names.setdefault(key, package.path)
            if name and project.name and owner != package.path:
                message = f"{project.name} is the name of {owner} too; dependencies on it lead there"
                where = project.project_file or ""
                clashes.setdefault(package.path, []).append(Note("warning", "name-clash", message, where))
    return names, clashes


def _claim(package: Package) -> tuple[bool, bool, int, str]:
    """Who gets a name that several have: named ones, workspace members, shorter paths."""
    named = any(project.name for project in package.projects)
    return not named, package.declared_by == "project file", len(package.path), package.path


def _edges(
    package: Package,
    names: Mapping[tuple[str, str], str],
    paths: Collection[str],
    normalise: Mapping[str, Callable[[str], str]],
) -> Iterator[Edge]:
    """One edge for each target, kind and ecosystem, however often the dependency is declared."""
    seen: set[tuple[str, str, str]] = set()
    for project in package.projects:
        for dependency in project.dependencies:
            target = dependency.path or "."
            if dependency.path is None or target not in paths:
                key = project.adapter, normalise[project.adapter](dependency.name)
                target = names.get(key, package.path)
            edge = target, dependency.kind, project.adapter
            if target != package.path and edge not in seen:
                seen.add(edge)
                yield Edge(target, dependency.kind, dependency.name)
