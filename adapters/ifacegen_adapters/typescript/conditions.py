"""``exports`` and ``imports`` of ``package.json``: what a subpath's targets are, in the order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ifacegen_adapters.typescript.versions import covers

_T = TypeVar("_T")

IMPORT = frozenset(("types", "import", "node", "module-sync", "default"))
REQUIRE = frozenset(("types", "require", "node", "module-sync", "default"))
#: Conditions of other machines than node, whose modules may be others.
_ELSEWHERE = frozenset(
    (
        "browser",
        "deno",
        "worker",
        "workerd",
        "edge-light",
        "react-native",
        "react-server",
        "electron",
        "netlify",
    )
)
#: Conditions of node itself that are no custom ones.
_NODE = frozenset(("import", "require", "node", "node-addons", "module-sync", "types"))
_DEEPEST = 30
_MOST_PATTERNS = 500


class Stop(Exception):  # no error: a null target ends the search
    """A target is null: the subpath is excluded, whatever stands behind it."""


def allows(condition: str, conditions: frozenset[str]) -> bool:
    """Whether a condition holds."""
    if condition.startswith("types@"):
        return "types" in conditions and covers(condition.removeprefix("types@"))
    return condition in conditions


def is_custom(condition: str) -> bool:
    """Whether a condition is none of node's and no other machine's: one of the package's own tools."""
    return condition not in _ELSEWHERE and condition not in _NODE and not condition.startswith("types@")


def search(target: Any, admits: Callable[[str], bool], look: Callable[[str], _T | None]) -> _T | None:
    """What the first target gives that gives anything.

    Raises:
        Stop: A null target comes first.
    """
    pending: list[tuple[Any, int]] = [(target, 0)]
    while pending:
        each, depth = pending.pop()
        if each is None:
            raise Stop
        if isinstance(each, str):
            found = look(each)
            if found is not None:
                return found
        elif depth < _DEEPEST:
            pending += [(inner, depth + 1) for inner in reversed(list(_admitted(each, admits)))]
    return None


def _admitted(target: Any, admits: Callable[[str], bool]) -> Iterator[Any]:
    if isinstance(target, Mapping):
        yield from (inner for condition, inner in target.items() if admits(condition))
    elif isinstance(target, list):
        # A null in an array is no exclusion: the next element is tried.
        yield from (inner for inner in target if inner is not None)


def leaves(target: Any, admits: Callable[[str], bool] = lambda _: True) -> Iterator[str]:
    """All targets that are paths, under conditions that are admitted."""
    pending: list[tuple[Any, int]] = [(target, 0)]
    while pending:
        each, depth = pending.pop()
        if isinstance(each, str):
            yield each
        elif depth < _DEEPEST:
            pending += [(inner, depth + 1) for inner in reversed(list(_admitted(each, admits)))]


def is_excluded(target: Any) -> bool:
    """Whether a null target comes before any that could lead somewhere else."""
    try:
        search(target, lambda condition: allows(condition, IMPORT), lambda _: None)
    except Stop:
        return True
    return False


@dataclass(frozen=True, slots=True)
class Match:
    """What a subpath leads to."""

    key: str
    target: Any
    #: What the star of a pattern stands for; None of a key without one.
    star: str | None


class SubpathMap:
    """``exports`` or ``imports``, by subpath."""

    def __init__(self, value: Any, prefix: str = ".") -> None:
        """``prefix`` is what subpaths begin with; a value without any is the target of ``.``."""
        is_map = isinstance(value, Mapping) and any(key.startswith(prefix) for key in value)
        self.by_key: dict[str, Any] = (
            {key: target for key, target in value.items() if key.startswith(prefix)}
            if is_map
            else {".": value}
        )
        patterns = [key for key in self.by_key if key.count("*") == 1 or key.endswith("/")]
        self.patterns = sorted(patterns, key=_specificity)[:_MOST_PATTERNS]
        #: Whether there are more patterns than are used.
        self.is_cut = len(patterns) > _MOST_PATTERNS

    def match(self, subpath: str) -> Match | None:
        """What ``./x`` leads to, by the most specific key; its target may be null."""
        if subpath in self.by_key and "*" not in subpath and not subpath.endswith("/"):
            return Match(subpath, self.by_key[subpath], None)
        for key in self.patterns:
            before, _, behind = key.partition("*")
            fits = subpath.startswith(before) and subpath.endswith(behind)
            if fits and len(subpath) > len(before) + len(behind) - ("*" not in key):
                return Match(key, self.by_key[key], subpath[len(before) : len(subpath) - len(behind)])
        return None


def _specificity(key: str) -> tuple[int, int, str]:
    """The longest part before the star first, then the longest key."""
    base = key.index("*") + 1 if "*" in key else len(key)
    return -base, -len(key), key


def filled(target: str, star: str | None) -> str:
    """A target with what the star stands for; of a directory what lies in it."""
    if star is None:
        return target
    return target.replace("*", star) if "*" in target else target + star if target.endswith("/") else target
