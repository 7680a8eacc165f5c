"""From a descriptor to declarations: all that it has, in the order and the words of the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from ifacegen.model import Declaration, Extra, Module
from ifacegen_adapters.protobuf.comments import Path, Places
from ifacegen_adapters.protobuf.fields import (
    GROUP,
    Spelling,
    edition,
    enum_range,
    field_settings,
    label,
    message_range,
)
from ifacegen_adapters.protobuf.option_names import OptionNames
from ifacegen_adapters.protobuf.options import quoted, quoted_bytes

ADAPTER = "protobuf"
_VISIBILITIES = {1: "local ", 2: "export "}


def module(file: Any, name: str, text: str) -> Module:
    """A file as a module under its import name; ``file`` is a FileDescriptorProto with source info."""
    return _Declarer(file, name, text).module()


@dataclass(frozen=True, slots=True)
class _Scope:
    """A file or a message, while its contents are declared."""

    path: Path
    #: What names in it are prefixed with in this module, and everywhere.
    prefix: str
    full: str
    owner: Any
    #: Numbers of the descriptor's fields: messages, enums, extensions.
    numbers: tuple[int, int, int]
    #: Name → place in the descriptor and descriptor of each message in it.
    messages: Mapping[str, tuple[int, Any]]

    def group(self, field: Any) -> tuple[int, Any]:
        """The message that is written where a field is."""
        return self.messages[field.type_name.rpartition(".")[2]]

    def name(self, simple: str) -> str:
        """The full name of something in it."""
        return f"{self.full}.{simple}" if self.full else simple


@dataclass(frozen=True, slots=True)
class _Item:
    """A declaration and where it stands."""

    place: tuple[int, int, int]
    declaration: Declaration
    #: Of an extension, what it extends and in which of the statements that extend something.
    extends: tuple[str, int] | None = None


class _Declarer:
    def __init__(self, file: Any, name: str, text: str) -> None:
        self._file = file
        self._module = name
        self._places = Places(file.source_code_info, text)
        self._syntax = file.syntax or "proto2"
        self._spelling = Spelling(self._places)
        self._options = OptionNames(text)
        self._ids: dict[str, int] = {}

    def module(self) -> Module:
        file = self._file
        scope = _Scope((), "", file.package, file, (4, 5, 7), _by_name(file.message_type))
        declarations = [*self._head(), *self._items(scope)]
        doc = self._places.file_doc(((12,), (14,), (2,)))
        return Module(self._module, ADAPTER, "", doc, tuple(declarations))

    # -- the file itself --------------------------------------------------------------------------

    def _head(self) -> Iterator[Declaration]:
        file = self._file
        if self._syntax == "editions":
            value = edition(file.edition)
            yield self._plain((14,), "edition", "syntax", f'edition = "{value}"', value)
        else:
            yield self._plain((12,), "syntax", "syntax", f'syntax = "{self._syntax}"', self._syntax)
        if file.package:
            yield self._plain((2,), "package", "package", f"package {file.package}", file.package)
        public, weak = set(file.public_dependency), set(file.weak_dependency)
        for index, name in enumerate(file.dependency):
            how = "public " if index in public else "weak " if index in weak else ""
            yield self._plain((3, index), name, "import", f"import {how}{quoted(name)}", name)
        for index, name in enumerate(file.option_dependency):
            yield self._plain((15, index), name, "import", f"import option {quoted(name)}", name)
        if file.HasField("options"):
            for setting in self._options.written(file.options):
                option, _, value = setting.partition(" = ")
                yield self._plain((), option, "option", f"option {setting}", value)

    def _plain(self, path: Path, name: str, kind: str, signature: str, value: str) -> Declaration:
        """A statement about the file; comments on it are the module's, or nobody's."""
        first, _, last = self._places.span(path) if path else (-1, 0, -1)
        return Declaration(
            self._id(name), name, name, kind, signature, value=value, line=first + 1, end_line=last + 1
        )

    # -- what files and messages have --------------------------------------------------------------

    def _items(self, scope: _Scope) -> tuple[Declaration, ...]:
        """Everything in a file or a message, in the order of the source; what extends one thing together."""
        items = [*self._inner(scope), *self._extensions(scope)]
        if scope.path:
            items += self._of_message(scope)
        else:
            for index, service in enumerate(self._file.service):
                items.append(self._item((6, index), self._service((6, index), scope, service)))
        items.sort(key=lambda each: each.place)
        return tuple(self._in_blocks(items, scope))

    def _item(self, path: Path, declaration: Declaration) -> _Item:
        return _Item(self._places.span(path), declaration)

    def _inner(self, scope: _Scope) -> Iterator[_Item]:
        messages, enums, _ = scope.numbers
        fields = [*scope.owner.extension, *(scope.owner.field if scope.path else ())]
        groups = {each.type_name.rpartition(".")[2] for each in fields if each.type == GROUP}
        for index, message in scope.messages.values():
            if not message.options.map_entry and message.name not in groups:
                path = (*scope.path, messages, index)
                yield self._item(path, self._message(path, scope, message))
        for index, enum in enumerate(scope.owner.enum_type):
            path = (*scope.path, enums, index)
            yield self._item(path, self._enum(path, scope, enum))

    def _extensions(self, scope: _Scope) -> Iterator[_Item]:
        for index, field in enumerate(scope.owner.extension):
            path = (*scope.path, scope.numbers[2], index)
            place = self._places.span(path)
            block = self._places.block(path[:-1], place)
            extends = self._spelling.name((*path, 2), field.extendee), block
            yield _Item(place, self._field(path, scope, field), extends)

    def _in_blocks(self, items: Sequence[_Item], scope: _Scope) -> Iterator[Declaration]:
        block: list[Declaration] = []
        for index, item in enumerate(items):
            if item.extends is None:
                yield item.declaration
                continue
            block.append(item.declaration)
            if index + 1 == len(items) or items[index + 1].extends != item.extends:
                yield self._extend(item.extends, scope, block)
                block = []

    def _extend(self, extends: tuple[str, int], scope: _Scope, block: Sequence[Declaration]) -> Declaration:
        extendee, statement = extends
        name = f"extend {extendee}"
        extended = str(block[0].extra["extendee"])
        return Declaration(
            self._id(scope.prefix + name),
            name,
            scope.prefix + name,
            "extend",
            name,
            doc=self._places.block_doc((*scope.path, scope.numbers[2]), statement),
            line=block[0].line,
            end_line=block[-1].end_line,
            members=tuple(block),
            extra={"mentions": (extended,)},
        )

    def _message(self, path: Path, scope: _Scope, message: Any) -> Declaration:
        signature = f"{_VISIBILITIES.get(message.visibility, '')}message {message.name}"
        members = self._items(self._inside(path, scope, message))
        return self._declaration(path, scope, message, "message", signature, members=members)

    def _inside(self, path: Path, scope: _Scope, message: Any) -> _Scope:
        prefix = f"{scope.prefix}{message.name}."
        inner = _by_name(message.nested_type)
        return _Scope(path, prefix, scope.name(message.name), message, (3, 4, 6), inner)

    def _of_message(self, scope: _Scope) -> Iterator[_Item]:
        """What only messages have."""
        oneofs: dict[int, list[Declaration]] = {}
        for index, field in enumerate(scope.owner.field):
            path = (*scope.path, 2, index)
            declaration = self._field(path, scope, field)
            if field.HasField("oneof_index") and not field.proto3_optional:
                oneofs.setdefault(field.oneof_index, []).append(declaration)
            else:
                yield self._item(path, declaration)
        for index, members in oneofs.items():
            path = (*scope.path, 8, index)
            oneof = scope.owner.oneof_decl[index]
            signature = f"oneof {oneof.name}"
            declaration = self._declaration(path, scope, oneof, "oneof", signature, members=tuple(members))
            yield self._item(path, declaration)
        yield from self._extension_ranges(scope)
        reserved = [message_range(each.start, each.end) for each in scope.owner.reserved_range]
        yield from self._reserved((*scope.path, 9), scope.prefix, reserved)
        yield from self._reserved((*scope.path, 10), scope.prefix, self._names(scope.owner))

    def _names(self, owner: Any) -> list[str]:
        is_plain = self._syntax == "editions"
        return [name if is_plain else quoted(name) for name in owner.reserved_name]

    def _reserved(self, path: Path, prefix: str, texts: Sequence[str]) -> Iterator[_Item]:
        if texts:
            yield self._statement(path, prefix, "reserved", ", ".join(texts))

    def _statement(self, path: Path, prefix: str, word: str, text: str) -> _Item:
        doc, behind = self._places.doc(path)
        return self._ranges(self._places.span(path), prefix, f"{word} {text}", doc, behind)

    def _ranges(
        self, place: tuple[int, int, int], prefix: str, signature: str, doc: str | None, behind: bool
    ) -> _Item:
        word, _, text = signature.partition(" ")
        declaration = Declaration(
            self._id(prefix + word),
            word,
            prefix + word,
            word,
            signature,
            value=text,
            doc=doc,
            line=place[0] + 1,
            end_line=place[2] + 1,
            extra={"doc_behind": True} if behind else {},
        )
        return _Item(place, declaration)

    def _extension_ranges(self, scope: _Scope) -> Iterator[_Item]:
        """A statement for each of the source's."""
        path = (*scope.path, 5)
        statements: dict[int, list[tuple[int, Any]]] = {}
        for index, each in enumerate(scope.owner.extension_range):
            block = self._places.block(path, self._places.span((*path, index)))
            statements.setdefault(block, []).append((index, each))
        for block, ranges in statements.items():
            for options, alike in groupby(ranges, key=lambda each: self._settings(each[1])):
                found = list(alike)
                brackets = f" [{', '.join(options)}]" if options else ""
                text = ", ".join(message_range(each.start, each.end) for _, each in found) + brackets
                place = self._places.span((*path, found[0][0]))
                doc = self._places.block_doc(path, block)
                yield self._ranges(place, scope.prefix, f"extensions {text}", doc, False)

    # -- fields, enums, services --------------------------------------------------------------------

    def _field(self, path: Path, scope: _Scope, field: Any) -> Declaration:
        label_ = label(field, self._syntax)
        type_, mentions = self._spelling.type(path, field, scope.messages)
        if type_.startswith("map<"):
            label_ = ""
        brackets = ", ".join(field_settings(field, self._options))
        extra: dict[str, Extra] = {"number": field.number}
        if label_:
            extra["label"] = label_
        if mentions:
            extra["mentions"] = mentions
        if field.extendee:
            extra["extendee"] = field.extendee.lstrip(".")
        name = field.name
        members: tuple[Declaration, ...] = ()
        options: Any = None
        if field.type == GROUP:
            index, group = scope.group(field)
            inner = self._inside((*scope.path, scope.numbers[0], index), scope, group)
            members, options, name = self._items(inner), group, group.name
            extra["group"] = name
            path = inner.path if self._places.doc(path)[0] is None else path
        words = filter(None, (label_, type_, name))
        signature = f"{' '.join(words)} = {field.number}{f' [{brackets}]' if brackets else ''}"
        kind = "extension" if field.extendee else "field"
        value = field.default_value if field.HasField("default_value") else None
        if isinstance(value, bytes):  # of a string that is no UTF-8; as those of bytes have it
            value = quoted_bytes(value)[1:-1]
        return self._declaration(
            path,
            scope,
            field,
            kind,
            signature,
            members=members,
            extra=extra,
            decorators=self._decorators(options),
            type=type_,
            value=value,
        )

    def _enum(self, path: Path, scope: _Scope, enum: Any) -> Declaration:
        inner = replace(scope, prefix=f"{scope.prefix}{enum.name}.", path=path)
        items = []
        for index, value in enumerate(enum.value):
            at = (*path, 2, index)
            brackets = ", ".join(self._settings(value))
            signature = f"{value.name} = {value.number}{f' [{brackets}]' if brackets else ''}"
            extra: dict[str, Extra] = {"number": value.number}
            number = str(value.number)
            made = self._declaration(at, inner, value, "enum_value", signature, extra=extra, value=number)
            items.append(self._item(at, made))
        reserved = [enum_range(each.start, each.end) for each in enum.reserved_range]
        items += self._reserved((*path, 4), inner.prefix, reserved)
        items += self._reserved((*path, 5), inner.prefix, self._names(enum))
        items.sort(key=lambda each: each.place)
        members = tuple(each.declaration for each in items)
        signature = f"{_VISIBILITIES.get(enum.visibility, '')}enum {enum.name}"
        return self._declaration(path, scope, enum, "enum", signature, members=members)

    def _service(self, path: Path, scope: _Scope, service: Any) -> Declaration:
        inner = replace(scope, prefix=f"{service.name}.", full=scope.name(service.name), path=path)
        rpcs = tuple(self._rpc((*path, 2, at), inner, each) for at, each in enumerate(service.method))
        return self._declaration(path, scope, service, "service", f"service {service.name}", members=rpcs)

    def _rpc(self, path: Path, scope: _Scope, rpc: Any) -> Declaration:
        taken = self._spelling.name((*path, 2), rpc.input_type)
        given = self._spelling.name((*path, 3), rpc.output_type)
        taken = f"stream {taken}" if rpc.client_streaming else taken
        given = f"stream {given}" if rpc.server_streaming else given
        mentions = dict.fromkeys((rpc.input_type.lstrip("."), rpc.output_type.lstrip(".")))
        extra: dict[str, Extra] = {"mentions": tuple(mentions)}
        signature = f"rpc {rpc.name}({taken}) returns ({given})"
        if rpc.HasField("options") and not rpc.options.ListFields():
            extra["braces"] = True  # to a descriptor, `{}` is something
        return self._declaration(
            path,
            scope,
            rpc,
            "rpc",
            signature,
            extra=extra,
            decorators=self._decorators(rpc),
            type=taken,
            returns=given,
        )

    def _declaration(
        self,
        path: Path,
        scope: _Scope,
        what: Any,
        kind: str,
        signature: str,
        *,
        members: tuple[Declaration, ...] = (),
        extra: dict[str, Extra] | None = None,
        **more: Any,
    ) -> Declaration:
        """What all kinds have alike; ``more`` are fields of the declaration that this one has, too."""
        qualname = f"{scope.prefix}{what.name}"
        doc, behind = self._places.doc(path)
        first, _, last = self._places.span(path)
        has_options = what.HasField("options")
        deprecated = has_options and getattr(what.options, "deprecated", False)
        own: dict[str, Extra] = {**(extra or {}), "doc_behind": True} if behind else (extra or {})
        if has_options and kind in _WITH_BODY:
            more["decorators"] = self._decorators(what)
        return Declaration(
            self._id(qualname),
            what.name,
            qualname,
            kind,
            signature,
            doc=doc,
            deprecated="deprecated" if deprecated else None,
            import_paths=(scope.name(what.name),),
            line=first + 1,
            end_line=last + 1,
            members=members,
            extra=own,
            **more,
        )

    def _settings(self, what: Any) -> list[str]:
        return self._options.written(what.options) if what.HasField("options") else []

    def _decorators(self, what: Any) -> tuple[str, ...]:
        return tuple(f"option {each}" for each in self._settings(what)) if what is not None else ()

    def _id(self, qualname: str) -> str:
        count = self._ids[qualname] = self._ids.get(qualname, 0) + 1
        return f"{self._module}:{qualname}" + (f"#{count}" if count > 1 else "")


#: Kinds whose options are statements in their body.
_WITH_BODY = frozenset({"message", "oneof", "enum", "service"})


def _by_name(messages: Sequence[Any]) -> dict[str, tuple[int, Any]]:
    """Messages by name; of two that have one, which only a file that was read alone can have, both stay."""
    found: dict[str, tuple[int, Any]] = {}
    for index, message in enumerate(messages):
        name = message.name
        found[name if name not in found else f"{name} {index}"] = index, message
    return found
