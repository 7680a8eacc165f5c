"""Run by the interpreter of the runtime side: which public names do modules have once they are imported?

Standard library only, and nothing of ifacegen: this is what its views are held against.

    python _probe.py MODULE[=ORIGIN,ORIGIN…] …    prints {module: {"listed": […], "strayed": […], "attributes": […]}}

``strayed`` are those of the listed that are the package's own modules under a foreign name, which nobody
listed: ``networkx.astar`` for ``networkx.algorithms.shortest_paths.astar``, left there by star imports.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
import warnings

_ABSENT = object()


def names(module: types.ModuleType, origins: tuple[str, ...]) -> list[str]:
    """``__all__`` where there is one, else what has no leading underscore and comes from the package itself."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(set(listed))
    return sorted(
        name for name in dir(module) if name[0] != "_" and _is_own(name, getattr(module, name), origins)
    )


def strayed(module: types.ModuleType, listed: list[str]) -> list[str]:
    """Own modules that lie in a module's namespace under another name than their own."""
    if hasattr(module, "__all__"):
        return []
    values = ((name, getattr(module, name)) for name in listed)
    modules = ((name, value) for name, value in values if isinstance(value, types.ModuleType))
    return [name for name, value in modules if value.__name__ != f"{module.__name__}.{name}"]


def _is_own(name: str, value: object, origins: tuple[str, ...]) -> bool:
    if isinstance(value, types.ModuleType):
        return _is_below(value.__name__, origins)
    origin = getattr(value, "__module__", None)
    if isinstance(origin, str):
        return _is_below(origin, origins)
    return not _is_from_standard_library(name, value)


def _is_below(module: str, origins: tuple[str, ...]) -> bool:
    return module.partition(".")[0] in origins


def _is_from_standard_library(name: str, value: object) -> bool:
    loaded = (each for each in tuple(sys.modules) if each.partition(".")[0] in sys.stdlib_module_names)
    spaces = (getattr(sys.modules[each], "__dict__", {}) for each in loaded if each != "__main__")
    return any(space.get(name, _ABSENT) is value for space in spaces)


def main(arguments: list[str]) -> None:
    """Print what the modules named by the arguments have."""
    warnings.simplefilter("ignore")
    report = {}
    for argument in arguments:
        name, _, origins = argument.partition("=")
        module = importlib.import_module(name)
        listed = names(module, tuple(origins.split(",")) if origins else (name,))
        attributes = sorted({*dir(module), *vars(module)})
        report[name] = {"listed": listed, "strayed": strayed(module, listed), "attributes": attributes}
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])
