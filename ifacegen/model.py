"""The frozen values that everything speaks in: packages, views, declarations.

Plain data only: no reading, no rendering, no knowledge of any language. The JSON that others
read (``docs/schemas/view-1.json``) has the field names of these classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, overload

_T = TypeVar("_T")

Severity: TypeAlias = Literal["info", "warning", "error"]
Role: TypeAlias = Literal["library", "app", "test", "example", "template", "fixture", "vendored"]
Visibility: TypeAlias = Literal["public", "carried", "type_checking"]

#: Values of a declaration's ``extra``: facts of one ecosystem, ready for JSON.
Extra: TypeAlias = str | int | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader of a result must know: what was skipped, shortened, guessed or broken."""

    severity: Severity
    code: str
    message: str
    path: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = (
            f"{self.path}:{self.line}: " if self.path and self.line else f"{self.path}: " if self.path else ""
        )
        return f"{where}{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class Dependency:
    """A dependency as a project file declares it, not yet matched to a package."""

    name: str
    #: ``run``, ``extra:NAME``, ``group:NAME``, ``build`` …
    kind: str
    #: Directory it points at, relative to the repository, where the project file names one.
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """One package of the repository declares that it needs another."""

    #: Path of the package that is needed.
    target: str
    #: Kind of the dependency, as in :class:`Dependency`.
    kind: str
    #: Name under which it is declared.
    name: str


