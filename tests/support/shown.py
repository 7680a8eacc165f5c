"""A small monorepo whose views have been shown: what the fast path answers from."""

from __future__ import annotations

import time

from support.truth import Lab

PROJECT = '[project]\nname = "{}"\nversion = "1"\n'
FILES = {
    "ifacegen.yaml": "version: 1\npackages:\n  - path: other\n    hidden: [other.secret]\n",
    ".gitignore": "ignored.py\n",
    "libs/core/pyproject.toml": PROJECT.format("core-lib"),
    "libs/core/src/core/__init__.py": '"""Core: né."""\nfrom .shapes import *\n',
    "libs/core/src/core/shapes.py": "class Shape:\n    def area(self) -> float:\n        return 1.0\n",
    "libs/core/src/core/sub/__init__.py": "SUB = 1\n",
    "libs/empty/pyproject.toml": PROJECT.format("empty"),
    "apps/shop/pyproject.toml": PROJECT.format("shop"),
    "apps/shop/shop/__init__.py": "from core import *\nfrom newcomer import *\n",
    "apps/core/pyproject.toml": PROJECT.format("core-app"),
    "apps/core/core_app.py": "APP = 1\n",
    "other/pyproject.toml": PROJECT.format("other"),
    "other/other.py": 'def other() -> None:\n    """Doc."""\n\ndef secret() -> None: ...\n',
    "tools/readme.txt": "Tools.\n",
}
PACKAGES = ("apps/core", "apps/shop", "libs/core", "other")


def show_all(lab: Lab) -> None:
    """Show every package, in a way that leaves memos."""
    time.sleep(0.06)  # what has just been written may be written again at the same moment
    workspace = lab.workspace()
    for commit in (None, "HEAD"):
        for package in workspace.packages(commit):
            workspace.view(package, commit)
