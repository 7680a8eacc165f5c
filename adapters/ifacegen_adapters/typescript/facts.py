"""What one file of TypeScript or JavaScript states, context-free: the values between reading and linking.

Texts are kept in pieces, so that a linker can spell names anew: plain text as it is printed (white space
normalised to single spaces), mentions of names that are not bound inside the text, and documentation comments
inside types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ifacegen.model import ParameterKind

Meaning: TypeAlias = Literal["type", "value", "namespace"]


class Ref(NamedTuple):
    """A mention of a name of the file's scope or a global one: ``core.$ZodType<T>`` begins with one.

    Type parameters, ``infer`` names, keys of mapped types, ``this`` and parameters (``x is T``, ``typeof x``) are
    plain text. A qualified name is one mention; what follows it (type arguments, ``[]``) is text.
    """

    #: ``core`` of ``core.$ZodType``; empty for ``import("./x").T``.
    name: str
    #: ``("$ZodType",)`` of ``core.$ZodType`` and of ``import("./x").$ZodType``.
    path: tuple[str, ...] = ()
    #: ``value`` behind ``typeof``, in computed keys (``[Symbol.iterator]``) and behind a class's ``extends``.
    meaning: Meaning = "type"
    #: The specifier of ``import("./x")``, as written without quotes; ``typeof import("./x")`` has meaning ``value``
    #: and its ``typeof`` in the text before it.
    module: str = ""


class Doc(NamedTuple):
    """A documentation comment inside a type, without ``/**``, ``*/`` and the stars in front of its lines."""

    text: str


Piece: TypeAlias = str | Ref | Doc
Text: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ParameterFact:
    """One parameter."""

    #: ``options``, or a pattern as it is written without its defaults (``{ a, b }``).
    name: str
    #: ``positional_only``, ``optional`` (``x?``, or one with a default) or ``var_positional``.
    kind: ParameterKind
    annotation: Text | None = None
    #: What it is set to where a caller gives none, as the source has it; that is never in a declaration file.
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A declaration, or a member of one.

    ``header`` is what is printed of it, complete but for ``export``, ``declare``, ``default``, decorators, members in
    braces and the ``;`` at its end::

        function parse(x: string): User          abstract class Box<T = {}> extends Base<T> implements Sized
        interface User extends Base              type Id = string | number
        type Options<T> =                        const api:          (an object type follows: see `members`)
        const LIMIT = 10                         const enum Color      namespace ns      global      module "x"
        readonly a?: string                      protected get(id: Id): User            get size(): number
        (x: number): string                      new (x: number): Foo                   [key: string]: unknown
        constructor(inner: T, size?: number)     static readonly kind: "box"            Red = 1

    Never here: bodies, initialisers (but of enumeration members and literal constants of declaration files,
    ``const x = 1``), ``private`` and ``#private`` members' types, and overloads' implementation.
    """

    #: ``function class interface type enum variable namespace``; ``global`` is ``declare global``, ``ambient`` is
    #: ``declare module "x"`` (its name is ``x``, without quotes). Of members ``constructor method property getter setter
    #: call construct index``, and ``case`` of an enumeration; those of blocks have the kinds of a file's.
    kind: str
    #: ``""`` of a default export without a name, of call, construct and index signatures; ``constructor``. A computed
    #: or quoted key is the name as written (``[Symbol.iterator]``, ``"content-type"``).
    name: str
    header: Text
    parameters: tuple[ParameterFact, ...] = ()
    returns: Text | None = None
    #: ``<T extends object = {}>``
    type_params: Text | None = None
    #: ``Base<T>``, ``implements Sized``; of an interface what it extends.
    bases: tuple[Text, ...] = ()
    type: Text | None = None
    #: Of a constant: the literal that it is, as written; of an enumeration member, too.
    value: str | None = None
    #: Without ``/**``, ``*/``, stars and indentation; tags are kept.
    doc: str | None = None
    #: As written without ``@``; declaration files have none.
    decorators: tuple[str, ...] = ()
    #: The modifier: ``export``, ``export default`` (then ``is_default``, too).
    is_exported: bool = False
    is_default: bool = False
    #: ``protected``, ``private`` (a private member is printed ``private name;`` by its header); empty means public.
    access: str = ""
    is_static: bool = False
    is_abstract: bool = False
    is_async: bool = False
    is_optional: bool = False
    #: A tag says so: ``@internal``, ``@deprecated`` (with what stands behind it).
    is_internal: bool = False
    deprecated: str | None = None
    #: Why the header is the source verbatim, or what could not be read; empty where all is well.
    degraded: str = ""
    line: int = 0
    end_line: int = 0
    members: tuple[Fact, ...] = ()
    #: Imports and exports inside a ``namespace``, ``global`` or ``ambient``.
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()


@dataclass(frozen=True, slots=True)
class Import:
    """One name that an import binds; ``import "./x"`` binds none."""

    #: As written, without quotes; empty for ``import A = B.C``, whose ``name`` is then ``B.C``.
    module: str
    #: The exported name; ``*`` of ``import * as ns``, ``=`` of ``import ns = require("x")``, ``default``; ``""`` of
    #: ``import "./x"``.
    name: str
    #: What it is called here.
    local: str
    is_type: bool = False
    #: ``export import A = B.C``
    is_exported: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Export:
    """One name that an export statement gives, as opposed to a modifier."""

    #: The public name; ``*`` of ``export * from``, ``=`` of ``export =``, ``default``; of ``export as namespace X`` it is
    #: ``X`` with ``kind`` ``umd``.
    name: str
    #: What it is called in ``module``, or here; ``*`` of ``export * as ns from``; dotted (``a.b``) where written so.
    local: str
    #: Where it is from, as written, without quotes; empty where it is from here.
    module: str = ""
    is_type: bool = False
    kind: Literal["", "umd"] = ""
    line: int = 0
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that could not be read, or was read otherwise than written."""

    #: A code that ``docs/views.md`` explains.
    code: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that one file states."""

    declarations: tuple[Fact, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    #: The file's own comment (``@packageDocumentation``, ``@module``, ``@fileoverview``).
    doc: str | None = None
    #: Has an import or export on its top level: its names are its own. Else they are global.
    is_module: bool = False
    #: ``/// <reference …>``: (``path``, ``types`` or ``lib``, value).
    references: tuple[tuple[str, str], ...] = ()
    troubles: tuple[Trouble, ...] = ()
    #: Whether types were left to inference: a source that was read as it stands, where declarations were wanted.
    is_inferred: bool = False
    extra: dict[str, str] = field(default_factory=dict)
