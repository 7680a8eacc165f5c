"""What an ecosystem must be able to do for ifacegen: small protocols, one per ability.

An adapter is any object with a ``name`` and the methods of the abilities it has. Adapters see this
module, ``ifacegen.model`` and ``ifacegen.errors``, and nothing else of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ifacegen.globs import ignore_globs
from ifacegen.model import Declaration, Interface, Module, Note, Package, Project


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of one file and git's id for them."""

    id: str
    data: bytes


class Tree(Protocol):
    """The files of a repository at one moment: a commit, the work tree or a plain folder."""

    @property
    def paths(self) -> Sequence[str]:
        """POSIX paths of all regular files, sorted; links are resolved or left out with a note."""
        ...

    def __contains__(self, path: object) -> bool:
        """Whether ``path`` is one of ``paths``."""
        ...

    def below(self, directory: str) -> Sequence[str]:
        """The part of ``paths`` below a directory (``""`` and ``"."`` are the repository)."""
        ...

    def read(self, path: str) -> Blob:
        """Read one file.

        Raises:
            ReadError: It vanished, is not readable, or would lead out of the repository.
        """
        ...

    def id(self, path: str) -> str:
        """Git's id of one file, from the listing where that has it, so that no byte is read for it.

        Raises:
            ReadError: As for :meth:`read`, where the file must be read to know.
        """
        ...

    @property
    def notes(self) -> Sequence[Note]:
        """What was left out of ``paths``, and why."""
        ...


class Facts(Protocol):
    """Where adapters keep what they find out about single files: bytes under named fields.

    The fields must name everything that the bytes depend on, but for what the core knows itself: the
    versions of ifacegen, of the adapters' tools and of the token encoding are part of every key.
    """

    def get(self, **fields: str) -> bytes | None:
        """What was put under these fields, byte for byte; None where nothing was, or it is lost."""
        ...

    def put(self, data: bytes, **fields: str) -> None:
        """Keep bytes under these fields; never fails, and may forget."""
        ...


class Tools(Protocol):
    """Programs of the machine that the user has named or put on PATH; nothing of the analysed repository ever."""

    def configured(self, name: str) -> str | None:
        """The absolute path that ``tools`` of the configuration has for a name (a program or a directory)."""
        ...

    def program(self, name: str) -> str | None:
        """Absolute path of a program: as configured, else the first on PATH; links are resolved."""
        ...

    def admits(self, path: str) -> bool:
        """Whether a file or directory exists and lies outside the repository, links resolved; it is watched from now on."""
        ...


class NoTools:
    """A machine without any: :class:`Tools` for those who need none."""

    def configured(self, name: str) -> str | None:
        """Nothing."""
        return None

    def program(self, name: str) -> str | None:
        """Nothing."""
        return None

    def admits(self, path: str) -> bool:
        """Nothing is."""
        return False


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """The part of the configuration that bears on one package's view."""

    #: ``full``, ``first_paragraph`` or ``none``.
    docs: str = "full"
    #: Values longer than this many characters are elided, with their size.
    long_value: int = 200
    #: Names the owners declare public (``module``, ``module.name``), whatever the source suggests.
    public: tuple[str, ...] = ()
    #: Names the owners declare not to be part of the interface.
    hidden: tuple[str, ...] = ()
    #: Which of the package's interfaces are shown, in this order: ``openapi``, or ``openapi:GLOB`` for some of its
    #: files, relative to the package. None given means all, what is published first.
    interfaces: tuple[str, ...] = ()

    def includes(self, adapter: str, path: str) -> bool:
        """Whether a file of an adapter's, relative to the package, is among the interfaces that are to be shown."""
        asked = [each.partition(":")[2] for each in self.interfaces if each.partition(":")[0] == adapter]
        return (
            "" in asked or ignore_globs(f"/{glob}" for glob in asked).match(path)
            if asked
            else not self.interfaces
        )


@dataclass(frozen=True, slots=True)
class BuildContext:
    """All that the building of one package's view may look at."""

    tree: Tree
    package: Package
    #: Every package of the repository, for what lies in another one.
    packages: Sequence[Package]
    options: ViewOptions
    #: Facts about single files, kept for other builds and other processes.
    facts: Facts
    #: The same facts decoded, shared by all builds of one workspace; whoever supplies it bounds it.
    memory: MutableMapping[str, Any]
    #: How many tokens a text has.
    count_tokens: Callable[[str], int]
    #: Scratch space shared by all builds on the same tree and packages (module tables …).
    shared: MutableMapping[str, Any]
    #: Blob id → why nobody may read it again: compiling it killed a child process.
    unreadable: Mapping[str, str] = field(default_factory=dict)
    #: Programs that may be run. What a view owes to one is consulted under a name that begins with :data:`TOOLCHAIN`.
    tools: Tools = field(default_factory=NoTools)

    def tokens_of(self, blob: str, maker: str, text: Callable[[], str]) -> int:
        """How many tokens a file has: counted once, whatever else is built.

        Args:
            blob: The file's id; empty where there is none, and nothing is kept.
            maker: Who makes text of the bytes, with a version.
            text: Gives the text, if it must be counted.
        """
        key = {"kind": "tokens", "maker": maker, "blob": blob}
        stored = self.facts.get(**key) if blob else None
        if stored is not None and stored.endswith(b";") and stored[:-1].isdigit():
            return int(stored[:-1])
        count = self.count_tokens(text())
        if blob:
            self.facts.put(b"%d;" % count, **key)
        return count


