"""From definitions to declarations: names, visibility, inferred types, members, what is elided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ifacegen.adapter import ViewOptions
from ifacegen.model import Declaration, Extra, Parameter, Visibility
from ifacegen_adapters.python.ancestry import Above, is_abstract
from ifacegen_adapters.python.facts import Definition
from ifacegen_adapters.python.folding import Inherited
from ifacegen_adapters.python.headers import class_signature, function_signature
from ifacegen_adapters.python.infer import is_enum_member, makes_fields, returned_type
from ifacegen_adapters.python.mentions import is_called, mentioned, substituted

_STRUCTURAL = re.compile(r"(?:\w+\.)*(?:Protocol|TypedDict|NamedTuple)(?:\[|\Z)")
_NO_PARAMETER = re.compile(r"\binit\s*=\s*False\b")


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that definitions come from, and what is known about its names and types."""

    module: str
    path: str
    types: Mapping[str, str]
    #: A definition with the types that others tell.
    settled: Callable[[Definition], Definition]
    #: What the bases of a class say about its members.
    above: Callable[[Definition], Above]


@dataclass(frozen=True, slots=True)
class Shown:
    """How a definition is shown."""

    #: Differs from the definition's own name when it is exported under another.
    name: str
    visibility: Visibility
    #: Leave out members and documentation: only that it exists matters.
    brief: bool = False
    #: The id of its origin, where that is another module or name than the one it is shown under.
    origin: str | None = None
    #: Every dotted name it can be imported by.
    import_paths: tuple[str, ...] = ()
    #: Those under which it is there at all, beside its own.
    conditions: tuple[str, ...] = ()
    #: Private members that are needed.
    inner: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Mention:
    """A dotted name that a declaration shows, to be looked up where the declaration was written."""

    origin: str
    chain: str
    #: Whether callers need to see all of it (types, bases), or only that it exists (values, decorators).
    whole: bool
    #: Whether it is a decorator: if a class, what it makes is part of what callers get.
    decorates: bool = False


