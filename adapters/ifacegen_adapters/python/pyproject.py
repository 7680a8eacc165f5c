"""``pyproject.toml`` → :class:`Stated`: PEP 621 and 735, and what each build backend adds to them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from ifacegen.model import Dependency, Note
from ifacegen_adapters.python.stated import (
    Layout,
    Stated,
    dotted_to_path,
    fold,
    inside,
    relative_directory,
    requirements,
    strings,
    table,
    text,
    unique,
)

_GLOB = re.compile(r"[*?\[]")
#: Groups that one group may include, so that no file can make this slow.
_MOST_GROUPS = 50


def read_pyproject(data: bytes, directory: str, path: str) -> Stated:
    """What a ``pyproject.toml`` states; a file that is not TOML is a package with a note.

    Args:
        data: Its bytes.
        directory: The project's directory in the repository.
        path: The file itself, for notes.
    """
    try:
        document = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        note = Note(
            "warning", "project-unparsed", f"is not TOML ({problem}); name and dependencies unknown", path
        )
        return Stated(notes=(note,))
    return _stated(document, directory, path)


def _stated(document: Mapping[str, Any], directory: str, path: str) -> Stated:
    project, poetry = table(document, "project"), table(document, "tool", "poetry")
    flit = table(document, "tool", "flit", "metadata")
    name = (
        text(project.get("name"))
        or text(poetry.get("name"))
        or text(flit.get("dist-name"))
        or text(flit.get("module"))
    )
    notes: list[Note] = []
    if name and ("{{" in name or "{%" in name or "<" in name):
        notes.append(Note("info", "project-unparsed", f"{name!r} is a placeholder, not a name", path))
        name = None
    elif project and not name:
        notes.append(Note("warning", "project-unparsed", "[project] has no name", path))
    sources = _source_paths(document, directory)
    return Stated(
        name=name,
        dependencies=unique(_dependencies(document, directory, sources)),
        layout=_layout(document, name),
        members=_members(document),
        is_package=bool(project or poetry or flit or "build-system" in document),
        is_virtual=table(document, "tool", "uv").get("package") is False
        or poetry.get("package-mode") is False,
        notes=tuple(notes),
    )


def _members(document: Mapping[str, Any]) -> tuple[str, ...]:
    workspace = table(document, "tool", "uv", "workspace")
    excluded = ("!" + each.removeprefix("./") for each in strings(workspace.get("exclude")))
    return (*strings(workspace.get("members")), *excluded, *_hatch_members(document))


def _hatch_members(document: Mapping[str, Any]) -> Iterator[str]:
    """Members that hatch's environments take from the workspace: paths, or tables with one."""
    for environment in table(document, "tool", "hatch", "envs").values():
        members = table(environment, "workspace").get("members")
        for each in members if isinstance(members, list) else ():
            path = text(each) or text(table(each).get("path"))
            if path:
                yield path


# -- dependencies ---------------------------------------------------------------------------------


def _dependencies(
    document: Mapping[str, Any], directory: str, paths: Mapping[str, str]
) -> Iterator[Dependency]:
    project = table(document, "project")
    yield from requirements(project.get("dependencies"), "run", paths)
    for extra, values in sorted(table(project, "optional-dependencies").items()):
        yield from requirements(values, f"extra:{extra}", paths)
    groups = table(document, "dependency-groups")
    folded = {fold(group): values for group, values in groups.items()}
    for group in sorted(groups):
        yield from requirements(_group(folded, fold(group)), f"group:{group}", paths)
    yield from requirements(table(document, "tool", "uv").get("dev-dependencies"), "group:dev", paths)
    for group, values in sorted(table(document, "tool", "pdm", "dev-dependencies").items()):
        yield from requirements(values, f"group:{group}", paths)
    yield from _poetry_dependencies(table(document, "tool", "poetry"), directory)
    flit = table(document, "tool", "flit", "metadata")
    yield from requirements(flit.get("requires"), "run", paths)
    for extra, values in sorted(table(flit, "requires-extra").items()):
        yield from requirements(values, f"extra:{extra}", paths)
    yield from requirements(table(document, "build-system").get("requires"), "build", paths)


