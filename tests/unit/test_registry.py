"""Adapters come from entry points, lazily; a broken one is reported, two of a name are refused."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint

import pytest

from ifacegen.adapter import BuildsViews, FindsProjects
from ifacegen.errors import AdapterError
from ifacegen.registry import GROUP, Registry


def point(name: str, value: str) -> EntryPoint:
    """An entry point as an installed distribution declares it."""
    return EntryPoint(name, value, GROUP)


PYTHON = point("python", "ifacegen_adapters.python:PythonAdapter")
MISSING = point("cobol", "ifacegen_adapters_of_nobody:Adapter")
NOT_CALLABLE = point("fortran", "ifacegen:__version__")


def test_the_installed_adapters_are_found() -> None:
    registry = Registry()
    assert "python" in registry.names
    python = registry.get("python")
    assert isinstance(python, FindsProjects)
    assert isinstance(python, BuildsViews)
    assert registry.problems == {}


def test_adapters_are_in_order_of_their_names_and_made_once() -> None:
    registry = Registry([point("z", PYTHON.value), PYTHON])
    assert registry.names == ("python", "z")
    assert registry.get("z") is registry.get("z")
    assert [each.name for each in registry.all()] == ["python", "python"]


def test_nothing_is_imported_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "antigravity_of_the_tests", raising=False)
    registry = Registry([point("lazy", "antigravity_of_the_tests:Adapter")])
    assert registry.names == ("lazy",)
    assert registry.problems == {}


@pytest.mark.parametrize("broken", [MISSING, NOT_CALLABLE], ids=lambda each: each.name)
def test_a_broken_adapter_is_reported_and_the_others_work(broken: EntryPoint) -> None:
    registry = Registry([broken, PYTHON])
    assert [each.name for each in registry.all()] == ["python"]
    assert registry.get(broken.name) is None
    (problem,) = registry.problems.values()
    assert broken.name in problem
    assert broken.value in problem


def test_an_unknown_name_is_none() -> None:
    assert Registry([PYTHON]).get("cobol") is None


def test_two_adapters_of_a_name_are_refused_and_both_are_named() -> None:
    with pytest.raises(AdapterError) as caught:
        Registry([PYTHON, point("python", "theirs:Adapter")])
    assert "ifacegen_adapters.python:PythonAdapter" in str(caught.value)
    assert "theirs:Adapter" in str(caught.value)


def test_the_same_adapter_twice_is_one() -> None:
    assert Registry([PYTHON, PYTHON]).names == ("python",)
