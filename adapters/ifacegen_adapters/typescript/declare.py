"""From facts to declarations: what is printed, with the names of the module that it is printed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ifacegen.model import Declaration, Extra, Parameter, Visibility
from ifacegen_adapters.typescript.facts import Export, Fact, Import, ParameterFact, Text
from ifacegen_adapters.typescript.program import Block
from ifacegen_adapters.typescript.reader_comments import deprecation
from ifacegen_adapters.typescript.spaces import Group, Unit
from ifacegen_adapters.typescript.spelling import Spelling
from ifacegen_adapters.typescript.texts import dotted, shown_parts


class Ids:
    """Ids that are unique in a module."""

    def __init__(self, module: str) -> None:
        """None is given yet."""
        self._module = module
        self._given: dict[str, int] = {}

    def give(self, qualname: str) -> str:
        """``module:qualname``, ``#2`` for the second of a name."""
        count = self._given[qualname] = self._given.get(qualname, 0) + 1
        return f"{self._module}:{qualname}" + (f"#{count}" if count > 1 else "")


@dataclass(frozen=True, slots=True)
class Shown:
    """How a group is shown at its place."""

    name: str
    visibility: Visibility
    import_paths: tuple[str, ...] = ()
    #: Its own value of ``extra["export"]``, if any.
    export: str = ""
    mentions: tuple[str, ...] = ()
    is_private: bool = False
    #: What the statement that exports it says of it.
    doc: str = ""


#: Stands for the name of members that have none.
_UNNAMED = {"call": "()", "construct": "new()", "index": "[]"}
_HEAD = r"((?:(?:declare|abstract|async|const)\s+)*(?:function\s*\*?|class|interface|type|enum|namespace|module|const|let|var|using)\s+)"

_ANONYMOUS = r"((?:(?:declare|abstract|async)\s+)*(?:function\s*\*?|class|interface))"


