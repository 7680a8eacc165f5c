"""Starting is cheap: what takes long to import is imported by the first thing that needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("grpc_tools", "griffe", "libcst", "mypy", "rich", "tiktoken", "tree_sitter", "yaml")

IMPORT = "import ifacegen"
COMMAND = """\
from ifacegen.__main__ import entry
sys.argv = ["ifacegen", {argument!r}]
try:
    code = entry()
except SystemExit as exit:
    code = exit.code
assert not code, code
"""


def loaded_by(program: str) -> set[str]:
    """The heavy packages that an interpreter has loaded after running a program."""
    report = f"print('loaded:', *(name for name in {HEAVY} if name in sys.modules))"
    command = [sys.executable, "-c", f"import sys\n{program}\n{report}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    label, *loaded = done.stdout.splitlines()[-1].split()
    assert label == "loaded:"
    return set(loaded)


def test_what_is_loaded_is_noticed() -> None:
    assert loaded_by("import yaml") == {"yaml"}


@pytest.mark.parametrize(
    "program",
    [IMPORT, COMMAND.format(argument="--version"), COMMAND.format(argument="--help")],
    ids=["import", "--version", "--help"],
)
def test_nothing_heavy_is_loaded(program: str) -> None:
    assert loaded_by(program) == set()
