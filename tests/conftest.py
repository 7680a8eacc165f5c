"""What holds for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# No deadline for one example: how long it takes says more about the machine than about the code.
# The same examples in every run, so that what lands is what was tested; `search` looks for new ones.
settings.register_profile("ifacegen", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ifacegen"))


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing comes from, or goes to, the cache of whoever runs the tests."""
    before = os.environ.get("IFACEGEN_CACHE_DIR")
    os.environ["IFACEGEN_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    yield
    os.environ.pop("IFACEGEN_CACHE_DIR")
    if before is not None:
        os.environ["IFACEGEN_CACHE_DIR"] = before
