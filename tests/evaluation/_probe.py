"""Run by the interpreter of the runtime side: what modules and their classes have once they are imported.

Standard library only, and nothing of ifacegen: this is what its views are held against. It says what is there;
which of it is public is for others to judge.

    python -I _probe.py < REQUEST > REPORT

REQUEST is ``{"origins": [top-level module …], "modules": [module …], "asked": {module: [name …]}}``; modules are
imported in the order given, each within a time limit. REPORT is ``{"modules": …, "classes": …}``, see
:func:`imported` and :class:`Classes`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import io
import json
import signal
import sys
import types
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

_ABSENT = object()
_SECONDS = 30


class Classes:
    """The package's own classes, each under a key of its own; what they have is told when all is imported."""

    def __init__(self, origins: tuple[str, ...]) -> None:
        self._origins = origins
        self._keys: dict[type, str] = {}

    def key(self, value: object) -> str | None:
        """``module:Qual.name`` of an own class, ``#2`` for the second of a name."""
        if not isinstance(value, type) or not _is_below(str(value.__module__), self._origins):
            return None
        if value not in self._keys:
            name = f"{value.__module__}:{value.__qualname__}"
            same = sum(1 for each in self._keys.values() if each.partition("#")[0] == name)
            self._keys[value] = f"{name}#{same + 1}" if same else name
        return self._keys[value]

    def report(self) -> dict[str, Any]:
        """Key → what a class has; bases and nested classes are followed."""
        found: dict[str, Any] = {}
        while pending := [each for each, key in self._keys.items() if key not in found]:
            for each in pending:
                found[self._keys[each]] = self._described(each)
        return found

    def _described(self, value: type) -> dict[str, Any]:
        return {
            "home": self._home(value),
            "bases": [key for base in value.__bases__ if (key := self.key(base))],
            "metaclass": None if type(value) is type else f"{type(value).__module__}.{type(value).__name__}",
            "vars": {name: self._member(each) for name, each in tuple(vars(value).items())},
            "annotations": sorted(_annotations(value)),
            "inherited": sorted(
                {name for base in value.__bases__ if not self.key(base) for name in dir(base)}
            ),
            "typed_dict": hasattr(value, "__total__") and hasattr(value, "__required_keys__"),
            "fields": sorted(set(_fields(value))),
            "attributes": sorted({*_attributes(value), *dir(type(value))}),
        }

    def _home(self, value: type) -> str:
        """The module that defines a class, which may have been told to say that another one does."""
        functions = (_function(each) for each in tuple(vars(value).values()))
        homes = (
            str(each.__globals__["__name__"])
            for each in functions
            if isinstance(each, types.FunctionType) and each.__qualname__.startswith(f"{value.__qualname__}.")
        )
        return next((each for each in homes if _is_below(each, self._origins)), value.__module__)

    def _member(self, value: object) -> dict[str, Any]:
        return {"type": type(value).__name__, "class": self.key(value)}


def imported(name: str, origins: tuple[str, ...], asked: list[str], classes: Classes) -> dict[str, Any]:
    """What a module has: ``all``, ``names`` (those without underscore, those listed, those asked for)."""
    module = importlib.import_module(name)
    listed = getattr(module, "__all__", None)
    there = {each for each in {*dir(module), *vars(module)} if not each.startswith("_")}
    found = {}
    for each in sorted({*there, *(listed or ()), *asked}):
        try:
            # `from package import *` imports the submodules that are listed.
            value = getattr(__import__(name, fromlist=[each]) if each in (listed or ()) else module, each)
        except Exception:  # noqa: BLE001  a lazy attribute may fail with anything; it is absent then
            continue
        found[each] = _described(each, value, origins) | {"class": classes.key(value)}
    return {"all": None if listed is None else sorted(set(listed)), "names": found}


def _described(name: str, value: object, origins: tuple[str, ...]) -> dict[str, Any]:
    is_module = isinstance(value, types.ModuleType)
    origin = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    if isinstance(origin, str):
        own = _is_below(origin, origins)
    else:
        origin, own = "", not _is_from_standard_library(name, value)
    return {"module": is_module, "origin": origin, "own": own}


def _is_below(module: str, origins: tuple[str, ...]) -> bool:
    return module.partition(".")[0] in origins


def _is_from_standard_library(name: str, value: object) -> bool:
    loaded = (each for each in tuple(sys.modules) if each.partition(".")[0] in sys.stdlib_module_names)
    spaces = (getattr(sys.modules[each], "__dict__", {}) for each in loaded if each != "__main__")
    return any(space.get(name, _ABSENT) is value for space in spaces)


def _function(value: object) -> object:
    """The function behind a method, property or cached property."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    elif isinstance(value, property):
        value = value.fget
    elif isinstance(value, functools.cached_property):
        value = value.func
    return inspect.unwrap(value) if isinstance(value, types.FunctionType) else value


def _attributes(value: type) -> Iterator[str]:
    """All that it and its bases have or annotate; ``dir`` leaves out some of an enum's."""
    for each in value.__mro__:
        yield from vars(each)
        yield from _annotations(each)
        yield from _fields(each)


def _annotations(value: type) -> Iterable[str]:
    found = vars(value).get("__annotations__")
    return found if isinstance(found, dict) else ()


def _fields(value: type) -> Iterator[str]:
    """Fields that the class states itself, in slots or as attrs does, where no annotation has to name them."""
    slots = vars(value).get("__slots__", ())
    yield from (slots,) if isinstance(slots, str) else (each for each in slots if isinstance(each, str))
    stated = vars(value).get("__attrs_attrs__")
    yield from (each.name for each in stated if not each.inherited) if isinstance(stated, tuple) else ()


@contextlib.contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"not imported within {seconds} seconds")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def main() -> None:
    """Answer one request."""
    warnings.simplefilter("ignore")
    request = json.load(sys.stdin)
    origins = tuple(request["origins"])
    classes = Classes(origins)
    modules: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):  # some modules print when they are imported
        for name in request["modules"]:
            try:
                with _limited(_SECONDS):
                    modules[name] = imported(name, origins, request["asked"].get(name, []), classes)
            except (Exception, SystemExit) as error:  # noqa: BLE001  an import may raise anything
                modules[name] = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:160]}
        report = {"modules": modules, "classes": classes.report()}
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