@dataclass(slots=True)
class Declarer:
    """Makes the declarations of one shown module; ``mentions`` gathers the names they show."""

    module: str
    options: ViewOptions
    mentions: list[Mention] = field(default_factory=list)
    #: Entries of the configuration that named a member here.
    matched: set[str] = field(default_factory=set)
    _ids: Counter[str] = field(default_factory=Counter)

    def declare(
        self,
        definition: Definition,
        origin: Origin,
        shown: Shown,
        inherited: tuple[tuple[Inherited, Origin], ...] = (),
    ) -> Declaration:
        """A top-level definition as it is shown.

        Args:
            definition: What the source says.
            origin: Where it says so.
            shown: Under which name, and how it came to be shown.
            inherited: Private bases whose members belong to a class.
        """
        definition = origin.settled(definition)
        visibility = shown.visibility
        if definition.type_checking_only and visibility == "public":
            visibility = "type_checking"
        more: dict[str, Any] = {"import_paths": shown.import_paths, "origin": shown.origin}
        if shown.conditions:
            more["conditions"] = (*shown.conditions, *definition.conditions)
        if shown.brief:
            more["doc"] = None
        made = self._one(definition, origin, shown.name, definition.name, visibility, None, **more)
        if shown.brief or definition.kind != "class":
            return made
        members = self._members(definition, origin, shown.name, definition.name, inherited, shown.inner)
        return replace(made, members=tuple(members))

    def forget(self, declarations: Iterable[Declaration]) -> None:
        """Take back declarations that are about to be made again, so that their ids are free."""
        for each in declarations:
            self._ids[f"{self.module}:{each.qualname}"] = 0

    def id(self, qualname: str) -> str:
        """The next free id of a name."""
        base = f"{self.module}:{qualname}"
        self._ids[base] += 1
        return base if self._ids[base] == 1 else f"{base}#{self._ids[base]}"

    def _one(
        self,
        each: Definition,
        origin: Origin,
        qualname: str,
        source_name: str,
        visibility: Visibility,
        inside: Definition | None,
        /,
        **more: Any,
    ) -> Declaration:
        name = qualname.rpartition(".")[2]
        fields: dict[str, Any] = {}
        extra: dict[str, Extra] = {}
        if each.kind in ("function", "method", "property"):
            fields = self._function(each, name, origin.types.get(source_name))
        elif each.kind == "class":
            fields = {"signature": class_signature(each.header, name), "bases": each.header.bases}
        else:
            fields, extra = self._variable(each, name, inside)
        if each.header.verbatim is not None:
            extra["degraded"] = True
        if each.header.is_async and "yields" in each.flags:
            extra["async_generator"] = True
        if each.of_source:
            extra["of_source"] = each.of_source
        if "hoisted" in each.flags:
            extra["instance"] = True
        made = Declaration(
            id=self.id(qualname),
            name=name,
            qualname=qualname,
            kind=each.kind,
            type_params=each.header.type_params,
            decorators=each.decorators,
            raises=each.raises,
            deprecated=each.deprecated,
            is_abstract=is_abstract(each),
            visibility=visibility,
            path=origin.path,
            line=each.line,
            end_line=each.end_line,
            extra=extra,
            **{"doc": each.doc, "conditions": each.conditions, **fields, **more},
        )
        self.mentions.extend(_mentions(made, origin.module, is_type=each.keep_value))
        return made

    def _function(self, each: Definition, name: str, answer: str | None) -> dict[str, Any]:
        returned = returned_type(each, answer)
        return {
            "signature": function_signature(each.header, name),
            "parameters": each.header.parameters,
            "returns": each.header.returns,
            "is_async": each.header.is_async,
            "type": returned,
            "type_origin": "inferred" if returned else None,
        }

    def _variable(
        self, each: Definition, name: str, inside: Definition | None
    ) -> tuple[dict[str, Any], dict[str, Extra]]:
        type_, type_origin = each.type, each.type_origin
        is_member = is_enum_member(each, inside)
        elided = each.size is not None and not each.keep_value
        elided = elided and (each.value is None or len(each.value) > self.options.long_value)
        value = None if elided else each.value
        extra: dict[str, Extra] = {"enum_member": True} if is_member else {}
        if value is None and each.size is not None:
            extra["elided"] = each.size
        if each.set_to is not None and type_ is None:
            extra["set_to"] = each.set_to
        if "statement" in each.flags:
            signature = f"type {name}{each.header.type_params or ''} = {value or '...'}"
            extra["statement"] = True
        else:
            stated = f": {type_}" if type_ and type_origin == "stated" else ""
            signature = f"{name}{stated}{f' = {value}' if value is not None else ''}"
        fields = {"signature": signature, "value": value, "type": type_, "type_origin": type_origin}
        return fields, extra

    def _members(
        self,
        owner: Definition,
        origin: Origin,
        qualname: str,
        source_name: str,
        inherited: tuple[tuple[Inherited, Origin], ...],
        inner: frozenset[str] = frozenset(),
    ) -> Iterator[Declaration]:
        above = origin.above(owner)
        taken = {each.name for each in owner.members if not above.declares(each, known=each.type is not None)}
        for member, visibility in visible_members(owner, above, inner):
            if member.name in taken and not self._is_hidden(f"{qualname}.{member.name}"):
                yield self._member(member, origin, qualname, source_name, visibility, owner)
        for base, base_origin in inherited:
            new = {m.name for m in base.definition.members} - taken
            settled = base_origin.settled(base.definition)
            for member, visibility in visible_members(settled, base_origin.above(base.definition)):
                if member.name in new and not self._is_hidden(f"{qualname}.{member.name}"):
                    adapted = with_arguments(member, base.arguments)
                    made = self._member(adapted, base_origin, qualname, settled.name, visibility, settled)
                    yield replace(made, inherited_from=f"{base.target.module}:{base.target.name}")
            taken |= new

    def _is_hidden(self, qualname: str) -> bool:
        dotted = f"{self.module}.{qualname}"
        if dotted in self.options.hidden:
            self.matched.add(dotted)
            return True
        return False

    def _member(
        self,
        member: Definition,
        origin: Origin,
        qualname: str,
        source_name: str,
        visibility: Visibility,
        owner: Definition,
    ) -> Declaration:
        inner, source = f"{qualname}.{member.name}", f"{source_name}.{member.name}"
        made = self._one(member, origin, inner, source, visibility, owner)
        if member.kind != "class":
            return made
        nested = origin.settled(member)
        return replace(made, members=tuple(self._members(nested, origin, inner, source, ())))


