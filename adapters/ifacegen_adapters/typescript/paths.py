"""Paths of files as TypeScript sees them: what a suffix says, and where a written path leads in the repository."""

from __future__ import annotations

import re

DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
SOURCES = (".ts", ".tsx", ".mts", ".cts")
SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
#: Nobody keeps sources there: installed, or machinery of a tool.
_IGNORED = re.compile(r"node_modules|bower_components|jspm_packages|\..+")
_ODD = re.compile(r"[\\\x00-\x1f\x7f]")
_LONGEST = 2_000


def folder_of(path: str) -> str:
    """The directory of a file; empty for the top."""
    return path.rpartition("/")[0]


def joined(folder: str, name: str) -> str:
    """A path below a directory, which may be the top."""
    return f"{folder}/{name}" if folder and name else folder or name


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a directory or lies below it."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def relative_to(path: str, folder: str) -> str:
    """The part of a path below a directory that it lies below."""
    return path[len(folder) + 1 :] if folder else path


def inside(folder: str, written: str) -> str | None:
    """Where a relative path leads from a directory, both of the repository; None if it leads out of that."""
    if written.startswith(("/", "~")) or "://" in written or _ODD.search(written) or len(written) > _LONGEST:
        return None
    parts = folder.split("/") if folder else []
    for part in written.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def is_ignored(path: str) -> bool:
    """Whether a file lies in a directory of an installation or a tool."""
    folders = path.split("/")[:-1]
    return any(_IGNORED.fullmatch(part) for part in folders)


def is_declaration(path: str) -> bool:
    """Whether a file is one of declarations: ``x.d.ts``, ``x.d.mts``, ``x.d.cts``, ``x.d.json.ts``."""
    if path.endswith(DECLARATIONS):
        return True
    name = path.rpartition("/")[2]
    return name.endswith(".ts") and ".d." in name


def is_source(path: str) -> bool:
    """Whether a file is a source of TypeScript."""
    return path.endswith(SOURCES) and not is_declaration(path)


def is_script(path: str) -> bool:
    """Whether a file is JavaScript."""
    return path.endswith(SCRIPTS)


def is_code(path: str) -> bool:
    """Whether a file is of TypeScript or JavaScript."""
    return path.endswith(SOURCES) or path.endswith(SCRIPTS)


def stem_of(path: str) -> str:
    """A path without the suffix of a declaration, a source or JavaScript; the path itself if it has none."""
    for suffix in (*DECLARATIONS, *SOURCES, *SCRIPTS):
        if path.endswith(suffix):
            return path.removesuffix(suffix)
    return path


_ASIDE_FOLDERS = re.compile(
    r"__tests?__|tests?|__mocks__|mocks?|specs?|e2e|cypress|__fixtures__|fixtures?|__snapshots__|docs?|website|"
    r"examples?|samples?|demos?|playground|sandbox|stories|storybook|__stories__|bench(?:marks?)?|perf|coverage|"
    r"scripts|tools|tasks|vendor|vendored|third[-_]?party|type-tests?|test-d|tst|dtslint"
)
#: Deeper down these are names like others.
_ASIDE_AT_TOP = re.compile(
    r"docs?|website|scripts|tools|tasks|perf|mocks?|specs?|samples?|demos?|sandbox|playground|stories|coverage|"
    r"fixtures?|examples?|vendor"
)
_ASIDE_FILES = re.compile(
    r".*(?:[._](?:test|spec)|\.(?:tests|specs|stories|story|bench|benchmark|e2e|cy|mock|test-d|fixture))(?:\.d)?"
    r"\.[cm]?[jt]sx?|.*\.config\.[cm]?[jt]s|.*\.min\.[cm]?js|\..*|.*rc\.[cm]?js|"
    r"(?:gulpfile|gruntfile|karma\.conf|jest[.-]setup|vitest[.-]setup|setup-?tests?)(?:\..*)?\.[cm]?[jt]s",
    re.IGNORECASE,
)


def is_aside(relative: str) -> bool:
    """Whether a file, relative to its package, is for tests, documentation or tools, or minified."""
    *folders, name = relative.split("/")
    if _ASIDE_FILES.fullmatch(name):
        return True
    for depth, folder in enumerate(folders):
        if _ASIDE_FOLDERS.fullmatch(folder) and (depth == 0 or not _ASIDE_AT_TOP.fullmatch(folder)):
            return True
    return False