#: Begins the name of a consulted input that is no file: ``toolchain:`` and the toolchain's identity, versions
#: included, or :data:`NO_TOOLCHAIN`. It means None while the toolchain is that one, anything else when it is not.
TOOLCHAIN = "toolchain:"
NO_TOOLCHAIN = "none"


@dataclass(frozen=True, slots=True)
class Surface:
    """One adapter's part of a package's view, before rendering and counting."""

    interfaces: tuple[Interface, ...]
    modules: tuple[Module, ...]
    notes: tuple[Note, ...]
    #: Every source file of the package that a view could be made of (for the size of the implementation).
    sources: tuple[str, ...]
    #: Tokens of all ``sources`` together; what could not be read counts none.
    source_tokens: int = 0
    #: What was looked at outside the package: name → (path, blob id), or None where nothing was there.
    #: The id is empty where the file could not be read.
    consulted: Mapping[str, tuple[str, str] | None] = field(default_factory=dict)
    #: Paths outside the package at which nothing lies, and nothing may: a file there could be what a consulted
    #: name means, or mean it first.
    absent: tuple[str, ...] = ()


class Adapter(Protocol):
    """Anything that knows an ecosystem."""

    @property
    def name(self) -> str:
        """The name it is registered and configured under."""
        ...


@runtime_checkable
class FindsProjects(Adapter, Protocol):
    """Recognises the project files of an ecosystem."""

    def find_projects(self, tree: Tree) -> Iterable[Project]:
        """Every project of the ecosystem in the tree, workspace roots included; never runs a build tool."""
        ...

    def plain_project(self, tree: Tree, directory: str) -> Project | None:
        """A project for a directory without a project file; None if it holds nothing of the ecosystem."""
        ...

    def normalise_name(self, name: str) -> str:
        """The form in which two names of the ecosystem are compared."""
        ...


@runtime_checkable
class BuildsViews(Adapter, Protocol):
    """Makes the surface of a package and prints it.

    What it prints may have been shortened before: docstrings by :meth:`shorten_doc`; a declaration without its
    members has their number as ``members_elided`` in its ``extra``, which is printed where they would stand.
    """

    @property
    def language(self) -> str:
        """The name under which Markdown knows its syntax (``python``)."""
        ...

    @property
    def comment(self) -> str:
        """What begins a comment up to the end of the line (``#``)."""
        ...

    def tool(self) -> str:
        """What makes the views, with versions; part of every key."""
        ...

    def build(self, context: BuildContext) -> Surface:
        """The surface of ``context.package``; a bad file becomes a note, never an exception."""
        ...

    def consult(self, context: BuildContext, names: Sequence[str]) -> Mapping[str, tuple[str, str] | None]:
        """What names that a build of ``context.package`` consulted mean now, as in :attr:`Surface.consulted`."""
        ...

    def absent(self, context: BuildContext, names: Sequence[str]) -> Sequence[str]:
        """Where nothing may come to lie, or one of the names would mean something else, as in :attr:`Surface.absent`."""
        ...

    def sources(self, context: BuildContext) -> Sequence[str]:
        """The files of ``context.package`` that :meth:`build` would compile."""
        ...

    def compile(self, context: BuildContext, paths: Sequence[str]) -> None:
        """Find out about some files what :meth:`build` would; a crash is one of theirs."""
        ...

    def render(self, modules: Sequence[Module], *, docs: str = "full") -> str:
        """Modules in the language's own syntax, every byte determined by the arguments."""
        ...

    def render_declaration(self, declaration: Declaration, *, docs: str = "full") -> str:
        """One declaration with its members, as :meth:`render` prints it."""
        ...

    def render_stubs(self, modules: Sequence[Module], *, docs: str = "full") -> Mapping[str, str]:
        """Relative path of each stub file → its text."""
        ...

    def render_outline(self, modules: Sequence[Module]) -> str:
        """Modules as one line a declaration, members too, in the order of :meth:`render`; without documentation."""
        ...

    def shorten_doc(self, doc: str) -> str:
        """The first paragraph of a documentation, and the errors that it names; the same text if there is no more."""
        ...


@runtime_checkable
class CompletesSelections(Adapter, Protocol):
    """Knows what else one must see to use a declaration."""

    def needed(self, modules: Sequence[Module], declarations: Sequence[Declaration]) -> Sequence[Module]:
        """Of ``modules``, what the declarations mention, directly or not (schemas, messages), without themselves."""
        ...


@runtime_checkable
class UsesToolchain(Adapter, Protocol):
    """Makes some views with programs of the machine."""

    def toolchain(self, tools: Tools) -> tuple[str, str]:
        """What there is, with versions, and what to do about what is missing (empty where nothing is)."""
        ...


@runtime_checkable
class PreparesBuilds(Adapter, Protocol):
    """Can find out at once what the builds of several packages would find out one by one."""

    def prepare(self, contexts: Sequence[BuildContext]) -> None:
        """Keep in the facts what builds of these packages will ask for; what cannot be had now, they see to."""
        ...