def _group(groups: Mapping[str, Any], name: str) -> list[str]:
    """The requirements of a dependency group, then those of the groups it includes; ``groups`` by folded name."""
    found: list[str] = []
    pending = [name]
    for each_name in pending:
        values = groups.get(each_name)
        for each in values if isinstance(values, list) else ():
            included = fold(text(table(each).get("include-group")) or "")
            if isinstance(each, str):
                found.append(each)
            elif included in groups and included not in pending and len(pending) < _MOST_GROUPS:
                pending.append(included)
    return found


def _source_paths(document: Mapping[str, Any], directory: str) -> dict[str, str]:
    """Directories that ``[tool.uv.sources]`` gives for names."""
    found: dict[str, str] = {}
    for name, value in table(document, "tool", "uv", "sources").items():
        for each in value if isinstance(value, list) else [value]:
            path = inside(directory, text(table(each).get("path")) or "://")
            if path is not None:
                found[fold(name)] = path
    return found


def _poetry_dependencies(poetry: Mapping[str, Any], directory: str) -> Iterator[Dependency]:
    extras = {
        name: extra
        for extra, names in sorted(table(poetry, "extras").items())
        for name in reversed(strings(names))
    }
    yield from _poetry_table(poetry.get("dependencies"), "run", directory, extras)
    yield from _poetry_table(poetry.get("dev-dependencies"), "group:dev", directory, {})
    for group, value in sorted(table(poetry, "group").items()):
        yield from _poetry_table(table(value).get("dependencies"), f"group:{group}", directory, {})


def _poetry_table(value: Any, kind: str, directory: str, extras: Mapping[str, str]) -> Iterator[Dependency]:
    for name, spec in table(value).items():
        if name.lower() == "python":
            continue
        specs = spec if isinstance(spec, list) else [spec]
        paths = [inside(directory, path) for each in specs if (path := text(table(each).get("path")))]
        optional = any(table(each).get("optional") is True for each in specs)
        extra = extras.get(name) if optional else None
        yield Dependency(name, f"extra:{extra}" if extra else kind, paths[0] if paths else None)


# -- layout ---------------------------------------------------------------------------------------


def _layout(document: Mapping[str, Any], name: str | None) -> Layout:
    """What the first backend with something to say says."""
    tool = table(document, "tool")
    for read in (_hatch, _setuptools, _poetry, _uv_build, _flit, _pdm, _maturin, _scikit_build):
        layout = read(tool, name, _backend(document))
        if layout:
            return layout
    return Layout()


def _backend(document: Mapping[str, Any]) -> str:
    return text(table(document, "build-system").get("build-backend")) or ""


def _hatch(tool: Mapping[str, Any], _name: str | None, _backend: str) -> Layout:
    build = table(tool, "hatch", "build")
    wheel = {**build, **table(build, "targets", "wheel")}
    sources = wheel.get("sources")
    prefixes = tuple(
        map(relative_directory, strings(list(sources) if isinstance(sources, Mapping) else sources))
    )
    packages = tuple(_split(path) for path in strings(wheel.get("packages")))
    if packages:
        return Layout(explicit=packages)
    only = strings(wheel.get("only-include")) or tuple(
        filter(None, map(_before_glob, strings(wheel.get("include"))))
    )
    if only:
        return Layout(explicit=tuple(_below(path, prefixes) for path in only))
    return Layout(where=prefixes)


def _split(path: str) -> tuple[str, str]:
    root, _, name = relative_directory(path).rpartition("/")
    return root, name.removesuffix(".py")


def _below(path: str, prefixes: tuple[str, ...]) -> tuple[str, str]:
    """A path as (root, name), the root being one of ``prefixes`` if it lies below one."""
    clean = relative_directory(path).removesuffix(".py")
    for prefix in prefixes:
        if clean == prefix:
            return prefix, ""
        if prefix and clean.startswith(prefix + "/"):
            return prefix, clean.removeprefix(prefix + "/")
    return "", clean


def _before_glob(pattern: str) -> str:
    """The directory a pattern is about; empty for a pattern that begins with a wildcard or is negated."""
    if pattern.startswith("!"):
        return ""
    parts = relative_directory(pattern).split("/")
    plain = [part for index, part in enumerate(parts) if not any(map(_GLOB.search, parts[: index + 1]))]
    return "/".join(plain)


