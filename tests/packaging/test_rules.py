"""House rules that no linter knows: sizes, what the cache may import, where nothing may come from."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("ifacegen", "adapters/ifacegen_adapters", "cache/ifacegen_cache")
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 80

#: Hosts that packages come from. pip knows the one it is configured for; a file that names one ties
#: everybody to it. (In pieces, because this file is looked through as well.)
REGISTRY = re.compile(
    r"pypi\.(?:org|python\.org)"
    r"|files\.python" + r"hosted\.org"
    r"|registry\.(?:npm" + r"js\.org|yarn" + r"pkg\.com)"
    r"|(?:deb|security)\.deb" + r"ian\.org"
    r"|proxy\.go" + r"lang\.org"
    r"|(?:index|static)\.cra" + r"tes\.io"
    r"|repo1?\.maven\.(?:apache\.)?org",
    re.IGNORECASE,
)
#: Files that pin what is installed, by any tool that we know of.
LOCK_FILE = re.compile(
    r"(?:^|/)(?:[^/]*requirements[^/]*\.txt|[^/]*constraints[^/]*\.txt|[^/]*\.lock|pylock[^/]*\.toml"
    r"|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml)$"
)


def tracked() -> list[str]:
    """Every file that git has or would add."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        check=False,
        capture_output=True,
        text=True,
    )
    if listing.returncode:
        pytest.skip("not in a git repository")
    return [path for path in listing.stdout.split("\0") if (REPOSITORY / path).is_file()]


def text(path: str) -> str:
    return (REPOSITORY / path).read_text("utf-8", "replace")


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((REPOSITORY / package).rglob("*.py"))


@pytest.mark.parametrize(
    "path", ["requirements-dev.txt", "a/uv.lock", "pylock.ci.toml", "x/package-lock.json"]
)
def test_lock_files_are_recognised(path: str) -> None:
    assert LOCK_FILE.search(path)


def test_no_file_names_a_registry() -> None:
    assert [path for path in tracked() if REGISTRY.search(text(path))] == []


def test_no_lock_file_has_an_address() -> None:
    assert [path for path in tracked() if LOCK_FILE.search(path) and "://" in text(path)] == []


def test_the_cache_package_is_not_ignored_by_git() -> None:
    assert "cache/ifacegen_cache/key.py" in tracked()


def test_no_module_is_too_long() -> None:
    sizes = {path: len(path.read_text("utf-8").splitlines()) for path in sources()}
    assert {str(path): size for path, size in sizes.items() if size > MAX_FILE_LINES} == {}


def test_no_function_is_too_long() -> None:
    too_long = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    too_long.append(f"{path}:{node.lineno}: {node.name}: {lines} lines")
    assert too_long == []


def test_the_cache_imports_the_standard_library_only() -> None:
    # Each name of the module that hashes without OpenSSL is known to some Pythons only.
    allowed = sys.stdlib_module_names | {"ifacegen_cache", "_sha2", "_sha256"}
    imported = {name for path in (REPOSITORY / PACKAGES[2]).rglob("*.py") for name in imported_by(path)}
    assert imported - allowed == set()


def imported_by(path: Path) -> Iterator[str]:
    """Top-level names of what a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
