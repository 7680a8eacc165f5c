"""Reads a ``.proto`` file alone, as far as it goes: for files whose imports are missing and for damaged ones.

The result is a descriptor as protoc's parser has it before it looks anything up: types by the names in the source,
options uninterpreted, their values as text. A statement that cannot be read is skipped, and its line told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf import descriptor_pb2 as _descriptor_pb2  # type: ignore[import-untyped]  # no stubs are installed

from ifacegen_adapters.protobuf.comments import Path
from ifacegen_adapters.protobuf.cursor import Bad, Cursor
from ifacegen_adapters.protobuf.fields import TYPES
from ifacegen_adapters.protobuf.parse_options import Options
from ifacegen_adapters.protobuf.stored import Problem
from ifacegen_adapters.protobuf.tokens import Token, tokens

_SCALARS = {
    name: number for number, name in enumerate(TYPES) if name not in ("?", "group", "message", "enum")
}
#: The descriptors' classes; their types are made at run time.
descriptor_pb2: Any = _descriptor_pb2
_LABELS = {"optional": 1, "required": 2, "repeated": 3}
_EDITIONS = {"2023": 1000, "2024": 1001}
#: protoc takes no more; Python's stack would not either.
_DEEPEST = 32
_MOST, _MOST_IN_ENUM = 536_870_912, 2_147_483_647


def parse(text: str) -> tuple[Any, list[Problem]]:
    """A file's descriptor with source info, and what could not be read."""
    parser = _Parser(tokens(text))
    parser.file_statements()
    return parser.file, parser.problems