@dataclass(frozen=True, slots=True)
class SourceRoot:
    """A directory that is on the import path when the package is installed."""

    #: Directory, relative to the repository (``packages/shared-auth/src``; ``""`` is the repository itself).
    path: str
    #: Top-level names it provides, as paths below ``path`` without a suffix (``shared_auth``,
    #: ``google/api``); empty means everything below that is not test, documentation or build machinery.
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Project:
    """What one adapter says about one directory: a project of its ecosystem."""

    adapter: str
    #: The directory, relative to the repository; ``""`` is the repository itself.
    path: str
    #: The published name (distribution, npm name …), as written; None when the project file names none.
    name: str | None = None
    #: The file that declares it; None for a plain folder.
    project_file: str | None = None
    #: Names under which callers import it (``shared_auth``, ``opentelemetry.sdk``).
    import_names: tuple[str, ...] = ()
    roots: tuple[SourceRoot, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    #: Globs of workspace members, relative to ``path``; ``!`` negates.
    members: tuple[str, ...] = ()
    #: Whether the directory is a package itself, or only a workspace root.
    is_package: bool = True
    #: A published contract (an OpenAPI document, protos), which is an interface of the package that its directory
    #: lies in; a package of its own only where there is none.
    attaches: bool = False
    #: What the project file suggests (an entry point without a library …); None leaves it to the path.
    role: Role | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Package:
    """A directory with an owner and an interface; its identity is its path."""

    #: POSIX path relative to the repository; ``"."`` is the repository itself.
    path: str
    #: The configured name, else the published one, else the directory's.
    name: str
    role: Role
    projects: tuple[Project, ...]
    edges: tuple[Edge, ...] = ()
    #: How it was found: ``configured``, ``member``, ``project file`` or ``folder``.
    declared_by: str = "project file"
    notes: tuple[Note, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the ecosystems it belongs to, in the order of their adapters."""
        return tuple(dict.fromkeys(project.adapter for project in self.projects))

    @property
    def import_names(self) -> tuple[str, ...]:
        """Names under which callers import it."""
        return tuple(dict.fromkeys(name for project in self.projects for name in project.import_names))


ParameterKind: TypeAlias = Literal[
    "positional_only",
    "positional_or_keyword",
    "var_positional",
    "keyword_only",
    "var_keyword",
    # Positional, and may be left out.
    "optional",
    # Where an HTTP request has it.
    "path",
    "query",
    "header",
    "cookie",
    "body",
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function or an operation."""

    name: str
    kind: ParameterKind
    annotation: str | None = None
    default: str | None = None
    #: Text of ``Annotated[..., Doc("…")]``, which is taken out of ``annotation``.
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Declaration:
    """A name that a caller can import, call or read, with all that the source says about it."""

    #: Unique and stable in the package: ``module:Qual.name``, ``#2`` for the second of a name.
    id: str
    name: str
    qualname: str
    kind: str
    #: The header as the source has it, white space normalised: ``def f(a: int = 1) -> str``.
    signature: str
    parameters: tuple[Parameter, ...] = ()
    returns: str | None = None
    type_params: str | None = None
    #: Without the ``@``.
    decorators: tuple[str, ...] = ()
    #: Bases and class keywords as written (``Base``, ``metaclass=Meta``).
    bases: tuple[str, ...] = ()
    value: str | None = None
    type: str | None = None
    type_origin: Literal["stated", "inferred"] | None = None
    doc: str | None = None
    raises: tuple[str, ...] = ()
    is_async: bool = False
    is_abstract: bool = False
    deprecated: str | None = None
    visibility: Visibility = "public"
    #: Tests that must hold for it to exist, outermost first (``if sys.platform == "win32"``).
    conditions: tuple[str, ...] = ()
    inherited_from: str | None = None
    #: Where it is defined, when that is not where it is shown: an id, or a dotted name outside the repository.
    origin: str | None = None
    import_paths: tuple[str, ...] = ()
    path: str = ""
    #: First line (decorators included) and last line in ``path``, from 1; 0 when there is none.
    line: int = 0
    end_line: int = 0
    tokens: int = 0
    members: tuple[Declaration, ...] = ()
    extra: Mapping[str, Extra] = field(default_factory=dict)

    def walk(self) -> Iterator[Declaration]:
        """This declaration and all of its members, outermost first."""
        yield self
        for member in self.members:
            yield from member.walk()


@dataclass(frozen=True, slots=True)
class Module:
    """One importable module (or document) of a package and what it offers."""

    name: str
    adapter: str
    path: str
    doc: str | None
    declarations: Sequence[Declaration]
    #: The names that it lists as its exports (``__all__``), as written; empty where it lists none, or computes them.
    exports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interface:
    """One of the interfaces a package has, and how its view came about."""

    adapter: str
    kind: Literal["generated", "published"]
    #: What made it, with versions.
    tool: str
    #: The directories or files it was read from.
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Sizes in tokens of ``encoding``; other models count differently."""

    view: int
    view_without_docs: int
    #: The package's sources without tests, documentation and vendored code.
    implementation: int
    encoding: str


class LoadedWhenRead(Sequence[_T]):
    """A sequence whose items are fetched by the first thing that looks at one; equal to a tuple of them."""

    __slots__ = ("_items", "_load")

    def __init__(self, load: Callable[[], Sequence[_T]]) -> None:
        """``load`` is called once at most."""
        self._load = load
        self._items: Sequence[_T] | None = None

    def _loaded(self) -> Sequence[_T]:
        if self._items is None:
            self._items = self._load()
        return self._items

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_T]: ...
    def __getitem__(self, index: int | slice) -> _T | Sequence[_T]:
        return self._loaded()[index]

    def __len__(self) -> int:
        return len(self._loaded())

    def __iter__(self) -> Iterator[_T]:
        return iter(self._loaded())

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'not read yet' if self._items is None else tuple(self._items)!r}>"


@dataclass(frozen=True, slots=True)
class View:
    """What a caller of a package may rely on.

    Read from the store, ``text`` and the sizes are there at once; ``interfaces``, ``modules`` and
    ``notes`` are read by whoever looks at them first.
    """

    package: str
    interfaces: Sequence[Interface]
    modules: Sequence[Module]
    notes: Sequence[Note]
    tokens: TokenCounts
    #: sha256 over what the view means; unchanged by edits that callers cannot see.
    digest: str
    #: The view in the language's own syntax, without the header; its bytes depend on the digest alone.
    body: str
    #: What stands above the body: size, provenance, notes; one comment line each.
    header: tuple[str, ...]
    commit: str | None = None

    @property
    def text(self) -> str:
        """Header, a blank line, body: valid in the view's own language where ``#`` starts a comment."""
        return "\n".join(self.lines_above) + "\n\n" + self.body

    @property
    def lines_above(self) -> tuple[str, ...]:
        """The header, and the commit that the view was read at."""
        return (*self.header, f"# at commit {self.commit}") if self.commit else self.header

    def declarations(self) -> Iterator[tuple[Module, Declaration]]:
        """Every declaration with its module, members after their owners."""
        for module in self.modules:
            for declaration in module.declarations:
                for each in declaration.walk():
                    yield module, each
