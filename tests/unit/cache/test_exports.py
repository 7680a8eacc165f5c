"""What the package offers, though nothing is loaded before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ifacegen_cache


def test_every_name_is_there() -> None:
    assert set(ifacegen_cache.__all__) <= set(dir(ifacegen_cache))
    for name in ifacegen_cache.__all__:
        assert getattr(ifacegen_cache, name).__name__ == name


def test_there_are_no_others() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Cache'"):
        ifacegen_cache.Cache  # type: ignore[attr-defined]  # noqa: B018
    assert sorted(ifacegen_cache._MODULES) == ifacegen_cache.__all__


def test_importing_the_package_loads_none_of_it() -> None:
    program = "import sys, ifacegen_cache\nprint(*(name for name in sys.modules if 'ifacegen' in name))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded = [name for name in done.stdout.split() if name.startswith("ifacegen")]
    assert loaded == ["ifacegen_cache"]