class Declarer:
    """Makes the declarations of one module."""

    def __init__(
        self, spelling: Spelling, ids: Ids, inferred: frozenset[str], is_hidden: Callable[[str], bool]
    ) -> None:
        """``inferred``: files whose types were left to inference; ``is_hidden``: whether owners hide a member."""
        self._spelling = spelling
        self._ids = ids
        self._inferred = inferred
        self._is_hidden = is_hidden

    def group(self, group: Group, shown: Shown) -> Iterator[Declaration]:
        """All declarations of a name."""
        units = group.units() if any(part.fact.kind == "namespace" for part in group.parts) else {}
        doc = shown.doc
        for fact, unit in shown_parts(group):
            made = self._top(fact, unit, shown, units.get(id(fact)))
            yield _documented(made, doc) if doc else made
            doc = ""

    def block(self, block: Block, name: str) -> Declaration:
        """A ``declare global`` or ``declare module``; ``name``: the module as it is called here."""
        made = self._top(block.fact, block.body, Shown(name, "public"), block.body)
        return replace(made, signature=f'module "{name}"') if block.target is not None else made

    def statement(
        self, kind: str, name: str, signature: str, origin: str | None = None, doc: str | None = None
    ) -> Declaration:
        """An import or an alias."""
        deprecated = deprecation(doc) if doc else None
        return Declaration(
            self._ids.give(name),
            name,
            name,
            kind,
            signature,
            origin=origin,
            doc=doc,
            deprecated=deprecated,
        )

    def _top(self, fact: Fact, unit: Unit, shown: Shown, body: Unit | None) -> Declaration:
        extra: dict[str, Extra] = {}
        if shown.export:
            extra["export"] = shown.export
        if shown.is_private:
            extra["private"] = True
        if shown.mentions:
            extra["mentions"] = shown.mentions
        return self._declaration(fact, unit, shown.name, shown.name, shown, body, extra)

    def _declaration(
        self,
        fact: Fact,
        unit: Unit,
        name: str,
        qualname: str,
        shown: Shown,
        body: Unit | None,
        extra: dict[str, Extra],
    ) -> Declaration:
        own = self._extra(fact, unit, is_member=qualname != shown.name)
        id_ = self._ids.give(qualname)
        members = (
            self._inside(body, qualname, shown)
            if body is not None
            else self._members(fact, unit, qualname, shown)
        )
        return Declaration(
            id_,
            name,
            qualname,
            fact.kind,
            _renamed(self._text(fact.header, unit), fact, name),
            parameters=tuple(self._parameter(each, unit) for each in fact.parameters),
            returns=self._optional(fact.returns, unit),
            type_params=self._optional(fact.type_params, unit),
            bases=tuple(self._text(each, unit) for each in fact.bases),
            type=self._optional(fact.type, unit),
            value=fact.value,
            doc=fact.doc,
            decorators=fact.decorators,
            is_async=fact.is_async,
            is_abstract=fact.is_abstract,
            deprecated=fact.deprecated,
            visibility=shown.visibility,
            import_paths=shown.import_paths if qualname == shown.name else (),
            path=unit.path,
            line=fact.line,
            end_line=fact.end_line,
            members=tuple(members),
            extra={**extra, **own},
        )

    def _extra(self, fact: Fact, unit: Unit, *, is_member: bool) -> dict[str, Extra]:
        extra: dict[str, Extra] = {}
        if fact.access or (is_member and fact.is_internal):
            extra["access"] = (
                fact.access if fact.access == "private" else "internal" if fact.is_internal else fact.access
            )
        if fact.is_static:
            extra["static"] = True
        if fact.is_optional:
            extra["optional"] = True
        if fact.degraded:
            extra["degraded"] = fact.degraded
        if unit.path in self._inferred and _lacks_type(fact):
            extra["inferred"] = "the source does not state it"
        return extra

    # -- what is inside ----------------------------------------------------------------------------------

    def _members(self, fact: Fact, unit: Unit, owner: str, shown: Shown) -> Iterator[Declaration]:
        for member in fact.members:
            name = member.name or _UNNAMED.get(member.kind, member.kind)
            if not self._is_hidden(f"{owner}.{name}"):
                yield self._declaration(member, unit, name, f"{owner}.{name}", shown, None, {})

    def _inside(self, body: Unit, owner: str, shown: Shown) -> Iterator[Declaration]:
        """What a namespace has, in the order of the source."""
        is_open = body.is_open
        for imported in body.statements:
            if not imported.module:
                yield self._import(imported, body, owner)
        for fact in body.fact.members if body.fact is not None else ():
            name = fact.name or "default"
            if self._is_hidden(f"{owner}.{name}"):
                continue
            group = body.space.groups.get(name)
            units = group.units() if group is not None and fact.kind == "namespace" else {}
            inner = replace(shown, visibility="public" if is_open or fact.is_exported else "carried")
            yield self._declaration(fact, body, name, f"{owner}.{name}", inner, units.get(id(fact)), {})
        for export in body.exports:
            if export.name:
                yield self._export(export, body, owner)

    def _import(self, imported: Import, body: Unit, owner: str) -> Declaration:
        what = self._spelling.first(dotted(imported.name), body)
        signature = f"{'export ' if imported.is_exported else ''}import {imported.local} = {what}"
        return self._inner("import", imported.local, signature, owner, body, imported.line)

    def _export(self, export: Export, body: Unit, owner: str) -> Declaration:
        signature = self._export_text(export, body)
        return self._inner("alias", export.name, signature, owner, body, export.line)

    def _export_text(self, export: Export, body: Unit) -> str:
        if export.kind == "umd":
            return f"export as namespace {export.name}"
        source = f' from "{export.module}"' if export.module else ""
        if export.local == "*":
            return f"export *{'' if export.name == '*' else f' as {export.name}'}{source}"
        local = export.local if export.module else self._spelling.first(dotted(export.local), body)
        if export.name == "=" or (export.name == "default" and "." in local):
            return f"export {'=' if export.name == '=' else 'default'} {local}"
        if "." in local:
            return f"export import {export.name} = {local}"
        item = local if local == export.name else f"{local} as {export.name}"
        return f"export {'type ' if export.is_type else ''}{{ {item} }}{source}"

    def _inner(self, kind: str, name: str, signature: str, owner: str, body: Unit, line: int) -> Declaration:
        qualname = f"{owner}.{name}" if name else owner
        return Declaration(
            self._ids.give(qualname), name, qualname, kind, signature, path=body.path, line=line
        )

    # -- texts ---------------------------------------------------------------------------------------------

    def _text(self, text: Text, unit: Unit) -> str:
        return self._spelling.text(text, unit)

    def _optional(self, text: Text | None, unit: Unit) -> str | None:
        return None if text is None else self._text(text, unit)

    def _parameter(self, parameter: ParameterFact, unit: Unit) -> Parameter:
        annotation = self._optional(parameter.annotation, unit)
        return Parameter(parameter.name, parameter.kind, annotation, parameter.default)


def _documented(made: Declaration, doc: str) -> Declaration:
    """A declaration with what the statement says that exports it, where its own words do not."""
    if not made.doc:
        return replace(made, doc=doc, deprecated=deprecation(doc))
    deprecated = deprecation(doc) if made.deprecated is None else None
    if deprecated is None:
        return made
    return replace(made, doc=f"{made.doc}\n\n@deprecated {deprecated}".rstrip(), deprecated=deprecated)


def _lacks_type(fact: Fact) -> bool:
    """Whether a reader misses a type."""
    if fact.kind in ("function", "method", "getter"):
        return fact.returns is None
    return (
        fact.kind in ("variable", "property")
        and fact.type is None
        and fact.value is None
        and not fact.members
    )


def _renamed(header: str, fact: Fact, name: str) -> str:
    """A header with another name for what it declares."""
    if name == fact.name or fact.kind in ("global", "ambient") or (not fact.name and name == "default"):
        return header
    if not fact.name:
        return re.sub(rf"{_ANONYMOUS}\s*", lambda found: f"{found[1].rstrip()} {name}", header, count=1)
    return re.sub(rf"{_HEAD}{re.escape(fact.name)}(?![\w$])", lambda found: found[1] + name, header, count=1)
