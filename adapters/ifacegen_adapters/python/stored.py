"""Facts as bytes and back, exactly: JSON rows, one value after another in the order of the fields.

The layout is read off the classes, so a new field needs nothing here. A row ends where only defaults would
follow; names of fields are not written. What is read back is checked type by type: bytes that hold anything
else are refused, never half understood.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import types
from collections import abc
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

_T = TypeVar("_T")
#: Makes a value of what JSON gives for it.
_Reader: TypeAlias = Callable[[Any], Any]
#: The types that JSON may give for a value; those whose values are no facts yet, with their reader.
_Accepted: TypeAlias = dict[type, _Reader | None]


class _NoDefault:
    """Stands for the default of a field that has none: nothing is equal to it."""

    def __repr__(self) -> str:
        return "required"


_NO_DEFAULT = _NoDefault()


class Malformed(Exception):
    """Bytes that are no such facts."""


def encode(value: Any) -> bytes:
    """A value of one of the classes in ``facts.py`` as bytes; equal values give equal bytes."""
    # Not ASCII: two escaped halves of a surrogate pair would be read back as one character.
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


def decode(kind: type[_T], data: bytes) -> _T:
    """The value of a class that :func:`encode` made bytes of.

    Raises:
        Malformed: The bytes are anything else.
    """
    wanted: Any = kind
    try:
        made: _T = _rows(wanted)(json.loads(data.decode("utf-8", "surrogatepass")))
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error)) from error
    return made


@functools.cache
def layout(kind: type) -> str:
    """A digest of the row layout of a class and of all classes in it, for keys."""
    seen: dict[type, str] = {}
    pending = [kind]
    while pending:
        each = pending.pop()
        if each not in seen:
            fields = [(one.name, str(one.type), str(_default(one))) for one in dataclasses.fields(each)]
            seen[each] = f"{each.__name__}{fields}"
            pending.extend(_classes(get_type_hints(each).values()))
    return hashlib.sha256("\n".join(sorted(seen.values())).encode()).hexdigest()[:16]


def _classes(hints: abc.Iterable[Any]) -> Iterator[type]:
    for hint in hints:
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            yield hint
        yield from _classes(get_args(hint))


# --- Writing ----------------------------------------------------------------------------------------


def _row(value: Any) -> Any:
    """What JSON knows in place of a value that it doesn't; called for one level at a time."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, abc.Mapping):
        return dict(value)
    kind: Any = type(value)
    get, defaults = _shape(kind)
    row = get(value)
    end = len(row)
    while end and row[end - 1] == defaults[end - 1]:
        end -= 1
    return row[:end]


@functools.cache
def _shape(kind: Any) -> tuple[attrgetter[Any], tuple[Any, ...]]:
    fields = dataclasses.fields(kind)
    return attrgetter(*(each.name for each in fields)), tuple(map(_default, fields))


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return _NO_DEFAULT if field.default is dataclasses.MISSING else field.default


_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), default=_row)


# --- Reading ----------------------------------------------------------------------------------------


class _Rows:
    """Reads the rows of one class.

    Rows with values of the same JSON types in the same places need the same checks and conversions: what
    those are is worked out once and kept as a plan.
    """

    def __init__(self, kind: type) -> None:
        self._kind = kind
        self._plans: dict[tuple[type, ...], list[tuple[int, _Reader]]] = {}

    def __call__(self, row: Any) -> Any:
        if type(row) is not list:
            raise Malformed(f"no row of {self._kind.__name__}: {row!r:.80}")
        types_ = tuple(map(type, row))
        plan = self._plans.get(types_)
        if plan is None:
            plan = self._plans[types_] = self._planned(types_)
        for index, read in plan:
            row[index] = read(row[index])
        return self._kind(*row)

    def _planned(self, types_: tuple[type, ...]) -> list[tuple[int, _Reader]]:
        accepted, required = self._fields
        plan: list[tuple[int, _Reader]] = []
        if not required <= len(types_) <= len(accepted):
            raise Malformed(f"{len(types_)} values for a {self._kind.__name__}")
        for index, (found, wanted) in enumerate(zip(types_, accepted, strict=False)):
            if found not in wanted:
                raise Malformed(f"a {found.__name__} as value {index} of a {self._kind.__name__}")
            if (read := wanted[found]) is not None:
                plan.append((index, read))
        return plan

    @functools.cached_property
    def _fields(self) -> tuple[list[_Accepted], int]:
        """What each field may be, and how many have no default."""
        hints = get_type_hints(self._kind)
        defaults = _shape(self._kind)[1]
        return [_accepted(hint) for hint in hints.values()], defaults.count(_NO_DEFAULT)


@functools.cache
def _rows(kind: type) -> _Rows:
    return _Rows(kind)


def _accepted(hint: Any) -> _Accepted:
    """How values of an annotation stand in JSON."""
    origin, arguments = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return {list: _rows(hint)}
    if origin in (types.UnionType, Union):
        return {found: read for each in arguments for found, read in _accepted(each).items()}
    if origin is Literal:
        return {type(each): None for each in arguments}
    if origin in (tuple, frozenset):
        return {list: _items(_accepted(arguments[0]), origin)}
    if origin is abc.Mapping:
        return {dict: _entries(_accepted(arguments[1]))}
    if hint in (str, int, bool, type(None)):
        return {hint: None}
    raise TypeError(f"facts of type {hint} cannot be stored")


def _items(accepted: _Accepted, make: Callable[[Any], Any]) -> _Reader:
    """Reads a list of values that are all of one kind."""
    if (reader := accepted.get(list)) is not None:
        return lambda values: make([reader(each) for each in values])
    nothing = make(())

    def read(values: list[Any]) -> Any:
        if not values:
            return nothing
        if not accepted.keys() >= set(map(type, values)):
            raise Malformed(f"a list of other things than {', '.join(each.__name__ for each in accepted)}")
        return make(values)

    return read


def _entries(accepted: _Accepted) -> _Reader:
    """Reads a mapping from names."""
    read = _items(accepted, list)
    return lambda values: dict(zip(values, read(list(values.values())), strict=True))
