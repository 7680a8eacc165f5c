"""``python -m ifacegen``."""

from __future__ import annotations

import sys

from ifacegen.cli import main

if __name__ == "__main__":
    sys.exit(main())
