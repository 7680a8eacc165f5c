"""Globs over POSIX paths: ``*`` stays inside one path segment, ``**`` crosses ``/``.

Every pattern becomes one regular expression that takes linear time, whatever the pattern: what stands
between two wildcards is matched leftmost in an atomic group. Patterns come from repositories, so none
may be able to hang a run, and none raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_STARS = re.compile(r"(?<!\\)\*+")
_CLASS = re.compile(r"\[[!^]?\]?[^\]/]*\]")
_ANY_SEGMENTS = "(?:[^/]+/)*"


@dataclass(frozen=True, slots=True)
class Globs:
    """An ordered list of patterns: the last one that matches decides, ``!`` makes it a no."""

    rules: tuple[tuple[bool, re.Pattern[str]], ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any pattern."""
        return bool(self.rules)

    def match(self, path: str) -> bool:
        """Whether a path relative to the patterns' directory is meant."""
        for wanted, pattern in reversed(self.rules):
            if pattern.fullmatch(path):
                return wanted
        return False


def directory_globs(patterns: Iterable[str]) -> Globs:
    """Patterns that name directories, anchored: ``packages/*``, ``libs/**``, ``!libs/old``, ``.``."""
    return Globs(tuple(_rule(pattern, _directory_regex) for pattern in patterns))


def ignore_globs(patterns: Iterable[str]) -> Globs:
    """Patterns as in ``.gitignore``: without ``/`` at any depth, a directory means all below it."""
    return Globs(tuple(_rule(pattern, _ignore_regex) for pattern in patterns))


def crosses_levels(pattern: str) -> bool:
    """Whether a pattern holds ``**``."""
    return "**" in pattern.split("/")


def clean_path(path: str) -> str | None:
    """A relative path without ``.`` and ``..`` (``"."`` is the top); None if it leads out."""
    parts: list[str] = []
    if path.startswith("/"):
        return None
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or "."


def _rule(pattern: str, regex: Callable[[str], str]) -> tuple[bool, re.Pattern[str]]:
    negated = pattern.startswith("!")
    text = pattern[1:] if negated else pattern.removeprefix("\\") if pattern.startswith("\\!") else pattern
    return not negated, re.compile(regex(text), re.DOTALL)


def _directory_regex(pattern: str) -> str:
    segments = [each for each in pattern.split("/") if each not in ("", ".")]
    return _segments_regex(segments) if segments else r"\.?"


def _ignore_regex(pattern: str) -> str:
    only_directories = pattern.endswith("/")
    body = pattern.strip("/")
    segments = [each for each in body.split("/") if each not in ("", ".")]
    if not segments:
        return r"(?!)"
    if len(segments) == 1 and not pattern.startswith("/"):
        segments = ["**", *segments]
    return _segments_regex(segments) + ("/.*" if only_directories else "(?:/.*)?")


def _segments_regex(segments: list[str]) -> str:
    """Chunks of ordinary segments between ``**``; all chunks but the last are matched leftmost."""
    chunks: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            chunks.append([])
        else:
            chunks[-1].append(_segment_regex(segment))
    first, *rest = ["/".join(chunk) for chunk in chunks]
    if not rest:
        return first
    parts = [first + "/" if first else ""]
    parts += [f"(?>{_ANY_SEGMENTS}?{chunk}/)" for chunk in rest[:-1] if chunk]
    return "".join(parts) + (_ANY_SEGMENTS + rest[-1] if rest[-1] else ".+")


def _segment_regex(segment: str) -> str:
    first, *rest = [_literal_regex(each) for each in _STARS.split(segment)]
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{each})" for each in rest[:-1] if each)
    return f"{first}{middle}[^/]*{rest[-1]}(?![^/])"


def _literal_regex(text: str) -> str:
    """Text without stars: ``?``, ``[a-z]``, ``[!a-z]`` and escapes."""
    result: list[str] = []
    position = 0
    while position < len(text):
        char = text[position]
        group = _CLASS.match(text, position) if char == "[" else None
        if group:
            result.append(_class_regex(group.group()))
            position = group.end()
            continue
        if char == "\\" and position + 1 < len(text):
            position += 1
            char = "\\" + text[position]
        result.append("[^/]" if char == "?" else re.escape(char[-1]))
        position += 1
    return "".join(result)


def _class_regex(group: str) -> str:
    negated = group[1] in "!^"
    inner = group[2 if negated else 1 : -1].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
    inner = "\\]" + inner[1:] if inner.startswith("]") else inner
    inner = re.sub(r"([&~|])", r"\\\1", inner)
    try:
        regex = f"(?!/)[{'^' if negated else ''}{inner}]"
        re.compile(regex)
    except re.error:  # a range such as [z-a]: git matches nothing, we take it literally
        return re.escape(group)
    return regex
