"""Frozen values as what JSON knows: objects, lists, strings, numbers."""

from __future__ import annotations

import dataclasses
import json
from collections import abc
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from ifacegen.model import LoadedWhenRead

T = TypeVar("T")
#: What most values are: looked for first.
_SCALARS = frozenset({str, int, bool, float, type(None)})


def plain(value: Any) -> Any:
    """A value of ``ifacegen.model`` as dicts and lists, in the order of its fields; mappings sorted by key."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is tuple or kind is list:
        return [plain(each) for each in value]
    if dataclasses.is_dataclass(value):
        return {name: plain(each) for name, each in shallow(value).items()}
    if isinstance(value, Mapping):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(each) for each in value]
    return value


def compact(value: Any) -> bytes:
    """A value as the shortest JSON, keys sorted: quick to write, and the same for what is equal."""
    text = json.dumps(value, default=shallow, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return text.encode("ascii")


def shallow(value: Any, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """One frozen value as a dict of its fields; ``json.dumps(default=…)`` takes care of what is in them.

    Args:
        value: A frozen value.
        leave_out: Names of fields to leave out.
    """
    kind: Any = type(value)
    names, get = _fields(kind, leave_out)
    return dict(zip(names, get(value), strict=True))


@cache
def _fields(kind: Any, leave_out: frozenset[str]) -> tuple[tuple[str, ...], attrgetter[Any]]:
    names = tuple(each.name for each in dataclasses.fields(kind) if each.name not in leave_out)
    return names, attrgetter(*names)


def restored(kind: type[T], value: Any) -> T:
    """The value of a frozen class that :func:`plain` made; the inverse, so lists become tuples again.

    What is a sequence to the class, and no tuple, is restored when it is read.

    Raises:
        ValueError: It is no such value.
    """
    try:
        made: T = _restorer(cast("Hashable", kind))(value)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no {kind.__name__}: {error}") from None
    return made


@cache
def _restorer(hint: Hashable) -> Callable[[Any], Any]:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _of_class(hint)
    if get_origin(hint) is tuple:
        item = _restorer(get_args(hint)[0])
        return tuple if item is _as_it_is else lambda value: tuple(map(item, value))
    if get_origin(hint) is abc.Sequence:  # what may be long, and often nobody reads
        later = _restorer(get_args(hint)[0])
        return lambda value: LoadedWhenRead(lambda: tuple(map(later, value)))
    if get_origin(hint) is abc.Mapping:
        return lambda value: {
            key: tuple(each) if isinstance(each, list) else each for key, each in value.items()
        }
    return _as_it_is


def _of_class(kind: type) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    converters: dict[str, Callable[[Any], Any]] = {}

    def make(value: Any) -> Any:
        if not converters:  # filled late: a declaration has declarations in it
            converters.update({name: _restorer(hint) for name, hint in hints.items()})
        return kind(**{name: converters[name](each) for name, each in value.items()})

    return make


def _as_it_is(value: Any) -> Any:
    return value
