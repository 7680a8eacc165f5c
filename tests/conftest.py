"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline for one example: how long it takes says more about the machine than about the code.
# The same examples in every run, so that what lands is what was tested; `search` looks for new ones.
settings.register_profile("ifacegen", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ifacegen"))
