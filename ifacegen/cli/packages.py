"""``ifacegen packages``: what there is, and which package needs which."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ifacegen.cli.output import Output
    from ifacegen.model import Package

NAME = "packages"
HELP = "list the packages of the repository with kind, role and edges"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--commit", metavar="REV", help="the packages at a commit instead of the work tree")
    parser.add_argument("--json", action="store_true", help="everything that is known, as JSON")


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the table or the JSON; notes go to stderr."""
    from ifacegen.workspace import Workspace

    workspace = Workspace.open(options.directory, cache_dir=options.cache_dir)
    packages = workspace.packages(commit=options.commit)
    if options.json:
        output.json({"packages": [describe(package) for package in packages]})
    elif packages:
        output.out(table(packages))
    else:
        output.note("no packages here: no project file was found, and no sources beside it")
    for note in (
        *workspace.notes(commit=options.commit),
        *(note for each in packages for note in each.notes),
    ):
        output.note(str(note))
    return 0


def describe(package: Package) -> dict[str, Any]:
    """One package as JSON."""
    return {
        "path": package.path,
        "name": package.name,
        "kinds": list(package.kinds),
        "role": package.role,
        "declared_by": package.declared_by,
        "import_names": list(package.import_names),
        "edges": [{"target": edge.target, "kind": edge.kind, "name": edge.name} for edge in package.edges],
        "notes": [
            {"severity": n.severity, "code": n.code, "message": n.message, "path": n.path, "line": n.line}
            for n in package.notes
        ],
    }


def table(packages: tuple[Package, ...]) -> str:
    """Path, name, kind, role and edges in columns, one package a line."""
    rows = [("PATH", "NAME", "KIND", "ROLE", "NEEDS")]
    rows += [(p.path, p.name, ",".join(p.kinds) or "-", p.role, _edges(p) or "-") for p in packages]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]])
        for row in rows
    )


def _edges(package: Package) -> str:
    return ", ".join(f"{edge.target} ({edge.kind})" for edge in package.edges)
