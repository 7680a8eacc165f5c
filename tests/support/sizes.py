"""Reads shortened Python views as text, and tells what of a view they don't account for.

Independent of what prints them: whole declarations are read by Python's parser, a line each by a pattern.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ifacegen.model import Declaration, Module

_LINES = re.compile(r"^# a line each.*$", re.MULTILINE)
_COUNTED = re.compile(r"^# not shown:$", re.MULTILINE)
_MODULE = re.compile(r"^# module (\S+)(?:  \(private: carried names only\))?$", re.MULTILINE)
_ELIDED = re.compile(r"# (?:.*; )?(\d+) members? elided")
_GONE = re.compile(r"#   (\S+): (?:([\d,]+) of )?([\d,]+) declarations?")
_MERGED = re.compile(r"#   (?:(?P<folder>\S+): )?([\d,]+) (?:more )?modules?[:,] ([\d,]+) declarations?")
_ONLY = re.compile(r"# .* ([\d,]+) modules?, ([\d,]+) declarations?(?: and [\d,]+ notes?)? not shown")
_LINE = re.compile(
    r" *(?:@\w+ )*(?:(?:async )?def |class |type |# syntax error in the source: (?:async )?(?:def |class ))?"
    r"(?P<name>[^\W\d]\w*)"
)
_IMPORT = re.compile(r" *(?:from \S+ )?import (?P<names>[^#]+)")


@dataclass
class Shown:
    """What a text shows of one name: how often, and of its members how many are elided, or which are there."""

    times: int = 0
    elided: int = 0
    members: dict[str, Shown] = field(default_factory=dict)


@dataclass
class Reading:
    """What a shortened text says."""

    #: Module → what is shown of it.
    modules: dict[str, dict[str, Shown]] = field(default_factory=dict)
    #: Module → declarations that are only counted, of how many.
    gone: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: Modules that are not named, and their declarations.
    merged: tuple[int, int] = (0, 0)


def read(text: str) -> Reading:
    """What a shortened view says; the header must stand above it."""
    reading = Reading()
    if only := _ONLY.match(text):
        reading.merged = _number(only[1]), _number(only[2])
        return reading
    body = text.partition("\n\n")[2]
    counted = _COUNTED.search(body)
    lines = _LINES.search(body)
    end = counted.start() if counted else len(body)
    middle = lines.start() if lines else 0 if " — outline, " in text.partition("\n")[0] else end
    for name, part in _parts(body[:middle]):
        _whole(ast.parse(part), part.split("\n"), reading.modules.setdefault(name, {}))
    for name, part in _parts(body[middle:end]):
        _outlined(part, reading.modules.setdefault(name, {}))
    for line in body[end:].splitlines()[1:]:
        _count(line, reading)
    return reading


def _parts(text: str) -> Iterator[tuple[str, str]]:
    found = list(_MODULE.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    for each, end in zip(found, ends[: len(found)], strict=True):
        yield each[1], text[each.end() : end]


def _whole(node: ast.AST, lines: Sequence[str], shown: dict[str, Shown]) -> None:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            known = shown.setdefault(each.name, Shown())
            known.times += 1
            if isinstance(each, ast.ClassDef):
                body = lines[each.lineno - 1 : each.end_lineno]
                known.elided += next((int(hit[1]) for line in body if (hit := _ELIDED.search(line))), 0)
                _whole(each, lines, known.members)
        elif isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets: list[ast.expr] = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in (inner for goal in targets for inner in ast.walk(goal)):
                if isinstance(target, ast.Name):
                    shown.setdefault(target.id, Shown()).times += 1
        elif isinstance(each, ast.Import | ast.ImportFrom):
            for alias in each.names:
                name = alias.asname or alias.name.partition(".")[0]
                shown.setdefault(name, Shown()).times += 1
        elif isinstance(each, ast.If | ast.Try | ast.ExceptHandler | ast.With | ast.For | ast.While):
            _whole(each, lines, shown)


def _outlined(text: str, shown: dict[str, Shown]) -> None:
    owners = [shown]
    for line in text.split("\n"):
        names: list[str] = []
        del owners[(len(line) - len(line.lstrip(" "))) // 4 + 1 :]
        if found := _IMPORT.match(line):
            names = [each.rpartition(" as ")[2].strip() for each in found["names"].split(",")]
        elif hit := _LINE.match(line):
            names = [hit["name"]]
        for name in names:
            known = owners[-1].setdefault(name, Shown())
            known.times += 1
        if len(names) == 1:
            known = owners[-1][names[0]]
            elided = _ELIDED.search(line)
            known.elided += int(elided[1]) if elided else 0
            owners.append(known.members)


def _count(line: str, reading: Reading) -> None:
    if merged := _MERGED.fullmatch(line):
        reading.merged = (reading.merged[0] + _number(merged[2]), reading.merged[1] + _number(merged[3]))
    elif gone := _GONE.fullmatch(line):
        reading.gone[gone[1]] = _number(gone[2] or gone[3]), _number(gone[3])


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def unaccounted(modules: Sequence[Module], reading: Reading) -> list[str]:
    """What a view has and a shortened text neither shows nor counts."""
    problems: list[str] = []
    merged = [0, 0]
    for module in modules:
        declared = [each for each in module.declarations if each.kind != "import"]
        shown = reading.modules.get(module.name, {})
        missing = _missing(declared, shown)
        gone, of = reading.gone.get(module.name, (0, len(declared)))
        is_named = module.name in reading.gone or module.name in reading.modules
        merged[0] += not is_named
        merged[1] += 0 if is_named else missing
        if (missing != gone and is_named) or of != len(declared):
            problems.append(f"{module.name}: {missing} of {len(declared)} missing, {gone} of {of} counted")
        problems += [f"{module.name}:{each}" for each in _members_missing(declared, shown)]
    if (merged[0], merged[1]) != reading.merged:
        problems.append(f"{merged} in modules that are not named, {reading.merged} counted")
    return problems


def _missing(declarations: Sequence[Declaration], shown: dict[str, Shown]) -> int:
    names = Counter(each.name for each in declarations)
    return sum(max(0, count - shown.get(name, Shown()).times) for name, count in names.items())


def _members_missing(declarations: Sequence[Declaration], shown: dict[str, Shown]) -> Iterator[str]:
    by_name: dict[str, list[Declaration]] = {}
    for each in declarations:
        by_name.setdefault(each.name, []).append(each)
    for name, group in by_name.items():
        known = shown.get(name)
        if known is None or known.times < len(group):
            continue  # counted, with its members
        below = sum(1 for each in group for inner in each.walk() if inner.kind != "import") - len(group)
        here = _inside(known)
        if known.elided + here < below:
            yield f"{name}: {below} members, {here} shown, {known.elided} elided"


def _inside(shown: Shown) -> int:
    return sum(each.times + each.elided + _inside(each) for each in shown.members.values())
