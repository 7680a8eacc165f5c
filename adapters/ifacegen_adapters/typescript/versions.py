"""Ranges of versions as ``typesVersions`` and ``types@…`` have them: which one is for the compiler."""

from __future__ import annotations

import re
from typing import TypeAlias

Version: TypeAlias = tuple[int, int, int]

#: The compiler that views are for.
COMPILER: Version = (7, 0, 2)
_END = 10**9
_PART = re.compile(
    r"([<>]=?|=|\^|~)?\s*v?(\d{1,6}|[xX*])(?:\.(\d{1,6}|[xX*]))?(?:\.(\d{1,6}|[xX*]))?[\w.+-]*"
)
_HYPHEN = re.compile(r"\s*(\S+)\s+-\s+(\S+)\s*")
_LONGEST = 200


def covers(written: str, version: Version = COMPILER) -> bool:
    """Whether a range has a version; one that cannot be read has none."""
    if len(written) > _LONGEST:
        return False
    return any(_covers_all(each.strip(), version) for each in written.split("||"))


def _covers_all(written: str, version: Version) -> bool:
    hyphen = _HYPHEN.fullmatch(written)
    if hyphen:
        written = f">={hyphen[1]} <={hyphen[2]}"
    at = 0
    while at < len(written):
        part = _PART.match(written, at)
        if part is None or not _covers(part, version):
            return False
        at = part.end()
        at += len(written[at:]) - len(written[at:].lstrip())
    return True


def _covers(part: re.Match[str], version: Version) -> bool:
    low, high = _span(part)
    match part[1]:
        case "<":
            return version < low
        case "<=":
            return version < high
        case ">":
            return version >= high
        case ">=":
            return version >= low
        case "^":
            return low <= version < _after(low, next((at for at, each in enumerate(low) if each), 2))
        case "~":
            return low <= version < (_after(low, 1) if _given(part) > 1 else high)
        case _:
            return low <= version < high


def _given(part: re.Match[str]) -> int:
    """How many numbers are written out."""
    numbers = [each.isdigit() if each else False for each in part.group(2, 3, 4)]
    return numbers.index(False) if False in numbers else 3


def _span(part: re.Match[str]) -> tuple[Version, Version]:
    """The first version that a written one means, and the first behind it."""
    count = _given(part)
    first, second, third = [
        int(each) if each and at < count else 0 for at, each in enumerate(part.group(2, 3, 4))
    ]
    low = (first, second, third)
    return low, _after(low, count - 1) if count else (_END, 0, 0)


def _after(version: Version, place: int) -> Version:
    numbers = [*version[:place], version[place] + 1, 0, 0]
    return numbers[0], numbers[1], numbers[2]