def visible_members(
    owner: Definition, above: Above, wanted: frozenset[str] = frozenset()
) -> Iterator[tuple[Definition, Visibility]]:
    """The members of a class that callers may rely on, private ones that are wanted or public ones need included."""
    private = {m.name: m for m in owner.members if _is_private(m.name) or "deleted" in m.flags}
    # Without the override of what a base wants written, the class would seem to be abstract.
    required = {n for n, member in private.items() if _is_required(owner, member) or above.is_abstract(n)}
    needed = required | (wanted & private.keys())
    shown = [m for m in owner.members if m.name not in private or m.name in needed]
    pending = list(shown)
    while pending and private:
        for chain in _member_mentions(pending.pop()):
            name = chain.partition(".")[0]
            if name in private and name not in needed:
                needed.add(name)
                pending.append(private[name])
    for member in owner.members:
        if member.name not in private:
            yield member, "public"
        elif member.name in needed:
            yield member, "carried"


def _is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _is_required(owner: Definition, member: Definition) -> bool:
    """Private all the same part of the interface: constructor fields, and what a subclass must write."""
    if is_abstract(member) or is_structural(owner):
        return True
    is_field = member.kind == "attribute" and member.type_origin == "stated" and "hoisted" not in member.flags
    is_field = is_field and "ClassVar" not in (member.type or "")
    return is_field and makes_fields(owner.decorators) and not _NO_PARAMETER.search(member.value or "")


def is_structural(definition: Definition) -> bool:
    """Whether a class is its members, whatever they are called: by them it is told what else is one."""
    return any(_STRUCTURAL.match(base) for base in definition.header.bases)


def _member_mentions(member: Definition) -> Iterator[str]:
    for parameter in member.header.parameters:
        yield from mentioned(parameter.annotation or "", strings=True)
        yield from mentioned(parameter.default or "", strings=False)
    yield from mentioned(member.header.returns or "", strings=True)
    yield from mentioned(member.type or "", strings=True)
    for text in (*member.decorators, *member.header.bases):
        yield from mentioned(text, strings=False)
    if member.kind not in ("method", "function", "property", "class"):
        yield from mentioned(member.value or "", strings=False)


def with_arguments(member: Definition, arguments: Mapping[str, str]) -> Definition:
    """A member of a generic base, with the base's type variables replaced by what a class gives for them."""
    own = member.header.type_params or ""
    arguments = {
        name: given for name, given in arguments.items() if not re.search(rf"\b{re.escape(name)}\b", own)
    }
    if not arguments:
        return member

    def given(text: str | None) -> str | None:
        return substituted(text, arguments) if text is not None else None

    def adapted(parameter: Parameter) -> Parameter:
        return replace(parameter, annotation=given(parameter.annotation))

    header = member.header
    header = replace(header, parameters=tuple(map(adapted, header.parameters)), returns=given(header.returns))
    return replace(member, header=header, type=given(member.type))


def _mentions(made: Declaration, origin: str, *, is_type: bool) -> Iterator[Mention]:
    """The names that a declaration itself shows; its members have their own."""
    params = {p.strip().lstrip("*") for p in (made.type_params or "")[1:-1].replace(":", ",").split(",")}

    def each(text: str | None, *, annotation: bool = True, values: bool = True) -> Iterator[Mention]:
        for chain in mentioned(text, strings=annotation) if text else ():
            if chain.partition(".")[0] not in params:
                yield Mention(origin, chain, annotation or (values and is_called(text or "", chain)))

    yield from each(made.type_params)
    for parameter in made.parameters:
        yield from each(parameter.annotation)
        yield from each(parameter.default, annotation=False)
    yield from each(made.returns)
    for base in made.bases:
        yield from each(base.partition("=")[2] if _is_keyword(base) else base)
    for text in made.decorators:
        for mention in each(text, annotation=False, values=False):
            yield replace(mention, decorates=text.startswith(mention.chain))
    for text in made.conditions:
        yield from each(text, annotation=False, values=False)
    if made.kind not in ("function", "method", "property", "class"):
        yield from each(made.type)
        yield from each(made.value, annotation=is_type)


def _is_keyword(base: str) -> bool:
    return base.partition("=")[0].strip().isidentifier() and "=" in base
