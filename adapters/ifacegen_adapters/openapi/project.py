"""Finds OpenAPI documents: which directories publish some.

A document is known by its content, a top-level ``openapi`` or ``swagger`` key, found without parsing. What is
read is watched for changes by the core, so whatever a path alone rules out is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ifacegen.adapter import Tree
from ifacegen.errors import ReadError
from ifacegen.model import Project, SourceRoot
from ifacegen_adapters.openapi.encodings import utf8

if TYPE_CHECKING:
    from ifacegen.adapter import BuildContext

ADAPTER = "openapi"
SUFFIXES = (".json", ".yaml", ".yml")
#: Folders that hold what is tried, vendored or made, and hidden ones.
_NO_PLACE = re.compile(
    r"(?:^|/)(?:\.[^/]*|tests?|testing|__tests__|__mocks__|__snapshots__|e2e|[^/]*fixtures?[^/]*|testdata|test[-_]data"
    r"|mocks?|snapshots|node_modules|bower_components|site-packages|_?vendor(?:ed)?|third[-_]?party|i18n|locales?)/",
    re.IGNORECASE,
)
#: Below these, only files that say what they are: generated documentation is full of data.
_DOCUMENTATION = re.compile(r"(?:^|/)(?:docs?|documentation|site|public|static|assets)/", re.IGNORECASE)
_SAYS_SO = re.compile(r"openapi|swagger|(?:^|[-_.])(?:api|oas|spec)(?:[-_.]|$)", re.IGNORECASE)
#: Files that are something else by their name.
_NO_DOCUMENT = re.compile(
    r"\..*|.*(?:[-_.]lock|-lockfile|\.min|\.map|\.config|rc)\.\w+|(?:tsconfig|jsconfig|appsettings|docker-compose)[^/]*"
    r"|(?:package|composer|bower|lerna|nx|turbo|project|angular|manifest|deno|jsr|renovate|vercel|now|firebase|app|biome"
    r"|components|launchsettings|babel|jest|eslint|tslint|typedoc|api-extractor|cypress|tasks|launch|settings)\.json"
    r"|(?:compose|mkdocs|codecov|dependabot|action|kustomization|chart|values|taskfile|skaffold|serverless|pnpm-workspace"
    r"|environment|conda|meta|buf|buf\.\w+|ifacegen|_config|pubspec|cloudbuild|appveyor|azure-pipelines"
    r"|bitbucket-pipelines|netlify|readthedocs|redocly|spectral)\.ya?ml",
    re.IGNORECASE,
)
#: Folders whose name says nothing of whose documents they hold.
_GENERIC = re.compile(
    r"generated|gen|dist|build|out|output|specs?|specification|openapi|open-api|oas|swagger|schemas?|docs?|documents?"
    r"|definitions?|json|ya?ml|bundled|src|main|resources|static|public|assets|v\d[\w.]*|\d[\d.]*|latest",
    re.IGNORECASE,
)
_KEY = re.compile(rb"""["']?(openapi|swagger)["']?[ \t]*:[ \t\r\n]*["']?(\d[\w.+-]*)""")
_OTHER_KEY = re.compile(
    rb"""(?:["'](?:paths|components|webhooks|info)["']|^(?:paths|components|webhooks|info))\s*:""",
    re.MULTILINE,
)
#: Versions that are still to come: they are named, so that nobody looks for them in vain.
_LATER = re.compile(r"[4-9]\.\d|[1-9]\d+\.\d")


def find_projects(tree: Tree) -> Iterable[Project]:
    """Every directory that publishes OpenAPI documents, in order of path."""
    places: dict[str, list[str]] = {}
    for path in tree.paths:
        if path.endswith(SUFFIXES) and _may_be(path) and _is_document(tree, path):
            places.setdefault(home(path), []).append(path)
    for place, documents in sorted(places.items()):
        yield _project(place, documents)


def plain_project(tree: Tree, directory: str) -> Project | None:
    """A project for a directory that the configuration names; None if no document lies below."""
    place = "" if directory == "." else directory
    prefix = f"{place}/" if place else ""
    found = [
        path
        for path in tree.below(place)
        if path.endswith(SUFFIXES) and _may_be(path[len(prefix) :]) and _is_document(tree, path)
    ]
    return _project(place, found) if found else None


def home(path: str) -> str:
    """The directory that a document speaks for: its own, without folders at the end whose names say nothing.

    ``apis/github/generated/api.json`` speaks for ``apis/github``; a folder at the top stands for itself.
    """
    parts = path.split("/")[:-1]
    while len(parts) > 1 and _GENERIC.fullmatch(parts[-1]):
        parts.pop()
    return "/".join(parts)


def candidates(context: BuildContext) -> tuple[str, ...]:
    """The documents of a package, and the files of it that they might refer to: none is read to know."""
    chosen = documents(context)
    prefix = "" if context.package.path == "." else f"{context.package.path}/"
    nested = tuple(
        f"{each.path}/"
        for each in context.packages
        if each.path != context.package.path and f"{each.path}/".startswith(prefix) and each.path != "."
    )
    near = {
        path
        for folder in {path.rpartition("/")[0] for path in chosen}
        for path in context.tree.below(folder)
        if path.endswith(SUFFIXES)
        and not path.startswith(nested)
        and not _NO_PLACE.search(path[len(prefix) :])
    }
    return tuple(sorted({*chosen, *near}))


def documents(context: BuildContext) -> tuple[str, ...]:
    """The documents of a package that are to be shown, by path."""
    prefix = "" if context.package.path == "." else f"{context.package.path}/"
    found = {
        f"{root.path}/{name}" if root.path else name
        for project in context.package.projects
        if project.adapter == ADAPTER
        for root in project.roots
        for name in root.names
    }
    return tuple(
        path
        for path in sorted(found)
        if path in context.tree and context.options.includes(ADAPTER, path.removeprefix(prefix))
    )


def _project(place: str, documents: Sequence[str]) -> Project:
    prefix = f"{place}/" if place else ""
    root = SourceRoot(place, tuple(path[len(prefix) :] for path in documents))
    return Project(ADAPTER, place, project_file=documents[0], roots=(root,), attaches=True)


def _may_be(path: str) -> bool:
    """Whether the path leaves it open that a document lies there."""
    folder, _, name = path.rpartition("/")
    if _NO_DOCUMENT.fullmatch(name) or _NO_PLACE.search(f"{folder}/"):
        return False
    return not _DOCUMENTATION.search(f"{folder}/") or _SAYS_SO.search(name.rpartition(".")[0]) is not None


def _is_document(tree: Tree, path: str) -> bool:
    try:
        data = tree.read(path).data
    except ReadError:  # whoever builds a view that needs it says so
        return False
    return version(data) is not None


def version(data: bytes) -> str | None:
    """The version that a document states at its top level; None for whatever is no OpenAPI document."""
    data = utf8(data)
    keys = _json_keys(data) if data[:200].lstrip()[:1] == b"{" else _yaml_keys(data)
    for match in keys:
        kind, number = match.group(1).decode(), match.group(2).decode()
        if kind == "swagger" and number.startswith("2"):
            return f"{kind} {number}"
        if kind == "openapi" and (
            number.startswith("3.") or (_LATER.match(number) and _OTHER_KEY.search(data))
        ):
            return f"{kind} {number}"
    return None


def _yaml_keys(data: bytes) -> Iterator[re.Match[bytes]]:
    """At the start of a line nothing but a top-level key can stand."""
    for word in (b"openapi", b"swagger", b'"openapi"', b'"swagger"', b"'openapi'", b"'swagger'"):
        at = 0 if data.startswith(word) else data.find(b"\n" + word) + 1
        if (at or data.startswith(word)) and (match := _KEY.match(data, at)):
            yield match


def _json_keys(data: bytes) -> Iterator[re.Match[bytes]]:
    """Any place will do if the keys that belong with it are there, too."""
    for word in (b'"openapi"', b'"swagger"'):
        at = data.find(word)
        while at >= 0:
            if (match := _KEY.match(data, at)) and _OTHER_KEY.search(data):
                yield match
            at = data.find(word, at + 1)
