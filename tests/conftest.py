"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# No deadline for one example: how long it takes says more about the machine than about the code.
settings.register_profile("ifacegen", deadline=None, print_blob=True)
settings.load_profile("ifacegen")