def _setuptools(tool: Mapping[str, Any], _name: str | None, _backend: str) -> Layout:
    setuptools = table(tool, "setuptools")
    directories = {
        key: value for key, value in table(setuptools, "package-dir").items() if isinstance(value, str)
    }
    packages = setuptools.get("packages")
    find = table(packages, "find")
    return setuptools_layout(
        directories,
        packages=strings(packages),
        modules=strings(setuptools.get("py-modules")),
        where=strings(find.get("where")),
        include=strings(find.get("include")),
        exclude=strings(find.get("exclude")),
        finds=isinstance(packages, Mapping) and "find" in packages,
    )


def setuptools_layout(
    directories: Mapping[str, str],
    *,
    packages: tuple[str, ...] = (),
    modules: tuple[str, ...] = (),
    where: tuple[str, ...] = (),
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    finds: bool = False,
) -> Layout:
    """setuptools' options, which ``setup.cfg`` and ``setup.py`` share, as a layout."""
    top = relative_directory(directories.get("", ""))
    explicit = [
        _package_place(directories, top, name)
        for name in packages
        if not any(_is_below(name, o) for o in packages)
    ]
    explicit += [(top, dotted_to_path(name)) for name in modules]
    if explicit:
        return Layout(explicit=tuple(explicit))
    searched = tuple(map(relative_directory, where)) or ((top,) if top else ())
    return Layout(where=searched, include=include, exclude=exclude, everything=finds)


def _is_below(name: str, other: str) -> bool:
    return name.startswith(other + ".")


def _package_place(directories: Mapping[str, str], top: str, name: str) -> tuple[str, str]:
    """Where a package lies: its own entry of ``package-dir``, its parent's, or the top one."""
    path = dotted_to_path(name)
    own = directories.get(name)
    if own is None:
        return top, path
    place = relative_directory(own)
    if place == path or place.endswith("/" + path):
        return place.removesuffix(path).rstrip("/"), path
    return _split(place)


def _poetry(tool: Mapping[str, Any], name: str | None, backend: str) -> Layout:
    poetry = table(tool, "poetry")
    entries = poetry.get("packages")
    explicit = [
        (relative_directory(text(table(each).get("from")) or ""), place.removesuffix(".py"))
        for each in (entries if isinstance(entries, list) else ())
        if (place := _before_glob(text(table(each).get("include")) or ""))
    ]
    if explicit:
        return Layout(explicit=tuple(explicit))
    return _named(name) if poetry.get("name") and "poetry" in backend else Layout()


def _named(name: str | None) -> Layout:
    return Layout(anywhere=(re.sub(r"[-.\s]+", "_", name),) if name else ())


def _uv_build(tool: Mapping[str, Any], name: str | None, backend: str) -> Layout:
    options = table(tool, "uv", "build-backend")
    if not options and not backend.startswith("uv_build"):
        return Layout()
    root = options.get("module-root")
    names = strings(options.get("module-name")) or _named(name).anywhere
    place = relative_directory(root) if isinstance(root, str) else "src"
    return Layout(explicit=tuple((place, dotted_to_path(each)) for each in names))


def _flit(tool: Mapping[str, Any], name: str | None, backend: str) -> Layout:
    module = text(table(tool, "flit", "module").get("name")) or text(
        table(tool, "flit", "metadata").get("module")
    )
    if module:
        return Layout(anywhere=(dotted_to_path(module),))
    return _named(name) if backend.startswith("flit_core") else Layout()


def _pdm(tool: Mapping[str, Any], _name: str | None, _backend: str) -> Layout:
    build = {**table(tool, "pdm"), **table(tool, "pdm", "build")}
    place = text(build.get("package-dir"))
    root = relative_directory(place) if place else ""
    names = [clean for each in strings(build.get("includes")) if (clean := _before_glob(each))]
    if names:
        return Layout(explicit=tuple(_below(each, (root,) if root else ("src",)) for each in names))
    return Layout(where=(root,)) if place else Layout()


def _maturin(tool: Mapping[str, Any], _name: str | None, _backend: str) -> Layout:
    source = text(table(tool, "maturin").get("python-source"))
    return Layout(where=(relative_directory(source),)) if source else Layout()


def _scikit_build(tool: Mapping[str, Any], _name: str | None, _backend: str) -> Layout:
    options = table(tool, "scikit-build")
    packages = table(options, "wheel").get("packages") or options.get("wheel.packages")
    return Layout(explicit=tuple(_split(each) for each in strings(packages)))
