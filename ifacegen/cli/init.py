"""``ifacegen init``: a starter ``ifacegen.yaml`` that says what was found."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ifacegen.cli.output import Output
    from ifacegen.model import Package

NAME = "init"
HELP = "write a starter ifacegen.yaml"

_HEAD = """\
# ifacegen.yaml: what ifacegen should know about this repository. Every line is optional but the first;
# without this file ifacegen reads the project files (pyproject.toml …) and uses the defaults shown here.
version: 1

# Which directories are packages. Globs restrict discovery (`!` takes back, in order); a mapping corrects
# one package, or makes a directory a package that has no project file.
# packages:
#   - "packages/*"
#   - "!packages/attic"
#   - path: tools/release        # roles: library, app, test, example, template, fixture, vendored
#     name: release-tools
#     role: app
#     public: [release.api]      # part of the interface, whatever the source suggests
#     hidden: [release.legacy]   # not part of it
#     interfaces: [openapi, python]   # which of its interfaces are shown, in this order
"""
_TAIL = """
# Files that are never looked at; patterns as in .gitignore.
# exclude:
#   - "**/_generated/**"

# What views show.
# view:
#   docs: full                   # full, first_paragraph, none
#   long_value: 200              # longer values are elided, with their size

# Ecosystems to look for; all are on.
# discovery:
#   openapi: true
#   protobuf: true
#   python: true
#   typescript: true

# Where views are kept once made. IFACEGEN_CACHE_DIR and --cache-dir go before `dir`; without any of them it
# is your own cache directory.
# cache:
#   dir: .ifacegen-cache         # inside the repository; have git ignore it
#   read_only_dirs: [/mnt/views] # others' caches: read, never written
#   max_bytes: 5 GB              # what `ifacegen cache prune` keeps
#   max_age: 30d

# What declarations of TypeScript are made with where a package ships none; without it, what PATH has.
# Absolute, or from your home: nothing of the repository is ever run.
# tools:
#   node: /usr/bin/node
#   typescript: ~/tools/node_modules/typescript        # a package's directory
#   oxc-transform: ~/tools/node_modules/oxc-transform
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``init`` has no arguments of its own."""


def run(options: argparse.Namespace, output: Output) -> int:
    """Write the file; an existing one is left alone."""
    from ifacegen.config import CONFIG_FILE
    from ifacegen.errors import RepositoryError, UsageError
    from ifacegen.workspace import Workspace

    workspace = Workspace.open(options.directory, cache_dir=options.cache_dir)
    packages = workspace.packages()
    try:
        with (workspace.root / CONFIG_FILE).open("x", encoding="utf-8", newline="\n") as file:
            file.write(starter(packages))
    except FileExistsError:
        raise UsageError(f"{CONFIG_FILE} exists already; ifacegen never changes it") from None
    except OSError as error:
        raise RepositoryError(f"{CONFIG_FILE} cannot be written: {error.strerror}") from None
    found = "1 package" if len(packages) == 1 else f"{len(packages)} packages"
    output.note(f"wrote {CONFIG_FILE}; {found} found")
    return 0


def starter(packages: tuple[Package, ...]) -> str:
    """The text of a starter file; it parses to the defaults."""
    listed = [f"#   {' '.join(package.path.split())}  ({_about(package)})" for package in packages]
    found = ["", "# Found without it:", *listed] if listed else ["", "# No packages were found without it."]
    return _HEAD + "\n".join(found) + "\n" + _TAIL


def _about(package: Package) -> str:
    # Names come from the repository: one must not be able to end the comment.
    name = " ".join(package.name.split())
    return ", ".join([name, *package.kinds, package.role])