class _Parser(Cursor):
    def __init__(self, found: Sequence[Token]) -> None:
        super().__init__(found)
        self._options = Options(self)
        self.file = descriptor_pb2.FileDescriptorProto()
        self.problems: list[Problem] = []
        #: Whether the file was found to end before its last block does.
        self._is_cut_off = False

    def _record(self, path: Path, start: Token, end: Token | None = None) -> None:
        """Say where something stands and what is said of it; its comment behind follows ``end``."""
        location = self.file.source_code_info.location.add(path=path)
        last = self._tokens[self._at - 1]
        location.span.extend((start.line, start.at, last.end_line, last.at))
        if start.leading:
            location.leading_comments = start.leading
        location.leading_detached_comments.extend(start.detached)
        if behind := (end or last).trailing:
            location.trailing_comments = behind

    def _statements(self, one: Any, *, is_file: bool = False) -> None:
        """Statements up to the closing brace, or the end; what is none is told and skipped."""
        while self.token.kind != "end" and (is_file or self.token.text != "}"):
            at = self._at
            try:
                if not self.passes(";"):
                    one()
            except Bad as bad:
                self.problems.append(Problem("syntax-error", f"{bad}; the statement is left out", bad.line))
                if self._at == at:
                    self.take()
                self.skip()
        if not is_file and not self.passes("}") and not self._is_cut_off:
            self._is_cut_off = True
            self.problems.append(Problem("syntax-error", "the file ends inside a block", self.token.line - 1))

    # -- the file -----------------------------------------------------------------------------------

    def file_statements(self) -> None:
        """Everything in the file."""
        self._statements(self._file_statement, is_file=True)

    def _file_statement(self) -> None:
        start = self.token
        word = start.text
        file = self.file
        if word in ("syntax", "edition"):
            self.take()
            self.expect("=")
            self._syntax(word, self.text())
            self._end((12,) if word == "syntax" else (14,), start)
        elif word == "package":
            self.take()
            file.package = self.name()
            self._end((2,), start)
        elif word == "import":
            self._import(start)
        elif word == "option":
            self._options.statement(file.options)
        elif word == "service":
            self._service((6, len(file.service)), file.service)
        else:
            self._common((), file.message_type, file.enum_type, file.extension, (4, 5, 7), 0)

    def _syntax(self, word: str, value: str) -> None:
        if word == "edition":
            self.file.syntax = "editions"
            self.file.edition = _EDITIONS.get(value, 0)
        elif value != "proto2":
            self.file.syntax = "proto3"

    def _import(self, start: Token) -> None:
        self.take()
        how = self.take().text if self.token.text in ("public", "weak", "option") else ""
        name = self.text()
        file = self.file
        if how == "option":
            file.option_dependency.append(name)
            self._end((15, len(file.option_dependency) - 1), start)
            return
        if how:
            (file.public_dependency if how == "public" else file.weak_dependency).append(len(file.dependency))
        file.dependency.append(name)
        self._end((3, len(file.dependency) - 1), start)

    def _end(self, path: Path, start: Token) -> None:
        self.expect(";")
        self._record(path, start)

    def _common(
        self,
        path: Path,
        messages: Any,
        enums: Any,
        extensions: Any,
        numbers: tuple[int, int, int],
        depth: int,
    ) -> bool:
        """What files and messages have alike; False where it is something else, in a message."""
        start = self.token
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        visibility = {"local": 1, "export": 2}.get(start.text, 0)
        if visibility and following.text in ("message", "enum"):
            self.take()
        word = self.token.text
        if word == "message" and self._is_declaration():
            self._message((*path, numbers[0], len(messages)), messages, depth, start, visibility)
        elif word == "enum" and self._is_declaration():
            self._enum((*path, numbers[1], len(enums)), enums, start, visibility)
        elif word == "extend" and self._is_declaration(("{", ".")):
            self._extend(path, messages, extensions, numbers, depth)
        elif depth == 0:
            raise Bad(self.token, "a message, an enum, a service or another statement")
        else:
            return False
        return True

    def _is_declaration(self, ends: tuple[str, ...] = ("{",)) -> bool:
        """Whether a keyword is one: it may be the name of a type, too."""
        after = self._tokens[self._at + 1 : self._at + 3]
        if len(after) > 1 and after[0].text == "." and ends != ("{",):
            return True
        return len(after) > 1 and after[0].kind == "word" and after[1].text in ends

    # -- messages -----------------------------------------------------------------------------------

    def _message(self, path: Path, messages: Any, depth: int, start: Token, visibility: int) -> None:
        self.take()
        message = messages.add(name=self.word())
        if visibility:
            message.visibility = visibility
        self._body(path, message, depth, start)

    def _body(self, path: Path, message: Any, depth: int, start: Token) -> None:
        opening = self.expect("{")
        if depth >= _DEEPEST:
            self._at -= 1
            raise Bad(start, f"at most {_DEEPEST} levels of messages")
        try:
            self._statements(lambda: self._message_statement(path, message, depth + 1))
        finally:
            self._record(path, start, opening)

    def _message_statement(self, path: Path, message: Any, depth: int) -> None:
        if self._common(path, message.nested_type, message.enum_type, message.extension, (3, 4, 6), depth):
            return
        word = self.token.text
        if word == "oneof" and self._is_declaration():
            self._oneof(path, message, depth)
        elif word == "option" and self._is_option():
            self._options.statement(message.options)
        elif word in ("reserved", "extensions") and self._is_ranges():
            self._ranges(path, message, word)
        else:
            self._field(path, 2, message.field, message.nested_type, depth)

    def _is_option(self) -> bool:
        return self._tokens[self._at + 2].text in ("=", ".") or self._tokens[self._at + 1].text == "("

    def _is_ranges(self) -> bool:
        following = self._tokens[self._at + 1]
        return following.kind in ("number", "string") or self._tokens[self._at + 2].text in (";", ",")

    def _oneof(self, path: Path, message: Any, depth: int) -> None:
        start = self.take()
        index = len(message.oneof_decl)
        oneof = message.oneof_decl.add(name=self.word())
        opening = self.expect("{")

        def statement() -> None:
            if self.token.text == "option" and self._is_option():
                self._options.statement(oneof.options)
            else:
                self._field(path, 2, message.field, message.nested_type, depth, oneof=index)

        try:
            self._statements(statement)
        finally:
            self._record((*path, 8, index), start, opening)

    def _ranges(self, path: Path, message: Any, word: str) -> None:
        start = self.take()
        if word == "reserved" and self.token.kind != "number":
            self._reserved_names((*path, 10), message, start)
            return
        ranges = message.reserved_range if word == "reserved" else message.extension_range
        number = 9 if word == "reserved" else 5
        first = len(ranges)
        while True:
            low, high = self._range(_MOST - 1)
            ranges.add(start=low, end=high + 1)
            self._record((*path, number, len(ranges) - 1), start)
            if not self.passes(","):
                break
        if self.token.text == "[":
            self._options.brackets(ranges[first].options)
            for each in ranges[first + 1 :]:
                each.options.CopyFrom(ranges[first].options)
        self._end((*path, number), start)

    def _range(self, most: int) -> tuple[int, int]:
        low = self.number()
        if not self.passes("to"):
            return low, low
        return (low, most) if self.passes("max") else (low, self.number())

    def _reserved_names(self, path: Path, owner: Any, start: Token) -> None:
        while True:
            owner.reserved_name.append(self.text() if self.token.kind == "string" else self.word())
            if not self.passes(","):
                break
        self._end(path, start)

    def _extend(
        self, path: Path, messages: Any, extensions: Any, numbers: tuple[int, int, int], depth: int
    ) -> None:
        start = self.take()
        extendee = self.name()
        opening = self.expect("{")

        def statement() -> None:
            self._field(path, numbers[2], extensions, messages, depth, extendee=extendee)

        try:
            self._statements(statement)
        finally:
            self._record((*path, numbers[2]), start, opening)

    # -- fields -------------------------------------------------------------------------------------

    def _field(
        self, path: Path, number: int, fields: Any, messages: Any, depth: int,
        *, oneof: int | None = None, extendee: str = "",
    ) -> None:  # fmt: skip
        start = self.token
        field = descriptor_pb2.FieldDescriptorProto(label=1)
        if extendee:
            field.extendee = extendee
        if start.text in _LABELS:
            field.label = _LABELS[self.take().text]
            if self.file.syntax == "proto3" and start.text == "optional":
                field.proto3_optional = True
        if oneof is not None:
            field.oneof_index = oneof
        is_group = self.token.text == "group" and self._tokens[self._at + 1].kind == "word"
        if self.token.text == "map" and self._tokens[self._at + 1].text == "<":
            self._map(field, messages)
        elif not is_group:
            self._type(field)
        else:
            self.take()
        name = self.token
        field.name = self.word()
        self.expect("=")
        field.number = self.number()
        if field.type == 11 and not field.type_name:
            self._name_entry(field, messages)
        if self.token.text == "[":
            self._options.field(field)
        at = (*path, number, len(fields))
        if not is_group:
            self._end(at, start)
            fields.append(field)
            return
        self._group(path, field, messages, name, depth)
        fields.append(field)
        self._record(at, start)

    def _group(self, path: Path, field: Any, messages: Any, name: Token, depth: int) -> None:
        field.type, field.type_name = 10, name.text
        message = messages.add(name=name.text)
        inner = (*path, 3 if path else 4, len(messages) - 1)
        self._body(inner, message, depth, name)
        field.name = name.text.lower()

    def _type(self, field: Any) -> None:
        token = self.token
        name = self.name()
        if token.kind == "word" and name in _SCALARS:
            field.type = _SCALARS[name]
        else:
            field.type_name = name

    def _map(self, field: Any, messages: Any) -> None:
        self.take()
        self.expect("<")
        entry = messages.add()
        entry.options.map_entry = True
        for number, name in enumerate(("key", "value"), 1):
            inner = entry.field.add(name=name, number=number, label=1)
            self._type(inner)
            self.expect("," if number == 1 else ">")
        field.label, field.type = 3, 11

    def _name_entry(self, field: Any, messages: Any) -> None:
        entry = messages[-1]
        entry.name = "".join(part[:1].upper() + part[1:] for part in field.name.split("_")) + "Entry"
        field.type_name = entry.name

    # -- enums and services ---------------------------------------------------------------------------

    def _enum(self, path: Path, enums: Any, start: Token, visibility: int) -> None:
        self.take()
        enum = enums.add(name=self.word())
        if visibility:
            enum.visibility = visibility
        opening = self.expect("{")
        try:
            self._statements(lambda: self._enum_statement(path, enum))
        finally:
            self._record(path, start, opening)

    def _enum_statement(self, path: Path, enum: Any) -> None:
        start = self.token
        if start.text == "option" and self._is_option():
            self._options.statement(enum.options)
        elif start.text == "reserved" and self._tokens[self._at + 1].text != "=":
            self.take()
            if self.token.kind != "number" and self.token.text != "-":
                self._reserved_names((*path, 5), enum, start)
                return
            while True:
                low, high = self._range(_MOST_IN_ENUM)
                enum.reserved_range.add(start=low, end=high)
                if not self.passes(","):
                    break
            self._end((*path, 4), start)
        else:
            name = self.word()
            self.expect("=")
            value = descriptor_pb2.EnumValueDescriptorProto(name=name, number=self.number())
            if self.token.text == "[":
                self._options.brackets(value.options)
            self._end((*path, 2, len(enum.value)), start)
            enum.value.append(value)

    def _service(self, path: Path, services: Any) -> None:
        start = self.take()
        service = services.add(name=self.word())
        opening = self.expect("{")

        def statement() -> None:
            if self.token.text == "option":
                self._options.statement(service.options)
            else:
                self._rpc((*path, 2, len(service.method)), service)

        try:
            self._statements(statement)
        finally:
            self._record(path, start, opening)

    def _rpc(self, path: Path, service: Any) -> None:
        start = self.expect("rpc")
        rpc = descriptor_pb2.MethodDescriptorProto(name=self.word())
        rpc.input_type, is_stream = self._rpc_type()
        if is_stream:
            rpc.client_streaming = True
        self.expect("returns")
        rpc.output_type, is_stream = self._rpc_type()
        if is_stream:
            rpc.server_streaming = True
        service.method.append(rpc)
        method = service.method[-1]
        last = self.token
        if self.passes("{"):
            method.options.SetInParent()
            self._statements(lambda: self._options.statement(method.options))
            self.passes(";")
        else:
            self.expect(";")
        self._record(path, start, last)

    def _rpc_type(self) -> tuple[str, bool]:
        self.expect("(")
        following = self._tokens[self._at + 1]
        is_stream = self.token.text == "stream" and (following.kind == "word" or following.text == ".")
        if is_stream:
            self.take()
        name = self.name()
        self.expect(")")
        return name, is_stream
