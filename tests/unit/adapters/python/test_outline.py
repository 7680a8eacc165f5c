"""A line a declaration: short, and honest about what it leaves out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ifacegen_adapters.python import PythonAdapter
from ifacegen_adapters.python.lines import WIDTH
from support.views import surface_of


def outline(source: str) -> list[str]:
    """The lines of one module's outline below its heading."""
    surface = surface_of({"m.py": source})
    first, *lines = PythonAdapter().render_outline(surface.modules).splitlines()
    assert first == "# module m"
    return lines


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(a: int, *, b: str = 'x') -> None: ...", "def f(a: int, *, b: str = 'x') -> None"),
        ("async def f(): 'Doc.'", "async def f()"),
        ("X: int = 1\n'''Doc.'''", "X: int = 1"),
        ("X = [1, 2]", "X = [1, 2]"),
        ("X = [" + "1234567, " * 9 + "]", "X = ..."),
        ("X = 'a'\n'''Doc'''", "X = 'a'"),
        ("class C(Exception): 'Doc.'", "class C(Exception)"),
        ("import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass C: ...", "@dataclass class C"),
    ],
)
def test_a_declaration_is_a_line(source: str, line: str) -> None:
    assert outline(source) == [line]


def test_members_are_indented_and_decorators_that_tell_their_kind_stay() -> None:
    source = """\
import functools
from typing import overload
class C:
    @property
    def p(self) -> int: ...
    @p.setter
    def p(self, value: int) -> None: ...
    @functools.cached_property
    def q(self) -> int: ...
    @classmethod
    def make(cls) -> 'C': ...
    @functools.lru_cache(maxsize=1)
    def plain(self) -> int: ...
    class Inner:
        x: int
@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
"""
    assert outline(source) == [
        "class C",
        "    @property def p(self) -> int",
        "    @setter def p(self, value: int) -> None",
        "    @cached_property def q(self) -> int",
        "    @classmethod def make(cls) -> 'C'",
        "    def plain(self) -> int",
        "    class Inner",
        "        x: int",
        "@overload def f(a: int) -> int",
        "@overload def f(a: str) -> str",
    ]


def test_long_signatures_lose_defaults_then_types_then_parameters_and_say_so() -> None:
    default = "def f(aaaaaaaaaaaaa: int = 1234567890123456, b: str = 'x', c: bytes = b'0123456789', d: int = 3, e: int = 4) -> int: ..."
    assert outline(default) == [
        "def f(aaaaaaaaaaaaa: int = ..., b: str = 'x', c: bytes = ..., d: int = 3, e: int = 4) -> int"
    ]
    types = "def f(" + ", ".join(f"{each * 6}: dict[str, list[int]]" for each in "abcdef") + ") -> int: ..."
    assert outline(types) == ["def f(aaaaaa, bbbbbb, cccccc, dddddd, eeeeee, ffffff) -> int  # types elided"]
    names = "def f(" + ", ".join(f"parameter_number_{each}" for each in range(30)) + "): ..."
    (line,) = outline(names)
    assert line.startswith("def f(parameter_number_0, parameter_number_1, ")
    assert line.endswith(", … 26 more)")
    assert len(line) <= WIDTH


def test_what_conditions_and_deprecation_say_stays() -> None:
    source = """\
import sys
from warnings import deprecated
if sys.platform == "win32":
    def f(): ...
else:
    def f(a): ...
@deprecated("use f")
def g(): ...
"""
    assert outline(source) == [
        'def f()  # if sys.platform == "win32"',
        'def f(a)  # if not (sys.platform == "win32")',
        "def g()  # deprecated: use f",
    ]


def test_aliases_of_one_origin_are_one_line() -> None:
    surface = surface_of(
        {
            "m/__init__.py": "from .a import x, y\nfrom .a import z as zed\nfrom .b import w\n",
            "m/a.py": "x = 1\ny = 2\nz = 3\n",
            "m/b.py": "w = 4\n",
        }
    )
    text = PythonAdapter().render_outline(surface.modules)
    assert text.splitlines()[:3] == ["# module m", "from .a import x, y, z as zed", "from .b import w"]


def test_what_is_private_is_marked_unless_its_module_is() -> None:
    surface = surface_of(
        {
            "m/__init__.py": "from ._q import Base\n_T = int\ndef f(a: _T, b: Base) -> None: ...\nclass D(_C): ...\nfrom ._r import _C\n",
            "m/_q.py": "class Base: ...\n",
            "m/_r.py": "class _C: ...\n",
        }
    )
    text = PythonAdapter().render_outline(surface.modules)
    assert "_T = int  # private" in text
    assert text.rstrip().endswith("# module m._r  (private: carried names only)\nclass _C")


def test_damaged_headers_are_said_to_be() -> None:
    assert outline("def f(a b):\n    pass\n") == ["# syntax error in the source: def f(a b)"]


def test_elided_members_are_counted_in_outlines_and_views() -> None:
    (module,) = surface_of({"m.py": "class C:\n    'Doc.'\n    x: int\nclass D:\n    y: int\n"}).modules
    elided = [
        replace(each, members=(), extra={**each.extra, "members_elided": 1}) for each in module.declarations
    ]
    short = [replace(module, declarations=tuple(elided))]
    assert PythonAdapter().render_outline(short) == (
        "# module m\nclass C  # 1 member elided\nclass D  # 1 member elided\n"
    )
    assert PythonAdapter().render(short) == (
        '# module m\n\nclass C:\n    """Doc."""\n    ...  # 1 member elided\n\nclass D: ...  # 1 member elided\n'
    )
