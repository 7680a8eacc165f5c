"""What one Python file states, taken by itself: the facts that links are made of.

Values only: no paths, no resolved names, nothing of other files, so that facts can be kept under the
file's blob id. ``reader.py`` makes them, ``stored.py`` writes them down: what is seldom set is last, so that
rows are short.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ifacegen_adapters.python.exports import AllOperation, LazyName
from ifacegen_adapters.python.headers import Header

#: Part of every key: raised whenever the meaning or the extraction of facts changes.
FACTS_VERSION = "2"

#: Characters of the longest value that facts keep; of longer ones only the size.
LONGEST_VALUE = 2_000

_TYPE_CHECKING = re.compile(r"if (?:\w+\.)?TYPE_CHECKING\Z")


def for_type_checkers(conditions: tuple[str, ...]) -> bool:
    """Whether what stands under these conditions exists for type checkers only."""
    return any(_TYPE_CHECKING.match(condition) for condition in conditions)


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that the file defines: by ``def``, ``class``, ``type`` or assignment."""

    #: ``class``, ``function``, ``method``, ``property``, ``variable``, ``attribute``, ``type_alias``, ``type_variable``.
    kind: str
    header: Header
    line: int
    end_line: int
    #: ``yields``, ``returns``, ``raises_last``, ``stub`` (no body to infer from), ``hoisted`` (``self.x``), ``checked``
    #: (by type checkers, where hoisted), ``loop``, ``deleted``, ``unstated`` (not in the stub that describes the file),
    #: ``type_checking`` (in that stub only).
    flags: frozenset[str] = frozenset()
    doc: str | None = None
    decorators: tuple[str, ...] = ()
    #: The value as written; None where there is none or it is longer than :data:`LONGEST_VALUE`.
    value: str | None = None
    #: Size of the value in words (``12 entries, 340 characters``); None where there is none.
    size: str | None = None
    type: str | None = None
    type_origin: Literal["stated", "inferred"] | None = None
    raises: tuple[str, ...] = ()
    members: tuple[Definition, ...] = ()
    conditions: tuple[str, ...] = ()
    #: Whether the value says what the name is (aliases, type variables, functional classes): never elided.
    keep_value: bool = False
    deprecated: str | None = None
    #: What an existing stub leaves to the source: ``@decorator``, ``parameter=`` (its default), ``=`` (the value).
    of_source: tuple[str, ...] = ()
    #: Where no type is stated: hints (``values.py``) of all that is assigned, to be looked up when names are resolved.
    hints: tuple[str, ...] = ()
    #: What a method sets the attribute to, where that is short and says something.
    set_to: str | None = None

    @property
    def name(self) -> str:
        """The name it binds."""
        return self.header.name

    @property
    def type_checking_only(self) -> bool:
        """Whether it exists for type checkers only."""
        return "type_checking" in self.flags or for_type_checkers(self.conditions)


@dataclass(frozen=True, slots=True)
class Import:
    """One name bound by an import statement."""

    #: The name it binds here.
    name: str
    #: The module as written, leading dots included.
    module: str
    #: The name taken from the module; None where the module itself is bound.
    attribute: str | None
    line: int = 0
    #: ``import X as X``: an explicit re-export (PEP 484).
    explicit: bool = False
    #: ``import a.b``: binds ``a``, and makes ``a.b`` there.
    dotted: bool = False
    conditions: tuple[str, ...] = ()
    #: Bound in a method only, whose instance attributes' annotations mention it.
    local: bool = False

    @property
    def type_checking_only(self) -> bool:
        """Whether it exists for type checkers only."""
        return for_type_checkers(self.conditions)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that could not be read as Python."""

    code: str
    message: str
    line: int = 0
    severity: Literal["info", "warning", "error"] = "warning"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that a view needs of one file."""

    doc: str | None = None
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    #: Modules of ``from m import *``, as written.
    stars: tuple[str, ...] = ()
    all_operations: tuple[AllOperation, ...] = ()
    #: Module-level lists and dicts that ``__all__`` or ``__getattr__`` mention: name → strings or keys.
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: What ``__getattr__`` serves, by literal tables and by imports in its body.
    lazy: tuple[LazyName, ...] = ()
    lazy_imports: tuple[Import, ...] = ()
    problems: tuple[Problem, ...] = ()
    #: Whether the tree is too deep for parsers that recurse.
    deep: bool = False
    #: Size of the whole file's text; 0 for stubs, which are no implementation.
    tokens: int = 0
    #: Conditions that asserts on the platform set for what follows them in the module.
    asserted: tuple[str, ...] = ()
    #: Names that functions declare ``global``.
    global_names: tuple[str, ...] = ()
    #: Whether a ``__getattr__`` may serve more names than are written here.
    has_getattr: bool = False
    #: Whether code binds names that are written nowhere (``globals().update(…)``).
    binds_names: bool = False


@dataclass(frozen=True, slots=True)
class FileTypes:
    """What is inferred where one file states no type."""

    #: Types by qualified name (``Class.attribute``, ``function`` for what it returns).
    known: Mapping[str, str] = field(default_factory=dict)
    #: Why there are none, where that is worth saying.
    problem: Problem | None = None
