"""Options of descriptors as the text that sets them, custom ones by their full names."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ifacegen_adapters.protobuf.protoc import ASKED, files_of

_DESCRIPTOR = "google/protobuf/descriptor.proto"
#: Values of ``FieldDescriptor.type``.
_DOUBLE, _FLOAT, _BOOL, _STRING, _GROUP, _MESSAGE, _BYTES, _ENUM = 1, 2, 8, 9, 10, 11, 12, 14
_ESCAPES = {9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 92: r"\\"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """In place of a descriptor that protoc made and the protobuf library does not take: why."""

    reason: str


def decoded(descriptor_set: bytes, names: Iterable[str]) -> Iterator[tuple[str, Any | Refusal]]:
    """Descriptors of some files of a FileDescriptorSet, whose options know the extensions that the set defines."""
    from google.protobuf import (  # type: ignore[import-untyped]  # no stubs are installed
        descriptor_pb2,
        descriptor_pool,
        message,
        message_factory,
    )

    pool = descriptor_pool.DescriptorPool()
    # Ours is the newest: a repository's own, older one would not know all that protoc writes.
    pool.AddSerializedFile(descriptor_pb2.DESCRIPTOR.serialized_pb)
    files = {name: bytes(view) for view in files_of(descriptor_set) if (name := _name(view)) != ASKED}
    imports: dict[str, tuple[str, ...]] = {}
    extending: list[str] = []
    refused: set[str] = set()
    for name, data in files.items():
        try:
            file = descriptor_pb2.FileDescriptorProto.FromString(data)
        except message.DecodeError:
            imports[name] = ()
            refused.add(name)
            continue
        imports[name] = (*file.dependency, *file.option_dependency)
        if file.extension or any(map(_has_extensions, file.message_type)):
            extending.append(name)
    refused |= _add(pool, files, imports, extending)
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName("google.protobuf.FileDescriptorProto"))
    reaching = _importers(refused, imports) if refused else frozenset()
    for name in names:
        if name in reaching:
            yield name, Refusal("the protobuf library cannot take a file that defines options of it")
            continue
        try:
            yield name, kind.FromString(files[name])
        except message.DecodeError:
            yield (
                name,
                Refusal("the protobuf library cannot read its options: nested over 100 deep, or damaged"),
            )


def _has_extensions(message: Any) -> bool:
    return bool(message.extension) or any(map(_has_extensions, message.nested_type))


def _add(
    pool: Any, files: Mapping[str, bytes], imports: Mapping[str, tuple[str, ...]], wanted: Sequence[str]
) -> frozenset[str]:
    """Give a pool some files with all that they import; those that it refuses."""
    needed = set(wanted)
    pending = list(wanted)
    while pending:
        new = [each for each in imports[pending.pop()] if each not in needed]
        needed.update(new)
        pending.extend(new)
    refused: set[str] = set()
    for name, data in files.items():  # what is imported stands first
        if name in needed and name != _DESCRIPTOR:
            try:
                pool.AddSerializedFile(data)
            except TypeError:  # too large a message, a name that only protoc takes …
                refused.add(name)
    return frozenset(refused)


def _importers(names: Collection[str], imports: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Files and all that import them, directly or not; what is imported stands first."""
    found = set(names)
    for name, others in imports.items():
        if not found.isdisjoint(others):
            found.add(name)
    return frozenset(found)


def _name(view: memoryview) -> str:
    """The name of a serialised FileDescriptorProto: its first field."""
    size, at, shift = 0, 1, 0
    while True:
        byte = view[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return bytes(view[at : at + size]).decode("utf-8", "replace")


def settings(options: Any) -> Iterator[str]:
    """``name = value`` for each option that is set, in the order of their numbers."""
    for field, value in options.ListFields():
        if field.name == "uninterpreted_option" and not field.is_extension:
            yield from map(_uninterpreted, value)
        elif field.name == "features" and not field.is_extension:
            yield from _features("features", value)
        else:
            name = f"({field.full_name})" if field.is_extension else field.name
            for each in value if field.is_repeated else (value,):
                yield f"{name} = {_value(field, each)}"


def _features(prefix: str, value: Any) -> Iterator[str]:
    for field, each in value.ListFields():
        name = f"({field.full_name})" if field.is_extension else field.name
        if field.type == _MESSAGE:
            yield from _features(f"{prefix}.{name}", each)
        else:
            yield f"{prefix}.{name} = {_value(field, each)}"


def _uninterpreted(option: Any) -> str:
    """An option that was read, not understood: its value is kept as it is written."""
    name = ".".join(f"({part.name_part})" if part.is_extension else part.name_part for part in option.name)
    return f"{name} = {option.identifier_value}"


def _value(field: Any, value: Any) -> str:
    if field.type in (_MESSAGE, _GROUP):
        return _aggregate(value)
    return scalar(field, value)


def _aggregate(message: Any) -> str:
    inner = " ".join(_entries(message))
    return f"{{ {inner} }}" if inner else "{}"


def _entries(message: Any) -> Iterator[str]:
    field: Any
    for field, value in message.ListFields():
        name = f"[{field.full_name}]" if field.is_extension else _text_name(field)
        inner: Any = field.message_type
        if inner is not None and inner.GetOptions().map_entry:
            key_field, value_field = (inner.fields_by_name[each] for each in ("key", "value"))
            for key in sorted(value):
                one, other = scalar(key_field, key), _value(value_field, value[key])
                yield f"{name} {{ key: {one} value{_colon(value_field)} {other} }}"
            continue
        for each in value if field.is_repeated else (value,):
            yield f"{name}{_colon(field)} {_value(field, each)}"


def _colon(field: Any) -> str:
    return "" if field.type in (_MESSAGE, _GROUP) else ":"


def _text_name(field: Any) -> str:
    """A group goes by the name of its message."""
    inner = field.message_type
    is_group = field.type == _GROUP and inner.name.lower() == field.name
    return str(inner.name if is_group else field.name)


def scalar(field: Any, value: Any) -> str:
    """A value of a scalar field or an enum."""
    kind = field.type
    if kind == _BOOL:
        return "true" if value else "false"
    if kind == _STRING:
        return quoted(value)
    if kind == _BYTES:
        return quoted_bytes(value)
    if kind == _ENUM:
        known = field.enum_type.values_by_number.get(value)
        return str(known.name) if known is not None else str(value)
    if kind in (_DOUBLE, _FLOAT):
        return _float(value, kind == _FLOAT)
    return str(value)


def _float(value: float, is_single: bool) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if is_single:  # the shortest text that is the same single
        text = next(text for digits in range(6, 10) if _same_single(text := f"{value:.{digits}g}", value))
        return text
    return repr(value).removesuffix(".0") if value.is_integer() and abs(value) < 1e15 else repr(value)


def _same_single(text: str, value: float) -> bool:
    import struct

    return bool(struct.unpack("f", struct.pack("f", float(text)))[0] == value)


def quoted(text: str | bytes) -> str:
    """A string as protobuf writes it: readable where it can be, escaped where it must; bytes where it is no UTF-8."""
    if isinstance(text, bytes):
        return quoted_bytes(text)
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_escaped(each) for each in text) + '"'


def _escaped(char: str) -> str:
    code = ord(char)
    if code in _ESCAPES:
        return _ESCAPES[code]
    if code < 32 or code == 127:
        return f"\\{code:03o}"
    if char.isprintable():
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "replace"))


def quoted_bytes(data: bytes) -> str:
    """Bytes as protobuf writes them."""
    inner = (_ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data)
    return '"' + "".join(inner) + '"'
